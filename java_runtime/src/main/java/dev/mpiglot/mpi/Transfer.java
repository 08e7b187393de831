package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.RequestHandle;
import dev.mpiglot.low.StatusValue;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * One read or write of a file: what it uses stays open. A process whose arguments are wrong takes part in what all do
 * together, with no elements, and is told afterwards: the others do not wait for it.
 */
final class Transfer implements AutoCloseable {

    private final MpiFile file;
    private final boolean together;
    private final StatusValue found = new StatusValue();
    private Loan loan;
    private long valueBytes = 1;
    private Life type = Life.ENDLESS;
    private long offset;
    private boolean reads;
    private boolean fills;
    private long asked; // bytes
    private ReadPlace place; // null: MPI tells how much it has read
    private boolean isInOrder; // where a read begins depends on all
    private boolean goesOn;
    private RuntimeException mistake;

    Transfer(MpiFile file, boolean together) {
        this.file = file;
        this.together = together;
        file.enter(together);
    }

    /** A buffer that MPI writes what it reads to, from the position of this process on. */
    void fill(MpiBuffer<?> data) {
        take(data, true, false, 0);
        if (isUntold()) {
            place = ReadPlace.at(file.word(), elementBytes(), file.position());
        }
    }

    void fillAt(long first, MpiBuffer<?> data) {
        take(data, true, true, first);
        if (isUntold()) {
            place = ReadPlace.at(file.word(), elementBytes(), first);
        }
    }

    /** The same from the shared position on; of all processes: in the order of ranks. */
    void fillShared(MpiBuffer<?> data) {
        isInOrder = together;
        take(data, true, false, 0);
        if (!together && isUntold()) {
            place = ReadPlace.shared(file.word(), elementBytes(), asked);
        }
    }

    private boolean isUntold() {
        return fills && (together || file.readsTooMuch(loan));
    }

    private long elementBytes() {
        return file.current().element().bytes();
    }

    /** A buffer that MPI brings to the file. */
    void give(MpiBuffer<?> data) {
        take(data, false, false, 0);
    }

    void giveShared(MpiBuffer<?> data) {
        give(data);
    }

    void giveAt(long first, MpiBuffer<?> data) {
        take(data, false, true, first);
    }

    private void take(MpiBuffer<?> data, boolean filled, boolean at, long first) {
        reads = filled;
        mistake = Parts.mistakeOf(() -> {
            file.require(data, filled, at, first);
            data.type().life().enter();
        });
        file.note(mistake);
        if (mistake != null) {
            if (!together) {
                throw mistake;
            }
            loan = Loan.toRead(MpiBuffer.zeros(file.current().element().kind(), 0));
            return;
        }
        valueBytes = data.type().valueBytes();
        type = data.type().life();
        asked = data.bytes();
        offset = first;
        fills = filled;
        loan = !filled || together ? Loan.toRead(data) // see collective-read-tells-too-much
                : file.readsPlainOnly() ? Loan.toFillAlike(data) : Loan.toFill(data);
    }

    long offset() {
        return offset;
    }

    MemorySegment segment() {
        return loan.segment();
    }

    long count() {
        return loan.count();
    }

    DatatypeHandle type() {
        return loan.type();
    }

    StatusValue found() {
        return found;
    }

    /** A read in order, after it is known where this process reads: no library tells how much it has read. */
    private Runnable placed(Runnable action) {
        return !isInOrder ? action : () -> {
            long first = file.placeInOrder(asked);
            place = fills && first >= 0 ? ReadPlace.at(file.word(), elementBytes(), first) : null;
            action.run();
        };
    }

    /** Does it; how many values it moved. */
    long done(Runnable action) {
        takePart(together && !reads ? () -> AvoidedDefects.writeTogether(file.word(), action) : placed(action));
        hasMoved();
        return moved();
    }

    /** What MPI tells, or what of that is in the file; brings it into an array. */
    long moved() {
        long bytes = Status.of(found).bytes();
        if (place != null) {
            bytes = place.before(bytes);
        }
        if (fills) {
            loan.arrived(bytes);
        }
        return bytes / valueBytes;
    }

    private void hasMoved() {
        if (place != null) {
            place.hasMoved();
        }
    }

    /** Where a read might never be complete (iread-beyond-the-end), or another thread might crash. */
    private boolean isDoneAtOnce() {
        return reads && LibraryDefects.READS_HANG || LibraryDefects.FILES_CRASH_THREADS && Progress.isPossible();
    }

    /** Begins it, or does it at once by {@code blocking}. */
    Request begun(Supplier<RequestHandle> action, Runnable blocking) {
        if (isDoneAtOnce()) {
            takePart(blocking);
            hasMoved();
            Request over = Request.over(found, loan, fills ? loan : null, Request.Work.FILE, place);
            loan = null;
            return over;
        }
        Backlog.beforeBegin();
        RequestHandle[] made = new RequestHandle[1];
        Progress.finishOnPlatform(() -> made[0] = action.get());
        Request begun = new Request(made[0], loan, fills ? loan : null, Request.Work.FILE, place);
        loan = null;
        file.goesOn(begun);
        hasMoved();
        if (mistake != null) {
            begun.close(); // it only takes part
            throw mistake;
        }
        return begun;
    }

    private SplitTransfer goesOn(SplitTransfer begun) {
        goesOn = true;
        file.splits(begun);
        return begun;
    }

    /** The same of what another call ends. */
    SplitTransfer split(SplitTransfer.Half half, Runnable action, Runnable blocking) {
        if (isDoneAtOnce()) {
            takePart(half == SplitTransfer.Half.WRITE_ORDERED
                    ? () -> AvoidedDefects.writeTogether(file.word(), blocking) : placed(blocking));
            return goesOn(new SplitTransfer(file, this, null));
        }
        SplitTransfer begun = new SplitTransfer(file, this, half);
        if (mistake != null) {
            takePart(() -> {
                placed(action).run();
                half.end(file.word(), loan.segment(), found);
            });
        }
        Progress.finishOnPlatform(placed(action));
        return goesOn(begun);
    }

    private void takePart(Runnable action) {
        try {
            CompletableFuture<?> rest = Ending.guarded(mistake, action);
            if (rest != null) {
                goesOn = true;
                rest.whenComplete((result, failure) -> end());
                throw Ending.late();
            }
        } catch (RuntimeException e) {
            file.note(e);
            if (mistake == null) {
                throw e;
            }
            mistake.addSuppressed(e);
        }
        if (mistake != null) {
            throw mistake;
        }
    }

    @Override
    public void close() {
        if (!goesOn) {
            end();
        }
    }

    /** Gives back what it used. */
    void end() {
        if (loan != null) {
            loan.end();
        }
        type.leave();
        file.leave();
    }
}

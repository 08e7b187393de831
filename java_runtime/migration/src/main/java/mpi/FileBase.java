package mpi;

import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.FileHandle;
import dev.mpiglot.low.Generalized;
import dev.mpiglot.low.InputOutput;
import dev.mpiglot.low.RequestHandle;
import dev.mpiglot.low.StatusValue;
import dev.mpiglot.mpi.AvoidedDefects;
import dev.mpiglot.mpi.ReadPlace;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;

/** The handle of a file, and how its elements are read and written. */
abstract class FileBase {

    private FileHandle handle;
    private long elementBytes = 1; // of the view
    private boolean isViewUntold;
    private ReadPlace begunAt; // null: MPI tells how much it has read
    private Staged begun; // null: no operation that has a begin and an end is under way
    private StatusValue begunStatus; // of one that was done at once; null: it is under way
    private Object begunWith;
    private int begunCount;
    private Datatype begunType;

    FileBase(FileHandle handle) {
        this.handle = handle;
    }

    /** The handle of an open file. */
    final FileHandle handle() {
        if (handle == null) {
            throw new IllegalArgumentException("The file is closed.");
        }
        return handle;
    }

    /**
     * Closes the file.
     *
     * @throws MPIException if MPI reports an error
     */
    public void close() throws MPIException {
        MPIException.run(() -> InputOutput.fileClose(handle()));
        handle = null;
    }

    /** The view has changed. */
    final void sees(Datatype etype, Datatype filetype) {
        elementBytes = Datatypes.typeSize(etype.handle());
        isViewUntold = ReadPlace.isUntold(filetype.handle());
    }

    /** Where a read begins of which MPI may tell too much; null: MPI tells what it reads, or nobody knows the place. */
    interface Start {
        ReadPlace of(FileBase file, int count, Datatype type);

        /** Of a write, or of a read in the order of the ranks. */
        Start NONE = (file, count, type) -> null;
        Start TOGETHER = (file, count, type) ->
                ReadPlace.at(file.handle(), file.elementBytes, InputOutput.fileGetPosition(file.handle()));
        Start ALONE = (file, count, type) -> file.isUntold(type) ? TOGETHER.of(file, count, type) : null;
        Start SHARED = (file, count, type) -> !file.isUntold(type) || file.isSequential() ? null
                : ReadPlace.shared(file.handle(), file.elementBytes, count * Datatypes.typeSize(type.handle()));

        static Start togetherAt(long offset) {
            return (file, count, type) -> ReadPlace.at(file.handle(), file.elementBytes, offset);
        }

        static Start aloneAt(long offset) {
            return (file, count, type) -> file.isUntold(type) ? togetherAt(offset).of(file, count, type) : null;
        }
    }

    private boolean isUntold(Datatype type) {
        return isViewUntold || ReadPlace.isUntold(type.handle());
    }

    /** Whether nobody knows any position. */
    private boolean isSequential() {
        return (InputOutput.fileGetAmode(handle()) & MPI.MODE_SEQUENTIAL) != 0;
    }

    private static void hasMoved(ReadPlace place) {
        if (place != null) {
            place.hasMoved();
        }
    }

    private static void mend(ReadPlace place, StatusValue found) {
        if (place != null) {
            place.mend(found);
        }
    }

    /** A transfer that is complete when its call returns. */
    interface Transfer {
        void move(FileHandle file, MemorySegment buf, long count, DatatypeHandle type,
                StatusValue status);
    }

    /** A write of all processes that returns when the data of this one is in the file. */
    static Transfer together(Transfer write) {
        return (file, buf, count, type, status) ->
                AvoidedDefects.writeTogether(file, () -> write.move(file, buf, count, type, status));
    }

    /** A transfer that goes on. */
    interface BeginTransfer {
        RequestHandle move(FileHandle file, MemorySegment buf, long count,
                DatatypeHandle type);
    }

    /** The begin of a transfer that has an end. */
    interface FirstHalf {
        void move(FileHandle file, MemorySegment buf, long count, DatatypeHandle type);
    }

    /** The end of one. */
    interface SecondHalf {
        void move(FileHandle file, MemorySegment buf, StatusValue status);
    }

    final Status move(Transfer how, Object buf, int count, Datatype type, boolean reads) throws MPIException {
        return move(how, buf, count, type, reads, Start.NONE);
    }

    final Status read(Start start, Transfer how, Object buf, int count, Datatype type) throws MPIException {
        return move(how, buf, count, type, true, start);
    }

    private Status move(Transfer how, Object buf, int count, Datatype type, boolean reads, Start start)
            throws MPIException {
        return MPIException.of(() -> {
            var status = new StatusValue();
            try (Staged data = Staged.of(buf, type.span(count))) {
                ReadPlace place = start.of(this, count, type);
                how.move(handle(), data.segment(), count, type.handle(), status);
                hasMoved(place);
                mend(place, status);
                if (reads) {
                    data.back(count, type, status);
                }
            }
            return new Status(status, MPI.UNDEFINED);
        });
    }

    /** Where a read might never be complete (iread-beyond-the-end), or another thread crash (file-requests-of-threads). */
    private static boolean isDoneAtOnce(boolean reads) {
        return reads && AvoidedDefects.readsHang()
                || AvoidedDefects.filesCrashThreads() && Generalized.queryThread() == MPI.THREAD_MULTIPLE;
    }

    /** Begins a transfer, or does it at once by {@code blocking}, which waits for no other process. */
    final Request begin(BeginTransfer how, Transfer blocking, Buffer buf, int count, Datatype type, boolean reads)
            throws MPIException {
        return begin(how, blocking, buf, count, type, reads, Start.NONE);
    }

    final Request beginRead(Start start, BeginTransfer how, Transfer blocking, Buffer buf, int count, Datatype type)
            throws MPIException {
        return begin(how, blocking, buf, count, type, true, start);
    }

    private Request begin(BeginTransfer how, Transfer blocking, Buffer buf, int count, Datatype type, boolean reads,
            Start start) throws MPIException {
        return MPIException.of(() -> {
            if (!isDoneAtOnce(reads)) {
                ReadPlace place = start.of(this, count, type);
                Request begun = Request.ofFile(CommBase.begin(buf, type.span(count),
                        data -> how.move(handle(), data, count, type.handle())), place);
                hasMoved(place);
                return begun;
            }
            var status = new StatusValue();
            blocking.move(handle(), Staged.direct(buf, type.span(count)), count, type.handle(), status);
            return Request.over(status);
        });
    }

    final void beginHalf(FirstHalf how, Transfer blocking, Object buf, int count, Datatype type, boolean reads)
            throws MPIException {
        beginHalf(how, blocking, buf, count, type, reads, Start.NONE);
    }

    final void beginHalfRead(Start start, FirstHalf how, Transfer blocking, Object buf, int count, Datatype type)
            throws MPIException {
        beginHalf(how, blocking, buf, count, type, true, start);
    }

    private void beginHalf(FirstHalf how, Transfer blocking, Object buf, int count, Datatype type, boolean reads,
            Start start) throws MPIException {
        MPIException.run(() -> {
            if (begun != null) {
                throw new IllegalArgumentException("An operation of this file has begun and not ended.");
            }
            Staged data = Staged.kept(buf, type.span(count));
            begunAt = start.of(this, count, type);
            if (isDoneAtOnce(reads)) {
                begunStatus = new StatusValue();
                blocking.move(handle(), data.segment(), count, type.handle(), begunStatus);
            } else {
                begunStatus = null;
                how.move(handle(), data.segment(), count, type.handle());
            }
            begun = data;
            begunWith = buf;
            begunCount = count;
            begunType = type;
        });
    }

    final Status end(SecondHalf how, Object buf, boolean reads) throws MPIException {
        return MPIException.of(() -> {
            if (begun == null || begunWith != buf) {
                throw new IllegalArgumentException("No operation of this file has begun with this buffer.");
            }
            StatusValue status = begunStatus == null ? new StatusValue() : begunStatus;
            try (Staged data = begun) {
                if (begunStatus == null) {
                    how.move(handle(), data.segment(), status);
                }
                begun = null;
                begunWith = null;
                mend(begunAt, status);
                if (reads) {
                    data.back(begunCount, begunType, status);
                }
            }
            return new Status(status, MPI.UNDEFINED);
        });
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.OpHandle;
import dev.mpiglot.low.RequestHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** One access to memory of a window: what it uses stays open, and its copies of arrays stay until it is complete. */
final class Access implements AutoCloseable {

    private final Window<?> window;
    private final int target;
    private final long displacement;
    private final List<Loan> loans = new ArrayList<>(3);
    private final List<Life> types = new ArrayList<>(3);
    private Op<?> operation;
    private boolean combines;
    private boolean single;
    private boolean hasBegun;
    private long values = -1;

    Access(Window<?> window, int target, long displacement) {
        this.window = window;
        this.target = target;
        this.displacement = displacement;
        window.enter();
    }

    /** Takes what combines values. */
    void operate(Op<?> op, boolean fetches) {
        requireOthers();
        noting(() -> Arguments.present("op", op).requireOfWindows(window.kind(), fetches));
        operation = op;
    }

    /** Throws unless the elements are whole numbers. */
    void requireWhole() {
        requireOthers();
        noting(() -> {
            if (!window.kind().isIntegral()) {
                throw new IllegalArgumentException("A window compares and swaps whole numbers only, not "
                        + window.kind() + " elements.");
            }
        });
    }

    /** Throws where a process that is alone would crash. */
    private void requireOthers() {
        if (LibraryDefects.ATOMICS_NEED_OTHERS != null && window.isAlone()) {
            LibraryDefects.refuse(LibraryDefects.ATOMICS_NEED_OTHERS, "An atomic access to a window of one process");
        }
    }

    /** Others may wait for this process where it does not come to after a mistake. */
    private void noting(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            window.note(e);
            throw e;
        }
    }

    /** A buffer that MPI reads. */
    Loan read(String name, MpiBuffer<?> buffer) {
        enter(name, buffer);
        return keep(Loan.toRead(buffer));
    }

    /** A buffer that MPI writes to. */
    Loan fill(String name, MpiBuffer<?> buffer) {
        enter(name, buffer);
        return keep(Loan.toFill(buffer));
    }

    /**
     * The same as single values: where both sides differ, a request of MPICH 4.0 ends too early (rget-completes-early).
     */
    Loan fillAlike(String name, MpiBuffer<?> buffer) {
        enter(name, buffer);
        return keep(Loan.toFillAlike(buffer));
    }

    /** A buffer whose values are combined with those of the target. */
    Loan combine(String name, MpiBuffer<?> buffer) {
        combines = true;
        enter(name, buffer);
        return keep(Loan.toReduce(buffer));
    }

    /** The same for one value. */
    Loan single(String name, MpiBuffer<?> buffer) {
        single = true;
        return combine(name, buffer);
    }

    /** Where values go that were at the target. */
    Loan fetch(String name, MpiBuffer<?> buffer) {
        enter(name, buffer);
        return keep(Loan.toFillAlike(buffer));
    }

    private void enter(String name, MpiBuffer<?> buffer) {
        noting(() -> require(name, buffer));
    }

    private void require(String name, MpiBuffer<?> buffer) {
        long its = Call.withElements(name, buffer).values();
        if (buffer.type().kind() != window.kind()) {
            throw new IllegalArgumentException("\"" + name + "\" has " + buffer.type().kind()
                    + " elements, the window has " + window.kind() + " elements.");
        }
        if (single && its != 1) {
            throw new IllegalArgumentException("\"" + name + "\" has " + its + " elements: this access is to one.");
        }
        if (values >= 0 && its != values) {
            throw new IllegalArgumentException("\"" + name + "\" has " + its + " elements, the other buffer has "
                    + values + ": they must be as many.");
        }
        values = its;
        Life type = buffer.type().life();
        type.enter();
        types.add(type);
    }

    private Loan keep(Loan loan) {
        loans.add(loan);
        return loan;
    }

    /** How many values there are at the target. */
    long values() {
        return values;
    }

    /** Their type. */
    DatatypeHandle type() {
        return combines ? window.kind().number() : window.kind().datatype();
    }

    OpHandle op() {
        return operation.handle();
    }

    /** Begins an access that ends with its epoch. */
    void begin(Runnable call, Loan receives) {
        noting(() -> {
            window.requireAccess(target, displacement, values, false);
            Progress.finishOnPlatform(call);
        });
        hasBegun();
        loans.removeIf(loan -> !loan.isCopy());
        window.hold(target, loans, ofSomebody(receives));
    }

    /** Begins an access that ends with a request. */
    Request begun(Supplier<RequestHandle> call, Loan receives) {
        Backlog.beforeBegin();
        RequestHandle[] made = new RequestHandle[1];
        noting(() -> {
            window.requireAccess(target, displacement, values, true);
            Progress.finishOnPlatform(() -> made[0] = call.get());
        });
        hasBegun();
        Loan all = loans.size() == 1 ? loans.get(0) : loans.get(0).with(loans.get(1));
        return new Request(made[0], all, ofSomebody(receives), Request.Work.ACCESS);
    }

    /** The program goes on: what was thrown before, if anything, it has caught. */
    private void hasBegun() {
        hasBegun = true;
        window.note(null);
    }

    /** From nobody comes nothing. */
    private Loan ofSomebody(Loan receives) {
        return target == Comm.PROC_NULL ? null : receives;
    }

    @Override
    public void close() {
        if (!hasBegun) {
            loans.forEach(Loan::end);
        }
        types.forEach(Life::leave);
        window.leave();
    }
}

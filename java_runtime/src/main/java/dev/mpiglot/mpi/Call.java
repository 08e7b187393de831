package dev.mpiglot.mpi;

import java.util.concurrent.CompletableFuture;

/** One call on a communicator: what it uses stays open, and is given back when it ends. */
final class Call implements AutoCloseable {

    private final Comm comm;
    private Loan first;
    private Loan second;
    private Life op = Life.ENDLESS;
    private Life firstType = Life.ENDLESS;
    private Life secondType = Life.ENDLESS;
    private CompletableFuture<?> later;

    Call(Comm comm) {
        this.comm = comm;
        comm.enter();
    }

    /** A buffer that MPI reads. */
    Loan read(String name, Buffer<?> buffer) {
        enter(withElements(name, buffer));
        return keep(Loan.toRead(buffer));
    }

    /** A buffer that MPI reads, or the word for none. */
    Loan readOrInPlace(String name, Buffer<?> buffer) {
        return present(name, buffer).isInPlace() ? keep(Loan.toRead(buffer)) : read(name, buffer);
    }

    /** A buffer that a message is received into. */
    Loan fill(String name, Buffer<?> buffer) {
        enter(withElements(name, buffer));
        return keep(Loan.toFill(buffer));
    }

    /** A buffer whose elements are reduced. */
    Loan reduce(Buffer<?> buffer, Op<?> operation) {
        if (operation == null) {
            throw new IllegalArgumentException("The operation of a reduction is null.");
        }
        enter(withElements("data", buffer));
        operation.require(buffer.type().kind());
        operation.life().enter();
        op = operation.life();
        return keep(Loan.toReduce(buffer));
    }

    static <B extends Buffer<?>> B present(String name, B buffer) {
        if (buffer == null) {
            throw new IllegalArgumentException("The buffer \"" + name + "\" is null.");
        }
        return buffer;
    }

    private static Buffer<?> withElements(String name, Buffer<?> buffer) {
        if (present(name, buffer).isInPlace()) {
            throw new IllegalArgumentException("The buffer \"" + name + "\" cannot be Buffer.inPlace() here.");
        }
        return buffer;
    }

    private void enter(Buffer<?> buffer) {
        Life type = buffer.type().life();
        type.enter();
        if (firstType == Life.ENDLESS) {
            firstType = type;
        } else {
            secondType = type;
        }
    }

    private Loan keep(Loan loan) {
        if (first == null) {
            first = loan;
        } else {
            second = loan;
        }
        return loan;
    }

    /** An operation that has begun: the loans are its own now. */
    Request begun(dev.mpiglot.low.Request handle, Loan receives, Request.Work work) {
        Loan used = first;
        first = null;
        return new Request(handle, used, receives, work);
    }

    /** Another thread goes on with the operation when the call ends. */
    void goesOnUntil(CompletableFuture<?> end) {
        later = end;
    }

    @Override
    public void close() {
        if (later == null) {
            giveBack();
        } else {
            later.whenComplete((result, failure) -> giveBack());
        }
    }

    private void giveBack() {
        if (first != null) {
            first.end();
        }
        if (second != null) {
            second.end();
        }
        op.leave();
        firstType.leave();
        secondType.leave();
        comm.leave();
    }
}

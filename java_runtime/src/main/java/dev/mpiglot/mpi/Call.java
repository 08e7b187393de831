package dev.mpiglot.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** One call on a communicator: what it uses stays open, and is given back when it ends. */
sealed class Call implements AutoCloseable permits BlockingCall {

    private final Comm comm;
    private Loan first;
    private Loan second;
    private Life op = Life.ENDLESS;
    private Life firstType = Life.ENDLESS;
    private Life secondType = Life.ENDLESS;
    private List<Life> moreTypes = List.of();
    private Op<?> operation;
    private Op<?> standIn;
    private dev.mpiglot.low.Datatype number;
    private RuntimeException mistake;
    private CompletableFuture<?> later;

    Call(Comm comm) {
        this.comm = comm;
        comm.enter();
    }

    /** The communicator, for MPI. */
    dev.mpiglot.low.Comm comm() {
        return comm.word();
    }

    /** What a probe has found on the communicator. */
    Message message(dev.mpiglot.low.Message made, dev.mpiglot.low.Status found) {
        return new Message(comm, made, Status.of(found));
    }

    /** How many neighbours this process has. */
    Neighborhood.Degrees degrees() {
        return ((Neighborhood) comm).degrees();
    }

    int rank() {
        return comm.ownRank();
    }

    int ranks() {
        return comm.size();
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

    /** A buffer that MPI reads while it writes the other one: a copy, where they share memory. */
    Loan readApart(Buffer<?> buffer, Buffer<?> other) {
        enter(withElements("sent", buffer));
        return keep(buffer.overlaps(other) ? Loan.copyOf(buffer) : Loan.toRead(buffer));
    }

    /** A buffer that a message is received into. */
    Loan fill(String name, Buffer<?> buffer) {
        enter(withElements(name, buffer));
        return keep(Loan.toFill(buffer));
    }

    /**
     * A buffer whose elements are reduced by {@link #operation}. See {@link Parts} for a type that is closed, and
     * {@link Op#standIn} for an operation that is closed or of another type. Nothing stands for one that is missing.
     */
    Loan reduce(Buffer<?> buffer, Op<?> wanted) {
        Kind kind = withElements("data", buffer).type().kind();
        note(Parts.mistakeOf(buffer.type().life()));
        return values(operate(wanted, kind) ? buffer : Buffer.zeros(buffer, 1));
    }

    /** Takes what reduces, or what stands for it; whether nothing is wrong so far. */
    boolean operate(Op<?> wanted, Kind kind) {
        number = kind.number();
        if (wanted == null) {
            throw new IllegalArgumentException("The operation of a reduction is null.");
        }
        operation = wanted;
        try {
            wanted.require(kind);
            wanted.life().enter();
            op = wanted.life();
        } catch (IllegalArgumentException | IllegalStateException e) {
            note(e);
            standIn = wanted.standIn(kind);
            operation = standIn;
        }
        return mistake == null;
    }

    /** A buffer as single values side by side, which can be reduced. */
    Loan values(Buffer<?> buffer) {
        enter(buffer);
        return keep(Loan.toReduce(buffer));
    }

    /** The same values in other memory. */
    Loan valuesCopy(Buffer<?> buffer) {
        enter(buffer);
        return keep(Loan.copyOf(buffer));
    }

    /** The same, while MPI writes the other one: a copy, where they share memory. */
    Loan valuesApart(Buffer<?> buffer, Buffer<?> other) {
        return buffer.overlaps(other) ? valuesCopy(buffer) : values(buffer);
    }

    /** Other memory with the same elements. */
    Loan copyOf(Loan loan) {
        return keep(loan.copy());
    }

    /** The type of what is reduced. */
    dev.mpiglot.low.Datatype number() {
        return number;
    }

    /** What reduces. */
    dev.mpiglot.low.Op operation() {
        return operation.handle();
    }

    /** The same parts, after the call has noted what is wrong with them. */
    Parts with(Parts parts) {
        note(parts.mistake());
        return parts;
    }

    /** What is wrong here, in an operation in which this process takes part all the same. */
    void note(RuntimeException wrong) {
        mistake = mistake == null ? wrong : mistake;
    }

    /** What is wrong here; null: nothing. */
    RuntimeException mistake() {
        return mistake;
    }

    /** Does the collective operation; throws what is wrong here afterwards, or ends the job if that takes too long. */
    void takePart(Runnable action) {
        if (mistake == null && !Progress.isNeeded()) {
            action.run();
            if (mistake != null) { // which the action has found
                throw mistake;
            }
            return;
        }
        try {
            Ending.guarded(mistake, () -> Progress.runOnPlatform(this, action));
        } catch (RuntimeException e) {
            if (mistake == null) {
                throw e;
            }
            mistake.addSuppressed(e);
        }
        if (mistake != null) {
            throw mistake;
        }
    }

    static <B extends Buffer<?>> B present(String name, B buffer) {
        if (buffer == null) {
            throw new IllegalArgumentException("The buffer \"" + name + "\" is null.");
        }
        return buffer;
    }

    static <B extends Buffer<?>> B withElements(String name, B buffer) {
        if (present(name, buffer).isInPlace()) {
            throw new IllegalArgumentException("The buffer \"" + name + "\" cannot be Buffer.inPlace() here.");
        }
        return buffer;
    }

    /** Buffers of several types, one for each of so many processes. */
    Mixed several(String name, List<? extends Buffer<?>> buffers, int processes, String what) {
        if (Arguments.present(name, buffers).size() != processes) {
            throw new IllegalArgumentException("The list \"" + name + "\" has " + buffers.size() + " buffers and must have "
                    + processes + ", one for each " + what + ".");
        }
        List<Life> entered = new ArrayList<>(moreTypes);
        moreTypes = entered;
        for (Buffer<?> one : buffers) {
            Life type = withElements(name, one).type().life();
            type.enter();
            entered.add(type);
        }
        Mixed mixed = new Mixed(List.copyOf(buffers));
        keep(mixed);
        return mixed;
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

    /** Ends a loan with the call, unless an operation gets it before. */
    Loan keep(Loan loan) {
        if (first == null) {
            first = loan;
        } else {
            second = loan;
        }
        return loan;
    }

    /** An operation that has begun: the loans are its own now. */
    Request begun(dev.mpiglot.low.Request handle, Loan receives, Request.Work work) {
        Request begun = new Request(handle, handOver(), receives, work);
        if (mistake != null) {
            begun.close(); // it only takes part
            throw mistake;
        }
        return begun;
    }

    /** An operation that can be started: the loan is its own now. */
    Persistent prepared(dev.mpiglot.low.Request handle, Loan receives, Request.Work work) {
        return new Persistent(comm, handle, handOver(), receives, work);
    }

    /** A collective operation that can be started: preparing it may wait for the others. */
    Persistent prepared(Supplier<dev.mpiglot.low.Request> preparation, Loan receives) {
        dev.mpiglot.low.Request[] made = new dev.mpiglot.low.Request[1];
        try {
            Ending.guarded(mistake, () -> Progress.finishOnPlatform(() -> made[0] = preparation.get()));
        } catch (RuntimeException e) {
            if (mistake == null) {
                throw e;
            }
            mistake.addSuppressed(e);
            throw mistake;
        }
        Persistent prepared = prepared(made[0], receives, Request.Work.COLLECTIVE).keeping(lives());
        if (mistake != null) {
            prepared.close();
            throw mistake;
        }
        return prepared;
    }

    private Life[] lives() {
        List<Life> all = new ArrayList<>(moreTypes);
        all.addAll(List.of(op, firstType, secondType));
        return all.toArray(new Life[0]);
    }

    /** All loans, which end with the operation that gets them. */
    private Loan handOver() {
        Loan all = first == null ? Loan.ofNothing() : second == null ? first : first.with(second);
        first = null;
        second = null;
        return all;
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

    /** Ends the loans that {@link #keep} got. */
    void endLoans() {
        if (first != null) {
            first.end();
        }
        if (second != null) {
            second.end();
        }
    }

    private void giveBack() {
        endLoans();
        if (standIn != null) {
            standIn.close();
        }
        op.leave();
        firstType.leave();
        secondType.leave();
        moreTypes.forEach(Life::leave);
        comm.leave();
    }
}

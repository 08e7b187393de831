package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.MessageHandle;
import dev.mpiglot.low.OpHandle;
import dev.mpiglot.low.RequestHandle;
import dev.mpiglot.low.StatusValue;
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
    private DatatypeHandle number;
    private RuntimeException mistake;
    private Supplier<RequestHandle> again; // prepares a persistent message; null: once is enough
    private CompletableFuture<?> later;
    private boolean isToAgree;
    private boolean pins;
    private Staging pinned;
    private int root = Agreement.NO_ROOT;

    Call(Comm comm) {
        this.comm = comm;
        comm.enter();
    }

    /** The communicator, for MPI, which is called next. */
    CommHandle comm() {
        agree();
        return comm.word();
    }

    /** This call blocks until its operation has ended: it may pin arrays instead of copying them. */
    Call pinning() {
        pins = true;
        return this;
    }

    /** MPI may change elements that do not arrive, so arrays are copied. */
    void pinNone() {
        pins = false;
    }

    /**
     * The array of a buffer if this call may use it without a copy; null if not. Not where lambdas of the program run within the call,
     * nor where another thread may go on with it after a mistake.
     */
    private Staging pinned(MpiBuffer<?> buffer) {
        if (!pins || mistake != null || operation != null && !operation.isProvided()) {
            return null;
        }
        Staging found = buffer.pinned(pinned);
        if (found != null) {
            pinned = found;
        }
        return found;
    }

    /** All processes make this call: they agree on it before, if that is wanted. */
    Call together() {
        isToAgree = Agreement.IS_WANTED;
        return this;
    }

    /** The root that all processes give; looked at where they agree on it. */
    void from(int given) {
        if (isToAgree) {
            root = given;
            Arguments.rank("root", given, ranks());
        }
    }

    private void agree() {
        if (Agreement.IS_WANTED && isToAgree) {
            isToAgree = false;
            Agreement.reach(comm, mistake, root);
        }
    }

    /** This process throws before MPI is called. */
    private void tellOthers() {
        try {
            isToAgree = false;
            Agreement.reach(comm, new IllegalArgumentException(), root);
        } catch (IllegalArgumentException thrownAlready) {
            // the program gets another exception, which tells more
        }
    }

    /** What a probe has found on the communicator. */
    Message message(MessageHandle made, StatusValue found) {
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
    Loan read(String name, MpiBuffer<?> buffer) {
        enter(withElements(name, buffer));
        return keep(Loan.toRead(buffer, pinned(buffer)));
    }

    /** A buffer that MPI reads, or the word for none. */
    Loan readOrInPlace(String name, MpiBuffer<?> buffer) {
        return present(name, buffer).isInPlace() ? keep(Loan.toRead(buffer)) : read(name, buffer);
    }

    /** A buffer that MPI reads while it writes the other one: a copy, where they share memory. */
    Loan readApart(MpiBuffer<?> buffer, MpiBuffer<?> other) {
        enter(withElements("sent", buffer));
        return keep(buffer.overlaps(other) ? Loan.copyOf(buffer) : Loan.toRead(buffer, pinned(buffer)));
    }

    /** A buffer that a message is received into. */
    Loan fill(String name, MpiBuffer<?> buffer) {
        enter(withElements(name, buffer));
        return keep(Loan.toFill(buffer, pinned(buffer)));
    }

    /**
     * A buffer whose elements are reduced by {@link #operation}. See {@link Parts} for a type that is closed, and
     * {@link Op#standIn} for an operation that is closed or of another type. Nothing stands for one that is missing.
     */
    Loan reduce(MpiBuffer<?> buffer, Op<?> wanted) {
        Datatype<?> type = withElements("data", buffer).type();
        note(Parts.mistakeOf(buffer));
        boolean isRight = operate(wanted, type);
        MpiBuffer<?> used = isRight ? buffer : MpiBuffer.zeros(buffer, 1);
        number = used.type().number(operation);
        return values(used);
    }

    /** Takes what reduces, or what stands for it; whether nothing is wrong so far. */
    boolean operate(Op<?> wanted, Datatype<?> type) {
        if (wanted == null) {
            throw new IllegalArgumentException("The operation of a reduction is null.");
        }
        operation = wanted;
        try {
            wanted.require(type);
            wanted.life().enter();
            op = wanted.life();
        } catch (IllegalArgumentException | IllegalStateException e) {
            note(e);
            standIn = wanted.standIn(type);
            operation = standIn;
        }
        number = type.number(operation);
        return mistake == null;
    }

    /** A buffer as single values side by side, which can be reduced. */
    Loan values(MpiBuffer<?> buffer) {
        enter(buffer);
        return keep(Loan.toReduce(buffer, pinned(buffer)));
    }

    /** The same values in other memory. */
    Loan valuesCopy(MpiBuffer<?> buffer) {
        enter(buffer);
        return keep(Loan.copyOf(buffer));
    }

    /** The same, while MPI writes the other one: a copy, where they share memory. */
    Loan valuesApart(MpiBuffer<?> buffer, MpiBuffer<?> other) {
        return buffer.overlaps(other) ? valuesCopy(buffer) : values(buffer);
    }

    /** Other memory with the same elements. */
    Loan copyOf(Loan loan) {
        return keep(loan.copy());
    }

    /** The type of what is reduced. */
    DatatypeHandle number() {
        return number;
    }

    /** What reduces. */
    OpHandle operation() {
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

    /** Does the collective operation; throws what is wrong here afterwards, and before its end if that takes too long. */
    void takePart(Runnable action) {
        comm.awaitLeft();
        agree();
        if (mistake == null && !Progress.isNeeded()) {
            try { // here, not in a method of its own: users read the stack trace
                action.run();
            } catch (MpiException e) {
                throw Survival.named(e, comm.word());
            }
            if (mistake != null) { // which the action has found
                throw mistake;
            }
            return;
        }
        if (mistake == null) {
            Progress.runOnPlatform(this, () -> Survival.run(action, comm.word()));
        } else if (pinned != null) { // by this thread, which must not leave before the end
            action.run();
        } else {
            inSpiteOfMistake(action, () -> { });
        }
        if (mistake != null) {
            throw mistake;
        }
    }

    /** Takes part after a mistake; what another thread does if the others are late, it does to its end. */
    private void inSpiteOfMistake(Runnable action, Runnable afterwards) {
        try {
            CompletableFuture<?> rest = Ending.guarded(mistake, action);
            if (rest == null) {
                return;
            }
            CompletableFuture<?> all = rest.thenRun(afterwards);
            goesOnUntil(all);
            comm.leaves(all);
            mistake.addSuppressed(Ending.late());
        } catch (RuntimeException e) {
            mistake.addSuppressed(e);
        }
    }

    static <B extends MpiBuffer<?>> B present(String name, B buffer) {
        if (buffer == null) {
            throw new IllegalArgumentException("The buffer \"" + name + "\" is null.");
        }
        return buffer;
    }

    static <B extends MpiBuffer<?>> B withElements(String name, B buffer) {
        if (present(name, buffer).isInPlace()) {
            throw new IllegalArgumentException("The buffer \"" + name + "\" cannot be MpiBuffer.inPlace() here.");
        }
        return buffer;
    }

    /** What an exchange of buffers of several types takes from this process, and gives it. */
    record Exchange(BufferList sent, BufferList received) {
    }

    /**
     * Buffers of several types, one for each process to send to and to receive from. Nothing stands for one that is
     * missing; zeros stand for one whose type or memory is closed.
     *
     * @param own the process itself; -1: it gives itself nothing
     */
    Exchange exchange(List<? extends MpiBuffer<?>> sent, int toProcesses, String to,
            List<? extends MpiBuffer<?>> received, int fromProcesses, String from, int own) {
        comm.awaitLeft();
        together();
        List<MpiBuffer<?>> out = several("sent", sent, toProcesses, to);
        List<MpiBuffer<?>> in = several("received", received, fromProcesses, from);
        if (own >= 0) {
            note(Parts.mistakeOf(() -> BufferList.requireSame(out.get(own), in.get(own))));
            if (mistake != null) { // nothing to wait for
                out.set(own, MpiBuffer.zeros(Kind.BYTE, 0));
                in.set(own, MpiBuffer.zeros(Kind.BYTE, 0));
            }
        }
        return new Exchange(mixed(out), mixed(in));
    }

    private List<MpiBuffer<?>> several(String name, List<? extends MpiBuffer<?>> buffers, int processes, String what) {
        if (Arguments.present(name, buffers).size() != processes) {
            throw new IllegalArgumentException("The list \"" + name + "\" has " + buffers.size() + " buffers and must have "
                    + processes + ", one for each " + what + ".");
        }
        List<MpiBuffer<?>> usable = new ArrayList<>();
        for (MpiBuffer<?> one : buffers) {
            RuntimeException closed = Parts.mistakeOf(withElements(name, one));
            note(closed);
            usable.add(closed == null ? one : MpiBuffer.zeros(one, 1));
        }
        return usable;
    }

    private BufferList mixed(List<MpiBuffer<?>> buffers) {
        List<Life> entered = new ArrayList<>(moreTypes);
        moreTypes = entered;
        for (MpiBuffer<?> one : buffers) {
            Life type = one.type().life();
            type.enter();
            entered.add(type);
        }
        BufferList mixed = new BufferList(List.copyOf(buffers));
        keep(mixed);
        return mixed;
    }

    private void enter(MpiBuffer<?> buffer) {
        buffer.requireMemory();
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
    Request begun(RequestHandle handle, Loan receives, Request.Work work) {
        Request begun = new Request(handle, handOver(), mistake == null ? receives : null, work);
        if (mistake != null) {
            begun.close(); // it only takes part
            throw mistake;
        }
        return begun;
    }

    /** An operation that can be started: the loan is its own now. */
    Persistent prepared(RequestHandle handle, Loan receives, Request.Work work) {
        Persistent made = new Persistent(comm, handle, handOver(), receives, work);
        return again == null ? made : made.preparedBy(again).keeping(lives());
    }

    /** Throws if the elements of the message are structures with gaps, and the library has the defect of a sentence. */
    void refuseGaps(String sentence, String function) {
        if (sentence != null && first.isOfGaps()) {
            LibraryDefects.refuse(sentence, function + " of structures with gaps");
        }
    }

    /** What is prepared must be prepared again before it is started again. */
    void preparedAgainBy(Supplier<RequestHandle> preparation) {
        again = preparation;
    }

    /** A collective operation that can be started: preparing it may wait for the others. */
    Persistent prepared(Supplier<RequestHandle> preparation, Loan receives) {
        agree();
        RequestHandle[] made = new RequestHandle[1];
        Runnable action = () -> made[0] = preparation.get();
        if (mistake == null) {
            Progress.finishOnPlatform(action);
            return prepared(made[0], receives, Request.Work.COLLECTIVE).keeping(lives());
        }
        Runnable close = () -> prepared(made[0], null, Request.Work.COLLECTIVE).keeping(lives()).close();
        inSpiteOfMistake(action, close);
        if (later == null && made[0] != null) {
            close.run();
        }
        throw mistake;
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
        if (isToAgree) {
            tellOthers();
        }
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

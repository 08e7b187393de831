package dev.mpiglot.mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.Output;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.Processes;
import dev.mpiglot.low.StatusValue;
import dev.mpiglot.low.Topologies;
import dev.mpiglot.low.Topology;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A group of processes that can send each other messages. Ranks count from 0.
 *
 * <p>Communicators that are arranged in a grid or a graph, and those of two groups, are {@link Cart}, {@link Graph},
 * {@link DistGraph} and {@link Intercomm}. Where an operation gives a process no communicator ({@code MPI_COMM_NULL}),
 * there is an object all the same, which says so ({@link #isNull}).
 *
 * <p>Every method throws an {@link IllegalStateException} once the communicator is closed, or if there is none.
 */
public sealed class Comm extends Attributed
        implements PointToPointOperations, ArrayOperations, ArrayResults, BufferedMessages, PartitionedMessages,
        CollectiveOperations, VectorCollectives, ObjectOperations, RecordReductions, CommunicatorCreation,
        CommunicatorQueries, TopologyCreation, WindowCreation, FileOpening, ProcessCreation, FailureMitigation, ErrorSource,
        AutoCloseable
        permits Intercomm, Neighborhood {

    /** A message from anybody. */
    public static final int ANY_SOURCE = MpiConstants.ANY_SOURCE;
    /** A message with any tag. */
    public static final int ANY_TAG = MpiConstants.ANY_TAG;
    /** Nobody: messages to and from it are complete at once. */
    public static final int PROC_NULL = MpiConstants.PROC_NULL;
    /** The color of a process that gets no communicator ({@link #split}). */
    public static final int UNDEFINED = MpiConstants.UNDEFINED;

    /** The memory that MPI has, by the handles of communicators. */
    static final Map<Long, MemorySegment> ATTACHED = new ConcurrentHashMap<>();
    private static final String CLOSED = "The communicator is closed: close it when no call needs it any more.";
    /** The communicators that objects of this class will free. */
    private static final Map<Long, Life> OWNED = new ConcurrentHashMap<>();

    private final CommHandle handle;
    private final Life life;
    private final boolean owner;
    private final boolean inter;
    private volatile boolean closed;
    private volatile CompletableFuture<?> left; // an operation in which a thread takes part; null: none
    private int rankHere = UNDEFINED; // the rank of this process, once MPI was asked for it

    /**
     * A communicator of the layer below, which frees it: closing this object only ends the use of this object.
     *
     * @param handle its handle
     */
    public Comm(CommHandle handle) {
        this(handle, lifeOf(handle), false, isInter(handle));
    }

    Comm(CommHandle handle, Life life, boolean owner) {
        this(handle, life, owner, false);
    }

    Comm(CommHandle handle, Life life, boolean owner, boolean inter) {
        this.handle = handle;
        this.life = life;
        this.owner = owner;
        this.inter = inter;
    }

    private static boolean isInter(CommHandle handle) {
        return !isProvided(handle) && Communicators.commTestInter(handle);
    }

    /** Whether it is a constant of MPI. */
    private static boolean isProvided(CommHandle handle) {
        return isEndless(handle) || handle.handle() == CommHandle.NULL.handle();
    }

    /** Whether it lives as long as MPI. Numbers are compared, since {@code equals} of a record loads forty classes. */
    private static boolean isEndless(CommHandle handle) {
        return handle.handle() == CommHandle.WORLD.handle()
                || handle.handle() == CommHandle.SELF.handle();
    }

    private static Life lifeOf(CommHandle handle) {
        if (isEndless(handle)) {
            return Life.ENDLESS;
        }
        if (handle.handle() == CommHandle.NULL.handle()) {
            return Life.none("This is no communicator: the process is not in the group.");
        }
        Life owned = OWNED.get(handle.handle());
        return owned != null ? owned : new Life(CLOSED);
    }

    /**
     * Takes a communicator over from the layer below: {@link #close} frees it.
     *
     * @param handle its handle
     * @return the communicator: a {@link Cart}, {@link Graph}, {@link DistGraph} or {@link Intercomm} if MPI says so
     * @throws IllegalStateException if another object will free it
     */
    public static Comm adopt(CommHandle handle) {
        if (isProvided(handle)) {
            return own(handle, Comm::new);
        }
        if (Communicators.commTestInter(handle)) {
            return own(handle, Intercomm::new);
        }
        return switch (Topology.of(Topologies.topoTest(handle))) {
            case CART -> own(handle, Cart::new);
            case GRAPH -> own(handle, Graph::new);
            case DIST_GRAPH -> own(handle, DistGraph::new);
            case UNDEFINED -> own(handle, Comm::new);
        };
    }

    /** A constructor. */
    @FunctionalInterface
    interface Maker<C extends Comm> {
        C make(CommHandle handle, Life life, boolean owner);
    }

    /** Makes a communicator; collective. What the call has noted as wrong is thrown afterwards. */
    static Comm make(Call call, Supplier<CommHandle> action) {
        return make(call, action, Survival::made);
    }

    /** The same, made by its own processes, and not by all of this communicator. */
    static Comm makeAmongMakers(Call call, Supplier<CommHandle> action) {
        return make(call, action, Survival::madeAmongMakers);
    }

    private static Comm make(Call call, Supplier<CommHandle> action, BiConsumer<CommHandle, CommHandle> afterwards) {
        Comm[] made = new Comm[1];
        call.takePart(() -> {
            CommHandle handle = action.get();
            made[0] = Comm.adopt(handle);
            afterwards.accept(call.comm(), handle);
            call.note(AttributeKey.takeThrown());
        });
        return made[0];
    }

    /** The new communicator, with the error handler of this one: MPICH's gets the one that ends the job. */
    CommHandle inherited(CommHandle made) {
        if (!made.equals(CommHandle.NULL)) {
            ErrorHandler.inherit(handle, made);
        }
        return made;
    }

    /** The object that frees a communicator. */
    static <C extends Comm> C own(CommHandle handle, Maker<C> maker) {
        Life life = lifeOf(handle);
        boolean isNew = !isProvided(handle);
        if (isNew && OWNED.putIfAbsent(handle.handle(), life) != null) {
            throw new IllegalStateException("Another object will free this communicator.");
        }
        try {
            return maker.make(handle, life, isNew);
        } catch (RuntimeException e) {
            OWNED.remove(handle.handle(), life);
            throw e;
        }
    }

    /**
     * {@return whether there is no communicator here ({@code MPI_COMM_NULL}), since this process is not in the group of
     * an operation that made one} Such an object may be closed; else it throws an {@link IllegalStateException}.
     */
    public boolean isNull() {
        return handle.equals(CommHandle.NULL);
    }

    boolean isOpen() {
        return !closed && life.isOpen();
    }

    /** Begins a use by a call. */
    void enter() {
        if (closed) {
            throw ClosedException.of(CLOSED);
        }
        life.enter();
    }

    void leave() {
        life.leave();
    }

    @Override
    <T> T using(Supplier<T> action) {
        enter();
        try {
            return action.get();
        } finally {
            leave();
        }
    }

    /** Throws if this or MPI is closed, which is told before other mistakes. */
    void requireUse() {
        size();
    }

    Call begin() {
        Backlog.beforeBegin();
        return new Call(this);
    }

    @Override
    ObjectKind objectKind() {
        return ObjectKind.COMM;
    }

    @Override
    CommHandle word() {
        return handle;
    }

    Call collective() {
        requireOneGroup();
        awaitLeft();
        Backlog.beforeBegin();
        return new Call(this).together();
    }

    /** Begins a call that intercommunicators do not have. */
    Call within() {
        if (isInter()) {
            throw new UnsupportedOperationException("This is an intercommunicator: merge its groups first.");
        }
        return begin();
    }

    private Call blocking() {
        requireOneGroup();
        return new BlockingCall(this).together();
    }

    /** Whether a collective operation that blocks may begin at once, in this thread, and has to agree on nothing. */
    private boolean isDirect() {
        return !inter && left == null && !Agreement.IS_WANTED && !Progress.isNeeded();
    }

    /** A thread takes part in an operation of this process: others that are collective begin after it. */
    void leaves(CompletableFuture<?> end) {
        left = end;
    }

    /** Waits for the end of an operation that this process has left after a mistake. */
    void awaitLeft() {
        CompletableFuture<?> end = left;
        if (end != null) {
            end.exceptionally(failure -> null).join();
        }
    }

    private void requireOneGroup() {
        if (inter) {
            throw new UnsupportedOperationException("This is an intercommunicator: dev.mpiglot.low.Collectives has its "
                    + "collective operations.");
        }
    }

    /** {@return this process's number in the group} */
    public int rank() {
        enter();
        try {
            return Communicators.commRank(handle);
        } finally {
            leave();
        }
    }

    /** The same for a call that has begun, which has looked whether the communicator is open. */
    int ownRank() {
        if (rankHere == UNDEFINED) {
            rankHere = Communicators.commRank(handle);
        }
        return rankHere;
    }

    /** {@return the number of processes in the group} */
    public int size() {
        enter();
        try {
            return Communicators.commSize(handle);
        } finally {
            leave();
        }
    }

    /** How many processes messages can go to. */
    int processes() {
        return inter ? using(() -> Communicators.commRemoteSize(handle)) : size();
    }

    /** Waits until all processes of the group are here. */
    public void barrier() {
        awaitLeft();
        try (Call call = new BlockingCall(this)) {
            Progress.runOnPlatform(call, () -> Collectives.barrier(handle));
        } catch (MpiException e) {
            throw Survival.named(e, handle);
        }
    }

    /**
     * Ends all processes of the job, as far as that is possible, once the launcher has read what this one wrote. It does
     * not return.
     *
     * @param code what the launcher returns
     */
    public void abort(int code) {
        enter();
        Output.arrive();
        Environment.abort(handle, code);
        Runtime.getRuntime().halt(code); // MPICH comes back before its launcher ends this process
    }

    @Override
    public void send(MpiBuffer<?> data, int dest, int tag) {
        if (Progress.isNeeded()) {
            isend(data, dest, tag).await();
            return;
        }
        try (Call call = new BlockingCall(this)) {
            Loan loan = call.read("data", data);
            PointToPoint.send(loan.segment(), loan.count(), loan.type(), dest, tag, handle);
        }
    }

    @Override
    public Status recv(MpiBuffer<?> data, int source, int tag) {
        if (Progress.isNeeded()) {
            return irecv(data, source, tag).await();
        }
        try (Call call = new BlockingCall(this)) {
            Loan loan = call.fill("data", data);
            StatusValue found = new StatusValue();
            PointToPoint.recv(loan.segment(), loan.count(), loan.type(), source, tag, handle, found);
            return loan.received(found);
        }
    }

    @Override
    public Request isend(MpiBuffer<?> data, int dest, int tag) {
        Backlog.beforeBegin();
        try (Call call = new Call(this)) {
            Loan loan = call.read("data", data);
            return call.begun(PointToPoint.isend(loan.segment(), loan.count(), loan.type(), dest, tag, handle), null,
                    Request.Work.SEND);
        }
    }

    @Override
    public Request irecv(MpiBuffer<?> data, int source, int tag) {
        Backlog.beforeBegin();
        try (Call call = new Call(this)) {
            Loan loan = call.fill("data", data);
            Request begun = call.begun(PointToPoint.irecv(loan.segment(), loan.count(), loan.type(), source, tag, handle), loan,
                    Request.Work.RECEIVE);
            return source == PROC_NULL ? begun.fromNobody() : begun;
        }
    }

    @Override
    public Status sendrecv(MpiBuffer<?> sent, int dest, MpiBuffer<?> received, int source, int tag) {
        if (Progress.isNeeded()) {
            return exchange(sent, dest, received, source, tag);
        }
        try (Call call = new BlockingCall(this)) {
            Loan out = call.read("sent", sent);
            Loan in = call.fill("received", received);
            StatusValue found = new StatusValue();
            PointToPoint.sendrecv(out.segment(), out.count(), out.type(), dest, tag, in.segment(), in.count(), in.type(),
                    source, tag, handle, found);
            return in.received(found);
        }
    }

    private Status exchange(MpiBuffer<?> sent, int dest, MpiBuffer<?> received, int source, int tag) {
        Request in = irecv(received, source, tag);
        try {
            isend(sent, dest, tag).await();
        } catch (RuntimeException e) {
            in.close();
            throw e;
        }
        return in.await();
    }

    @Override
    public void bcast(MpiBuffer<?> data, int root) {
        try (Call call = blocking()) {
            call.from(root);
            Loan loan = call.read("data", call.with(Parts.alone("data", data)).sent());
            call.takePart(() -> Collectives.bcast(loan.segment(), loan.count(), loan.type(), root, handle));
            if (ownRank() != root) {
                loan.arrived();
            }
        }
    }

    @Override
    public <E extends Element> void reduce(MpiBuffer<E> data, Op<? super E> op, int root) {
        try (Call call = blocking()) {
            call.from(root);
            Loan loan = call.reduce(data, op);
            int rank = ownRank();
            boolean here = rank == root;
            MemorySegment values = loan.segment();
            boolean both = LibraryDefects.REDUCE_NEEDS_BOTH_BUFFERS && root != 0 && (here || rank == 0);
            MemorySegment apart = both ? call.copyOf(loan).segment() : null;
            MemorySegment sent = !here ? values : apart != null ? apart : MpiConstants.IN_PLACE;
            call.takePart(() -> Collectives.reduce(sent, here ? values : apart, loan.count(), call.number(),
                    call.operation(), root, handle));
            if (here) {
                loan.arrived();
            }
        }
    }

    @Override
    public <E extends Element> void allreduce(MpiBuffer<E> data, Op<? super E> op) {
        if (!Op.isDirect(op, data) || !isDirect()) {
            reduceForAll(data, op);
            return;
        }
        enter();
        try {
            Direct own = data.direct;
            Collectives.allreduce(MpiConstants.IN_PLACE, own.memory(), own.count(), own.number(), op.word(), handle);
        } catch (MpiException e) {
            throw Survival.named(e, handle);
        } finally {
            leave();
        }
    }

    private <E extends Element> void reduceForAll(MpiBuffer<E> data, Op<? super E> op) {
        try (Call call = blocking()) {
            Loan loan = call.reduce(data, op);
            call.takePart(() ->
                    Collectives.allreduce(MpiConstants.IN_PLACE, loan.segment(), loan.count(), call.number(),
                    call.operation(), handle));
            loan.arrived();
        }
    }

    @Override
    public <E extends Element> Request iallreduce(MpiBuffer<E> data, Op<? super E> op) {
        try (Call call = collective()) {
            Loan loan = call.reduce(data, op);
            return call.begun(Collectives.iallreduce(MpiConstants.IN_PLACE, loan.segment(), loan.count(), call.number(),
                    call.operation(), call.comm()), loan, Request.Work.COLLECTIVE);
        }
    }

    @Override
    public <E extends Element> void gather(MpiBuffer<E> sent, MpiBuffer<E> received, int root) {
        try (Call call = blocking()) {
            call.from(root);
            if (ownRank() != root) {
                Loan out = call.read("sent", call.with(Parts.alone("sent", sent)).sent());
                call.takePart(() -> Collectives.gather(out.segment(), out.count(), out.type(), null, 0, out.type(), root,
                        handle));
                return;
            }
            int ranks = size();
            Parts parts = call.with(Parts.gathered(sent, received, ranks));
            Loan out = call.readOrInPlace("sent", parts.sent());
            Loan in = call.read("received", parts.received());
            call.takePart(() -> Collectives.gather(out.segment(), out.count(), out.type(), in.segment(), in.count() / ranks,
                    in.type(), root, handle));
            in.arrived();
        }
    }

    @Override
    public <E extends Element> void allgather(MpiBuffer<E> sent, MpiBuffer<E> received) {
        try (Call call = blocking()) {
            int ranks = size();
            Parts parts = call.with(Parts.gathered(sent, received, ranks));
            Loan out = call.readOrInPlace("sent", parts.sent());
            Loan in = call.read("received", parts.received());
            call.takePart(() -> Collectives.allgather(out.segment(), out.count(), out.type(), in.segment(),
                    in.count() / ranks, in.type(), handle));
            in.arrived();
        }
    }

    @Override
    public <E extends Element> void scatter(MpiBuffer<E> sent, MpiBuffer<E> received, int root) {
        try (Call call = blocking()) {
            call.from(root);
            if (ownRank() != root) {
                Loan in = call.read("received", call.with(Parts.alone("received", received)).sent());
                call.takePart(() -> Collectives.scatter(null, 0, in.type(), in.segment(), in.count(), in.type(), root,
                        handle));
                in.arrived();
                return;
            }
            int ranks = size();
            Parts parts = call.with(Parts.scattered(sent, received, ranks));
            Loan out = call.read("sent", parts.sent());
            Loan in = call.readOrInPlace("received", parts.received());
            call.takePart(() -> Collectives.scatter(out.segment(), out.count() / ranks, out.type(), in.segment(), in.count(),
                    in.type(), root, handle));
            in.arrived();
        }
    }

    @Override
    public <E extends Element> void alltoall(MpiBuffer<E> sent, MpiBuffer<E> received) {
        try (Call call = blocking()) {
            int ranks = size();
            Parts parts = call.with(Parts.exchanged(sent, received, ranks));
            Loan out = call.readOrInPlace("sent", parts.sent());
            Loan in = call.read("received", parts.received());
            call.takePart(() -> Collectives.alltoall(out.segment(), out.count() / ranks, out.type(), in.segment(),
                    in.count() / ranks, in.type(), handle));
            in.arrived();
        }
    }

    /** The one buffer of a reduction; throws if it is none, on all processes where they agree before they begin. */
    <B extends MpiBuffer<?>> B alone(B data) {
        try {
            return Call.withElements("data", data);
        } catch (IllegalArgumentException e) {
            if (Agreement.IS_WANTED) {
                Agreement.reach(this, e, Agreement.NO_ROOT);
            }
            throw e;
        }
    }

    /** {@return the handle for {@link dev.mpiglot.low}, which must not free it} */
    public CommHandle handle() {
        enter();
        leave();
        return handle;
    }

    /**
     * Frees the communicator; collective. One that was revoked stays in MPI, and nobody waits. Memory of {@link #attachBuffer} is taken back before. The two that MPI provides
     * stay, and what the layer below frees. Closing again does nothing.
     *
     * @throws IllegalStateException if a call still uses it
     */
    @Override
    public void close() {
        if (!owner) {
            closed = life != Life.ENDLESS;
        } else {
            endBy(() -> Communicators.commFree(handle));
        }
    }

    private void endBy(Runnable end) {
        if (life.end()) {
            detachIfAttached();
            OWNED.remove(handle.handle());
            Survival.end(() -> {
                if (!Survival.stays(handle)) {
                    AttributeKey.during(end);
                }
            });
        }
    }

    /** Before the communicator is freed, whose handle another one may get. */
    void detachIfAttached() {
        long handle = word().handle();
        MemorySegment memory = ATTACHED.get(handle);
        if (memory != null) {
            Progress.finishOnPlatform(() -> PointToPoint.commDetachBuffer(word()));
            ATTACHED.remove(handle, memory);
        }
    }

    /**
     * Waits for what is under way on the communicator and frees it: processes that were spawned or connected are jobs of
     * their own again. {@code MPI_Comm_disconnect} Collective. Again, or after {@link #close}, it does nothing.
     *
     * @throws UnsupportedOperationException if MPI provides the communicator, or the layer below frees it
     * @throws IllegalStateException if a call still uses it
     * @throws MpiException if MPI reports an error
     */
    public void disconnect() {
        if (!owner) {
            throw new UnsupportedOperationException("Only a communicator that this object frees can be disconnected.");
        }
        endBy(() -> Processes.commDisconnect(handle));
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * An operation that was prepared once and can be started many times. Its buffer is MPI's from its preparation to
 * {@link #close}: memory outside the heap stays alive and in place. An array is read at each start; one that is received
 * into has its elements when the operation is complete. Between both, nobody may use the elements.
 *
 * <p>All processes prepare collective operations in the same order, and start them in the same order. A process whose
 * arguments do not fit takes part in the preparation and throws then: the others wait for it when they start theirs.
 *
 * <p>{@link #start} gives a {@link Request}, which is complete once; then the operation can be started again. Any thread
 * may start it. One that is dropped is given back as a dropped {@link Request} is; one that is neither closed nor dropped
 * is told when MPI is closed. Open MPI 4 gives up an operation that fails: there it
 * must be prepared again.
 */
public sealed class Persistent implements AutoCloseable permits Partitioned {

    private final Comm comm;
    private volatile RequestHandle handle;
    private final Loan used;
    private final Loan receives;
    private final Request.Work work;
    private List<Life> kept = List.of();
    private boolean withNobody;
    private Supplier<RequestHandle> again; // prepares it for all starts but the first; null: once is enough
    private Request last; // null: it was never started
    private final StackTraceElement place = Backlog.place(); // where it was prepared, if that is asked for
    /** Whether the last start failed, so that nothing is under way: MPICH tells why in MPI_Test, too. */
    private final AtomicBoolean startFailed = new AtomicBoolean();
    private boolean closed;
    private boolean freed;

    /**
     * An operation that MPI has prepared.
     *
     * @param used what it reads or writes
     * @param receives the same, if it writes
     */
    Persistent(Comm comm, RequestHandle handle, Loan used, Loan receives, Request.Work work) {
        this.comm = comm;
        this.handle = handle;
        this.used = used;
        this.receives = receives;
        this.work = work;
        handle.ownedBy(this);
    }

    /** A message to this rank or from it. */
    Persistent with(int peer) {
        withNobody = peer == Comm.PROC_NULL;
        return this;
    }

    /** Prepared again before it is started again: persistent-bsend-sends-others. */
    Persistent preparedBy(Supplier<RequestHandle> preparation) {
        again = preparation;
        return this;
    }

    private void prepareAgain() {
        RequestHandle old = handle;
        RequestHandle made = again.get();
        made.ownedBy(this);
        handle = made;
        giveBack(old, withNobody);
    }

    /** What it needs until it is given back to MPI. */
    Persistent keeping(Life... lives) {
        kept = List.of(lives);
        kept.forEach(Life::keep);
        return this;
    }

    /**
     * Begins the operation.
     *
     * @return the operation that is under way now, to be awaited
     * @throws IllegalStateException if it was started and is not complete, or cannot be started any more
     * @throws MpiException if MPI reports an error
     */
    public Request start() {
        comm.enter();
        try {
            Request begun = claim();
            try {
                PointToPoint.start(handle);
            } catch (RuntimeException e) {
                begun.notStarted(e);
                startFailed.set(true);
                throw e;
            }
            begun.started();
            begun(begun);
            return begun;
        } finally {
            comm.leave();
        }
    }

    /**
     * Begins several operations. If one of them cannot be started, because it is closed or not complete, none is.
     *
     * @param operations what to start, each once
     * @return the operations that are under way now, in the same order
     * @throws IllegalStateException if one was started and is not complete, or cannot be started any more
     * @throws MpiException if MPI reports an error
     */
    public static Request[] startAll(Persistent... operations) {
        for (Persistent one : Arguments.present("operations", operations)) {
            if (one == null) {
                throw new IllegalArgumentException("An operation to start is null.");
            }
        }
        if (operations.length == 0) { // which Open MPI refuses
            return new Request[0];
        }
        List<Comm> entered = new ArrayList<>();
        List<Request> claimed = new ArrayList<>();
        try {
            for (Persistent one : operations) {
                one.comm.enter();
                entered.add(one.comm);
                claimed.add(one.claim());
            }
            PointToPoint.startall(Arrays.stream(operations).map(Persistent::handle).toArray(RequestHandle[]::new));
        } catch (RuntimeException e) {
            for (int i = 0; i < claimed.size(); i++) {
                operations[i].settle(claimed.get(i), e);
            }
            throw e;
        } finally {
            entered.forEach(Comm::leave);
        }
        for (int i = 0; i < claimed.size(); i++) {
            claimed.get(i).started();
            operations[i].begun(claimed.get(i));
        }
        return claimed.toArray(new Request[0]);
    }

    /** MPI has started it. */
    void begun(Request started) {
    }

    /** After MPI failed to start several. */
    private void settle(Request begun, RuntimeException reason) {
        if (isIdle()) {
            begun.notStarted(reason);
        } else {
            begun.started();
        }
    }

    /** What {@link #start} will start: nobody else can. */
    private synchronized Request claim() {
        if (closed) {
            throw ClosedException.of("The persistent operation is closed: close it when it is not needed any more.");
        }
        if (isGivenUp()) {
            throw new IllegalStateException("The library has given the " + work + " up, since it failed: prepare another.");
        }
        if (last != null && !last.isComplete()) {
            throw new IllegalStateException("The " + work + " was started and is not complete: await it before it is started "
                    + "again.");
        }
        if (again != null && last != null) {
            prepareAgain();
        }
        if (receives == null || work == Request.Work.COLLECTIVE) {
            used.renew();
        }
        startFailed.set(false);
        Request begun = new Request(this, used, receives, work);
        // From nobody, MPICH's status is empty: recv-init-from-nobody-status-empty.
        last = withNobody && receives != null ? begun.fromNobody() : begun;
        return last;
    }

    /** The communicator of the messages. */
    Comm comm() {
        return comm;
    }

    /** By a library that frees what fails: failed-persistent-is-freed. */
    private boolean isGivenUp() {
        return handle.handle() == RequestHandle.NULL.handle();
    }

    /** Whether nothing of it is under way in MPI. */
    boolean isIdle() {
        try {
            return PointToPoint.requestGetStatus(handle, null);
        } catch (RuntimeException e) { // told before
            return false;
        }
    }

    /** Asks once for what was started, and tells no error; whether it was given back to MPI. */
    boolean isSettled() {
        Request begun;
        synchronized (this) {
            begun = last;
        }
        if (begun != null) {
            begun.isSettled();
        }
        synchronized (this) {
            return freed;
        }
    }

    /** What goes on if the program drops this. */
    Left left() {
        Left left = new LeftPersistent(this, used.bare(), work, place, kept, withNobody, startFailed);
        if (isClosed()) {
            left.quiet();
        }
        return left;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Asks once for what was started, unless another thread does. */
    void askBetween() {
        Request begun;
        synchronized (this) {
            begun = last;
        }
        if (begun != null) {
            begun.askBetween();
        }
    }

    /** {@return the handle for {@link dev.mpiglot.low}, which must not start, complete or free it} */
    public RequestHandle handle() {
        return handle;
    }

    /**
     * Ends the use of the operation and of its buffer. What was started and is not complete ends as
     * {@link Request#close} says: a receive is cancelled, anything else goes on and is completed later, with its memory
     * kept until then. Closing again does nothing.
     *
     * @throws MpiException if what was started failed and nobody has been told
     */
    @Override
    public void close() {
        Request begun;
        synchronized (this) {
            closed = true;
            begun = last;
        }
        Left.quiet(handle);
        try {
            if (begun != null) {
                begun.close();
            }
        } finally {
            freeIfClosed();
        }
    }

    /** Gives it back to MPI as soon as nobody can start it any more and nothing is under way. */
    void freeIfClosed() {
        synchronized (this) {
            if (!closed || freed || last != null && !last.isComplete()) {
                return;
            }
            freed = true;
        }
        giveBack(handle, withNobody);
        used.end();
        kept.forEach(Life::release);
        Reference.reachabilityFence(this); // nobody else frees it meanwhile
    }

    /** Frees it, unless the library has. */
    static void giveBack(RequestHandle handle, boolean withNobody) {
        if (handle.handle() != RequestHandle.NULL.handle()) {
            PointToPoint.requestFree(handle);
            if (withNobody) {
                followNobody();
            }
        }
    }

    /**
     * Lets a receive that is never started take the place of a request with {@link Comm#PROC_NULL} that was freed: in
     * some libraries, a persistent collective would inherit what that left there (persistent-collectives-after-nobody).
     */
    private static void followNobody() {
        if (dev.mpiglot.low.Environment.initialized()) { // a session alone does not make MPI_COMM_SELF
            PointToPoint.requestFree(PointToPoint.recvInit(MemorySegment.NULL, 0, DatatypeHandle.BYTE, 0, 0,
                    CommHandle.SELF));
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;
import dev.mpiglot.low.StatusValue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An operation that is under way. An array that is received into has its elements once {@link #await} or {@link #test}
 * says that the operation is complete.
 *
 * <p>Await or close each request. If this object is dropped, the operation goes on: its memory stays until it is complete
 * and is given back then, what it received is lost, and its error is told on the standard error output, as is, once, that
 * it was dropped; {@code -Dmpiglot.places=true} adds where it began. MPI is asked when other operations begin, and by the
 * progress thread at {@code ThreadLevel.MULTIPLE}.
 *
 * <p>Any thread may ask: one of them asks MPI, and all get the same result or exception.
 *
 * <p>A receive can be cancelled: by {@link #cancel}, or by the interruption of a thread that waits for it. Unless its
 * message has come before, all that wait for it get a {@link CancelledException} then.
 */
public final class Request implements AutoCloseable {

    /** What {@code state} may be: nobody asks MPI, one thread does, the result is there. */
    private static final int IDLE = 0;
    private static final int ASKED = 1;
    private static final int COMPLETE = 2;
    private static final VarHandle STATE = field("state", int.class);
    private static final VarHandle FUTURE = field("future", CompletableFuture.class);
    private static final VarHandle GIVEN = field("given", boolean.class);

    private final RequestHandle handle;
    private final Loan used;
    private final Loan receives;
    private final Work work;
    private final GeneralizedRequest program; // whose request this is; null: of an operation of MPI
    private final Persistent prepared; // what was started; null: an operation that MPI ends by itself
    private final ReadPlace place; // of a read of a file; null: MPI tells how much has come
    private volatile int state;
    private volatile boolean waitedFor; // by threads that do not ask MPI; they wait at {@code used}
    private volatile CompletableFuture<Status> future; // of those that let the progress thread ask; null: nobody
    private volatile boolean taken; // by the progress thread
    private volatile boolean unwanted; // to be cancelled by the thread that asks MPI
    private volatile boolean dropped; // the result, which nobody can ask for
    private volatile boolean cancelled; // as far as MPI was told to
    private volatile boolean given; // the result, to somebody
    private final StackTraceElement origin = Backlog.place(); // where it began, if that is asked for
    private boolean nobody;
    private Status status;
    private RuntimeException failure;
    private CallbackException early; // what an operator threw while MPI went on; null: nothing

    /** What an operation does. */
    enum Work {
        SEND("send", false),
        RECEIVE("receive", true),
        /** Of a message that a probe took: it has come, so there is nothing to cancel. */
        MATCHED("matched receive", true),
        /** Not of every library does the status tell anything: isendrecv-status-empty. */
        EXCHANGE("exchange", false),
        /** A message of partitions, which MPI cannot cancel. */
        PARTITIONED("partitioned message", false),
        /** Of the memory of buffered messages. */
        FLUSH("flush of a buffer", false),
        /** To memory of a window. */
        ACCESS("access to a window", false),
        FILE("read or write of a file", true),
        COLLECTIVE("collective operation", false),
        /** See {@link GeneralizedRequest}. */
        PROGRAM("operation of the program", false);

        private final String text;
        /** Whether the status tells how much arrived. */
        private final boolean isTold;

        Work(String text, boolean isTold) {
            this.text = text;
            this.isTold = isTold;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * An operation that MPI has begun.
     *
     * @param used what it reads or writes
     * @param receives the same, if it writes
     * @param work what it does; the status of a message tells how much it wrote
     */
    Request(RequestHandle handle, Loan used, Loan receives, Work work) {
        this(handle, used, receives, work, null);
    }

    /** A read of a file from a place on. */
    Request(RequestHandle handle, Loan used, Loan receives, Work work, @Nullable ReadPlace place) {
        this.handle = handle;
        this.used = used;
        this.receives = receives;
        this.work = work;
        this.place = place;
        this.prepared = null;
        this.program = null;
        handle.ownedBy(this);
    }

    /** An operation that was complete when it began: {@code found} is what MPI has told of it. */
    static Request over(StatusValue found, Loan used, Loan receives, Work work, @Nullable ReadPlace place) {
        Request over = new Request(new RequestHandle(RequestHandle.NULL.handle()), used, receives, work, place);
        over.settle(found, null, true);
        return over;
    }

    /** An operation of the program. */
    Request(RequestHandle handle, GeneralizedRequest program) {
        this.handle = handle;
        this.used = Loan.ofNothing();
        this.receives = null;
        this.work = Work.PROGRAM;
        this.place = null;
        this.prepared = null;
        this.program = program;
    }

    /** A persistent operation that is about to be started: nobody asks MPI before {@link #started}. */
    Request(Persistent prepared, Loan used, Loan receives, Work work) {
        this.handle = prepared.handle();
        this.used = used;
        this.receives = receives;
        this.work = work;
        this.prepared = prepared;
        this.place = null;
        this.program = null;
        this.state = ASKED;
    }

    /** MPI has started it. */
    void started() {
        become(IDLE);
        cancelBetween();
    }

    /** MPI has not started it. */
    void notStarted(RuntimeException reason) {
        failure = reason;
        end();
    }

    boolean isComplete() {
        return state == COMPLETE;
    }

    /**
     * Whether MPI is never asked for it together with others: a persistent operation, whose handle does not tell that it
     * is complete, one on a file (file-requests-in-testall), and one that {@link Several#testOne} asks for otherwise.
     */
    boolean isAskedAlone() {
        return prepared != null || work == Work.FILE || work == Work.ACCESS && LibraryDefects.ACCESSES_CRASH_IN_TEST;
    }

    /** A receive from {@link Comm#PROC_NULL}, whose status MPICH 4.0.2 does not fill in: irecv-from-nobody-status-empty. */
    Request fromNobody() {
        nobody = true;
        return this;
    }

    /**
     * Waits until the operation is complete. On a virtual thread this leaves the carrier to others meanwhile. If the
     * thread is interrupted, a receive is cancelled, and any other operation goes on.
     *
     * @return what is known of the message
     * @throws MpiException if the operation failed
     * @throws CancelledException if the receive was cancelled or the thread interrupted
     * @throws IllegalStateException on a virtual thread, if MPI was started below {@code ThreadLevel.MULTIPLE}
     */
    public Status await() {
        if (Progress.isNeeded()) {
            return test().orElseGet(this::follow);
        }
        if (claim(true)) {
            askUntilComplete();
        }
        return result();
    }

    /** Lets the progress thread ask, and waits for it. */
    private Status follow() {
        CompletableFuture<Status> end = followed();
        try {
            end.get();
            return result();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (work != Work.RECEIVE) {
                throw CancelledException.ofWait(work.toString());
            }
            cancel();
        } catch (ExecutionException e) {
            result(); // throws the operation's error
            throw Progress.ownOf(e.getCause());
        }
        try {
            end.join();
            return result();
        } catch (CompletionException e) {
            result();
            throw Progress.ownOf(e.getCause());
        }
    }

    /**
     * Cancels a receive, unless its message has come: nothing is received then, its memory is given back, and all that
     * wait for it get a {@link CancelledException}. Does not wait, and does nothing if the operation is complete. Of a
     * {@link GeneralizedRequest} it calls the program's own function, which cancels it or not.
     *
     * @throws UnsupportedOperationException if this is neither: MPI cannot cancel anything else
     * @throws MpiException if MPI reports an error
     */
    public void cancel() {
        if (work != Work.RECEIVE && work != Work.PROGRAM) {
            throw new UnsupportedOperationException("Only a receive can be cancelled, and this is a " + work + ".");
        }
        unwanted = true;
        cancelBetween();
        Progress.wake();
    }

    /** Does what {@link #cancel} wants, unless a thread asks MPI: then that one does. */
    private void cancelBetween() {
        if (unwanted && !cancelled && STATE.compareAndSet(this, IDLE, ASKED)) {
            try {
                cancelIfUnwanted();
            } finally {
                become(IDLE);
            }
        }
    }

    /** For the thread that asks MPI. */
    private void cancelIfUnwanted() {
        if (unwanted && !cancelled) {
            cancelled = true;
            PointToPoint.cancel(handle);
            GeneralizedRequest.completeLate();
        }
    }

    /** For the progress thread. */
    void cancelTaken() {
        if (taken) {
            try {
                cancelIfUnwanted();
            } catch (RuntimeException e) {
                release(e);
            }
        }
    }

    /**
     * Waits until the operation is complete, but no longer than {@code limit}. If the time is over or the thread is
     * interrupted, the operation goes on, and can be waited for again.
     *
     * @param limit how long
     * @return what is known of the message, if the operation is complete
     * @throws InterruptedException if the thread is interrupted
     * @throws MpiException if the operation failed
     * @throws CancelledException if the receive was cancelled
     * @throws IllegalStateException if MPI was started below {@code ThreadLevel.MULTIPLE}
     */
    public Optional<Status> await(Duration limit) throws InterruptedException {
        Arguments.present("limit", limit);
        Progress.require();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Optional<Status> now = test();
        if (now.isPresent()) {
            return now;
        }
        try {
            followed().get(TimeUnit.NANOSECONDS.convert(limit), TimeUnit.NANOSECONDS);
            return Optional.of(result());
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            result(); // throws the operation's error
            throw Progress.ownOf(e.getCause());
        }
    }

    /**
     * The completion of the operation. What depends on it runs on virtual threads and may wait for other operations.
     * Cancelling the stage does not cancel the operation.
     *
     * @return a stage that ends with what is known of the message, or with the operation's error
     * @throws IllegalStateException if MPI was started below {@code ThreadLevel.MULTIPLE}
     */
    public CompletionStage<Status> completion() {
        Progress.require();
        return followed().thenApplyAsync(found -> found, task -> Thread.ofVirtual().name("mpiglot-stage").start(task));
    }

    /** What is complete when the progress thread has seen the end. */
    CompletableFuture<Status> followed() {
        CompletableFuture<Status> mine = future;
        if (mine == null) {
            FUTURE.compareAndSet(this, null, new CompletableFuture<Status>());
            mine = future;
        }
        if (STATE.compareAndSet(this, IDLE, ASKED)) {
            hand();
        } else if (state == COMPLETE) {
            tell(mine);
        }
        return mine;
    }

    private void hand() {
        taken = true;
        Progress.take(this);
    }

    private void tell(CompletableFuture<Status> mine) {
        if (failure != null) {
            mine.completeExceptionally(failure);
        } else {
            mine.complete(status);
        }
    }

    /** For the progress thread: keeps the result if MPI has completed the operation; whether that is new. */
    boolean settleTaken(StatusValue found, RuntimeException thrown) {
        if (!taken || !isOver(false, null)) {
            return false;
        }
        taken = false;
        settle(found, thrown, true);
        return true;
    }

    /** For the progress thread: asks for a persistent operation, whose handle does not tell that it is complete. */
    void askTaken() {
        if (!taken) {
            return;
        }
        RuntimeException thrown = askClaimed();
        if (state == COMPLETE) {
            taken = false;
        } else if (thrown != null) {
            release(thrown);
        }
    }

    /** For the progress thread, which cannot ask any more: all that wait get the reason, and may ask MPI again. */
    void release(RuntimeException reason) {
        if (!taken) {
            return;
        }
        taken = false;
        CompletableFuture<Status> mine = future;
        future = null;
        settle(null, reason, false);
        mine.completeExceptionally(reason);
    }

    Work work() {
        return work;
    }

    /** What goes on if the program drops this. */
    Left left() {
        Left left = new Left(this, handle, used.bare(), work, origin);
        if (dropped) {
            left.quiet();
        }
        return left;
    }

    /** Asks once, unless another thread does, and lets those that wait for the result have it later. */
    void askBetween() {
        if (claim(false)) {
            try {
                askClaimed(); // an error that is not its own is told to the next that asks
            } finally {
                releaseClaimed();
            }
        }
    }

    /** Asks once, and tells no error; whether the operation is complete. */
    boolean isSettled() {
        try {
            test();
        } catch (RuntimeException e) {
            // of those who wait for it
        }
        return state == COMPLETE;
    }

    /** Waits for the end, and tells no error: of those who wait for it. */
    void complete() {
        for (int round = 0; !isSettled(); round++) {
            Progress.relax(round);
        }
    }

    /** Whether the progress thread has no more to ask. */
    boolean isDone() {
        return !taken;
    }

    /**
     * Asks whether the operation is complete.
     *
     * @return what is known of the message, if it is
     * @throws MpiException if the operation failed
     * @throws CancelledException if the receive was cancelled
     */
    public Optional<Status> test() {
        if (claim(false)) {
            ask();
        }
        return Optional.ofNullable(result());
    }

    /**
     * Waits until all operations are complete. Another thread that waits for one of them need not wait for the others. If
     * the thread is interrupted, the receives among them are cancelled, and the others go on.
     *
     * @param requests the operations; {@link Requests} has more questions about several
     * @throws MpiException if one of them failed
     * @throws CancelledException if a receive was cancelled or the thread interrupted
     */
    public static void awaitAll(Request... requests) {
        Requests.awaitAll(requests);
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(Request.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether this thread shall ask MPI; a patient one waits while another thread does. */
    boolean claim(boolean patient) {
        return STATE.compareAndSet(this, IDLE, ASKED) || patient && claimAfterOthers();
    }

    private boolean claimAfterOthers() {
        boolean interrupted = false;
        boolean mine = false;
        synchronized (used) {
            waitedFor = true;
            while (!mine && state != COMPLETE && !(interrupted && work != Work.RECEIVE)) {
                mine = STATE.compareAndSet(this, IDLE, ASKED);
                if (!mine && state == ASKED && isInterrupted()) {
                    interrupted = true;
                    unwanted = work == Work.RECEIVE;
                    Progress.wake();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!mine && state != COMPLETE) {
            throw CancelledException.ofWait(work.toString());
        }
        return mine;
    }

    /** Waits until the state changes; whether it was interrupted. */
    private boolean isInterrupted() {
        try {
            used.wait();
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** For the thread that has claimed it: keeps the result if MPI has completed the operation; whether that is new. */
    boolean settleClaimed(StatusValue found, RuntimeException thrown) {
        if (state != ASKED || !isOver(false, null)) {
            return false;
        }
        settle(found, thrown, true);
        return true;
    }

    /** For the same: lets other threads ask, unless the operation is complete. */
    void releaseClaimed() {
        if (state == ASKED) {
            settle(null, null, false);
        }
    }

    /** For the same: asks once, and keeps the result; returns an error with which the operation is not complete. */
    RuntimeException askClaimed() {
        StatusValue found = new StatusValue();
        RuntimeException thrown = null;
        boolean told = false;
        try {
            told = isTold(found);
        } catch (RuntimeException e) {
            thrown = e;
        }
        if (!isOver(told, thrown)) {
            return thrown;
        }
        settle(found, thrown, true);
        return null;
    }

    private void ask() {
        RuntimeException thrown;
        try {
            thrown = askClaimed();
        } finally {
            releaseClaimed();
        }
        if (thrown != null) {
            throw thrown;
        }
    }

    /** Whether somebody may still want the result from {@link Requests}. */
    boolean isWanted() {
        return !given && !dropped;
    }

    /** The result, once, if the operation is complete. */
    Optional<Requests.Completed> takeResult(int index) {
        boolean isMine = state == COMPLETE && !dropped && GIVEN.compareAndSet(this, false, true);
        return isMine ? Optional.of(new Requests.Completed(index, status, failure)) : Optional.empty();
    }

    boolean hasFailedWith(Throwable reason) {
        return state == COMPLETE && failure == reason;
    }

    /** Asks MPI once. What an operator throws before the end is thrown at the end: until then MPI calls it again. */
    private boolean isTold(StatusValue found) {
        boolean told;
        try {
            told = Several.testOne(handle, found, work);
        } catch (CallbackException e) {
            if (work != Work.COLLECTIVE || e.errorClass() != MpiConstants.SUCCESS || isOver(false, e)) {
                throw e;
            }
            early = early == null ? e : early;
            return false;
        } catch (ProcessFailedException e) { // Open MPI 5 does not give a receive from anybody back, even if it is cancelled
            if (!cancelled || isOver(false, e) || !PointToPoint.requestGetStatus(handle, found)) {
                throw e;
            }
            PointToPoint.requestFree(handle);
            return true;
        }
        if (told && early != null) {
            throw early;
        }
        return told;
    }

    /** Not in MPI_Wait, which hears of no interruption and lets nobody cancel. */
    private void askUntilComplete() {
        StatusValue found = new StatusValue();
        RuntimeException thrown = null;
        boolean told = false;
        try {
            for (int round = 0; thrown == null && !(told = isTold(found)); round++) {
                if (Thread.currentThread().isInterrupted()) {
                    unwanted = work == Work.RECEIVE;
                    thrown = unwanted ? null : CancelledException.ofWait(work.toString());
                }
                cancelIfUnwanted();
                Progress.relax(round);
            }
        } catch (RuntimeException e) {
            thrown = e;
        } finally {
            settle(found, thrown, isOver(told, thrown));
        }
        if (thrown instanceof CancelledException) {
            leave();
        }
        if (thrown != null) {
            throw thrown;
        }
    }

    /** Leaves the operation to the progress thread, if there can be one. */
    private void leave() {
        if (Progress.isPossible()) {
            followed();
        }
    }

    /** Keeps the result if MPI has completed the operation, and lets other threads ask. */
    private void settle(StatusValue found, RuntimeException thrown, boolean complete) {
        try {
            if (complete) {
                failure = thrown;
                if (thrown == null || thrown instanceof MpiException e && e.errorClass() == MpiConstants.SUCCESS) {
                    finish(found);
                }
                if (prepared == null) {
                    used.end();
                }
            }
        } finally {
            if (complete) {
                end();
            } else {
                become(IDLE);
            }
        }
        if (!complete) {
            cancelBetween();
        }
    }

    private void end() {
        become(COMPLETE);
        if (prepared != null) {
            try {
                prepared.freeIfClosed();
            } catch (RuntimeException e) {
                // nobody asks any more
            }
        }
    }

    /**
     * Whether MPI has completed the operation.
     *
     * @param told whether it said so
     * @param thrown what it said instead: a persistent operation is over then if nothing is under way
     */
    private boolean isOver(boolean told, RuntimeException thrown) {
        if (prepared == null) {
            return handle.handle() == RequestHandle.NULL.handle();
        }
        return told || thrown != null && !(thrown instanceof CancelledException) && prepared.isIdle();
    }

    private void become(int now) {
        state = now;
        tellFollowers();
        if (waitedFor) {
            synchronized (used) {
                used.notifyAll();
            }
        }
    }

    private void tellFollowers() {
        CompletableFuture<Status> mine = future;
        if (mine == null) {
            return;
        }
        if (state == COMPLETE) {
            tell(mine);
        } else if (STATE.compareAndSet(this, IDLE, ASKED)) {
            hand();
        }
    }

    private void finish(StatusValue found) {
        try {
            if (program != null) {
                status = program.outcome();
                return;
            }
            if (cancelled && PointToPoint.testCancelled(found)) {
                failure = failure == null ? CancelledException.ofReceive() : failure;
                return;
            }
            if (place != null && !dropped) {
                Status told = Status.of(found);
                status = new Status(told.source(), told.tag(), place.before(told.bytes()));
            } else {
                status = nobody ? Status.OF_NOBODY : Status.of(found);
            }
            if (receives == null || dropped) {
                return;
            }
            if (work.isTold) {
                receives.arrived(status.bytes());
            } else {
                receives.arrived();
            }
        } catch (RuntimeException e) { // of a callback of MPI, told by the next call
            failure = failure == null ? e : failure;
        }
    }

    /** The status if the operation is complete, null if it is not. */
    private Status result() {
        if (state != COMPLETE) {
            return null;
        }
        GIVEN.setOpaque(this, true); // without the fence of a volatile write, as nobody waits for it
        if (failure != null) {
            throw failure;
        }
        return status;
    }

    /** A receive from anybody goes on when a process has failed, and that is told with each question. */
    private boolean isOpenStill() {
        try {
            return test().isEmpty();
        } catch (ProcessFailedException e) {
            if (state == COMPLETE) {
                throw e;
            }
            return true;
        }
    }

    /** {@return the handle for {@link dev.mpiglot.low}, which must not complete or free it} */
    public RequestHandle handle() {
        return handle;
    }

    /**
     * Ends the use of the request, as an exception does that leaves the block of {@code try (Request r = ...)}: does not
     * wait for other processes. A receive that is not complete is cancelled; if its message is arriving just then, it is
     * received. Any other operation goes on and is completed later, with its memory kept until then; nobody is told of its
     * error, and what it computes is dropped. Closing again, or after somebody has been told of an error, does nothing.
     *
     * @throws MpiException if the operation failed and nobody has been told
     */
    @Override
    public void close() {
        if (state == COMPLETE) {
            return;
        }
        try {
            if (isOpenStill() && work == Work.RECEIVE) {
                cancel();
                await();
            }
        } catch (CancelledException e) {
            return; // as it should be
        }
        if (state != COMPLETE) {
            dropped = true;
            Left.quiet(handle);
            leave();
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.RequestHandle;
import java.lang.ref.WeakReference;

/**
 * What MPI needs of an operation that is under way, without the object of the program and its arrays. If the program
 * drops that object, this completes the operation. All of it is asked by one thread at a time ({@link Backlog}).
 */
sealed class Left extends WeakReference<Object> permits LeftPersistent {

    private final RequestHandle handle;
    private final Loan memory;
    private final Request.Work work;
    private final StackTraceElement place;
    private volatile boolean told;

    /**
     * An operation that has begun.
     *
     * @param user the object of the program
     * @param memory of copies, which belong to the user until the program has dropped it
     * @param place where the program began it; null: not known
     */
    Left(Object user, RequestHandle handle, Loan memory, Request.Work work, @Nullable StackTraceElement place) {
        super(user);
        this.handle = handle;
        this.memory = memory;
        this.work = work;
        this.place = place;
    }

    final RequestHandle handle() {
        return handle;
    }

    final Request.Work work() {
        return work;
    }

    /** Where the program began it; null: not known. */
    final StackTraceElement place() {
        return place;
    }

    /** Whether the program has dropped it. */
    final boolean isDropped() {
        return refersTo(null);
    }

    /** Whether MPI is done with it. */
    final boolean isOver() {
        return handle.handle() == RequestHandle.NULL.handle();
    }

    /** How many bytes of copies it has. */
    long copied() {
        return memory.copied();
    }

    /** What it is, in words. */
    String what() {
        return work.toString();
    }

    /** What was wrong with dropping it. */
    String mistake() {
        return "was dropped before it was complete: await or close it. It is completed later";
    }

    /** Whether it counts as an unclosed operation, and not as one that is under way. */
    boolean isPrepared() {
        return false;
    }

    /** Whether nothing of it is under way, so that MPI need not be asked. */
    boolean isIdle() {
        return false;
    }

    /** Asks MPI once. */
    final void ask() {
        Object user = get();
        if (user instanceof Request request) {
            request.askBetween();
        } else if (user instanceof Persistent prepared) {
            prepared.askBetween();
        } else {
            askDropped();
        }
    }

    /** The same for an end of MPI, after which nobody asks; whether it is over. */
    final boolean isSettled() {
        Object user = get();
        if (user instanceof Request request) {
            return request.isSettled();
        }
        if (user instanceof Persistent prepared) {
            return prepared.isSettled();
        }
        askDropped();
        return isOver();
    }

    /** The program has closed it: to drop it is no mistake then. */
    final void quiet() {
        told = true;
    }

    /** The same of what is under way with this handle. */
    static void quiet(RequestHandle handle) {
        if (handle.owner() instanceof Left left) {
            left.quiet();
        }
    }

    private void askDropped() {
        if (isOver()) {
            return;
        }
        if (!told) {
            told = true;
            Backlog.tellDropped(this);
        }
        boolean isComplete = isIdle();
        try {
            isComplete = isComplete || Several.testOne(handle, null, work);
        } catch (RuntimeException e) {
            Backlog.tellFailed(this, e);
        }
        end(isComplete);
    }

    /** Gives its memory back if MPI is done with it. */
    void end(boolean isComplete) {
        if (isOver()) {
            memory.end();
        }
    }
}

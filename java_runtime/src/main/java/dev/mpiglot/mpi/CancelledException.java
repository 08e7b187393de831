package dev.mpiglot.mpi;

/**
 * A wait has ended without a result: its receive was cancelled, or its thread was interrupted, and then the thread is
 * still marked as interrupted. A receive that was cancelled has changed nothing, and its message goes to another one.
 * Any other operation goes on ({@link #isUnderWay}) and is completed later; its memory is kept until then.
 */
public final class CancelledException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Whether the operation goes on. */
    private final boolean underWay;

    private CancelledException(String message, boolean underWay) {
        super(message);
        this.underWay = underWay;
    }

    static CancelledException ofReceive() {
        return new CancelledException("The receive was cancelled before a message came.", false);
    }

    static CancelledException ofOperation() {
        return new CancelledException("The operation was cancelled.", false);
    }

    static CancelledException ofProbe() {
        return new CancelledException("The thread was interrupted before a message came.", false);
    }

    static CancelledException ofWait(String what) {
        return new CancelledException("The thread was interrupted while it waited for a " + what + ", which goes on.", true);
    }

    /** {@return whether the operation goes on: MPI cannot cancel what is not a receive} */
    public boolean isUnderWay() {
        return underWay;
    }
}

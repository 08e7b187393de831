package dev.mpiglot.mpi;

import dev.mpiglot.low.Inside;

/** MPI, or an object of it, was used before it was there or after its end. */
public final class ClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private static final String AFTER = "MPI is closed: close it last.";
    private static final String BEFORE = "MPI is not started: start it first.";

    private ClosedException(String message) {
        super(message);
    }

    /**
     * {@return what is thrown for an object that is closed} After the end of MPI it says that.
     *
     * @param message what is closed
     */
    public static ClosedException of(String message) {
        return new ClosedException(Inside.isAfterMpi() ? AFTER : message);
    }

    /** {@return what is thrown after the end of MPI} */
    public static ClosedException afterMpi() {
        return new ClosedException(AFTER);
    }

    /** {@return what is thrown before the start of MPI} */
    public static ClosedException beforeMpi() {
        return new ClosedException(BEFORE);
    }
}

package dev.mpiglot.mpi;

/** A step of {@link Resilient} has thrown an exception on another process, where that is thrown itself. */
public final class RemoteFailureException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    RemoteFailureException() {
        super("The step has thrown an exception on another process, which is thrown there.");
    }
}

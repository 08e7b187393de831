package dev.mpiglot.mpi;

/** A process that takes part has failed. {@code MPIX_ERR_PROC_FAILED} or {@code MPIX_ERR_PROC_FAILED_PENDING}. */
public final class ProcessFailedException extends MpiException {

    private static final long serialVersionUID = 1;

    ProcessFailedException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

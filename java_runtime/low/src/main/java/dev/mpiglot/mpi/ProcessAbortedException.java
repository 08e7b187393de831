package dev.mpiglot.mpi;

/** A process that takes part has ended the job. {@code MPI_ERR_PROC_ABORTED}. */
public final class ProcessAbortedException extends MpiException {

    private static final long serialVersionUID = 1;

    ProcessAbortedException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

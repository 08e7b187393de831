package dev.mpiglot.mpi;

/** A communicator is none, or none that the operation can use. {@code MPI_ERR_COMM}. */
public final class CommException extends MpiException {

    private static final long serialVersionUID = 1;

    CommException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

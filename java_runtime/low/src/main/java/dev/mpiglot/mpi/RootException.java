package dev.mpiglot.mpi;

/** The root of a collective operation is no rank of the communicator. {@code MPI_ERR_ROOT}. */
public final class RootException extends MpiException {

    private static final long serialVersionUID = 1;

    RootException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

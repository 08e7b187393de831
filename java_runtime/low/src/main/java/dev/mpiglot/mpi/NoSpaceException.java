package dev.mpiglot.mpi;

/** The file system has no space left. {@code MPI_ERR_NO_SPACE}. */
public final class NoSpaceException extends MpiException {

    private static final long serialVersionUID = 1;

    NoSpaceException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

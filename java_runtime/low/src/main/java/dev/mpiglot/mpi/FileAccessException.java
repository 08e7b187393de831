package dev.mpiglot.mpi;

/** The file system does not let this user do that. {@code MPI_ERR_ACCESS}. */
public final class FileAccessException extends MpiException {

    private static final long serialVersionUID = 1;

    FileAccessException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

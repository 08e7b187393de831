package dev.mpiglot.mpi;

/** There is a file of this name, and the program asked for a new one. {@code MPI_ERR_FILE_EXISTS}. */
public final class FileExistsException extends MpiException {

    private static final long serialVersionUID = 1;

    FileExistsException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

package dev.mpiglot.mpi;

/** There is no file of this name. {@code MPI_ERR_NO_SUCH_FILE}. */
public final class MissingFileException extends MpiException {

    private static final long serialVersionUID = 1;

    MissingFileException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

package dev.mpiglot.mpi;

/** The file, or its file system, can only be read. {@code MPI_ERR_READ_ONLY}. */
public final class ReadOnlyFileException extends MpiException {

    private static final long serialVersionUID = 1;

    ReadOnlyFileException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

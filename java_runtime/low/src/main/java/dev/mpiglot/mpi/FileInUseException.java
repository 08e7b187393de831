package dev.mpiglot.mpi;

/** Another process has the file open. {@code MPI_ERR_FILE_IN_USE}. */
public final class FileInUseException extends MpiException {

    private static final long serialVersionUID = 1;

    FileInUseException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

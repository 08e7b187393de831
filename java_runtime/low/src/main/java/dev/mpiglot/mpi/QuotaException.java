package dev.mpiglot.mpi;

/** The file system lets this user have no more space. {@code MPI_ERR_QUOTA}. */
public final class QuotaException extends MpiException {

    private static final long serialVersionUID = 1;

    QuotaException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

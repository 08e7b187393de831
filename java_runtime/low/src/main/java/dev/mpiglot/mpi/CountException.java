package dev.mpiglot.mpi;

/** A number of elements is negative, or more than this MPI can take at once. {@code MPI_ERR_COUNT}. */
public final class CountException extends MpiException {

    private static final long serialVersionUID = 1;

    CountException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

package dev.mpiglot.mpi;

/** A message was longer than the memory to receive it into. {@code MPI_ERR_TRUNCATE}. */
public final class TruncatedException extends MpiException {

    private static final long serialVersionUID = 1;

    TruncatedException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

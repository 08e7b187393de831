package dev.mpiglot.mpi;

/** MPI has no memory left for this. {@code MPI_ERR_NO_MEM}. */
public final class NoMemoryException extends MpiException {

    private static final long serialVersionUID = 1;

    NoMemoryException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

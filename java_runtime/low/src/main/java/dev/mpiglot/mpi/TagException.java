package dev.mpiglot.mpi;

/** The tag of a message is negative or above what this MPI allows. {@code MPI_ERR_TAG}. */
public final class TagException extends MpiException {

    private static final long serialVersionUID = 1;

    TagException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

package dev.mpiglot.mpi;

/** A datatype is none, or none that the operation can use. {@code MPI_ERR_TYPE}. */
public final class DatatypeException extends MpiException {

    private static final long serialVersionUID = 1;

    DatatypeException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

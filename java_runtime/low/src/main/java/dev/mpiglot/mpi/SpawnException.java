package dev.mpiglot.mpi;

/** MPI could not start the processes. {@code MPI_ERR_SPAWN}. */
public final class SpawnException extends MpiException {

    private static final long serialVersionUID = 1;

    SpawnException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

package dev.mpiglot.mpi;

/** There is no process of this rank. {@code MPI_ERR_RANK}. */
public final class RankException extends MpiException {

    private static final long serialVersionUID = 1;

    RankException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

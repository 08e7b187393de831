package dev.mpiglot.mpi;

/** The state of a process that failed is lost: those that had copies of it have failed, too ({@link Resilient}). */
public final class StateLostException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    StateLostException(int rank) {
        super("Processes have failed, and with the one of rank " + rank + " all that had copies of its state.");
    }
}

package dev.mpiglot.mpi;

/**
 * What is left in the end of {@link Resilient#run(Comm, SurvivingProgram, Codec, int)}.
 *
 * @param <T> the type of a state
 * @param comm the communicator of the processes that have not failed
 * @param state the state of this one
 */
public record Survivors<T>(Comm comm, T state) implements AutoCloseable {

    /**
     * What is left.
     *
     * @throws IllegalArgumentException if the communicator is null
     */
    public Survivors {
        Arguments.present("comm", comm);
    }

    /** Closes the communicator. */
    @Override
    public void close() {
        comm.close();
    }
}

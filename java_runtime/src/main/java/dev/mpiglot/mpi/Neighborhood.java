package dev.mpiglot.mpi;

/**
 * A communicator whose processes have neighbours: a {@link Cart}, {@link Graph} or {@link DistGraph}. Its operations among
 * neighbours are collective over all processes, though data go between neighbours only.
 *
 * <p>Neighbours are in this order: in a grid, for each dimension the one before and the one behind ({@link Cart#shift} by
 * 1), where it ends nobody, whose part stays as it is; in a graph, {@link Graph#neighbors()}; in one whose processes know
 * their own edges, {@link DistGraph#sources} to receive from and {@link DistGraph#destinations} to send to. A process may
 * be listed several times.
 *
 * <p>Buffers and counts are compared with the number of neighbours before MPI is called. What does not fit is refused as
 * {@link BufferOperations} says, and {@link Buffer#inPlace()} is. In the forms without counts all parts of a process have
 * the same size, those that it sends and those that it receives; the {@code v} forms are for others.
 */
public abstract sealed class Neighborhood extends PlannedNeighborhood permits Cart, DistGraph, Graph {

    Neighborhood(dev.mpiglot.low.Comm handle, Life life, boolean owner) {
        super(handle, life, owner);
    }

    /**
     * How many neighbours a process has.
     *
     * @param in those that it receives from
     * @param out those that it sends to
     */
    record Degrees(int in, int out) {
    }

    /** Those of this process, for a call that has begun. */
    abstract Degrees degrees();
}

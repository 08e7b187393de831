package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Topologies;
import java.util.Arrays;

/**
 * A communicator whose processes are arranged in a graph that each of them knows as a whole. {@link Comm#createGraph}
 * makes it. It does everything that {@link Comm} does. The methods of the graph are local; they throw an {@link
 * IllegalStateException} once the communicator is closed, and on a process that is not in the graph ({@link #isNull}).
 */
public final class Graph extends Neighborhood {

    Graph(CommHandle handle, Life life, boolean owner) {
        super(handle, life, owner);
    }

    /**
     * Tells the whole graph. {@code MPI_Graphdims_get}, {@code MPI_Graph_get}
     *
     * @return for each rank the ranks of its neighbours
     * @throws MpiException if MPI reports an error
     */
    public int[][] edges() {
        return using(() -> {
            Topologies.GraphdimsGetResult dims = Topologies.graphdimsGet(word());
            int[] ends = new int[dims.nnodes()];
            int[] all = new int[Math.max(1, dims.nedges())]; // Open MPI refuses an array without memory
            Topologies.graphGet(word(), ends, all);
            int[][] edges = new int[ends.length][];
            for (int rank = 0; rank < ends.length; rank++) {
                edges[rank] = Arrays.copyOfRange(all, rank == 0 ? 0 : ends[rank - 1], ends[rank]);
            }
            return edges;
        });
    }

    /** {@return the ranks of this process's neighbours} */
    public int[] neighbors() {
        return using(() -> neighbors(rank()));
    }

    /**
     * Tells the neighbours of a process. {@code MPI_Graph_neighbors_count}, {@code MPI_Graph_neighbors}
     *
     * @param rank its rank
     * @return the ranks of its neighbours
     * @throws IllegalArgumentException if there is no such rank
     * @throws MpiException if MPI reports an error
     */
    public int[] neighbors(int rank) {
        return using(() -> {
            Arguments.rank("rank", rank, size());
            int count = Topologies.graphNeighborsCount(word(), rank);
            int[] neighbors = new int[Math.max(1, count)];
            Topologies.graphNeighbors(word(), rank, neighbors);
            return Arrays.copyOf(neighbors, count);
        });
    }

    @Override
    Degrees degrees() {
        int both = Topologies.graphNeighborsCount(word(), rank());
        return new Degrees(both, both);
    }

    @Override
    public Graph dup() {
        return (Graph) super.dup();
    }

    @Override
    public Graph dupWithInfo(Info hints) {
        return (Graph) super.dupWithInfo(hints);
    }

    /** A graph for MPI: the neighbours of all ranks in turn, and where those of each rank end. */
    record Edges(int[] ends, int[] neighbors) {
    }
}

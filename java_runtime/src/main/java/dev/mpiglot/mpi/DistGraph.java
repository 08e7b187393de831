package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.Topologies;
import java.util.ArrayList;
import java.util.List;

/**
 * A communicator whose processes are arranged in a graph of which each knows its own edges. {@link
 * Comm#createDistGraph} and {@link Comm#createDistGraphAdjacent} make it. It does everything that {@link Comm} does.
 * The methods of the graph are local; they throw an {@link IllegalStateException} once the communicator is closed.
 */
public final class DistGraph extends Neighborhood {

    private static final int USUAL = 1;

    DistGraph(CommHandle handle, Life life, boolean owner) {
        super(handle, life, owner);
    }

    /**
     * The other end of an edge.
     *
     * @param rank its rank
     * @param weight the edge's weight, 0 or more: what it means the library decides; 1 in a graph without weights
     */
    public record Neighbor(int rank, int weight) {

        /** The same; refuses a negative weight. */
        public Neighbor {
            requireWeight(weight);
        }
    }

    /**
     * An edge.
     *
     * @param source the rank that sends
     * @param destination the rank that receives
     * @param weight 0 or more: what it means the library decides
     */
    public record Edge(int source, int destination, int weight) {

        /** The same; refuses a negative weight. */
        public Edge {
            requireWeight(weight);
        }
    }

    private static void requireWeight(int weight) {
        if (weight < 0) {
            throw new IllegalArgumentException("The weight " + weight + " is negative: it must be 0 or more.");
        }
    }

    /** What MPI tells of this process's edges. */
    private record Edges(int[] sources, int[] sourceWeights, int[] destinations, int[] destinationWeights) {
    }

    /** {@return whether the edges have weights ({@code MPI_Dist_graph_neighbors_count})} */
    public boolean isWeighted() {
        return using(() -> Topologies.distGraphNeighborsCount(word()).weighted());
    }

    /**
     * Tells what this process receives from. {@code MPI_Dist_graph_neighbors_count}, {@code MPI_Dist_graph_neighbors}
     *
     * @return the ranks and the weights of the edges, in the order in which {@link Comm#createDistGraphAdjacent} got
     *     them
     * @throws MpiException if MPI reports an error
     */
    public List<Neighbor> sources() {
        Edges edges = edges();
        return neighbors(edges.sources, edges.sourceWeights);
    }

    /**
     * Tells what this process sends to. {@code MPI_Dist_graph_neighbors_count}, {@code MPI_Dist_graph_neighbors}
     *
     * @return the ranks and the weights of the edges, in the order in which {@link Comm#createDistGraphAdjacent} got
     *     them
     * @throws MpiException if MPI reports an error
     */
    public List<Neighbor> destinations() {
        Edges edges = edges();
        return neighbors(edges.destinations, edges.destinationWeights);
    }

    private Edges edges() {
        return using(() -> {
            Topologies.DistGraphNeighborsCountResult count = Topologies.distGraphNeighborsCount(word());
            boolean weighted = count.weighted();
            Edges edges =
                    new Edges(new int[count.indegree()], weighted ? new int[count.indegree()] : MpiConstants.UNWEIGHTED,
                    new int[count.outdegree()], weighted ? new int[count.outdegree()] : MpiConstants.UNWEIGHTED);
            Topologies.distGraphNeighbors(word(), edges.sources, edges.sourceWeights, edges.destinations,
                    edges.destinationWeights);
            return edges;
        });
    }

    private static List<Neighbor> neighbors(int[] ranks, int[] weights) {
        List<Neighbor> neighbors = new ArrayList<>(ranks.length);
        for (int i = 0; i < ranks.length; i++) {
            neighbors.add(new Neighbor(ranks[i], weights == MpiConstants.UNWEIGHTED ? USUAL : weights[i]));
        }
        return List.copyOf(neighbors);
    }

    @Override
    Degrees degrees() {
        Topologies.DistGraphNeighborsCountResult count = Topologies.distGraphNeighborsCount(word());
        return new Degrees(count.indegree(), count.outdegree());
    }

    @Override
    public DistGraph dup() {
        return (DistGraph) super.dup();
    }

    @Override
    public DistGraph dupWithInfo(Info hints) {
        return (DistGraph) super.dupWithInfo(hints);
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.Topologies;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The methods of {@link Comm} that arrange its processes in grids and graphs. */
public sealed interface TopologyCreation permits Comm {

    private Comm comm() {
        return (Comm) this;
    }

    private static <C extends Comm> C arrange(Call call, Comm.Maker<C> maker, Supplier<CommHandle> action) {
        Object[] made = new Object[1];
        call.takePart(() -> {
            CommHandle handle = action.get();
            made[0] = Comm.own(handle, maker);
            Survival.made(call.comm(), handle);
        });
        @SuppressWarnings("unchecked")
        C arranged = (C) made[0];
        return arranged;
    }

    /**
     * Arranges the processes in a grid. {@code MPI_Cart_create} Collective.
     *
     * @param dims the length of the grid in each dimension, in processes; the same on all processes, as everything here
     * @param periods for each dimension whether the grid is closed to a ring
     * @param reorder whether MPI may give other ranks
     * @return the grid, to be closed; {@link Comm#isNull} on processes that are left over
     * @throws IllegalArgumentException if a length is less than 1, the grid has more processes than there are, or the
     *     arrays differ in length: at once, and others wait
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default Cart createCart(int[] dims, boolean[] periods, boolean reorder) {
        try (Call call = comm().within()) {
            requireGrid(dims, periods);
            return arrange(call, Cart::new, () -> Topologies.cartCreate(comm().word(), dims, periods, reorder));
        }
    }

    /**
     * Tells which rank MPI recommends for this process in a grid. {@code MPI_Cart_map} All processes call it.
     *
     * @param dims the length of the grid in each dimension, in processes
     * @param periods for each dimension whether the grid is closed to a ring
     * @return the rank; empty if the process would be left over
     * @throws IllegalArgumentException as by {@link #createCart}
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default OptionalInt mapCart(int[] dims, boolean[] periods) {
        try (Call call = comm().within()) {
            requireGrid(dims, periods);
            return Arguments.rank(Progress.onPlatform(call, () -> Topologies.cartMap(comm().word(), dims, periods)));
        }
    }

    private void requireGrid(int[] dims, boolean[] periods) {
        Arguments.present("dims", dims);
        Arguments.present("periods", periods);
        Arguments.length("periods", periods.length, dims.length, "dimension");
        int size = comm().size();
        long needed = 1;
        for (int length : dims) {
            needed *= Math.max(length, 0);
            if (length < 1 || needed > size) {
                throw new IllegalArgumentException("No grid of " + Arrays.toString(dims) + " can be made of " + size
                        + " processes; each length must be at least 1.");
            }
        }
    }

    /**
     * Arranges the processes in a graph that each of them gives as a whole. {@code MPI_Graph_create} Collective. Graphs
     * of many processes are better made with {@link #createDistGraphAdjacent}.
     *
     * @param neighbors for each rank of the graph the ranks of its neighbours; the same on all processes
     * @param reorder whether MPI may give other ranks
     * @return the graph, to be closed; {@link Comm#isNull} on processes that are left over
     * @throws IllegalArgumentException if the graph has more ranks than there are processes, or a neighbour that it
     *     does not have: at once, and others wait
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default Graph createGraph(int[][] neighbors, boolean reorder) {
        try (Call call = comm().within()) {
            Graph.Edges edges = edges(neighbors);
            return arrange(call, Graph::new,
                    () -> Topologies.graphCreate(comm().word(), edges.ends(), edges.neighbors(), reorder));
        }
    }

    /**
     * Tells which rank MPI recommends for this process in a graph. {@code MPI_Graph_map} All processes call it.
     *
     * @param neighbors for each rank of the graph the ranks of its neighbours
     * @return the rank; empty if the process would be left over
     * @throws IllegalArgumentException as by {@link #createGraph}
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default OptionalInt mapGraph(int[][] neighbors) {
        try (Call call = comm().within()) {
            Graph.Edges edges = edges(neighbors);
            return Arguments.rank(Progress.onPlatform(call,
                    () -> Topologies.graphMap(comm().word(), edges.ends(), edges.neighbors())));
        }
    }

    private Graph.Edges edges(int[][] neighbors) {
        Arguments.present("neighbors", neighbors);
        if (neighbors.length > comm().size()) {
            throw new IllegalArgumentException("The graph has " + neighbors.length + " ranks, and there are only "
                    + comm().size() + " processes.");
        }
        int[] ends = new int[neighbors.length];
        int count = 0;
        for (int rank = 0; rank < ends.length; rank++) {
            Arguments.ranks("neighbors[" + rank + "]", neighbors[rank], neighbors.length);
            count += neighbors[rank].length;
            ends[rank] = count;
        }
        int[] all = Arrays.stream(neighbors).flatMapToInt(Arrays::stream).toArray();
        return new Graph.Edges(ends, all.length == 0 ? new int[1] : all); // libraries refuse an array without memory
    }

    /**
     * Arranges the processes in a graph without weights, of which each gives its own neighbours.
     * {@code MPI_Dist_graph_create_adjacent} Collective.
     *
     * @param sources the ranks that this process receives from
     * @param destinations the ranks that it sends to
     * @param hints null: none
     * @param reorder whether MPI may give other ranks
     * @return the graph, to be closed
     * @throws IllegalArgumentException if a neighbour is no rank, or this process is not as often among its sources as
     *     among its destinations: at once, and others wait
     * @throws IllegalStateException if the hints are closed: after taking part without them
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default DistGraph createDistGraphAdjacent(int[] sources, int[] destinations, @Nullable Info hints, boolean reorder) {
        int[] none = MpiConstants.UNWEIGHTED;
        return adjacent(sources, none, destinations, none, hints, reorder);
    }

    /**
     * The same with a weight for each edge, which both its ends give.
     *
     * @param sources what this process receives from
     * @param destinations what it sends to
     * @param hints what the weights mean to the library, and else; null: none
     * @param reorder whether MPI may give other ranks
     * @return the graph, to be closed
     * @throws IllegalArgumentException if a neighbour is no rank, a weight is negative, or this process is not as often
     *     among its sources as among its destinations: at once, and others wait
     * @throws IllegalStateException if the hints are closed: after taking part without them
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default DistGraph createDistGraphAdjacent(List<DistGraph.Neighbor> sources, List<DistGraph.Neighbor> destinations,
            @Nullable Info hints, boolean reorder) {
        Arguments.all("sources", sources);
        Arguments.all("destinations", destinations);
        return adjacent(sources.stream().mapToInt(DistGraph.Neighbor::rank).toArray(),
                sources.stream().mapToInt(DistGraph.Neighbor::weight).toArray(),
                destinations.stream().mapToInt(DistGraph.Neighbor::rank).toArray(),
                destinations.stream().mapToInt(DistGraph.Neighbor::weight).toArray(), hints, reorder);
    }

    private DistGraph adjacent(int[] sources, int[] sourceWeights, int[] destinations, int[] destinationWeights,
            Info hints, boolean reorder) {
        try (Call call = comm().within()) {
            Arguments.ranks("sources", sources, comm().size());
            Arguments.ranks("destinations", destinations, comm().size());
            requireBothEnds(sources, destinations);
            return arrange(call, DistGraph::new, () -> Info.during(call, hints,
                    info -> Topologies.distGraphCreateAdjacent(comm().word(), sources, weights(sourceWeights), destinations,
                            weights(destinationWeights), info, reorder)));
        }
    }

    /** Both ends of an edge from this process to itself are known here; of one end alone messages are waited for forever. */
    private void requireBothEnds(int[] sources, int[] destinations) {
        int rank = comm().rank();
        long from = Arrays.stream(sources).filter(one -> one == rank).count();
        long to = Arrays.stream(destinations).filter(one -> one == rank).count();
        if (from != to) {
            throw new IllegalArgumentException("This process, rank " + rank + ", is among its sources " + from
                    + " times and among its destinations " + to + " times: both ends of each edge are to be given.");
        }
    }

    /** Weights for MPI, which has a word for none at all. */
    private static int[] weights(int[] weights) {
        boolean isNone = weights.length == 0 && weights != MpiConstants.UNWEIGHTED;
        return isNone ? MpiConstants.WEIGHTS_EMPTY : weights;
    }

    /**
     * Arranges the processes in a graph without weights, of which each gives any edges, not only its own.
     * {@code MPI_Dist_graph_create} Collective.
     *
     * @param edges the ranks that each rank sends to
     * @param hints null: none
     * @param reorder whether MPI may give other ranks
     * @return the graph, to be closed
     * @throws IllegalArgumentException if an end of an edge is no rank: at once, and others wait
     * @throws IllegalStateException if the hints are closed: after taking part without them
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default DistGraph createDistGraph(Map<Integer, int[]> edges, @Nullable Info hints, boolean reorder) {
        Arguments.present("edges", edges).forEach((source, to) -> {
            Arguments.present("edges", source);
            Arguments.present("edges of " + source, to);
        });
        return distributed(new TreeMap<>(edges), MpiConstants.UNWEIGHTED, hints, reorder);
    }

    /**
     * The same with a weight for each edge.
     *
     * @param edges edges of any processes
     * @param hints what the weights mean to the library, and else; null: none
     * @param reorder whether MPI may give other ranks
     * @return the graph, to be closed
     * @throws IllegalArgumentException if an end of an edge is no rank or a weight is negative: at once, and others
     *     wait
     * @throws IllegalStateException if the hints are closed: after taking part without them
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default DistGraph createDistGraph(List<DistGraph.Edge> edges, @Nullable Info hints, boolean reorder) {
        Map<Integer, int[]> destinations = new TreeMap<>();
        List<DistGraph.Edge> sorted = Arguments.all("edges", edges).stream()
                .sorted(Comparator.comparingInt(DistGraph.Edge::source)).toList();
        for (DistGraph.Edge edge : sorted) {
            int[] one = {edge.destination()};
            destinations.merge(edge.source(), one, TopologyCreation::joined);
        }
        return distributed(destinations, sorted.stream().mapToInt(DistGraph.Edge::weight).toArray(), hints, reorder);
    }

    private static int[] joined(int[] first, int[] second) {
        int[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** With the weights in the order of the edges. */
    private DistGraph distributed(Map<Integer, int[]> edges, int[] weights, Info hints, boolean reorder) {
        int[] sources = edges.keySet().stream().mapToInt(Integer::intValue).toArray();
        int[] degrees = edges.values().stream().mapToInt(to -> to.length).toArray();
        int[] destinations = edges.values().stream().flatMapToInt(Arrays::stream).toArray();
        try (Call call = comm().within()) {
            Arguments.ranks("sources", sources, comm().size());
            Arguments.ranks("destinations", destinations, comm().size());
            return arrange(call, DistGraph::new, () -> Info.during(call, hints,
                    info -> Topologies.distGraphCreate(comm().word(), sources, degrees, destinations, weights(weights), info,
                            reorder)));
        }
    }
}

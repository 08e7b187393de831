package mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.Topologies;
import java.util.Arrays;

/** Makes communicators of some processes of another one, grids and graphs. */
abstract class IntracommMakes extends Comm {

    private static final int[] UNWEIGHTED = MpiConstants.UNWEIGHTED;

    IntracommMakes(CommHandle handle) {
        super(handle);
    }

    /**
     * {@return the communicator of the processes that share what a type says, in the order of their keys}
     *
     * @param splitType {@code Comm.TYPE_SHARED} or {@code MPI.UNDEFINED}
     * @param key the place in it
     * @param info hints, or {@code MPI.INFO_NULL}
     * @throws MPIException if MPI reports an error
     */
    public final Intracomm splitType(int splitType, int key, Info info) throws MPIException {
        return MPIException.of(() -> new Intracomm(Communicators.commSplitType(handle(), splitType, key,
                info.handle())));
    }

    /**
     * {@return the communicator of a group, none in the other processes; all of this one call it}
     *
     * @param group the processes
     * @throws MPIException if MPI reports an error
     */
    public final Intracomm create(Group group) throws MPIException {
        return MPIException.of(() -> new Intracomm(Communicators.commCreate(handle(), group.handle())));
    }

    /**
     * {@return the communicator of a group, whose processes call it}
     *
     * @param group the processes
     * @param tag what tells calls of several threads apart
     * @throws MPIException if MPI reports an error
     */
    public final Intracomm createGroup(Group group, int tag) throws MPIException {
        return MPIException.of(() -> new Intracomm(Communicators.commCreateGroup(handle(), group.handle(), tag)));
    }

    /**
     * {@return a grid of processes}
     *
     * @param dims how many processes each dimension has
     * @param periods which dimensions are rings
     * @param reorder whether MPI may choose the ranks
     * @throws MPIException if MPI reports an error
     */
    public final CartComm createCart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
        return MPIException.of(() -> new CartComm(Topologies.cartCreate(handle(), dims, periods, reorder)));
    }

    /**
     * {@return a graph that all processes know}
     *
     * @param index for each process the number of edges of it and of those before
     * @param edges the neighbours of the processes, one after the other
     * @param reorder whether MPI may choose the ranks
     * @throws MPIException if MPI reports an error
     */
    public final GraphComm createGraph(int[] index, int[] edges, boolean reorder) throws MPIException {
        return MPIException.of(() -> new GraphComm(Topologies.graphCreate(handle(), index, edges, reorder)));
    }

    /** The first numbers of an array that may be longer. */
    private static int[] first(int[] numbers, int count) {
        return numbers != UNWEIGHTED && numbers.length > count ? Arrays.copyOf(numbers, count) : numbers;
    }

    /**
     * {@return a graph of which each process knows some edges}
     *
     * @param sources the ranks that edges come from
     * @param degrees how many edges come from each
     * @param destinations the ranks that edges lead to
     * @param weights the weights of the edges
     * @param info hints, or {@code MPI.INFO_NULL}
     * @param reorder whether MPI may choose the ranks
     * @throws MPIException if MPI reports an error
     */
    public final GraphComm createDistGraph(int[] sources, int[] degrees, int[] destinations, int[] weights, Info info,
            boolean reorder) throws MPIException {
        return MPIException.of(() -> new GraphComm(
            Topologies.distGraphCreate(handle(), sources, first(degrees, sources.length), destinations, weights,
                    info.handle(), reorder)));
    }

    /**
     * {@return the same graph without weights}
     *
     * @param sources the ranks that edges come from
     * @param degrees how many edges come from each
     * @param destinations the ranks that edges lead to
     * @param info hints, or {@code MPI.INFO_NULL}
     * @param reorder whether MPI may choose the ranks
     * @throws MPIException if MPI reports an error
     */
    public final GraphComm createDistGraph(int[] sources, int[] degrees, int[] destinations, Info info, boolean reorder)
            throws MPIException {
        return createDistGraph(sources, degrees, destinations, UNWEIGHTED, info, reorder);
    }

    /**
     * {@return a graph of which each process knows its own edges}
     *
     * @param sources the ranks that edges come from
     * @param sourceWeights the weights of the edges from them
     * @param destinations the ranks that edges lead to
     * @param destWeights the weights of the edges to them
     * @param info hints, or {@code MPI.INFO_NULL}
     * @param reorder whether MPI may choose the ranks
     * @throws MPIException if MPI reports an error
     */
    public final GraphComm createDistGraphAdjacent(int[] sources, int[] sourceWeights, int[] destinations,
            int[] destWeights, Info info, boolean reorder) throws MPIException {
        return MPIException.of(() -> new GraphComm(Topologies.distGraphCreateAdjacent(
            handle(), sources, first(sourceWeights, sources.length), destinations,
                    first(destWeights, destinations.length), info.handle(), reorder)));
    }

    /**
     * {@return the same graph without weights}
     *
     * @param sources the ranks that edges come from
     * @param destinations the ranks that edges lead to
     * @param info hints, or {@code MPI.INFO_NULL}
     * @param reorder whether MPI may choose the ranks
     * @throws MPIException if MPI reports an error
     */
    public final GraphComm createDistGraphAdjacent(int[] sources, int[] destinations, Info info, boolean reorder)
            throws MPIException {
        return createDistGraphAdjacent(sources, UNWEIGHTED, destinations, UNWEIGHTED, info, reorder);
    }
}

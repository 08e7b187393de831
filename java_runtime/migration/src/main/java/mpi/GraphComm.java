package mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.Topologies;

/** Processes with edges between them. */
public final class GraphComm extends Intracomm {

    private static final int[] UNWEIGHTED = MpiConstants.UNWEIGHTED;

    GraphComm(CommHandle handle) {
        super(handle);
    }

    @Override
    public GraphComm clone() {
        return unchecked(this::dup);
    }

    @Override
    public GraphComm dup() throws MPIException {
        return MPIException.of(() -> new GraphComm(Communicators.commDup(handle())));
    }

    @Override
    public GraphComm iDup() throws MPIException {
        return beginCopy(GraphComm::new);
    }

    @Override
    public GraphComm dupWithInfo(Info info) throws MPIException {
        return MPIException.of(() -> new GraphComm(Communicators.commDupWithInfo(handle(), info.handle())));
    }

    /**
     * {@return the graph, if all processes know it}
     *
     * @throws MPIException if MPI reports an error
     */
    public GraphParms getDims() throws MPIException {
        return MPIException.of(() -> {
            var counts = Topologies.graphdimsGet(handle());
            int[] index = new int[counts.nnodes()];
            int[] edges = new int[counts.nedges()];
            Topologies.graphGet(handle(), index, edges);
            return new GraphParms(index, edges);
        });
    }

    /**
     * {@return the neighbours of a process}
     *
     * @param rank a rank
     * @throws MPIException if MPI reports an error
     */
    public int[] getNeighbors(int rank) throws MPIException {
        return MPIException.of(() -> {
            int[] neighbors = new int[Topologies.graphNeighborsCount(handle(), rank)];
            Topologies.graphNeighbors(handle(), rank, neighbors);
            return neighbors;
        });
    }

    /**
     * {@return the edges of this process, if each knows some}
     *
     * @throws MPIException if MPI reports an error
     */
    public DistGraphNeighbors getDistGraphNeighbors() throws MPIException {
        return MPIException.of(() -> {
            var counts = Topologies.distGraphNeighborsCount(handle());
            var found = new DistGraphNeighbors(counts.indegree(), counts.outdegree(), counts.weighted());
            Topologies.distGraphNeighbors(handle(), found.sources, found.weighted ? found.sourceWeights : UNWEIGHTED,
                    found.destinations, found.weighted ? found.destWeights : UNWEIGHTED);
            return found;
        });
    }

    /**
     * {@return a good rank of this process in a graph, or {@code MPI.UNDEFINED}}
     *
     * @param index for each process the number of edges of it and of those before
     * @param edges the neighbours of the processes, one after the other
     * @throws MPIException if MPI reports an error
     */
    public int map(int[] index, int[] edges) throws MPIException {
        return MPIException.of(() -> Topologies.graphMap(handle(), index, edges));
    }
}

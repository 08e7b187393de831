package mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.Topologies;
import java.nio.Buffer;

/** Collective operations of the neighbours in a grid or a graph. */
abstract class CommNeighbors extends CommBegun {

    CommNeighbors(CommHandle handle) {
        super(handle);
    }

    /** How many processes send to this one, and how many it sends to. */
    private int[] degrees() {
        int topology = Topologies.topoTest(handle());
        if (topology == MPI.DIST_GRAPH) {
            var counts = Topologies.distGraphNeighborsCount(handle());
            return new int[] {counts.indegree(), counts.outdegree()};
        }
        int both = topology == MPI.CART ? 2 * Topologies.cartdimGet(handle())
                : topology == MPI.GRAPH
                ? Topologies.graphNeighborsCount(handle(), Communicators.commRank(handle())) : 0;
        return new int[] {both, both};
    }

    private Span spanOfSources(int count, Datatype type) {
        return type.span((long) count * degrees()[0]);
    }

    private Span spanOfTargets(int count, Datatype type) {
        return type.span((long) count * degrees()[1]);
    }

    /**
     * Sends all neighbours the same elements and gathers those of them.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent to each neighbour
     * @param sendtype their type
     * @param recvbuf where elements go
     * @param recvcount how many come of each neighbour
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final void neighborAllGather(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf,
            int recvcount, Datatype recvtype) throws MPIException {
        MPIException.run(() -> call(sendbuf, sendtype.span(sendcount), recvbuf, spanOfSources(recvcount, recvtype),
                (sent, data) ->
            Collectives.neighborAllgather(sent, sendcount, sendtype.handle(), data, recvcount, recvtype.handle(),
                    handle())));
    }

    /**
     * {@return the operation of {@link #neighborAllGather}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent to each neighbour
     * @param sendtype their type
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come of each neighbour
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final Request iNeighborAllGather(Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf,
            int recvcount, Datatype recvtype) throws MPIException {
        return MPIException.of(() -> begin(sendbuf, sendtype.span(sendcount), recvbuf, spanOfSources(recvcount,
                recvtype), (sent, data) ->
            Collectives.ineighborAllgather(sent, sendcount, sendtype.handle(), data, recvcount, recvtype.handle(),
                    handle())));
    }

    /**
     * The same with different numbers of elements.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent to each neighbour
     * @param sendtype their type
     * @param recvbuf where elements go
     * @param recvcount how many come of each neighbour
     * @param displs where the blocks begin
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final void neighborAllGatherv(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf,
            int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        MPIException.run(() -> call(sendbuf, sendtype.span(sendcount), recvbuf, span(recvcount, displs, recvtype),
                (sent, data) ->
            Collectives.neighborAllgatherv(sent, sendcount, sendtype.handle(), data, recvcount, displs,
                    recvtype.handle(), handle())));
    }

    /**
     * {@return the operation of {@link #neighborAllGatherv}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent to each neighbour
     * @param sendtype their type
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come of each neighbour
     * @param displs where the blocks begin
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final Request iNeighborAllGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf,
            int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return MPIException.of(() -> begin(sendbuf, sendtype.span(sendcount), recvbuf, span(recvcount, displs,
                recvtype), (sent, data) ->
            Collectives.ineighborAllgatherv(sent, sendcount, sendtype.handle(), data, recvcount, displs,
                    recvtype.handle(), handle())));
    }

    /**
     * Sends each neighbour elements and receives elements of each.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent to each neighbour
     * @param sendtype their type
     * @param recvbuf where elements go
     * @param recvcount how many come of each neighbour
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final void neighborAllToAll(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
            Datatype recvtype) throws MPIException {
        MPIException.run(() -> call(sendbuf, spanOfTargets(sendcount, sendtype), recvbuf, spanOfSources(recvcount,
                recvtype), (sent, data) ->
            Collectives.neighborAlltoall(sent, sendcount, sendtype.handle(), data, recvcount, recvtype.handle(),
                    handle())));
    }

    /**
     * {@return the operation of {@link #neighborAllToAll}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent to each neighbour
     * @param sendtype their type
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come of each neighbour
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final Request iNeighborAllToAll(Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf,
            int recvcount, Datatype recvtype) throws MPIException {
        return MPIException.of(() -> begin(sendbuf, spanOfTargets(sendcount, sendtype), recvbuf,
                spanOfSources(recvcount, recvtype), (sent, data) ->
            Collectives.ineighborAlltoall(sent, sendcount, sendtype.handle(), data, recvcount, recvtype.handle(),
                    handle())));
    }

    /**
     * The same with different numbers of elements.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent to each neighbour
     * @param sdispls where the blocks begin that are sent
     * @param sendtype their type
     * @param recvbuf where elements go
     * @param recvcount how many come of each neighbour
     * @param rdispls where the blocks begin that are received
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final void neighborAllToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
            Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        MPIException.run(() -> call(sendbuf, span(sendcount, sdispls, sendtype), recvbuf, span(recvcount, rdispls,
                recvtype), (sent, data) ->
            Collectives.neighborAlltoallv(sent, sendcount, sdispls, sendtype.handle(), data, recvcount, rdispls,
                    recvtype.handle(), handle())));
    }

    /**
     * {@return the operation of {@link #neighborAllToAllv}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent to each neighbour
     * @param sdispls where the blocks begin that are sent
     * @param sendtype their type
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come of each neighbour
     * @param rdispls where the blocks begin that are received
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final Request iNeighborAllToAllv(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
            Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return MPIException.of(() -> begin(sendbuf, span(sendcount, sdispls, sendtype), recvbuf, span(recvcount,
                rdispls, recvtype), (sent, data) ->
            Collectives.ineighborAlltoallv(sent, sendcount, sdispls, sendtype.handle(), data, recvcount, rdispls,
                    recvtype.handle(), handle())));
    }
}

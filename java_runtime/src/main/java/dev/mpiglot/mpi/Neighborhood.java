package dev.mpiglot.mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.InfoHandle;
import java.util.List;

/**
 * A communicator whose processes have neighbours: a {@link Cart}, {@link Graph} or {@link DistGraph}. Its operations among
 * neighbours are collective over all processes, though data go between neighbours only.
 *
 * <p>Neighbours are in this order: in a grid, for each dimension the one before and the one behind ({@link Cart#shift} by
 * 1), where it ends nobody, whose part stays as it is; in a graph, {@link Graph#neighbors()}; in one whose processes know
 * their own edges, {@link DistGraph#sources} to receive from and {@link DistGraph#destinations} to send to. A process may
 * be listed several times.
 *
 * <p>Buffers and counts are compared with the number of neighbours before MPI is called. What does not fit is refused
 * as {@link BufferOperations} says, and {@link MpiBuffer#inPlace()} is. In the forms without counts all parts of a
 * process have the same size, those that it sends and those that it receives; the {@code v} forms are for others.
 */
public abstract sealed class Neighborhood extends Comm
        implements NeighborOperations, NeighborResults permits Cart, DistGraph, Graph {

    Neighborhood(CommHandle handle, Life life, boolean owner) {
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

    private Call.Exchange exchange(Call call, List<? extends MpiBuffer<?>> sent,
            List<? extends MpiBuffer<?>> received) {
        Degrees degrees = degrees();
        return call.exchange(sent, degrees.out(), "neighbour to send to", received, degrees.in(),
                "neighbour to receive from", -1);
    }

    /**
     * Exchanges buffers of any types with the neighbours. {@code MPI_Neighbor_alltoallw} Collective.
     *
     * @param sent what goes to each neighbour to send to, in their order
     * @param received where it goes that comes from each neighbour to receive from, as many values as that one gives
     * @throws IllegalArgumentException if a list or a buffer is null or in place, or there are not as many buffers as
     *     neighbours: at once, and others wait
     * @throws IllegalStateException if a type or memory is closed: after taking part
     * @throws MpiException if MPI reports an error
     */
    public void neighborAlltoallw(List<? extends MpiBuffer<?>> sent, List<? extends MpiBuffer<?>> received) {
        try (Call call = within()) {
            Call.Exchange own = exchange(call, sent, received);
            BufferList out = own.sent();
            BufferList in = own.received();
            call.takePart(() -> Collectives.neighborAlltoallw(out.segment(), out.counts(), out.places(), out.types(),
                    in.segment(), in.counts(), in.places(), in.types(), call.comm()));
            in.arrived();
        }
    }

    /**
     * Begins {@link #neighborAlltoallw}. {@code MPI_Ineighbor_alltoallw} Collective. Buffers change when the operation is
     * complete.
     *
     * @param sent what goes to each neighbour to send to, in their order
     * @param received where it goes that comes from each neighbour to receive from, as many values as that one gives
     * @return the operation, to be awaited
     * @throws IllegalArgumentException as {@link #neighborAlltoallw} does
     * @throws IllegalStateException if a type or memory is closed: after taking part
     * @throws MpiException if MPI reports an error
     */
    public Request ineighborAlltoallw(List<? extends MpiBuffer<?>> sent, List<? extends MpiBuffer<?>> received) {
        try (Call call = within()) {
            Call.Exchange own = exchange(call, sent, received);
            BufferList out = own.sent();
            BufferList in = own.received();
            return call.begun(Collectives.ineighborAlltoallw(out.segment(), out.counts(), out.places(), out.types(),
                    in.segment(), in.counts(), in.places(), in.types(), call.comm()), in, Request.Work.COLLECTIVE);
        }
    }

    /**
     * Prepares {@link #neighborAlltoallw}. {@code MPI_Neighbor_alltoallw_init} Since MPI 4.0; not in every library.
     * Collective, as each start is: the first may wait for the others.
     *
     * @param sent what goes to each neighbour to send to, in their order
     * @param received where it goes that comes from each neighbour to receive from, as many values as that one gives
     * @return the operation, to be started and to be closed
     * @throws IllegalArgumentException as {@link #neighborAlltoallw} does
     * @throws IllegalStateException if a type or memory is closed: after taking part
     * @throws MpiException if MPI reports an error
     */
    public Persistent neighborAlltoallwInit(List<? extends MpiBuffer<?>> sent, List<? extends MpiBuffer<?>> received) {
        try (Call call = within()) {
            Call.Exchange own = exchange(call, sent, received);
            BufferList out = own.sent();
            BufferList in = own.received();
            return call.prepared(() -> Collectives.neighborAlltoallwInit(out.segment(), out.counts(), out.places(),
                    out.types(), in.segment(), in.counts(), in.places(), in.types(), call.comm(), InfoHandle.NULL), in);
        }
    }

    /**
     * Gives the same elements to each neighbour to send to, which learns how many there are. Collective.
     *
     * @param <E> the type of the single values
     * @param sent the elements of this process, of any number; all processes give the same type
     * @return those of each neighbour to receive from, in their order, and how many each has given
     * @throws CodecException if the buffer of this process, or of one to receive from, is null, in place or closed
     * @throws MpiException if MPI reports an error
     */
    public <E extends Element> Collected<E> neighborAllgatherv(MpiBuffer<E> sent) {
        return SentLengths.neighborAllgather(this, sent);
    }

    /**
     * Gives elements to each neighbour to send to, which learns how many there are. Collective.
     *
     * @param <E> the type of the single values
     * @param sent what goes to each neighbour, in their order; all processes give the same type
     * @param sentCounts how many elements go to each
     * @return those of each neighbour to receive from, in their order, and how many each has given
     * @throws CodecException if the buffer of this process, or of one to receive from, is null, in place or closed, or its
     *     counts do not fit
     * @throws MpiException if MPI reports an error
     */
    public <E extends Element> Collected<E> neighborAlltoallv(MpiBuffer<E> sent, int[] sentCounts) {
        return SentLengths.neighborAlltoall(this, sent, sentCounts);
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.InfoHandle;
import java.util.List;

/**
 * The collective operations of {@link Comm} on buffers of any types ({@code w}) and of any lengths ({@code v}). If the
 * receivers do not know the counts, these are sent along; if a process then gives nothing that can be sent, all processes
 * throw a {@link CodecException}, and the next operation finds them in step. All give elements of the same type.
 */
public sealed interface VectorCollectives permits Comm {

    private Comm comm() {
        return (Comm) this;
    }

    private static Call.Exchange exchange(Call call, List<? extends MpiBuffer<?>> sent,
            List<? extends MpiBuffer<?>> received) {
        int ranks = call.ranks();
        return call.exchange(sent, ranks, "rank", received, ranks, "rank", call.rank());
    }

    /**
     * Sends a buffer of any type from every process to every process. {@code MPI_Alltoallw} Collective.
     *
     * @param sent what goes to each rank, in their order
     * @param received where it goes that comes from each rank, as many values as that one gives
     * @throws IllegalArgumentException if a list or a buffer is null or in place, or there are not as many buffers as
     *     ranks: at once, and others wait; if this process gives itself more or less than it gets: after taking part
     * @throws IllegalStateException if a type or memory is closed: after taking part
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default void alltoallw(List<? extends MpiBuffer<?>> sent, List<? extends MpiBuffer<?>> received) {
        try (Call call = comm().within()) {
            Call.Exchange own = exchange(call, sent, received);
            BufferList out = own.sent();
            BufferList in = own.received();
            call.takePart(() -> Collectives.alltoallw(out.segment(), out.counts(), out.places(), out.types(), in.segment(),
                    in.counts(), in.places(), in.types(), call.comm()));
            in.arrived();
        }
    }

    /**
     * Begins {@link #alltoallw}. {@code MPI_Ialltoallw} Collective. Buffers change when the operation is complete.
     *
     * @param sent what goes to each rank, in their order
     * @param received where it goes that comes from each rank, as many values as that one gives
     * @return the operation, to be awaited
     * @throws IllegalArgumentException as {@link #alltoallw} does
     * @throws IllegalStateException if a type or memory is closed: after taking part
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default Request ialltoallw(List<? extends MpiBuffer<?>> sent, List<? extends MpiBuffer<?>> received) {
        try (Call call = comm().within()) {
            Call.Exchange own = exchange(call, sent, received);
            BufferList out = own.sent();
            BufferList in = own.received();
            return call.begun(Collectives.ialltoallw(out.segment(), out.counts(), out.places(), out.types(), in.segment(),
                    in.counts(), in.places(), in.types(), call.comm()), in, Request.Work.COLLECTIVE);
        }
    }

    /**
     * Prepares {@link #alltoallw}. {@code MPI_Alltoallw_init} Since MPI 4.0; not in every library. Collective, as each
     * start is: the first may wait for the others.
     *
     * @param sent what goes to each rank, in their order
     * @param received where it goes that comes from each rank, as many values as that one gives
     * @return the operation, to be started and to be closed
     * @throws IllegalArgumentException as {@link #alltoallw} does
     * @throws IllegalStateException if a type or memory is closed: after taking part
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default Persistent alltoallwInit(List<? extends MpiBuffer<?>> sent, List<? extends MpiBuffer<?>> received) {
        try (Call call = comm().within()) {
            Call.Exchange own = exchange(call, sent, received);
            BufferList out = own.sent();
            BufferList in = own.received();
            return call.prepared(() -> Collectives.alltoallwInit(out.segment(), out.counts(), out.places(), out.types(),
                    in.segment(), in.counts(), in.places(), in.types(), call.comm(), InfoHandle.NULL), in);
        }
    }

    /**
     * Collects the elements of all processes at all. Collective.
     *
     * @param <E> the type of the single values
     * @param sent the elements of this process, of any number
     * @return all elements in the order of ranks, and how many each has given
     * @throws CodecException if the buffer of a process is null, in place or closed: everywhere
     * @throws MpiException if MPI reports an error
     */
    default <E extends Element> Collected<E> allgatherv(MpiBuffer<E> sent) {
        return SentLengths.allgather(comm(), sent);
    }

    /**
     * Collects the elements of all processes at one. Collective.
     *
     * @param <E> the type of the single values
     * @param sent the elements of this process, of any number
     * @param root the rank that gets them
     * @return all elements in the order of ranks, and how many each has given, at {@code root}; nothing elsewhere
     * @throws CodecException if the buffer of a process is null, in place or closed: everywhere
     * @throws MpiException if MPI reports an error
     */
    default <E extends Element> Collected<E> gatherv(MpiBuffer<E> sent, int root) {
        return SentLengths.gather(comm(), sent, root);
    }

    /**
     * Each process gives each other one elements. Collective.
     *
     * @param <E> the type of the single values
     * @param sent what goes to each rank, in their order
     * @param sentCounts how many elements go to each
     * @return what each rank gives, in their order, and how much
     * @throws CodecException if the buffer of a process is null, in place or closed, or its counts do not fit: everywhere
     * @throws MpiException if MPI reports an error
     */
    default <E extends Element> Collected<E> alltoallv(MpiBuffer<E> sent, int[] sentCounts) {
        return SentLengths.alltoall(comm(), sent, sentCounts);
    }
}

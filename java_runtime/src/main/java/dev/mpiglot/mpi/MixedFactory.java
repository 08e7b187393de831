package dev.mpiglot.mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.InfoHandle;
import java.util.List;

/** The methods of {@link Comm} that exchange buffers of any types. */
abstract sealed class MixedFactory extends ProcessFactory permits LearnedOperations {

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
    public void alltoallw(List<? extends MpiBuffer<?>> sent, List<? extends MpiBuffer<?>> received) {
        try (Call call = within()) {
            Call.Exchange own = exchange(call, sent, received);
            Mixed out = own.sent();
            Mixed in = own.received();
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
    public Request ialltoallw(List<? extends MpiBuffer<?>> sent, List<? extends MpiBuffer<?>> received) {
        try (Call call = within()) {
            Call.Exchange own = exchange(call, sent, received);
            Mixed out = own.sent();
            Mixed in = own.received();
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
    public Persistent alltoallwInit(List<? extends MpiBuffer<?>> sent, List<? extends MpiBuffer<?>> received) {
        try (Call call = within()) {
            Call.Exchange own = exchange(call, sent, received);
            Mixed out = own.sent();
            Mixed in = own.received();
            return call.prepared(() -> Collectives.alltoallwInit(out.segment(), out.counts(), out.places(), out.types(),
                    in.segment(), in.counts(), in.places(), in.types(), call.comm(), InfoHandle.NULL), in);
        }
    }
}

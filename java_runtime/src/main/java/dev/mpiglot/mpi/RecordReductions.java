package dev.mpiglot.mpi;

import dev.mpiglot.low.Collectives;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The methods of {@link Comm} that reduce records. A process that gives null in the place of a record, or an operation
 * that is closed, takes part with zeros and throws afterwards; without one record, {@link Op#MAXLOC} and {@link
 * Op#MINLOC} do not know which pairs they are, so it throws at once and others wait. {@link RecordArray} has the other
 * reductions.
 */
public sealed interface RecordReductions permits Comm {

    private Comm comm() {
        return (Comm) this;
    }

    /** The form of the records: that of the operation, or of the first one that is there. */
    @SuppressWarnings("unchecked")
    private static <R extends Record> RecordForm<R> form(List<? extends R> values, Op<?> op) {
        if (Arguments.present("op", op).form() != null) {
            return (RecordForm<R>) op.form();
        }
        for (R value : Arguments.present("values", values)) {
            if (value != null) {
                return RecordForm.of((Class<R>) value.getClass());
            }
        }
        if (!values.isEmpty()) {
            throw new IllegalArgumentException("The values are null: nothing tells which pairs they would be.");
        }
        return (RecordForm<R>) RecordForm.of(Located.OfInt.class);
    }

    private <R extends Record> List<R> combine(List<? extends R> values, Op<? super Element.Of<R>> op, RecordMemory.Way way) {
        RecordForm<R> form = form(values, op);
        try (Call call = comm().collective()) {
            dev.mpiglot.mpi.Datatype<Element.Of<R>> type = form.datatypeOfPackage();
            call.operate(op, type);
            RecordMemory<R> memory = RecordMemory.of(call, form, values);
            call.takePart(() -> way.run(memory.sent().segment(), memory.received().segment(), memory.count(), call.number(),
                    call.operation(), call.comm()));
            return memory.result();
        }
    }

    private static RecordMemory.Way allreduce() {
        return (sent, received, count, type, op, comm) -> Collectives.allreduce(sent, received, count, type, op, comm);
    }

    /**
     * Combines a record of each process. {@code MPI_Allreduce} Collective.
     *
     * @param <R> the class of the records
     * @param value the record of this process
     * @param op combines two
     * @return what it makes of all, in the order of ranks
     * @throws IllegalArgumentException if the operation is null: at once, and others wait; if the value is
     * @throws IllegalStateException if the operation is closed
     * @throws MpiException if MPI reports an error, or the operation throws
     */
    default <R extends Record> R allreduce(R value, Op<? super Element.Of<R>> op) {
        return combine(Collections.singletonList(value), op, allreduce()).getFirst();
    }

    /**
     * Combines records of each process, those at the same place of the lists. {@code MPI_Allreduce} Collective.
     *
     * @param <R> the class of the records
     * @param values the records of this process, as many as of any other one
     * @param op combines two
     * @return what it makes of all, in the order of ranks
     * @throws IllegalArgumentException if the operation or the list is null: at once, and others wait; if a value is
     * @throws IllegalStateException if the operation is closed
     * @throws MpiException if MPI reports an error, or the operation throws
     */
    default <R extends Record> List<R> allreduce(List<? extends R> values, Op<? super Element.Of<R>> op) {
        return combine(values, op, allreduce());
    }

    /**
     * Combines a record of each process for one of them. {@code MPI_Reduce} Collective.
     *
     * @param <R> the class of the records
     * @param value the record of this process
     * @param op combines two
     * @param root the rank that gets the result
     * @return what it makes of all, in the order of ranks, at {@code root}; empty elsewhere
     * @throws IllegalArgumentException if the operation is null: at once, and others wait; if the value is
     * @throws IllegalStateException if the operation is closed
     * @throws MpiException if MPI reports an error, or the operation throws
     */
    default <R extends Record> Optional<R> reduce(R value, Op<? super Element.Of<R>> op, int root) {
        RecordMemory.Way reduce = (sent, received, count, type, low, comm) ->
                Collectives.reduce(sent, received, count, type, low, root, comm);
        R result = combine(Collections.singletonList(value), op, reduce).getFirst();
        return comm().rank() == root ? Optional.of(result) : Optional.empty();
    }

    /**
     * Combines the records of the processes up to this one. {@code MPI_Scan} Collective.
     *
     * @param <R> the class of the records
     * @param value the record of this process
     * @param op combines two
     * @return what it makes of those of the ranks up to this one, in their order
     * @throws IllegalArgumentException if the operation is null: at once, and others wait; if the value is
     * @throws IllegalStateException if the operation is closed
     * @throws MpiException if MPI reports an error, or the operation throws
     */
    default <R extends Record> R scan(R value, Op<? super Element.Of<R>> op) {
        return combine(Collections.singletonList(value), op, (sent, received, count, type, low, comm) ->
                Collectives.scan(sent, received, count, type, low, comm)).getFirst();
    }

    /**
     * Combines the records of the processes before this one. {@code MPI_Exscan} Collective.
     *
     * @param <R> the class of the records
     * @param value the record of this process
     * @param op combines two
     * @return what it makes of those of lower ranks, in their order; empty on rank 0
     * @throws IllegalArgumentException if the operation is null: at once, and others wait; if the value is
     * @throws IllegalStateException if the operation is closed
     * @throws MpiException if MPI reports an error, or the operation throws
     */
    default <R extends Record> Optional<R> exscan(R value, Op<? super Element.Of<R>> op) {
        R result = combine(Collections.singletonList(value), op, (sent, received, count, type, low, comm) ->
                Collectives.exscan(sent, received, count, type, low, comm)).getFirst();
        return comm().rank() == 0 ? Optional.empty() : Optional.of(result);
    }
}

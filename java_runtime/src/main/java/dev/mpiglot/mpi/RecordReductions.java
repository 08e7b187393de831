package dev.mpiglot.mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.Datatype;
import dev.mpiglot.low.Op;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The methods of {@link Comm} that reduce records and find where the largest and smallest values are. A process that gives
 * null in the place of a record, or an operation that is closed, takes part with zeros and throws afterwards.
 */
abstract sealed class RecordReductions extends ObjectOperations permits TopologyFactory {

    /** A reduction of so many elements. */
    private interface Way {
        void run(MemorySegment sent, MemorySegment received, int count, Datatype type, Op op, dev.mpiglot.low.Comm comm);
    }

    /** Records in memory of MPI: what is sent, and room for the result. */
    private record Memory<R extends Record>(RecordForm<R> form, int count, Buffer<Element.Bytes> sent,
            Buffer<Element.Bytes> received) {

        static <R extends Record> Memory<R> of(Call call, RecordForm<R> form, List<? extends R> values) {
            int count = Arguments.present("values", values).size();
            long bytes = count * form.layout().byteSize();
            Buffer<Element.Bytes> sent = Buffer.allocate(dev.mpiglot.mpi.Datatype.BYTE, bytes);
            call.note(Parts.mistakeOf(() -> form.writeAll(values, sent.segment())));
            return new Memory<>(form, count, sent, Buffer.allocate(dev.mpiglot.mpi.Datatype.BYTE, bytes));
        }

        List<R> result() {
            return form.readAll(received.segment(), count);
        }
    }

    private <R extends Record> List<R> combine(List<? extends R> values, RecordOp<R> op, Way way) {
        RecordForm<R> form = Arguments.present("op", op).form();
        try (Call call = collective()) {
            dev.mpiglot.mpi.Datatype<Element.Records> type = call.owning(form.datatype());
            call.operate(op.op(), Kind.RECORD);
            Memory<R> memory = Memory.of(call, form, values);
            call.takePart(() -> way.run(memory.sent.segment(), memory.received.segment(), memory.count, type.word(),
                    call.operation(), call.comm()));
            return memory.result();
        }
    }

    abstract Call collective();

    private static Way allreduce() {
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
     * @throws dev.mpiglot.low.MpiException if MPI reports an error, or the operation throws
     */
    public <R extends Record> R allreduce(R value, RecordOp<R> op) {
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
     * @throws dev.mpiglot.low.MpiException if MPI reports an error, or the operation throws
     */
    public <R extends Record> List<R> allreduce(List<? extends R> values, RecordOp<R> op) {
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
     * @throws dev.mpiglot.low.MpiException if MPI reports an error, or the operation throws
     */
    public <R extends Record> Optional<R> reduce(R value, RecordOp<R> op, int root) {
        Way reduce = (sent, received, count, type, low, comm) ->
                Collectives.reduce(sent, received, count, type, low, root, comm);
        R result = combine(Collections.singletonList(value), op, reduce).getFirst();
        return rank() == root ? Optional.of(result) : Optional.empty();
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
     * @throws dev.mpiglot.low.MpiException if MPI reports an error, or the operation throws
     */
    public <R extends Record> R scan(R value, RecordOp<R> op) {
        return combine(Collections.singletonList(value), op, (sent, received, count, type, low, comm) ->
                Collectives.scan(sent, received, count, type, low, comm)).getFirst();
    }

    private <R extends Record> List<R> locate(Class<R> kind, Datatype type, List<? extends R> values, Op op) {
        try (Call call = collective()) {
            Memory<R> memory = Memory.of(call, RecordForm.of(kind), values);
            call.takePart(() -> Collectives.allreduce(memory.sent.segment(), memory.received.segment(), memory.count, type,
                    op, call.comm()));
            return memory.result();
        }
    }

    /**
     * Finds the largest value and where it is. {@code MPI_Allreduce} with {@code MPI_MAXLOC} Collective.
     *
     * @param value the value of this process
     * @param index where it is: a rank, or the place in an array
     * @return the largest value; of equal ones that with the smallest index
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public Located.OfDouble maxloc(double value, int index) {
        return maxlocDoubles(List.of(new Located.OfDouble(value, index))).getFirst();
    }

    /**
     * Finds the largest values at each place of the lists. {@code MPI_Allreduce} with {@code MPI_MAXLOC} Collective.
     *
     * @param values the values of this process, as many as of any other one
     * @return for each place the largest value; of equal ones that with the smallest index
     * @throws IllegalArgumentException if the list is null: at once, and others wait; if a value is
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public List<Located.OfDouble> maxlocDoubles(List<Located.OfDouble> values) {
        return locate(Located.OfDouble.class, Datatype.DOUBLE_INT, values, Op.MAXLOC);
    }

    /**
     * Finds the largest value and where it is. {@code MPI_Allreduce} with {@code MPI_MAXLOC} Collective.
     *
     * @param value the value of this process
     * @param index where it is: a rank, or the place in an array
     * @return the largest value; of equal ones that with the smallest index
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public Located.OfFloat maxloc(float value, int index) {
        return maxlocFloats(List.of(new Located.OfFloat(value, index))).getFirst();
    }

    /**
     * Finds the largest values at each place of the lists. {@code MPI_Allreduce} with {@code MPI_MAXLOC} Collective.
     *
     * @param values the values of this process, as many as of any other one
     * @return for each place the largest value; of equal ones that with the smallest index
     * @throws IllegalArgumentException if the list is null: at once, and others wait; if a value is
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public List<Located.OfFloat> maxlocFloats(List<Located.OfFloat> values) {
        return locate(Located.OfFloat.class, Datatype.FLOAT_INT, values, Op.MAXLOC);
    }

    /**
     * Finds the largest value and where it is. {@code MPI_Allreduce} with {@code MPI_MAXLOC} Collective.
     *
     * @param value the value of this process
     * @param index where it is: a rank, or the place in an array
     * @return the largest value; of equal ones that with the smallest index
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public Located.OfLong maxloc(long value, int index) {
        return maxlocLongs(List.of(new Located.OfLong(value, index))).getFirst();
    }

    /**
     * Finds the largest values at each place of the lists. {@code MPI_Allreduce} with {@code MPI_MAXLOC} Collective.
     *
     * @param values the values of this process, as many as of any other one
     * @return for each place the largest value; of equal ones that with the smallest index
     * @throws IllegalArgumentException if the list is null: at once, and others wait; if a value is
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public List<Located.OfLong> maxlocLongs(List<Located.OfLong> values) {
        return locate(Located.OfLong.class, Datatype.LONG_INT, values, Op.MAXLOC);
    }

    /**
     * Finds the largest value and where it is. {@code MPI_Allreduce} with {@code MPI_MAXLOC} Collective.
     *
     * @param value the value of this process
     * @param index where it is: a rank, or the place in an array
     * @return the largest value; of equal ones that with the smallest index
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public Located.OfInt maxloc(int value, int index) {
        return maxlocInts(List.of(new Located.OfInt(value, index))).getFirst();
    }

    /**
     * Finds the largest values at each place of the lists. {@code MPI_Allreduce} with {@code MPI_MAXLOC} Collective.
     *
     * @param values the values of this process, as many as of any other one
     * @return for each place the largest value; of equal ones that with the smallest index
     * @throws IllegalArgumentException if the list is null: at once, and others wait; if a value is
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public List<Located.OfInt> maxlocInts(List<Located.OfInt> values) {
        return locate(Located.OfInt.class, Datatype._2INT, values, Op.MAXLOC);
    }

    /**
     * Finds the smallest value and where it is. {@code MPI_Allreduce} with {@code MPI_MINLOC} Collective.
     *
     * @param value the value of this process
     * @param index where it is: a rank, or the place in an array
     * @return the smallest value; of equal ones that with the smallest index
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public Located.OfDouble minloc(double value, int index) {
        return minlocDoubles(List.of(new Located.OfDouble(value, index))).getFirst();
    }

    /**
     * Finds the smallest values at each place of the lists. {@code MPI_Allreduce} with {@code MPI_MINLOC} Collective.
     *
     * @param values the values of this process, as many as of any other one
     * @return for each place the smallest value; of equal ones that with the smallest index
     * @throws IllegalArgumentException if the list is null: at once, and others wait; if a value is
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public List<Located.OfDouble> minlocDoubles(List<Located.OfDouble> values) {
        return locate(Located.OfDouble.class, Datatype.DOUBLE_INT, values, Op.MINLOC);
    }

    /**
     * Finds the smallest value and where it is. {@code MPI_Allreduce} with {@code MPI_MINLOC} Collective.
     *
     * @param value the value of this process
     * @param index where it is: a rank, or the place in an array
     * @return the smallest value; of equal ones that with the smallest index
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public Located.OfFloat minloc(float value, int index) {
        return minlocFloats(List.of(new Located.OfFloat(value, index))).getFirst();
    }

    /**
     * Finds the smallest values at each place of the lists. {@code MPI_Allreduce} with {@code MPI_MINLOC} Collective.
     *
     * @param values the values of this process, as many as of any other one
     * @return for each place the smallest value; of equal ones that with the smallest index
     * @throws IllegalArgumentException if the list is null: at once, and others wait; if a value is
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public List<Located.OfFloat> minlocFloats(List<Located.OfFloat> values) {
        return locate(Located.OfFloat.class, Datatype.FLOAT_INT, values, Op.MINLOC);
    }

    /**
     * Finds the smallest value and where it is. {@code MPI_Allreduce} with {@code MPI_MINLOC} Collective.
     *
     * @param value the value of this process
     * @param index where it is: a rank, or the place in an array
     * @return the smallest value; of equal ones that with the smallest index
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public Located.OfLong minloc(long value, int index) {
        return minlocLongs(List.of(new Located.OfLong(value, index))).getFirst();
    }

    /**
     * Finds the smallest values at each place of the lists. {@code MPI_Allreduce} with {@code MPI_MINLOC} Collective.
     *
     * @param values the values of this process, as many as of any other one
     * @return for each place the smallest value; of equal ones that with the smallest index
     * @throws IllegalArgumentException if the list is null: at once, and others wait; if a value is
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public List<Located.OfLong> minlocLongs(List<Located.OfLong> values) {
        return locate(Located.OfLong.class, Datatype.LONG_INT, values, Op.MINLOC);
    }

    /**
     * Finds the smallest value and where it is. {@code MPI_Allreduce} with {@code MPI_MINLOC} Collective.
     *
     * @param value the value of this process
     * @param index where it is: a rank, or the place in an array
     * @return the smallest value; of equal ones that with the smallest index
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public Located.OfInt minloc(int value, int index) {
        return minlocInts(List.of(new Located.OfInt(value, index))).getFirst();
    }

    /**
     * Finds the smallest values at each place of the lists. {@code MPI_Allreduce} with {@code MPI_MINLOC} Collective.
     *
     * @param values the values of this process, as many as of any other one
     * @return for each place the smallest value; of equal ones that with the smallest index
     * @throws IllegalArgumentException if the list is null: at once, and others wait; if a value is
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public List<Located.OfInt> minlocInts(List<Located.OfInt> values) {
        return locate(Located.OfInt.class, Datatype._2INT, values, Op.MINLOC);
    }
}

package dev.mpiglot.mpi;

import java.util.List;
import java.util.Objects;

/**
 * Records of a class in memory that MPI uses without a copy. Its {@link #buffer} may be given to every operation that
 * takes an {@link MpiBuffer}, except those of windows. Reductions of it take operations of that class ({@link
 * Op#of(Class, boolean, java.util.function.BinaryOperator)}), and those of {@link Located} values {@link Op#MAXLOC} and
 * {@link Op#MINLOC}, in all forms:
 *
 * {@snippet :
 * RecordArray<Located.OfDouble> best = RecordArray.of(Located.OfDouble.class, 100);
 * best.set(0, Located.of(0.5, world.rank()));
 * world.iallreduce(best.buffer(), Op.MAXLOC).await();
 * }
 *
 * <p>Records lie there as C would put structures of their components. An operation that is under way uses the memory at
 * the same time.
 *
 * @param <R> the class
 */
public final class RecordArray<R extends Record> {

    private final RecordForm<R> form;
    private final MpiBuffer<Element.Of<R>> buffer;
    private final int size;

    private RecordArray(RecordForm<R> form, int size) {
        this.form = form;
        this.buffer = MpiBuffer.allocate(form.datatypeOfPackage(), size);
        this.size = size;
    }

    /**
     * Records of zeros.
     *
     * @param <R> the class
     * @param type the class: its components are primitive, or such records
     * @param size how many
     * @return the records
     * @throws IllegalArgumentException if the size is negative or the class is null, has a component of another kind,
     *     or none, or this library cannot reach it
     * @throws MpiException if MPI reports an error
     */
    public static <R extends Record> RecordArray<R> of(Class<R> type, int size) {
        return new RecordArray<>(RecordForm.of(type), size);
    }

    /**
     * Copies of records.
     *
     * @param <R> the class
     * @param type the class: its components are primitive, or such records
     * @param records the records
     * @return as many records, which can be replaced by others
     * @throws IllegalArgumentException if an argument or a record is null or the class has a component of another kind,
     *     or none, or this library cannot reach it
     * @throws MpiException if MPI reports an error
     */
    public static <R extends Record> RecordArray<R> of(Class<R> type, List<? extends R> records) {
        RecordArray<R> made = of(type, Arguments.present("records", records).size());
        made.form.writeAll(records, made.buffer.segment());
        return made;
    }

    /**
     * {@return the records for MPI} {@link MpiBuffer#as} makes a buffer of some of them: {@code
     * buffer.as(buffer.type(), count, first)}.
     */
    public MpiBuffer<Element.Of<R>> buffer() {
        return buffer;
    }

    private long place(int index) {
        return Objects.checkIndex(index, size) * form.layout().byteSize();
    }

    /**
     * {@return a record as it is in memory now}
     *
     * @param index which
     */
    public R get(int index) {
        return form.read(buffer.segment(), place(index));
    }

    /**
     * Replaces a record.
     *
     * @param index which
     * @param record what takes its place
     * @throws IllegalArgumentException if the record is null
     */
    public void set(int index, R record) {
        form.write(Arguments.present("record", record), buffer.segment(), place(index));
    }

    /** {@return how many there are} */
    public int size() {
        return size;
    }

    /** {@return all records as they are in memory now} */
    public List<R> toList() {
        return form.readAll(buffer.segment(), size);
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.ClosedException;
import dev.mpiglot.low.Datatypes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * What a message is read from or written to: elements of a type in a Java array, or in memory that MPI can use
 * without a copy ({@link #allocate}).
 *
 * <p>The elements of an array are copied for each call. An operation that receives changes the elements that arrive
 * and no others, when it is complete: a nonblocking one in {@link Request#await} or {@link Request#test}. Several
 * operations, and other threads, may use other elements of the same array meanwhile.
 *
 * <p>{@code get...} and {@code set...} count single values from the start of the buffer, gaps included, up to the end of
 * its memory. They throw an {@link IllegalArgumentException} unless the buffer has values of their type.
 *
 * @param <E> the type of the single values
 */
public final class Buffer<E extends Element> extends BufferValues {

    private static final String CLOSED = "The memory of a buffer is closed: close it when no operation needs it any more.";
    private static final Buffer<Element.Bytes> IN_PLACE = new Buffer<>(null, null, 0, 0, Datatype.BYTE);

    private final Object array; // of primitives; null: outside the heap
    private final long offset; // bytes
    private final long count;
    private final Datatype<E> type;

    private Buffer(MemorySegment memory, Object array, long offset, long count, Datatype<E> type) {
        super(memory, array, offset, Arguments.present("type", type).kind());
        this.array = array;
        this.offset = offset;
        this.count = count;
        this.type = type;
    }

    private static <E extends Element> Buffer<E> ofArray(MemorySegment elements, Object array, int count,
            Datatype<E> type) {
        return new Buffer<>(elements, array, 0, count, type);
    }

    private static <A> A present(A array) {
        return Arguments.present("array", array);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static Buffer<Element.Bytes> of(byte[] array) {
        return ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.BYTE);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static Buffer<Element.Shorts> of(short[] array) {
        return ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.SHORT);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static Buffer<Element.Chars> of(char[] array) {
        return ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.CHAR);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static Buffer<Element.Ints> of(int[] array) {
        return ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.INT);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static Buffer<Element.Longs> of(long[] array) {
        return ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.LONG);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static Buffer<Element.Floats> of(float[] array) {
        return ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.FLOAT);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static Buffer<Element.Doubles> of(double[] array) {
        return ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.DOUBLE);
    }

    /**
     * Zeroed memory that MPI uses without a copy. It is given back when nothing refers to it any more.
     *
     * @param <E> the type of the single values
     * @param type the type of the elements, one without gaps
     * @param count how many
     * @return the buffer
     */
    public static <E extends Element> Buffer<E> allocate(Datatype<E> type, long count) {
        if (count < 0) {
            throw new IllegalArgumentException("A buffer of " + count + " elements cannot be allocated.");
        }
        long each = Arguments.present("type", type).bytes();
        long bytes = within(() -> Math.multiplyExact(each, count));
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, bytes), Long.BYTES);
        return new Buffer<>(memory, null, 0, count, type).checked();
    }

    /** Memory of MPI. */
    static <E extends Element> Buffer<E> over(MemorySegment memory, Datatype<E> type, long count) {
        return new Buffer<>(memory, null, 0, count, type).checked();
    }

    /** What stands for buffers that do not fit: so many parts like this one. */
    static Buffer<?> zeros(Buffer<?> part, int parts) {
        return zeros(part.type().kind(), Math.multiplyExact(part.values(), parts));
    }

    static Buffer<?> zeros(Kind kind, long values) {
        return allocate(Datatype.of(kind), values);
    }

    /**
     * Stands for the other buffer of a collective operation: what is sent is read where the result goes. As
     * {@code sent} of {@code allgather}, {@code alltoall} and reductions, at the root as {@code sent} of {@code gather} and
     * as {@code received} of {@code scatter}; in their {@code v} and nonblocking forms, too.
     *
     * @param <E> the type of the single values of the other buffer
     * @return a buffer without elements
     */
    @SuppressWarnings("unchecked")
    public static <E extends Element> Buffer<E> inPlace() {
        return (Buffer<E>) IN_PLACE;
    }

    boolean isInPlace() {
        return memory == null;
    }

    /**
     * The same memory as elements of another type, a column of a matrix for example.
     *
     * @param <F> the type of the single values
     * @param type the type of the elements
     * @param count how many
     * @return the buffer
     * @throws IllegalArgumentException if they reach beyond the memory
     */
    public <F extends Element> Buffer<F> as(Datatype<F> type, long count) {
        return new Buffer<>(memory, array, offset, count, type).checked();
    }

    /**
     * The same memory as elements of another type, not from its start.
     *
     * @param <F> the type of the single values
     * @param type the type of the elements
     * @param count how many
     * @param first where they begin: the index of an element of this buffer
     * @return the buffer
     * @throws IllegalArgumentException if they reach beyond the memory
     */
    public <F extends Element> Buffer<F> as(Datatype<F> type, long count, long first) {
        long start = within(() -> Math.addExact(offset, Math.multiplyExact(first, this.type.bytes())));
        return new Buffer<>(memory, array, start, count, type).checked();
    }

    /**
     * The same elements, from a later place of the memory on.
     *
     * @param bytes how much later
     * @return the buffer
     * @throws IllegalArgumentException if they reach beyond the memory
     */
    public Buffer<E> shiftedBy(long bytes) {
        return new Buffer<>(memory, array, within(() -> Math.addExact(offset, bytes)), count, type).checked();
    }

    private Buffer<E> checked() {
        if (isInPlace()) {
            throw new IllegalArgumentException("Buffer.inPlace() has no elements: take the other buffer of the operation.");
        }
        if (count < 0) {
            throw new IllegalArgumentException("A buffer cannot have " + count + " elements.");
        }
        Layout all = within(this::layout);
        long first = all.size() == 0 ? offset : within(() -> Math.addExact(offset, all.lower()));
        long end = all.size() == 0 ? offset : within(() -> Math.addExact(offset, all.upper()));
        if (first < 0 || offset < 0 || end > memory.byteSize()) {
            throw new IllegalArgumentException(count + " elements from byte " + first + " on end at byte " + end
                    + " of a buffer of " + memory.byteSize() + " bytes");
        }
        return this;
    }

    /** What is computed of places in memory; throws if there is no such place. */
    private static <T> T within(Supplier<T> computed) {
        try {
            return computed.get();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("The elements reach beyond any memory: " + e.getMessage() + ".", e);
        }
    }

    /** {@return how many elements there are} */
    public long count() {
        return count;
    }

    /** {@return the type of the elements} */
    public Datatype<E> type() {
        return type;
    }

    /** Bytes of data, gaps not counted. */
    long bytes() {
        return count * type.bytes();
    }

    /** Single values. */
    long values() {
        return count * type.values();
    }

    /** Where all elements lie, from {@link #offset} on. */
    private Layout layout() {
        return type.layout().times(count);
    }

    /** Whether the elements are side by side from {@link #offset} on. */
    boolean isDense() {
        return type.layout().isDense();
    }

    /** Copies all elements to the start of other memory, side by side. */
    void pack(MemorySegment to) {
        if (isDense()) {
            if (!Few.copyTo(array, offset, to, bytes())) {
                MemorySegment.copy(memory, offset, to, 0, bytes());
            }
        } else {
            layout().pack(memory, offset, to, 0);
        }
    }

    /** Copies elements from the start of other memory, where they are side by side, to their places. */
    void unpack(MemorySegment from, long bytes) {
        long end = Math.min(bytes, bytes());
        if (isDense()) {
            if (!Few.copyFrom(from, array, offset, end)) {
                MemorySegment.copy(from, 0, memory, offset, end);
            }
        } else {
            layout().unpack(from, 0, end, memory, offset);
        }
    }

    /** Copies some elements from other memory, where all are side by side, to their places. */
    void unpack(MemorySegment from, long first, long elements) {
        long begin = Math.multiplyExact(first, type.bytes());
        long end = begin + Math.multiplyExact(elements, type.bytes());
        if (isDense()) {
            MemorySegment.copy(from, begin, memory, offset + begin, end - begin);
        } else if (elements > 0) {
            type.layout().times(elements).unpack(from, begin, end, memory, offset + Math.multiplyExact(first, type.extent()));
        }
    }

    /** Whether copies of the elements keep their places. */
    boolean isOfRecords() {
        return type.kind() == Kind.RECORD;
    }

    /** Bytes of a copy in which elements keep their places, from its first byte to its last. */
    long span() {
        return isOfRecords() ? Math.max(0, layout().upper()) + origin() : bytes();
    }

    /** Where elements begin in such a copy. */
    long origin() {
        return isOfRecords() ? Math.max(0, -layout().lower()) : 0;
    }

    /** Copies all elements to other memory, where records keep their places and other elements are side by side. */
    void copyTo(MemorySegment to) {
        if (isOfRecords()) {
            layout().move(memory, offset, to, origin(), bytes());
        } else {
            pack(to);
        }
    }

    /** Copies the first bytes of data back from such memory. */
    void copyFrom(MemorySegment from, long bytes) {
        if (isOfRecords()) {
            layout().move(from, origin(), memory, offset, Math.min(bytes, bytes()));
        } else {
            unpack(from, bytes);
        }
    }

    /** Copies some elements back from such memory. */
    void copyFrom(MemorySegment from, long first, long elements) {
        if (isOfRecords()) {
            long at = Math.multiplyExact(first, type.extent());
            type.layout().times(elements).move(from, origin() + at, memory, offset + at, elements * type.bytes());
        } else {
            unpack(from, first, elements);
        }
    }

    /**
     * Tells where the first element lies, as {@link Window} of {@link Comm#createDynamicWindow} counts. {@code MPI_Get_address}
     * Local.
     *
     * @return the address in bytes
     * @throws IllegalStateException if this is an array, which has no place of its own, or no memory
     */
    public long address() {
        if (isInPlace() || isOnHeap()) {
            throw new IllegalStateException("An array has no address: take Buffer.allocate.");
        }
        return Datatypes.aintAdd(Datatypes.getAddress(memory), offset);
    }

    /**
     * {@return the memory of this buffer from its first element on, for {@link java.lang.invoke.VarHandle}s of records}
     * An operation that is under way uses it at the same time.
     */
    public MemorySegment segment() {
        if (isInPlace()) {
            throw new IllegalStateException("Buffer.inPlace() has no memory.");
        }
        return memory.asSlice(offset);
    }

    /** Whether both lie outside the heap and one begins before the other ends. */
    boolean overlaps(Buffer<?> other) {
        if (isInPlace() || other.isInPlace() || isOnHeap() || other.isOnHeap() || bytes() == 0 || other.bytes() == 0) {
            return false;
        }
        return first() < other.end() && other.first() < end();
    }

    private long first() {
        return memory.address() + offset + layout().lower();
    }

    private long end() {
        return memory.address() + offset + layout().upper();
    }

    MemorySegment memory() {
        return memory;
    }

    /** Whether neither its type nor its memory is closed; not for the word for "in place". */
    boolean isOpen() {
        return type.life().isOpen() && memory.scope().isAlive();
    }

    /** Throws if its type or its memory is closed; not for the word for "in place". */
    void requireOpen() {
        type.life().require();
        requireMemory();
    }

    /** Throws if its memory is closed. */
    void requireMemory() {
        if (array == null && !memory.scope().isAlive()) {
            throw ClosedException.of(CLOSED);
        }
    }

    boolean isOnHeap() {
        return array != null;
    }

    long offset() {
        return offset;
    }

    @Override
    public String toString() {
        return isInPlace() ? "in place" : count + " " + type + " elements";
    }
}

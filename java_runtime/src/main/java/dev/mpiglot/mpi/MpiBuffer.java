package dev.mpiglot.mpi;

import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.HeapCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.function.Supplier;

/**
 * What a message is read from or written to: elements of a type in a Java array, in memory that MPI can use without a
 * copy ({@link #allocate}), or in other memory of the program: a {@link MemorySegment} or a buffer of {@code java.nio}.
 *
 * <p>The elements of an array are copied for each call. An operation that receives changes the elements that arrive
 * and no others, when it is complete: a nonblocking one in {@link Request#await} or {@link Request#test}. Several
 * operations, and other threads, may use other elements of the same array meanwhile. A call that blocks may use a large
 * array itself: elements that arrive may change before its end then, also if it throws.
 *
 * <p>{@code get...} and {@code set...} count single values from the start of the buffer, gaps included, up to the end of
 * its memory. They throw an {@link IllegalArgumentException} unless the buffer has values of their type; those of rows,
 * blocks, views and parts of a {@code boolean[]} are in the program's arrays and nowhere else.
 *
 * @param <E> the type of the single values
 */
public final class MpiBuffer<E extends Element> extends BufferValues {

    private static final String CLOSED = "The memory of a buffer is closed: close it when no operation needs it any more.";
    private static final String OF_OTHER_THREAD = "The memory of a buffer belongs to Arena.ofConfined of another thread, "
            + "or this thread is virtual: take Arena.ofShared.";
    /** Stands for the array of memory that is copied for each operation. */
    private static final Object COPIED = new Object();
    private static final Thread NOBODY = Thread.ofPlatform().name("mpiglot-nobody").unstarted(() -> {
    });
    private static final MpiBuffer<Element.Bytes> IN_PLACE = new MpiBuffer<>(null, null, 0, 0, Datatype.BYTE);

    private final Object array; // of primitives, all of them; COPIED; Scattered; null: MPI uses the memory itself
    private final long offset; // bytes
    private final long count;
    private final Datatype<E> type;
    final Direct direct; // null: a call needs more than its words

    private MpiBuffer(MemorySegment memory, Object array, long offset, long count, Datatype<E> type) {
        super(memory, array, offset, Arguments.present("type", type).kind());
        this.array = array;
        this.offset = offset;
        this.count = count;
        this.type = type;
        this.direct = memory != null && array == null && isEndless(memory) ? Direct.of(start(), count, type) : null;
    }

    static <E extends Element> MpiBuffer<E> ofArray(MemorySegment elements, Object array, int count, Datatype<E> type) {
        return new MpiBuffer<>(elements, array, 0, count, type);
    }

    /**
     * Zeroed memory that MPI uses without a copy. It is given back when nothing refers to it any more.
     *
     * @param <E> the type of the single values
     * @param type the type of the elements, one without gaps or of records of a class
     * @param count how many
     * @return the buffer
     */
    public static <E extends Element> MpiBuffer<E> allocate(Datatype<E> type, long count) {
        if (count < 0) {
            throw new IllegalArgumentException("A buffer of " + count + " elements cannot be allocated.");
        }
        if (Arguments.present("type", type).form() != null) {
            return room(type, count);
        }
        long each = type.bytes();
        long bytes = within(() -> Math.multiplyExact(each, count));
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, bytes), Long.BYTES);
        return new MpiBuffer<>(memory, null, 0, count, type).checked();
    }

    /** Memory for elements of any type, gaps included. */
    static <E extends Element> MpiBuffer<E> room(Datatype<E> type, long count) {
        Layout all = within(() -> type.layout().times(count));
        long before = all.size() == 0 ? 0 : Math.max(0, -all.lower());
        long bytes = all.size() == 0 ? 0 : before + all.upper();
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, bytes), Long.BYTES);
        return new MpiBuffer<>(memory, null, before, count, type).checked();
    }

    /** Memory of MPI. */
    static <E extends Element> MpiBuffer<E> over(MemorySegment memory, Datatype<E> type, long count) {
        return new MpiBuffer<>(memory, null, 0, count, type).checked();
    }

    /** Memory that MPI does not use itself: its elements are copied for each operation. */
    static <E extends Element> MpiBuffer<E> copied(MemorySegment memory, Datatype<E> type, long count) {
        return new MpiBuffer<>(memory, COPIED, 0, count, type).checked();
    }

    static <E extends Element> MpiBuffer<E> scattered(Scattered all, Datatype<E> type) {
        return new MpiBuffer<>(all.memory(), all, 0, all.bytes() / type.bytes(), type);
    }

    /** What stands for buffers that do not fit: so many parts like this one. */
    static MpiBuffer<?> zeros(MpiBuffer<?> part, int parts) {
        return zeros(part.type(), Math.multiplyExact(part.values(), parts));
    }

    /** So many single values of such elements. */
    static MpiBuffer<?> zeros(Datatype<?> type, long values) {
        return type.form() != null ? allocate(type.form().datatypeOfPackage(), values) : zeros(type.kind(), values);
    }

    static MpiBuffer<?> zeros(Kind kind, long values) {
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
    public static <E extends Element> MpiBuffer<E> inPlace() {
        return (MpiBuffer<E>) IN_PLACE;
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
    public <F extends Element> MpiBuffer<F> as(Datatype<F> type, long count) {
        return new MpiBuffer<>(memory, array, offset, count, type).checked();
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
    public <F extends Element> MpiBuffer<F> as(Datatype<F> type, long count, long first) {
        long start = within(() -> Math.addExact(offset, Math.multiplyExact(first, this.type.bytes())));
        return new MpiBuffer<>(memory, array, start, count, type).checked();
    }

    /**
     * The same elements, from a later place of the memory on.
     *
     * @param bytes how much later
     * @return the buffer
     * @throws IllegalArgumentException if they reach beyond the memory
     */
    public MpiBuffer<E> shiftedBy(long bytes) {
        return new MpiBuffer<>(memory, array, within(() -> Math.addExact(offset, bytes)), count, type).checked();
    }

    /**
     * Blocks of this buffer at equal distances, a column of a matrix for example: the first one begins at the first element.
     *
     * @param blocks how many
     * @param length the elements of each
     * @param stride the elements from the start of one to the start of the next
     * @return a buffer of their elements
     * @throws IllegalArgumentException if the blocks overlap, or reach beyond this buffer, or its elements have gaps
     */
    public MpiBuffer<E> strided(long blocks, long length, long stride) {
        return scattered(blocks(count, blocks, length, stride), type);
    }

    /**
     * A box of this buffer as an array of several dimensions, of which the last one is side by side in memory.
     *
     * @param shape the elements of the array in each dimension
     * @param from the index of the first element of the box in each dimension
     * @param to the index behind the last element of the box in each dimension
     * @return a buffer of the elements of the box, in their order in the array
     * @throws IllegalArgumentException if the shape is not that of this buffer, the box is not in it, or elements have gaps
     */
    public MpiBuffer<E> view(int[] shape, int[] from, int[] to) {
        return scattered(box(count, shape, from, to), type);
    }

    @Override
    Scattered source() {
        Scattered all = array instanceof Scattered apart ? apart : new Scattered.Plain(memory);
        return offset == 0 ? all : new Grid(all, offset, new long[0], new long[0], all.bytes() - offset);
    }

    @Override
    long each() {
        if (isInPlace() || !isDense() || type.bytes() == 0) {
            throw new IllegalArgumentException("Parts are of elements without gaps, not of " + this + ".");
        }
        return type.bytes();
    }

    private MpiBuffer<E> checked() {
        if (isInPlace()) {
            throw new IllegalArgumentException(
                    "MpiBuffer.inPlace() has no elements: take the other buffer of the operation.");
        }
        if (count < 0) {
            throw new IllegalArgumentException("A buffer cannot have " + count + " elements.");
        }
        Layout all = within(this::layout);
        long first = all.size() == 0 ? offset : within(() -> Math.addExact(offset, all.lower()));
        long end = all.size() == 0 ? offset : within(() -> Math.addExact(offset, all.upper()));
        if (first < 0 || offset < 0 || end > size()) {
            throw new IllegalArgumentException(count + " elements from byte " + first + " on end at byte " + end
                    + " of a buffer of " + size() + " bytes");
        }
        return this;
    }

    private long size() {
        return array instanceof Scattered all ? all.bytes() : memory.byteSize();
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
        if (array instanceof Scattered all) {
            all.pack(layout(), offset, to);
        } else if (isDense()) {
            if (!Few.copyTo(array, offset, to, bytes())) {
                MemorySegment.copy(memory, offset, to, 0, bytes());
            }
        } else {
            layout().pack(memory, offset, to, 0);
        }
    }

    /** Copies elements from the start of other memory, where they are side by side, to their places. */
    void unpack(MemorySegment from, long bytes) {
        requireWritable();
        long end = Math.min(bytes, bytes());
        if (array instanceof Scattered all) {
            all.unpack(from, 0, end, layout(), offset);
        } else if (isDense()) {
            if (!Few.copyFrom(from, array, offset, end)) {
                MemorySegment.copy(from, 0, memory, offset, end);
            }
        } else {
            layout().unpack(from, 0, end, memory, offset);
        }
    }

    /** Copies some elements from other memory, where all are side by side, to their places. */
    void unpack(MemorySegment from, long first, long elements) {
        requireWritable();
        long begin = Math.multiplyExact(first, type.bytes());
        long end = begin + Math.multiplyExact(elements, type.bytes());
        if (array instanceof Scattered all) {
            long at = offset + Math.multiplyExact(first, type.extent());
            all.unpack(from, begin, end, type.layout().times(elements), at);
        } else if (isDense()) {
            MemorySegment.copy(from, begin, memory, offset + begin, end - begin);
        } else if (elements > 0) {
            long at = offset + Math.multiplyExact(first, type.extent());
            type.layout().times(elements).unpack(from, begin, end, memory, at);
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
        if (isOfRecords() && array instanceof Scattered all) {
            all.moveTo(layout(), offset, to, origin());
        } else if (isOfRecords()) {
            layout().move(memory, offset, to, origin(), bytes());
        } else {
            pack(to);
        }
    }

    /** Copies the first bytes of data back from such memory. */
    void copyFrom(MemorySegment from, long bytes) {
        if (isOfRecords()) {
            requireWritable();
            if (array instanceof Scattered all) {
                all.moveFrom(from, origin(), Math.min(bytes, bytes()), layout(), offset);
                return;
            }
            layout().move(from, origin(), memory, offset, Math.min(bytes, bytes()));
        } else {
            unpack(from, bytes);
        }
    }

    /** Copies some elements back from such memory. */
    void copyFrom(MemorySegment from, long first, long elements) {
        if (isOfRecords()) {
            requireWritable();
            long at = Math.multiplyExact(first, type.extent());
            if (array instanceof Scattered all) {
                all.moveFrom(from, origin() + at, elements * type.bytes(), type.layout().times(elements), offset + at);
                return;
            }
            type.layout().times(elements).move(from, origin() + at, memory, offset + at, elements * type.bytes());
        } else {
            unpack(from, first, elements);
        }
    }

    /**
     * Tells where the first element lies, as {@link Window} of {@link Comm#createDynamicWindow} counts.
     * {@code MPI_Get_address} Local.
     *
     * @return the address in bytes
     * @throws IllegalStateException if this is an array, other memory that is copied, or no memory
     */
    public long address() {
        if (isInPlace() || isCopied()) {
            throw new IllegalStateException("An array, or other memory that is copied, has no address: "
                    + "take MpiBuffer.allocate.");
        }
        return Datatypes.aintAdd(Datatypes.getAddress(memory), offset);
    }

    /**
     * {@return the memory of this buffer from its first element on, for {@link java.lang.invoke.VarHandle}s of records}
     * An operation that is under way uses it at the same time.
     *
     * @throws IllegalStateException if the elements are not in one memory segment
     */
    public MemorySegment segment() {
        if (isInPlace()) {
            throw new IllegalStateException("MpiBuffer.inPlace() has no memory.");
        }
        if (array instanceof Scattered) {
            throw new IllegalStateException("The elements of this buffer are not side by side in one memory segment.");
        }
        return memory.asSlice(offset);
    }

    /** Whether MPI uses the memory of both itself and one begins before the other ends. */
    boolean overlaps(MpiBuffer<?> other) {
        if (isInPlace() || other.isInPlace() || isCopied() || other.isCopied() || bytes() == 0 || other.bytes() == 0) {
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
        return type.life().isOpen() && (array == null ? memory.scope().isAlive() : !isOfProgram() || isUsable());
    }

    /** Throws if its type or its memory is closed; not for the word for "in place". */
    void requireOpen() {
        type.life().require();
        requireMemory();
    }

    /** Throws if its memory is closed, or if this thread cannot use it. */
    void requireMemory() {
        if (array == null ? !memory.scope().isAlive() : isOfProgram() && !isUsable()) {
            throw memory.scope().isAlive() ? new IllegalStateException(OF_OTHER_THREAD) : ClosedException.of(CLOSED);
        }
    }

    /** Whether it may be closed, or read-only, while MPI has copies. */
    private boolean isOfProgram() {
        return array == COPIED || array instanceof Scattered;
    }

    /** Whether this thread can read the memory, and complete operations on it. */
    private boolean isUsable() {
        Thread thread = Thread.currentThread();
        return memory.scope().isAlive() && memory.isAccessibleBy(thread.isVirtual() ? NOBODY : thread);
    }

    /** Throws if nothing can be received into its memory. */
    void requireWritable() {
        if (isOfProgram()) {
            requireMemory();
            if (memory.isReadOnly()) {
                throw new IllegalArgumentException("The memory of a buffer is read-only: nothing can be received into it.");
            }
        }
    }

    /** Whether MPI gets copies of the elements. */
    boolean isCopied() {
        return array != null;
    }

    long offset() {
        return offset;
    }

    /**
     * The elements in the array of the program, which does not move until the end. Null: they must be copied, or MPI uses
     * the memory of the buffer.
     *
     * @param other what the same call has pinned before; null: nothing
     */
    Staging pinned(@Nullable Staging other) {
        boolean isLarge = array != null && Staging.isToPin(bytes());
        boolean isOne = isLarge && array.getClass().isArray() && isDense() && !isOfRecords();
        return isOne ? Pins.take(array, offset, bytes(), type.kind().size(), other) : null;
    }

    /**
     * The elements in the array of the program, for {@link HeapCalls}. Null: they are elsewhere or too many, or can be
     * pinned, or the array is of smaller elements, so that MPI might find them at an odd address.
     */
    MemorySegment onHeap() {
        if (array == null || !array.getClass().isArray() || bytes() > HeapCalls.MOST_BYTES || !isDense() || isOfRecords()) {
            return null;
        }
        if (Staging.isToPin(bytes()) && Pins.arePossible()) {
            return null;
        }
        int length = Array.getLength(array);
        boolean isAligned = length == 0 || memory.byteSize() / length >= type.kind().size();
        return isAligned ? memory.asSlice(offset, bytes()) : null;
    }

    @Override
    public String toString() {
        return isInPlace() ? "in place" : count + " " + type + " elements";
    }
}

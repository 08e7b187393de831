package dev.mpiglot.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What a message is read from or written to: elements of a type in a Java array, or in memory that MPI can use
 * without a copy ({@link #allocate}).
 *
 * <p>An array is copied for each call: for a nonblocking receive into it when the request completes.
 */
public final class Buffer {

    /** The same place for sending and receiving: the send buffer of a collective operation. */
    public static final Buffer IN_PLACE = new Buffer(dev.mpiglot.low.Mpi.IN_PLACE, null, 0, 0, Datatype.BYTE);

    private final MemorySegment memory;
    private final MemorySegment array; // null if memory is outside the heap
    private final long offset; // bytes
    private final long count;
    private final Datatype type;

    private Buffer(MemorySegment memory, MemorySegment array, long offset, long count, Datatype type) {
        this.memory = memory;
        this.array = array;
        this.offset = offset;
        this.count = count;
        this.type = type;
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static Buffer of(byte[] array) {
        return new Buffer(null, MemorySegment.ofArray(array), 0, array.length, Datatype.BYTE);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static Buffer of(int[] array) {
        return new Buffer(null, MemorySegment.ofArray(array), 0, array.length, Datatype.INT);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static Buffer of(long[] array) {
        return new Buffer(null, MemorySegment.ofArray(array), 0, array.length, Datatype.LONG);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static Buffer of(float[] array) {
        return new Buffer(null, MemorySegment.ofArray(array), 0, array.length, Datatype.FLOAT);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static Buffer of(double[] array) {
        return new Buffer(null, MemorySegment.ofArray(array), 0, array.length, Datatype.DOUBLE);
    }

    /**
     * Zeroed memory that MPI uses without a copy. It is given back when nothing refers to it any more.
     *
     * @param type the type of the elements, one without gaps
     * @param count how many
     * @return the buffer
     */
    public static Buffer allocate(Datatype type, long count) {
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, type.size() * count), Long.BYTES);
        return new Buffer(memory, null, 0, count, type);
    }

    /**
     * The same memory as elements of another type, a column of a matrix for example.
     *
     * @param type the type of the elements
     * @param count how many
     * @return the buffer
     * @throws IllegalArgumentException if they reach beyond the memory
     */
    public Buffer as(Datatype type, long count) {
        return new Buffer(memory, array, offset, count, type).checked();
    }

    /**
     * The same memory as elements of another type, not from its start.
     *
     * @param type the type of the elements
     * @param count how many
     * @param first where they begin: the index of an element of this buffer
     * @return the buffer
     * @throws IllegalArgumentException if they reach beyond the memory
     */
    public Buffer as(Datatype type, long count, long first) {
        return new Buffer(memory, array, offset + first * this.type.size(), count, type).checked();
    }

    /**
     * The same elements, from a later place of the memory on.
     *
     * @param bytes how much later
     * @return the buffer
     * @throws IllegalArgumentException if they reach beyond the memory
     */
    public Buffer shiftedBy(long bytes) {
        return new Buffer(memory, array, offset + bytes, count, type).checked();
    }

    private Buffer checked() {
        long available = (array != null ? array : memory).byteSize();
        long end = count == 0 ? offset : offset + type.span(count);
        if (offset < 0 || count < 0 || end > available) {
            throw new IllegalArgumentException(count + " elements from byte " + offset + " on end at byte " + end
                    + " of a buffer of " + available + " bytes");
        }
        return this;
    }

    /** {@return how many elements there are} */
    public long count() {
        return count;
    }

    /** {@return the type of the elements} */
    public Datatype type() {
        return type;
    }

    /**
     * One element of memory that was allocated here.
     *
     * @param index which, as a {@code double}
     * @return its value
     */
    public double getDouble(long index) {
        return whole().getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, index);
    }

    /**
     * Changes one element.
     *
     * @param index which, as a {@code double}
     * @param value its new value
     */
    public void setDouble(long index, double value) {
        whole().setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, index, value);
    }

    /**
     * One element of memory that was allocated here.
     *
     * @param index which, as an {@code int}
     * @return its value
     */
    public int getInt(long index) {
        return whole().getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index);
    }

    /**
     * Changes one element.
     *
     * @param index which, as an {@code int}
     * @param value its new value
     */
    public void setInt(long index, int value) {
        whole().setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index, value);
    }

    private MemorySegment whole() {
        return (array != null ? array : memory).asSlice(offset);
    }

    /** A handle on this buffer's memory for one operation. */
    Loan lend(Arena arena) {
        if (array == null) {
            return new Loan(offset == 0 ? memory : memory.asSlice(offset), null);
        }
        MemorySegment copy = arena.allocate(Math.max(1, array.byteSize()), Long.BYTES);
        copy.copyFrom(array);
        return new Loan(copy.asSlice(offset), copy);
    }

    /** The memory that MPI gets, and the copy behind it if the elements are in an array. */
    final class Loan {

        private final MemorySegment segment;
        private final MemorySegment copy;

        private Loan(MemorySegment segment, MemorySegment copy) {
            this.segment = segment;
            this.copy = copy;
        }

        MemorySegment segment() {
            return segment;
        }

        /** Brings what MPI wrote back into the array. */
        void giveBack() {
            if (copy != null) {
                array.copyFrom(copy.asSlice(0, array.byteSize()));
            }
        }
    }
}

package dev.mpiglot.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Set;

/**
 * The buffers of memory that the program has made. MPI uses it without a copy if it lies outside the heap, can be written
 * to, begins at a multiple of the size of a value, and belongs to no arena that can be closed. Other memory is copied for
 * each operation as arrays are, so an arena that is closed too early causes an exception and not a crash.
 */
abstract sealed class BufferMemory extends BufferShapes permits BufferValues {

    /** The classes of scopes that nobody can close. */
    private static final Set<Class<?>> ENDLESS = endless();

    private static Set<Class<?>> endless() {
        Class<?> automatic = Arena.ofAuto().scope().getClass();
        Class<?> global = Arena.global().scope().getClass();
        try (Arena shared = Arena.ofShared(); Arena confined = Arena.ofConfined()) {
            Set<Class<?>> closeable = Set.of(shared.scope().getClass(), confined.scope().getClass());
            boolean isKnown = !closeable.contains(automatic) && !closeable.contains(global);
            return isKnown ? Set.of(automatic, global) : Set.of();
        }
    }

    /**
     * All elements in a memory segment: outside the heap, of a mapped file, or of an array of a primitive type.
     *
     * <p>MPI uses the memory without a copy if it is of {@link Arena#ofAuto} or {@link Arena#global}, can be written to and
     * begins at a multiple of the size of a value. Other memory is copied for each operation as arrays are; that of an
     * arena that can be closed, too, so that closing it too early throws a {@link ClosedException} and
     * does not crash. Windows and partitioned messages refuse copied memory. Memory of an {@link Arena#ofConfined} can be
     * used by its thread only, which must not be virtual.
     *
     * @param <E> the type of the single values
     * @param memory the memory; read-only memory can be sent and not received into
     * @param type the type of the elements, one without gaps
     * @return the buffer
     * @throws IllegalArgumentException if the memory is no whole number of elements, or the type has gaps
     */
    public static <E extends Element> MpiBuffer<E> of(MemorySegment memory, Datatype<E> type) {
        long bytes = Arguments.present("memory", memory).byteSize();
        long each = Arguments.present("type", type).bytes();
        if (!type.layout().isDense() || each == 0) {
            throw new IllegalArgumentException("The elements of type " + type + " have gaps: say how many the memory has.");
        }
        if (bytes % each != 0) {
            throw new IllegalArgumentException("Memory of " + bytes + " bytes is no whole number of elements of " + each
                    + " bytes: say how many it has.");
        }
        return of(memory, type, bytes / each);
    }

    /**
     * The first elements in a memory segment.
     *
     * @param <E> the type of the single values
     * @param memory the memory, see {@link #of(MemorySegment, Datatype)}
     * @param type the type of the elements
     * @param count how many
     * @return the buffer
     * @throws IllegalArgumentException if they reach beyond the memory
     */
    public static <E extends Element> MpiBuffer<E> of(MemorySegment memory, Datatype<E> type, long count) {
        Arguments.present("memory", memory);
        Arguments.present("type", type);
        return isUsedItself(memory, type.kind()) ? MpiBuffer.over(memory, type, count)
                : MpiBuffer.copied(memory, type, count);
    }

    private static boolean isUsedItself(MemorySegment memory, Kind kind) {
        return memory.isNative() && !memory.isReadOnly() && memory.address() % kind.size() == 0 && isEndless(memory);
    }

    /** Whether nobody can close the memory. */
    static boolean isEndless(MemorySegment memory) {
        return ENDLESS.contains(memory.scope().getClass());
    }

    private static <E extends Element> MpiBuffer<E> between(java.nio.Buffer buffer, ByteOrder order, Datatype<E> type) {
        if (order != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException("The buffer has " + order + " values: set the order of its ByteBuffer to "
                    + "ByteOrder.nativeOrder() before the view is made.");
        }
        return of(MemorySegment.ofBuffer(buffer), type); // refuses one over a String, which has no memory
    }

    private static <B extends java.nio.Buffer> B present(B buffer) {
        return Arguments.present("buffer", buffer);
    }

    /**
     * The bytes of a buffer of Java between its position and its limit, which do not change. Its byte order plays no part.
     *
     * @param buffer the buffer; a read-only one can be sent and not received into
     * @return the buffer for MPI
     */
    public static MpiBuffer<Element.Bytes> of(ByteBuffer buffer) {
        return between(present(buffer), ByteOrder.nativeOrder(), Datatype.BYTE);
    }

    /**
     * The values of a buffer of Java between its position and its limit, which do not change.
     *
     * @param buffer the buffer; a read-only one can be sent and not received into
     * @return the buffer for MPI
     * @throws IllegalArgumentException if its byte order is not that of the machine
     */
    public static MpiBuffer<Element.Shorts> of(ShortBuffer buffer) {
        return between(present(buffer), buffer.order(), Datatype.SHORT);
    }

    /**
     * The values of a buffer of Java between its position and its limit, which do not change.
     *
     * @param buffer the buffer; a read-only one can be sent and not received into
     * @return the buffer for MPI
     * @throws IllegalArgumentException if its byte order is not that of the machine
     */
    public static MpiBuffer<Element.Chars> of(CharBuffer buffer) {
        return between(present(buffer), buffer.order(), Datatype.CHAR);
    }

    /**
     * The values of a buffer of Java between its position and its limit, which do not change.
     *
     * @param buffer the buffer; a read-only one can be sent and not received into
     * @return the buffer for MPI
     * @throws IllegalArgumentException if its byte order is not that of the machine
     */
    public static MpiBuffer<Element.Ints> of(IntBuffer buffer) {
        return between(present(buffer), buffer.order(), Datatype.INT);
    }

    /**
     * The values of a buffer of Java between its position and its limit, which do not change.
     *
     * @param buffer the buffer; a read-only one can be sent and not received into
     * @return the buffer for MPI
     * @throws IllegalArgumentException if its byte order is not that of the machine
     */
    public static MpiBuffer<Element.Longs> of(LongBuffer buffer) {
        return between(present(buffer), buffer.order(), Datatype.LONG);
    }

    /**
     * The values of a buffer of Java between its position and its limit, which do not change.
     *
     * @param buffer the buffer; a read-only one can be sent and not received into
     * @return the buffer for MPI
     * @throws IllegalArgumentException if its byte order is not that of the machine
     */
    public static MpiBuffer<Element.Floats> of(FloatBuffer buffer) {
        return between(present(buffer), buffer.order(), Datatype.FLOAT);
    }

    /**
     * The values of a buffer of Java between its position and its limit, which do not change.
     *
     * @param buffer the buffer; a read-only one can be sent and not received into
     * @return the buffer for MPI
     * @throws IllegalArgumentException if its byte order is not that of the machine
     */
    public static MpiBuffer<Element.Doubles> of(DoubleBuffer buffer) {
        return between(present(buffer), buffer.order(), Datatype.DOUBLE);
    }
}

package mpi;

import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.StatusValue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.function.Supplier;

/** The memory of an argument while a call uses it: that of a direct buffer itself, a copy of an array. */
final class Staged implements AutoCloseable {

    private final MemorySegment source; // what the call uses of an array; null: direct, or of booleans
    private final boolean[] booleans;
    private final Arena arena;
    private final MemorySegment copy; // of the source or the booleans; else the memory itself
    private final MemorySegment segment; // the copy from the begin of the buffer on

    private Staged(MemorySegment source, boolean[] booleans, Arena arena, MemorySegment copy, long before) {
        this.source = source;
        this.booleans = booleans;
        this.arena = arena;
        this.copy = copy;
        segment = copy.asSlice(before);
    }

    /** The memory of a buffer or an array, of which the call uses these bytes. */
    static Staged of(Object buffer, Span used) {
        return of(buffer, used, Arena::ofConfined);
    }

    /** The same for an operation that goes on, and may end in another thread. */
    static Staged kept(Object buffer, Span used) {
        return of(buffer, used, Arena::ofShared);
    }

    private static Staged of(Object buffer, Span used, Supplier<Arena> arenas) {
        long bytes = used.after();
        if (buffer == null && !used.equals(Span.NONE)) {
            throw new NullPointerException("The buffer is null.");
        }
        MemorySegment all = buffer == null ? MemorySegment.NULL : memory(buffer);
        require(bytes, buffer instanceof boolean[] array ? array.length : all.byteSize(), "");
        if (all != null && all.isNative()) {
            if (used.before() > 0) {
                require(used.before(), Allocated.before(all.address()), " before its begin");
            }
            return new Staged(null, null, null, all, 0);
        }
        if (used.before() > 0) {
            all = withBefore(buffer, used.before());
        }
        Arena arena = arenas.get();
        long size = used.before() + bytes;
        MemorySegment copy = arena.allocate(Math.max(1, size), Long.BYTES).asSlice(0, size);
        if (buffer instanceof boolean[] array) {
            for (int i = 0; i < bytes; i++) {
                copy.set(java.lang.foreign.ValueLayout.JAVA_BYTE, i, (byte) (array[i] ? 1 : 0));
            }
            return new Staged(null, array, arena, copy, 0);
        }
        MemorySegment.copy(all, 0, copy, 0, size);
        return new Staged(all.asSlice(0, size), null, arena, copy, used.before());
    }

    private static void require(long bytes, long there, String where) {
        if (bytes > there) {
            throw new IndexOutOfBoundsException(
                    "The call uses " + bytes + " bytes" + where + ", the buffer has " + there);
        }
    }

    /** The array of a slice from so many bytes before the slice on. */
    private static MemorySegment withBefore(Object buffer, long bytes) {
        boolean isSlice = buffer instanceof Buffer any && any.hasArray();
        long start = isSlice ? (long) ((Buffer) buffer).arrayOffset() * elementBytes((Buffer) buffer) : 0;
        require(bytes, start, " before its begin");
        return memory(((Buffer) buffer).array()).asSlice(start - bytes);
    }

    /** A copy of what the call reads of a buffer, which it may write at the same time. */
    static Staged copy(Object buffer, Span used) {
        Staged itself = of(buffer, used);
        if (itself.arena != null || used.equals(Span.NONE)) {
            return itself;
        }
        long size = used.before() + used.after();
        Arena arena = Arena.ofConfined();
        MemorySegment begin = MemorySegment.ofAddress(itself.segment.address() - used.before()).reinterpret(size);
        return new Staged(null, null, arena, arena.allocate(size, Long.BYTES).copyFrom(begin), used.before());
    }

    /** The memory of a buffer that stays in use after the call. */
    static MemorySegment direct(Buffer buffer, Span used) {
        if (buffer != null && !buffer.isDirect()) {
            throw new IllegalArgumentException("The buffer must be direct.");
        }
        return of(buffer, used).segment;
    }

    private static MemorySegment memory(Object buffer) {
        return switch (buffer) {
            case byte[] array -> MemorySegment.ofArray(array);
            case char[] array -> MemorySegment.ofArray(array);
            case short[] array -> MemorySegment.ofArray(array);
            case int[] array -> MemorySegment.ofArray(array);
            case long[] array -> MemorySegment.ofArray(array);
            case float[] array -> MemorySegment.ofArray(array);
            case double[] array -> MemorySegment.ofArray(array);
            case boolean[] array -> null;
            case Buffer any -> MemorySegment.ofBuffer(any.duplicate().clear());
            default -> throw new IllegalArgumentException(
                    "A buffer is an array of a primitive type or of java.nio, not " + buffer.getClass().getName());
        };
    }

    MemorySegment segment() {
        return segment;
    }

    /** Brings what MPI wrote to the array. */
    void back(long bytes) {
        long end = Math.min(bytes, segment.byteSize());
        if (booleans != null) {
            for (int i = 0; i < end; i++) {
                booleans[i] = segment.get(java.lang.foreign.ValueLayout.JAVA_BYTE, i) != 0;
            }
        } else if (source != null) {
            MemorySegment.copy(copy, 0, source, 0, copy.byteSize() - segment.byteSize() + end);
        }
    }

    void back() {
        back(Long.MAX_VALUE);
    }

    /** Brings a message to the array: what did not arrive stays as it was. */
    void back(int count, Datatype type, StatusValue status) {
        boolean isDense = type.span(count).equals(Span.of(count * Datatypes.typeSize(type.handle())));
        back(isDense ? Datatypes.getCount(status, DatatypeHandle.BYTE) : Long.MAX_VALUE);
    }

    @Override
    public void close() {
        if (arena != null) {
            arena.close();
        }
    }

    /** The bytes of one element of a buffer. */
    static int elementBytes(Buffer buffer) {
        return switch (buffer) {
            case ByteBuffer bytes -> Byte.BYTES;
            case CharBuffer chars -> Character.BYTES;
            case ShortBuffer shorts -> Short.BYTES;
            case IntBuffer ints -> Integer.BYTES;
            case LongBuffer longs -> Long.BYTES;
            case FloatBuffer floats -> Float.BYTES;
            case DoubleBuffer doubles -> Double.BYTES;
        };
    }

    /** The elements of a buffer from one on, as a buffer of the same memory. */
    static Buffer from(Buffer buffer, int offset) {
        Buffer rest = buffer.duplicate().clear().position(offset);
        return switch (rest) {
            case ByteBuffer bytes -> bytes.slice().order(java.nio.ByteOrder.nativeOrder());
            case CharBuffer chars -> chars.slice();
            case ShortBuffer shorts -> shorts.slice();
            case IntBuffer ints -> ints.slice();
            case LongBuffer longs -> longs.slice();
            case FloatBuffer floats -> floats.slice();
            case DoubleBuffer doubles -> doubles.slice();
        };
    }
}

package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Where the bytes of an element of a datatype lie, in the order in which MPI sends them: one run of bytes, or a layout
 * that is repeated at equal distances.
 *
 * @param count how often {@code inner} is repeated; 1 for a run
 * @param stride bytes from one repetition to the next
 * @param inner what is repeated; null for a run
 * @param size bytes of data
 * @param start where the element begins for MPI, in bytes from its origin
 * @param extent bytes from one element to the next
 * @param lower the first byte of data
 * @param upper behind the last byte of data
 */
record Layout(long count, long stride, Layout inner, long size, long start, long extent, long lower, long upper) {

    private static final ValueLayout.OfLong EIGHT = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt FOUR = ValueLayout.JAVA_INT_UNALIGNED;

    static Layout run(long bytes) {
        return new Layout(1, 0, null, bytes, 0, bytes, 0, bytes);
    }

    static Layout repeat(long count, long stride, Layout inner) {
        if (count == 1) {
            return inner;
        }
        if (count == 0 || inner.size == 0) {
            return run(0);
        }
        if (inner.isDense() && stride == inner.size) {
            return run(Math.multiplyExact(count, inner.size));
        }
        long last = Math.multiplyExact(count - 1, stride);
        long before = Math.min(0, last);
        long behind = Math.max(0, last);
        return new Layout(count, stride, inner, Math.multiplyExact(count, inner.size), inner.start + before,
                inner.extent + behind - before, inner.lower + before, inner.upper + behind);
    }

    /** The same data with another distance from one element to the next. */
    Layout resized(long bytes) {
        return new Layout(count, stride, inner, size, 0, bytes, lower, upper);
    }

    /** Elements side by side. */
    Layout times(long elements) {
        return repeat(elements, extent, this);
    }

    /** Whether data are side by side from the origin on, and so are several elements. */
    boolean isDense() {
        return inner == null && extent == size;
    }

    /** Copies the data at {@code at} of {@code from} to a place where they lie side by side; returns where they end. */
    long pack(MemorySegment from, long at, MemorySegment to, long position) {
        if (inner == null) {
            MemorySegment.copy(from, at, to, position, size);
            return position + size;
        }
        long end = position;
        for (long i = 0, next = at; i < count; i++, next += stride) {
            if (inner.inner != null) {
                end = inner.pack(from, next, to, end);
            } else {
                copy(from, next, to, end, inner.size);
                end += inner.size;
            }
        }
        return end;
    }

    /** Copies data that lie side by side, and end at {@code end}, to their places; returns where the rest begins. */
    long unpack(MemorySegment from, long position, long end, MemorySegment to, long at) {
        if (inner == null) {
            long bytes = Math.min(size, end - position);
            MemorySegment.copy(from, position, to, at, bytes);
            return position + bytes;
        }
        long rest = position;
        for (long i = 0, next = at; i < count && rest < end; i++, next += stride) {
            if (inner.inner != null) {
                rest = inner.unpack(from, rest, end, to, next);
            } else {
                long bytes = Math.min(inner.size, end - rest);
                copy(from, rest, to, next, bytes);
                rest += bytes;
            }
        }
        return rest;
    }

    private static void copy(MemorySegment from, long at, MemorySegment to, long position, long bytes) {
        if (bytes == 8) {
            to.set(EIGHT, position, from.get(EIGHT, at));
        } else if (bytes == 4) {
            to.set(FOUR, position, from.get(FOUR, at));
        } else {
            MemorySegment.copy(from, at, to, position, bytes);
        }
    }
}

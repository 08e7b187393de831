package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies of few elements between arrays and memory outside the heap. {@link MemorySegment#copy} has to ask both
 * segments what they are by virtual calls once a program has arrays of several types.
 */
final class Few {

    /** So few bytes are copied sooner by a loop. */
    private static final int BYTES = 64;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

    private Few() {
    }

    /** Copies bytes of an array to the start of other memory; false if it leaves that to others. */
    static boolean copyTo(Object array, long offset, MemorySegment to, long bytes) {
        if (bytes > BYTES) {
            return false;
        }
        if (array instanceof double[] from && areWhole(offset, bytes, Double.BYTES)) {
            for (int i = 0, first = (int) (offset >> 3); i < bytes >> 3; i++) {
                to.set(DOUBLE, i << 3, from[first + i]);
            }
        } else if (array instanceof int[] from && areWhole(offset, bytes, Integer.BYTES)) {
            for (int i = 0, first = (int) (offset >> 2); i < bytes >> 2; i++) {
                to.set(INT, i << 2, from[first + i]);
            }
        } else if (array instanceof long[] from && areWhole(offset, bytes, Long.BYTES)) {
            for (int i = 0, first = (int) (offset >> 3); i < bytes >> 3; i++) {
                to.set(LONG, i << 3, from[first + i]);
            }
        } else if (array instanceof float[] from && areWhole(offset, bytes, Float.BYTES)) {
            for (int i = 0, first = (int) (offset >> 2); i < bytes >> 2; i++) {
                to.set(FLOAT, i << 2, from[first + i]);
            }
        } else if (array instanceof byte[] from) {
            for (int i = 0, first = (int) offset; i < bytes; i++) {
                to.set(ValueLayout.JAVA_BYTE, i, from[first + i]);
            }
        } else {
            return false;
        }
        return true;
    }

    /** Copies bytes from the start of other memory to an array; false if it leaves that to others. */
    static boolean copyFrom(MemorySegment from, Object array, long offset, long bytes) {
        if (bytes > BYTES) {
            return false;
        }
        if (array instanceof double[] to && areWhole(offset, bytes, Double.BYTES)) {
            for (int i = 0, first = (int) (offset >> 3); i < bytes >> 3; i++) {
                to[first + i] = from.get(DOUBLE, i << 3);
            }
        } else if (array instanceof int[] to && areWhole(offset, bytes, Integer.BYTES)) {
            for (int i = 0, first = (int) (offset >> 2); i < bytes >> 2; i++) {
                to[first + i] = from.get(INT, i << 2);
            }
        } else if (array instanceof long[] to && areWhole(offset, bytes, Long.BYTES)) {
            for (int i = 0, first = (int) (offset >> 3); i < bytes >> 3; i++) {
                to[first + i] = from.get(LONG, i << 3);
            }
        } else if (array instanceof float[] to && areWhole(offset, bytes, Float.BYTES)) {
            for (int i = 0, first = (int) (offset >> 2); i < bytes >> 2; i++) {
                to[first + i] = from.get(FLOAT, i << 2);
            }
        } else if (array instanceof byte[] to) {
            for (int i = 0, first = (int) offset; i < bytes; i++) {
                to[first + i] = from.get(ValueLayout.JAVA_BYTE, i);
            }
        } else {
            return false;
        }
        return true;
    }

    private static boolean areWhole(long offset, long bytes, int size) {
        return ((offset | bytes) & size - 1) == 0;
    }
}

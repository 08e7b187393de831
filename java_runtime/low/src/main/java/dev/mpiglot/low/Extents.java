package dev.mpiglot.low;

/**
 * How many bytes an element of each predefined datatype has, by handle: what lets buffers be checked in a nanosecond.
 * Derived datatypes, segments without a size and programs without MPI_Init are not checked.
 */
final class Extents {

    /** A power of two, and sparse: most handles are found at the first place. */
    private static final int PLACES = 1024;
    private static final long[] HANDLES = new long[PLACES];
    private static final int[] BYTES = new int[PLACES];

    private Extents() {
    }

    /** Bytes of an element, 0 where nothing is known. */
    static int of(long handle) {
        int i = place(handle);
        return HANDLES[i] == handle ? BYTES[i] : beyond(i, handle);
    }

    private static int beyond(int first, long handle) {
        int i = first;
        while (BYTES[i] != 0 && HANDLES[i] != handle) {
            i = i + 1 & PLACES - 1;
        }
        return BYTES[i];
    }

    static void put(long handle, int bytes) {
        if (bytes <= 0 || of(handle) != 0) {
            return;
        }
        int i = place(handle);
        while (BYTES[i] != 0) {
            i = i + 1 & PLACES - 1;
        }
        HANDLES[i] = handle;
        BYTES[i] = bytes;
    }

    private static int place(long handle) {
        return (int) (handle * 0x9E3779B97F4A7C15L >>> 54);
    }
}

package dev.mpiglot.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory outside the heap for the copies of elements of arrays. Blocks of up to 4 MiB are kept for the next operation;
 * what a block holds at first is what its last user left.
 *
 * @param memory the block
 * @param arena what owns a large block; null for one that is kept
 */
record Staging(MemorySegment memory, Arena arena) {

    private static final int SMALLEST = 6;
    private static final int LARGEST = 22;
    /** Blocks of one size are kept as long as they are not more than these, nor take more than the largest block. */
    private static final int MOST = 64;
    private static final Staging[][] FREE = new Staging[LARGEST - SMALLEST + 1][];
    private static final int[] COUNTS = new int[FREE.length];

    static {
        for (int i = 0; i < FREE.length; i++) {
            FREE[i] = new Staging[Math.min(MOST, 1 << LARGEST - SMALLEST - i)];
        }
    }

    /** A block of at least so many bytes, to be given back with {@link #release}. */
    static Staging take(long bytes) {
        if (bytes > 1L << LARGEST) {
            Arena arena = Arena.ofShared();
            return new Staging(arena.allocate(bytes, Long.BYTES), arena);
        }
        int place = place(bytes);
        synchronized (FREE) {
            if (COUNTS[place] > 0) {
                return FREE[place][--COUNTS[place]];
            }
        }
        return new Staging(Arena.ofAuto().allocate(1L << place + SMALLEST, Long.BYTES), null);
    }

    /** Gives the block back; MPI does not use it any more. */
    void release() {
        if (arena != null) {
            arena.close();
            return;
        }
        int place = place(memory.byteSize());
        synchronized (FREE) {
            if (COUNTS[place] < FREE[place].length) {
                FREE[place][COUNTS[place]++] = this;
            }
        }
    }

    /** The size of a block is 64 bytes times two to the power of its place. */
    private static int place(long bytes) {
        return bytes <= 1 << SMALLEST ? 0 : Long.SIZE - Long.numberOfLeadingZeros(bytes - 1) - SMALLEST;
    }
}

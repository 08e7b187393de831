package dev.mpiglot.low;

import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/** Converted arguments of an operation that MPI reads until the operation completes. */
final class Memory implements Place {

    private static final MethodHandle CALLOC = Downcall.c("calloc", "jjj");
    private static final MethodHandle FREE = Downcall.c("free", "vj");

    private long[] blocks = new long[4];
    private int count;

    @Override
    public long allocate(long bytes) {
        try {
            long address = (long) CALLOC.invokeExact(1L, Math.max(bytes, 1L));
            if (address == 0) {
                throw new OutOfMemoryError(bytes + " bytes for the arguments of an MPI operation");
            }
            if (count == blocks.length) {
                blocks = Arrays.copyOf(blocks, 2 * count);
            }
            blocks[count++] = address;
            return address;
        } catch (Throwable t) {
            throw Call.rethrow(t);
        }
    }

    @Override
    public long room(long bytes) {
        return allocate(bytes);
    }

    void free() {
        try {
            while (count > 0) {
                FREE.invokeExact(blocks[--count]);
            }
        } catch (Throwable t) {
            throw Call.rethrow(t);
        }
    }
}

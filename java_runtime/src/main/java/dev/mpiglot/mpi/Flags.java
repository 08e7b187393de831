package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Elements of a {@code boolean[]}, of which there is no memory segment: one byte each, 0 or 1. */
final class Flags extends Scattered {

    private static final MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

    private final boolean[] array;
    private final int first;
    private final int count;

    Flags(boolean[] array, int first, int count) {
        this.array = array;
        this.first = first;
        this.count = count;
    }

    /** The array, if these are all its elements, or null. */
    boolean[] whole() {
        return count == array.length ? array : null;
    }

    @Override
    long bytes() {
        return count;
    }

    @Override
    MemorySegment memory() {
        return NONE;
    }

    @Override
    void read(long at, MemorySegment to, long position, long bytes) {
        int begin = first + (int) at;
        for (int i = 0; i < bytes; i++) {
            to.set(ValueLayout.JAVA_BYTE, position + i, (byte) (array[begin + i] ? 1 : 0));
        }
    }

    @Override
    void write(MemorySegment from, long position, long at, long bytes) {
        int begin = first + (int) at;
        for (int i = 0; i < bytes; i++) {
            array[begin + i] = from.get(ValueLayout.JAVA_BYTE, position + i) != 0;
        }
    }
}

package dev.mpiglot.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;

/** Memory outside the heap. It is kept for the next operation; a block's length is a power of two. */
final class Blocks {

    private static final long ALIGNMENT = 64;
    private static final List<ArrayDeque<MemorySegment>> KEPT = // by the logarithm of the length
            Stream.generate(ArrayDeque<MemorySegment>::new).limit(Long.SIZE).toList();

    private Blocks() {
    }

    static MemorySegment take(MpiBuffer<?> room) {
        long bytes = Math.max(ALIGNMENT, room.count() * room.type().layout().byteSize());
        int log = Long.SIZE - Long.numberOfLeadingZeros(bytes - 1);
        MemorySegment kept = KEPT.get(log).pollLast();
        return kept != null ? kept : Arena.global().allocate(1L << log, ALIGNMENT);
    }

    static MemorySegment takeWith(MpiBuffer<?> elements) {
        MemorySegment block = take(elements);
        MemorySegment.copy(elements.array(), elements.from(), block, elements.type().layout(), 0, elements.count());
        return block;
    }

    static void give(MemorySegment block) {
        KEPT.get(Long.numberOfTrailingZeros(block.byteSize())).addLast(block);
    }

    static void giveInto(MpiBuffer<?> elements, MemorySegment block) {
        MemorySegment.copy(block, elements.type().layout(), 0, elements.array(), elements.from(), elements.count());
        give(block);
    }
}

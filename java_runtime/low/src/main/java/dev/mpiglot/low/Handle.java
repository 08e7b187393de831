package dev.mpiglot.low;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** An MPI object, by the word that the loaded library knows it by. */
public interface Handle {

    /** {@return the library's own word for the object; no meaning beyond that} */
    long handle();

    /**
     * The word as C has it in memory, in the library's width: the tools interface takes the address of an object's handle.
     *
     * @param memory where
     * @return a segment that begins with the word
     */
    default MemorySegment inMemory(SegmentAllocator memory) {
        MemorySegment place = memory.allocate(Long.BYTES, Long.BYTES);
        Frame.putHandle(place.address(), handle(), Library.load().wide("MPI_" + getClass().getSimpleName()));
        return place;
    }
}

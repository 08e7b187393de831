package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;

/** An operation under way; {@code received} is null where nothing arrives. */
public record Request(dev.mpiglot.low.Request low, MemorySegment block, Buffer<?> received) {

    void complete() {
        if (received != null) {
            Blocks.giveInto(received, block);
        } else {
            Blocks.give(block);
        }
    }
}

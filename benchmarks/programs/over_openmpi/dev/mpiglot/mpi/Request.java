package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;

/** An operation under way; {@code received} is null where nothing arrives. */
public record Request(mpi.Request open, MemorySegment block, MpiBuffer<?> received) {

    void complete() {
        if (received != null) {
            Blocks.giveInto(received, block);
        } else {
            Blocks.give(block);
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.RequestHandle;
import java.lang.foreign.MemorySegment;

/** An operation under way; {@code received} is null where nothing arrives. */
public record Request(RequestHandle low, MemorySegment block, MpiBuffer<?> received) {

    void complete() {
        if (received != null) {
            Blocks.giveInto(received, block);
        } else {
            Blocks.give(block);
        }
    }
}

package dev.mpiglot.low;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Memory that MPI may use until an object (a window, a file, a communicator) is freed. */
final class Keeping {

    private static final Map<Object, Set<MemorySegment>> KEPT = new HashMap<>();

    private Keeping() {
    }

    /** Keeps segments as long as {@code owner} lives. */
    static void keep(Object owner, MemorySegment... segments) {
        synchronized (KEPT) {
            Set<MemorySegment> set = KEPT.computeIfAbsent(owner, k -> new HashSet<>());
            for (MemorySegment segment : segments) {
                if (segment != null) {
                    set.add(segment);
                }
            }
        }
    }

    static void release(Object owner) {
        synchronized (KEPT) {
            KEPT.remove(owner);
        }
    }
}

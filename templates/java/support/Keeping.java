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

    /** Lets the call that is under way say that memory was given back while MPI could still use it. */
    static void check(Object... used) {
        for (Object one : used) {
            if (one instanceof MemorySegment segment && !segment.scope().isAlive()) {
                Callbacks.fail(new Closed());
                return;
            }
        }
    }

    /** Memory was given back too early. */
    static final class Closed extends IllegalStateException {

        private static final long serialVersionUID = 1;

        Closed() {
            super("An arena was closed while MPI could still use its memory: what came is lost, and other memory may be "
                    + "overwritten. Close it after the operation is complete (the window freed), or take Arena.ofAuto().");
        }
    }
}

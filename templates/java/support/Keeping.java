package dev.mpiglot.low;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Memory that MPI may use until an object (a window, a file, a communicator) is freed, or a call completes what uses it. */
final class Keeping {

    /** What is no access to one target, and what completes all. */
    static final int EVERY_TARGET = Integer.MIN_VALUE;

    private static final Map<Object, Set<MemorySegment>> KEPT = new HashMap<>();
    /** Of accesses to windows, and of first halves of calls of files: by window or file, and by target. */
    private static final Map<Object, Map<Integer, Map<MemorySegment, Long>>> ACCESSED = new HashMap<>();
    private static long begun; // how many accesses there were; with each segment, which was the last that uses it

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

    /** Keeps segments until an access to {@code target} is completed. */
    static void keep(Object owner, int target, MemorySegment... segments) {
        synchronized (KEPT) {
            begun++;
            Map<MemorySegment, Long> memory = ACCESSED.computeIfAbsent(owner, k -> new HashMap<>())
                    .computeIfAbsent(target, k -> new HashMap<>());
            for (MemorySegment segment : segments) {
                if (segment != null) {
                    memory.put(segment, begun);
                }
            }
        }
    }

    /** Asked before a call that completes accesses: what other threads begin while it is under way may not be complete after it. */
    static long begun() {
        synchronized (KEPT) {
            return begun;
        }
    }

    /** Lets go of what accesses to {@code target} used, or to all targets. */
    static void completed(Object owner, int target, long begunBefore) {
        boolean closed = false;
        synchronized (KEPT) {
            for (Map.Entry<Integer, Map<MemorySegment, Long>> one : ACCESSED.getOrDefault(owner, Map.of()).entrySet()) {
                if (target == EVERY_TARGET || target == one.getKey()) {
                    Map<MemorySegment, Long> memory = one.getValue();
                    closed |= memory.keySet().stream().anyMatch(m -> memory.get(m) <= begunBefore && !m.scope().isAlive());
                    memory.values().removeIf(last -> last <= begunBefore);
                }
            }
        }
        if (closed) {
            throw new Closed();
        }
    }

    /** {@return how many segments are kept for accesses} */
    static int accessed() {
        synchronized (KEPT) {
            return ACCESSED.values().stream().flatMap(m -> m.values().stream()).mapToInt(Map::size).sum();
        }
    }

    static void release(Object owner) {
        synchronized (KEPT) {
            KEPT.remove(owner);
            ACCESSED.remove(owner);
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
                    + "overwritten. Close it after the operation is complete (the epoch of a window ended), or take Arena.ofAuto().");
        }
    }
}

package dev.mpiglot.low;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/** Memory that MPI may use until an object (a window, a file, a communicator) is freed, or a call completes what uses it. */
final class Keeping {

    /** What is no access to one target, and what completes all; no rank. */
    static final int EVERY_TARGET = Integer.MIN_VALUE;
    /** What nothing completes; no rank. */
    private static final int NO_TARGET = EVERY_TARGET + 1;

    /** By owner, and by target of accesses to windows and first halves of calls of files. */
    private static final Map<Object, Map<Integer, Map<MemorySegment, Long>>> KEPT = new HashMap<>();
    private static long begun; // how many accesses there were; with each segment, which was the last that uses it

    private Keeping() {
    }

    /** Keeps segments as long as {@code owner} lives. */
    static void keep(Object owner, MemorySegment... segments) {
        keep(owner, NO_TARGET, segments);
    }

    /** Keeps segments until an access to {@code target} is completed. */
    static void keep(Object owner, int target, MemorySegment... segments) {
        synchronized (KeptHandle.LOCK) {
            begun++;
            Map<MemorySegment, Long> memory = KEPT.computeIfAbsent(owner, k -> new HashMap<>())
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
        synchronized (KeptHandle.LOCK) {
            return begun;
        }
    }

    /** Lets go of what accesses to {@code target} used, or to all targets. */
    static void completed(Object owner, int target, long begunBefore) {
        boolean closed = false;
        synchronized (KeptHandle.LOCK) {
            for (Map.Entry<Integer, Map<MemorySegment, Long>> one : KEPT.getOrDefault(owner, Map.of()).entrySet()) {
                if (target == one.getKey() || target == EVERY_TARGET && one.getKey() != NO_TARGET) {
                    Map<MemorySegment, Long> memory = one.getValue();
                    closed |= memory.keySet().stream().anyMatch(m -> memory.get(m) <= begunBefore && isLost(m));
                    memory.values().removeIf(last -> last <= begunBefore);
                }
            }
        }
        MpiArena.settle();
        if (closed) {
            throw new Closed();
        }
    }

    private static boolean isLost(MemorySegment segment) {
        return !segment.scope().isAlive() && !MpiArena.holds(segment.scope());
    }

    /** Whether anything keeps memory of this scope. */
    static boolean uses(MemorySegment.Scope scope) {
        synchronized (KeptHandle.LOCK) {
            return KEPT.values().stream().flatMap(targets -> targets.values().stream()).flatMap(m -> m.keySet().stream())
                    .anyMatch(segment -> segment.scope().equals(scope));
        }
    }

    /** {@return how many segments are kept for accesses} */
    static int accessed() {
        synchronized (KeptHandle.LOCK) {
            return KEPT.values().stream().flatMap(targets -> targets.entrySet().stream())
                    .filter(one -> one.getKey() != NO_TARGET).mapToInt(one -> one.getValue().size()).sum();
        }
    }

    /** Whether anything keeps this segment. */
    static boolean keeps(MemorySegment segment) {
        synchronized (KeptHandle.LOCK) {
            return KEPT.values().stream().flatMap(targets -> targets.values().stream()).anyMatch(m -> m.containsKey(segment));
        }
    }

    static void release(Object owner) {
        synchronized (KeptHandle.LOCK) {
            KEPT.remove(owner);
        }
        MpiArena.settle();
    }

    /** Lets the call that is under way say that memory was given back while MPI could still use it. */
    static void check(Object... used) {
        for (Object one : used) {
            if (one instanceof MemorySegment segment && isLost(segment)) {
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
                    + "overwritten. Close it after the operation is complete (the epoch of a window ended), or take an MpiArena.");
        }
    }
}

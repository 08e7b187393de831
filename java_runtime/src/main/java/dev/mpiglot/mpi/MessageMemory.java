package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Memory that MPI has for messages of the program or of a session, which wait there until they are delivered. */
final class MessageMemory {

    private final AtomicReference<MemorySegment> attached = new AtomicReference<>();

    void attach(long bytes, Consumer<MemorySegment> attach) {
        MemorySegment memory = Mpi.memoryForMessages(bytes);
        if (!attached.compareAndSet(null, memory)) {
            throw new IllegalStateException("There is a buffer for messages: detach it first.");
        }
        try {
            attach.accept(memory);
        } catch (RuntimeException e) {
            attached.set(null);
            throw e;
        }
    }

    /** Waits until the messages are delivered. */
    void detach(Runnable detach) {
        MemorySegment memory = attached.getAndSet(null);
        if (memory == null) {
            throw missing();
        }
        Progress.finishOnPlatform(detach);
    }

    boolean isThere() {
        return attached.get() != null;
    }

    void require() {
        if (!isThere()) {
            throw missing();
        }
    }

    private static RuntimeException missing() {
        return new IllegalStateException("There is no buffer for messages: attach one first.");
    }
}

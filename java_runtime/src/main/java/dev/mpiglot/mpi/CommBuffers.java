package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.PointToPoint;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The methods of {@link Comm} for memory in which messages wait until they are delivered. */
abstract sealed class CommBuffers extends Attributed permits CommFactory {

    /** The memory that MPI has, by the handles of communicators. */
    private static final Map<Long, MemorySegment> ATTACHED = new ConcurrentHashMap<>();

    abstract Call begin();

    @Override
    abstract CommHandle word();

    @Override
    ObjectKind objectKind() {
        return ObjectKind.COMM;
    }

    /**
     * Gives MPI memory for the messages of {@link Comm#bsend} and {@link Comm#ibsend} on this communicator, which stay
     * there until they are delivered; {@link Mpi#attachBuffer} is then for the other communicators. A message takes its
     * own length and {@link Mpi#BSEND_OVERHEAD} bytes. Local. {@code MPI_Comm_attach_buffer} Since MPI 4.1; not in every
     * library.
     *
     * @param bytes how much
     * @throws IllegalArgumentException if it is not positive
     * @throws IllegalStateException if the communicator has such memory: detach it first
     * @throws MpiException if MPI reports an error
     */
    public void attachBuffer(long bytes) {
        MemorySegment memory = Mpi.memoryForMessages(bytes);
        try (Call call = begin()) {
            if (ATTACHED.putIfAbsent(word().handle(), memory) != null) {
                throw new IllegalStateException("The communicator has a buffer for messages: detach it first.");
            }
            try {
                PointToPoint.commAttachBuffer(call.comm(), memory, bytes);
            } catch (RuntimeException e) {
                ATTACHED.remove(word().handle());
                throw e;
            }
        }
    }

    /**
     * Waits until the messages in the memory of {@link #attachBuffer} are delivered, and takes it back.
     * {@code MPI_Comm_detach_buffer}
     *
     * @throws IllegalStateException if there is no such memory
     * @throws MpiException if MPI reports an error
     */
    public void detachBuffer() {
        using(() -> {
            requireBuffer();
            detachIfAttached();
            return null;
        });
    }

    /** Before the communicator is freed, whose handle another one may get. */
    final void detachIfAttached() {
        long handle = word().handle();
        MemorySegment memory = ATTACHED.get(handle);
        if (memory != null) {
            Progress.finishOnPlatform(() -> PointToPoint.commDetachBuffer(word()));
            ATTACHED.remove(handle, memory);
        }
    }

    /**
     * Waits until the messages in the memory of {@link #attachBuffer} are delivered. {@code MPI_Comm_flush_buffer}
     *
     * @throws IllegalStateException if there is no such memory
     * @throws MpiException if MPI reports an error
     */
    public void flushBuffer() {
        using(() -> {
            requireBuffer();
            Progress.finishOnPlatform(() -> PointToPoint.commFlushBuffer(word()));
            return null;
        });
    }

    /**
     * Begins {@link #flushBuffer}. {@code MPI_Comm_iflush_buffer}
     *
     * @return the operation, to be awaited
     * @throws IllegalStateException if there is no such memory
     * @throws MpiException if MPI reports an error
     */
    public Request iflushBuffer() {
        try (Call call = begin()) {
            requireBuffer();
            return call.begun(PointToPoint.commIflushBuffer(call.comm()), null, Request.Work.FLUSH);
        }
    }

    private void requireBuffer() {
        if (!ATTACHED.containsKey(word().handle())) {
            throw new IllegalStateException("The communicator has no buffer for messages: attach one first.");
        }
    }
}

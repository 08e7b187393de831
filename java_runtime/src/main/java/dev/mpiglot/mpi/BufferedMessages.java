package dev.mpiglot.mpi;

import dev.mpiglot.low.PointToPoint;
import java.lang.foreign.MemorySegment;

/** The methods of {@link Comm} for memory in which messages wait until they are delivered. */
public sealed interface BufferedMessages permits Comm {

    private Comm comm() {
        return (Comm) this;
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
    default void attachBuffer(long bytes) {
        MemorySegment memory = Mpi.memoryForMessages(bytes);
        try (Call call = comm().begin()) {
            if (Comm.ATTACHED.putIfAbsent(comm().word().handle(), memory) != null) {
                throw new IllegalStateException("The communicator has a buffer for messages: detach it first.");
            }
            try {
                PointToPoint.commAttachBuffer(call.comm(), memory, bytes);
            } catch (RuntimeException e) {
                Comm.ATTACHED.remove(comm().word().handle());
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
    default void detachBuffer() {
        comm().using(() -> {
            requireBuffer();
            comm().detachIfAttached();
            return null;
        });
    }

    /**
     * Waits until the messages in the memory of {@link #attachBuffer} are delivered. {@code MPI_Comm_flush_buffer}
     *
     * @throws IllegalStateException if there is no such memory
     * @throws MpiException if MPI reports an error
     */
    default void flushBuffer() {
        comm().using(() -> {
            requireBuffer();
            Progress.finishOnPlatform(() -> PointToPoint.commFlushBuffer(comm().word()));
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
    default Request iflushBuffer() {
        try (Call call = comm().begin()) {
            requireBuffer();
            return call.begun(PointToPoint.commIflushBuffer(call.comm()), null, Request.Work.FLUSH);
        }
    }

    private void requireBuffer() {
        comm().requireUse();
        if (!Comm.ATTACHED.containsKey(comm().word().handle())) {
            throw new IllegalStateException("The communicator has no buffer for messages: attach one first.");
        }
    }
}

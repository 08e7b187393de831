package dev.mpiglot.mpi;

import dev.mpiglot.low.Mpi;

/**
 * What is known of a message that was received.
 *
 * @param source the rank that sent it
 * @param tag its tag
 * @param bytes its length in bytes
 */
public record Status(int source, int tag, long bytes) {

    /** Of a receive from {@link Comm#PROC_NULL}. */
    static final Status OF_NOBODY = new Status(Mpi.PROC_NULL, Mpi.ANY_TAG, 0);

    static Status of(dev.mpiglot.low.Status status) {
        long bytes = Counts.bytes(status);
        return new Status(status.source(), status.tag(), bytes == Mpi.UNDEFINED ? 0 : bytes);
    }

    /**
     * The length of the message in elements.
     *
     * @param type the type of the elements
     * @return how many there are
     */
    public long count(Datatype<?> type) {
        return bytes / type.size();
    }
}

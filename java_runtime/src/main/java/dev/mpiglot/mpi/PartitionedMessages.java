package dev.mpiglot.mpi;

import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.PartitionedCommunication;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;

/** The methods of {@link Comm} that prepare messages of partitions. */
public sealed interface PartitionedMessages permits Comm {

    private Comm comm() {
        return (Comm) this;
    }

    /**
     * Prepares to send a message of partitions. {@code MPI_Psend_init} Since MPI 4.0; not in every library.
     *
     * @param data what to send, memory of {@link MpiBuffer#allocate} without gaps; the operation's until it is closed
     * @param partitions into how many parts of the same length it is divided
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     * @return the operation, to be started and to be closed
     * @throws IllegalArgumentException if the buffer is null, in place, an array, has gaps, or cannot be divided
     * @throws MpiException if MPI reports an error; a {@link UnavailableException} if the
     *     library has no partitioned messages
     */
    default PartitionedSend psendInit(MpiBuffer<?> data, int partitions, int dest, int tag) {
        comm().requireUse();
        require(data, partitions);
        boolean isToNobody = dest == Comm.PROC_NULL;
        try (Call call = comm().begin()) {
            Loan loan = call.read("data", data);
            RequestHandle made = isToNobody
                    ? PointToPoint.sendInit(loan.segment(), 0, loan.type(), dest, tag, call.comm())
                    : PartitionedCommunication.psendInit(loan.segment(), partitions, loan.count() / partitions,
                    loan.type(), dest, tag,
                            call.comm(), InfoHandle.NULL);
            return new PartitionedSend(comm(), made, loan, partitions, isToNobody);
        }
    }

    /**
     * Prepares to receive a message of partitions. {@code MPI_Precv_init} Since MPI 4.0; not in every library.
     *
     * @param data where it goes, memory of {@link MpiBuffer#allocate} without gaps; the operation's until it is closed
     * @param partitions into how many parts of the same length it is divided here
     * @param source the rank to receive from; not {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message; not {@link Comm#ANY_TAG}
     * @return the operation, to be started and to be closed
     * @throws IllegalArgumentException if the buffer is null, in place, an array, has gaps, or cannot be divided, or the
     *     source or tag is any
     * @throws MpiException if MPI reports an error; a {@link UnavailableException} if the
     *     library has no partitioned messages
     */
    default PartitionedReceive precvInit(MpiBuffer<?> data, int partitions, int source, int tag) {
        comm().requireUse();
        require(data, partitions);
        if (source == Comm.ANY_SOURCE || tag == Comm.ANY_TAG) {
            throw new IllegalArgumentException("A message of partitions has one source and one tag, not any.");
        }
        boolean isOfNobody = source == Comm.PROC_NULL;
        try (Call call = comm().begin()) {
            Loan loan = call.fill("data", data);
            RequestHandle made = isOfNobody
                    ? PointToPoint.recvInit(loan.segment(), 0, loan.type(), source, tag, call.comm())
                    : PartitionedCommunication.precvInit(loan.segment(), partitions, loan.count() / partitions,
                    loan.type(), source, tag,
                            call.comm(), InfoHandle.NULL);
            return new PartitionedReceive(comm(), made, loan, partitions, isOfNobody);
        }
    }

    private static void require(MpiBuffer<?> data, int partitions) {
        if (Call.withElements("data", data).isCopied()) {
            throw new IllegalArgumentException("Partitions of an array, or of other memory that is copied for MPI, cannot "
                    + "be sent while others change: take MpiBuffer.allocate.");
        }
        if (!data.isDense()) { // partitions-ignore-gaps
            throw new IllegalArgumentException("Elements of partitions must be side by side, not of type " + data.type()
                    + " with gaps.");
        }
        if (partitions < 1 || data.count() % partitions != 0) {
            throw new IllegalArgumentException(data.count() + " elements cannot be divided into " + partitions
                    + " partitions.");
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.PartitionedCommunication;
import dev.mpiglot.low.RequestHandle;

/**
 * A receive of partitions ({@link Comm#precvInit}). After each {@link #start}, {@link #hasArrived} tells which are there;
 * the message is complete when all are.
 */
public final class PartitionedReceive extends Partitioned {

    PartitionedReceive(Comm comm, RequestHandle handle, Loan used, int partitions, boolean isOfNobody) {
        super(comm, handle, used, partitions, isOfNobody);
    }

    /**
     * Tells whether a partition is there, so that its elements can be used. {@code MPI_Parrived}
     *
     * @param partition which, from 0
     * @return whether it has arrived since the last start
     * @throws IllegalArgumentException if it does not exist
     * @throws IllegalStateException if the message was never started
     * @throws MpiException if MPI reports an error
     */
    public boolean hasArrived(int partition) {
        require(partition);
        return comm().using(() -> {
            synchronized (this) { // nobody frees it meanwhile
                return isOver() || isOfNobody() || PartitionedCommunication.parrived(handle(), partition);
            }
        });
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.RequestHandle;
import java.util.BitSet;

/**
 * A message of partitions of the same length, prepared once and started many times: the sender hands partitions over one
 * by one, from any threads, and the receiver asks for each. The numbers of partitions on both sides may differ, the
 * numbers of elements must not. It takes memory of {@link MpiBuffer#allocate}, since partitions come and go while the
 * message is under way.
 */
public abstract sealed class Partitioned extends Persistent permits PartitionedSend, PartitionedReceive {

    private final int partitions;
    private final boolean isOfNobody;
    private final BitSet handed = new BitSet();
    private Request active; // null: it was never started

    Partitioned(Comm comm, RequestHandle handle, Loan used, int partitions, boolean isOfNobody) {
        super(comm, handle, used, null, Request.Work.PARTITIONED);
        this.partitions = partitions;
        this.isOfNobody = isOfNobody;
        if (isOfNobody) {
            with(Comm.PROC_NULL);
        }
    }

    /** {@return how many partitions this side has} */
    public int partitions() {
        return partitions;
    }

    @Override
    synchronized void begun(Request started) {
        handed.clear();
        active = started;
    }

    /** Whether there is no other side, and MPI has no partitions: some libraries crash with such ones. */
    boolean isOfNobody() {
        return isOfNobody;
    }

    /** Whether all has arrived. Throws if the message was never started. */
    boolean isOver() {
        if (active == null) {
            throw new IllegalStateException("The partitioned message was not started.");
        }
        return active.isComplete();
    }

    void require(int partition) {
        if (partition < 0 || partition >= partitions) {
            throw new IllegalArgumentException("There is no partition " + partition + ": they are 0 to " + (partitions - 1)
                    + ".");
        }
    }

    /** Notes partitions as handed over, all or none. */
    synchronized void hand(BitSet some) {
        if (some.length() > partitions) {
            require(some.length() - 1);
        }
        if (isOver()) {
            throw new IllegalStateException("The partitioned message is complete: start it again.");
        }
        if (handed.intersects(some)) {
            some.and(handed);
            throw new IllegalStateException("The partitions " + some + " were handed over before.");
        }
        handed.or(some);
    }
}

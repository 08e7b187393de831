package dev.mpiglot.mpi;

import dev.mpiglot.low.PartitionedCommunication;
import dev.mpiglot.low.RequestHandle;
import java.lang.ref.Reference;
import java.util.BitSet;

/**
 * A send of partitions ({@link Comm#psendInit}). After each {@link #start}, every partition is handed over once, by any
 * thread, when its elements are there; the message is complete after the last one. Until then, nobody may change
 * partitions that were handed over, and a wait for the message waits for the others.
 */
public final class PartitionedSend extends Partitioned {

    PartitionedSend(Comm comm, RequestHandle handle, Loan used, int partitions, boolean isOfNobody) {
        super(comm, handle, used, partitions, isOfNobody);
    }

    /**
     * Hands partitions over. {@code MPI_Pready}, for several {@code MPI_Pready_list}
     *
     * @param partitions which, from 0
     * @throws IllegalArgumentException if they are null, one is not there, or one is there twice; none is handed over then
     * @throws IllegalStateException if the message is not under way, or one was handed over before
     * @throws MpiException if MPI reports an error
     */
    public void ready(int... partitions) {
        BitSet some = new BitSet();
        for (int one : Arguments.present("partitions", partitions)) {
            require(one);
            if (some.get(one)) {
                throw new IllegalArgumentException("The partition " + one + " is there twice.");
            }
            some.set(one);
        }
        hand(some, partitions.length == 1 ? () -> PartitionedCommunication.pready(partitions[0], handle())
                : () -> PartitionedCommunication.preadyList(partitions, handle()));
    }

    /**
     * Hands partitions over that follow each other. {@code MPI_Pready_range}
     *
     * @param first the first one
     * @param last the last one, which is handed over, too
     * @throws IllegalArgumentException if one is not there, or the first is behind the last; none is handed over then
     * @throws IllegalStateException if the message is not under way, or one was handed over before
     * @throws MpiException if MPI reports an error
     */
    public void readyRange(int first, int last) {
        if (first < 0 || first > last || last >= partitions()) {
            throw new IllegalArgumentException("There are no partitions " + first + " to " + last + ": they are 0 to "
                    + (partitions() - 1) + ".");
        }
        BitSet some = new BitSet();
        some.set(first, last + 1);
        hand(some, () -> PartitionedCommunication.preadyRange(first, last, handle()));
    }

    private void hand(BitSet some, Runnable action) {
        comm().using(() -> {
            hand(some);
            if (!some.isEmpty() && !isOfNobody()) {
                action.run();
            }
            Reference.reachabilityFence(this); // nobody frees it meanwhile
            return some;
        });
    }
}

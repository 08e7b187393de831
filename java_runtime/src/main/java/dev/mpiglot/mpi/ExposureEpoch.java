package dev.mpiglot.mpi;

import dev.mpiglot.low.OneSided;
import java.util.BitSet;

/** An epoch in which the processes of a group access the memory of this one ({@link Window#post}). */
public final class ExposureEpoch extends Epoch {

    ExposureEpoch(WindowEpochs window, BitSet origins) {
        super(window, Kind.POST, Comm.PROC_NULL, origins);
    }

    /**
     * Asks whether all processes of the group have ended their access; then the epoch has ended. {@code MPI_Win_test}
     * Local.
     *
     * @return whether the epoch has ended
     * @throws MpiException if MPI reports an error
     */
    public boolean test() {
        return endsWith(() -> OneSided.winTest(window().word()));
    }
}

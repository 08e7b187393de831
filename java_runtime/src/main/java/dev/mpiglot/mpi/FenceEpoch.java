package dev.mpiglot.mpi;

import dev.mpiglot.low.OneSided;

/** An epoch between two fences, in which all processes access the memory of all ({@link Window#fence}). */
public final class FenceEpoch extends Epoch {

    FenceEpoch(WindowEpochs window) {
        super(window, Kind.FENCE, Comm.PROC_NULL, null);
    }

    /**
     * Ends this epoch and begins the next one, with one fence: accesses after it see what accesses before it have
     * written. {@code MPI_Win_fence} Collective.
     *
     * @throws IllegalStateException if the epoch has ended
     * @throws MpiException if MPI reports an error
     */
    public void next() {
        boolean hasEnded = endsWith(() -> {
            window().complete(WindowEpochs.EVERY_TARGET,
                    () -> window().together(() -> OneSided.winFence(0, window().word())));
            return false;
        });
        if (hasEnded) {
            throw ClosedException.of("The epoch has ended.");
        }
    }
}

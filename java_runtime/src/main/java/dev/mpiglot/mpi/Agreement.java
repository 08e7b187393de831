package dev.mpiglot.mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.OpHandle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Whether all processes of a communicator can take part in a collective operation: one message tells all. */
final class Agreement {

    /** Whether collective operations begin with it. */
    static final boolean IS_WANTED = Settings.communicates();

    /** Of operations without a root. */
    static final int NO_ROOT = -1;

    private Agreement() {
    }

    /**
     * Throws on all processes if one is mistaken, or if roots differ.
     *
     * @param mistake what is wrong here; null: nothing
     */
    static void reach(Comm comm, RuntimeException mistake, int root) {
        int first = comm.size() - comm.ownRank(); // the largest of these is of the first rank
        int[] told = {mistake == null ? 0 : first, root, -root};
        Progress.finishOnPlatform(() -> exchange(comm, told));
        if (mistake != null) {
            throw mistake;
        }
        if (told[0] != 0) {
            throw new DisagreementException("The arguments of rank " + (comm.size() - told[0]) + " are wrong: no process has "
                    + "begun the operation.");
        }
        if (told[1] != -told[2]) {
            throw new DisagreementException("The processes give different roots, " + -told[2] + " and " + told[1]
                    + ": no process has begun the operation.");
        }
    }

    private static void exchange(Comm comm, int[] told) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_INT, told);
            Collectives.allreduce(MpiConstants.IN_PLACE, memory, told.length, DatatypeHandle.INT,
                    OpHandle.MAX, comm.word());
            MemorySegment.copy(memory, ValueLayout.JAVA_INT, 0, told, 0, told.length);
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Communicators;

/**
 * A communicator of two groups: ranks in messages are those of the other group, while {@link #rank}, {@link #size} and
 * {@link #group} tell of the own one. {@link Comm#createIntercomm} makes it.
 *
 * <p>It has messages, {@link #barrier}, and what makes communicators: both groups take part. The other collective
 * operations mean something else between two groups (a root has {@code MPI_ROOT}, a result goes to the other group) and
 * throw an {@link UnsupportedOperationException}; {@link dev.mpiglot.low.Collectives} has them. So do grids and graphs,
 * which MPI does not have between two groups.
 */
public final class Intercomm extends PlannedIntercomm {

    Intercomm(dev.mpiglot.low.Comm handle, Life life, boolean owner) {
        super(handle, life, owner);
    }

    /**
     * Makes one group of both. {@code MPI_Intercomm_merge} Collective over both.
     *
     * @param high whether the processes of the own group come after the others; the same on all of them. If both groups
     *     say the same, the library chooses
     * @return the communicator, to be closed
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public Comm merge(boolean high) {
        try (Call call = begin()) {
            return make(call, () -> Communicators.intercommMerge(word(), high));
        }
    }

    @Override
    public Intercomm dup() {
        return (Intercomm) super.dup();
    }

    @Override
    public Intercomm dupWithInfo(Info hints) {
        return (Intercomm) super.dupWithInfo(hints);
    }
}

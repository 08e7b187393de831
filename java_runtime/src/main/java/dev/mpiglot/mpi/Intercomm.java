package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.Processes;
import java.util.Optional;

/**
 * A communicator of two groups: ranks in messages are those of the other group, while {@link #rank}, {@link #size} and
 * {@link #group} tell of the own one. {@link Comm#createIntercomm} makes it.
 *
 * <p>It has messages, {@link #barrier}, and what makes communicators: both groups take part. The other collective
 * operations mean something else between two groups (a root has {@code MPI_ROOT}, a result goes to the other group) and
 * throw an {@link UnsupportedOperationException}; {@link dev.mpiglot.low.Collectives} has them. So do grids and graphs,
 * which MPI does not have between two groups.
 */
public final class Intercomm extends Comm implements IntercommQueries {

    private static Intercomm parent; // null: nobody has asked

    Intercomm(CommHandle handle, Life life, boolean owner) {
        super(handle, life, owner, true);
    }

    /**
     * Tells which processes have started those of this job ({@link Comm#spawn}). {@code MPI_Comm_get_parent} Local.
     *
     * @return the intercommunicator to them, always the same object, to be closed or {@link #disconnect disconnected};
     *     empty if nobody has, or afterwards
     * @throws MpiException if MPI reports an error
     */
    public static synchronized Optional<Intercomm> parent() {
        if (parent == null) {
            CommHandle told = Processes.commGetParent();
            if (told.equals(CommHandle.NULL)) {
                return Optional.empty();
            }
            parent = (Intercomm) Comm.adopt(told);
        }
        return Optional.of(parent).filter(Comm::isOpen);
    }

    /**
     * Joins this process with another one by a socket between them, which is used for that alone and stays open.
     * {@code MPI_Comm_join} Collective: both call it.
     *
     * @param descriptor the file descriptor of the connected socket, as C has it; that of a Java socket is not to be had
     * @return the intercommunicator to the other process, to be disconnected
     * @throws IllegalArgumentException if the number is negative
     * @throws MpiException if MPI reports an error, as MPI does where it cannot join processes
     */
    public static Intercomm join(int descriptor) {
        if (descriptor < 0) {
            throw new IllegalArgumentException("The number " + descriptor + " is no file descriptor.");
        }
        Comm[] made = new Comm[1];
        Progress.finishOnPlatform(() -> made[0] = Comm.adopt(Processes.commJoin(descriptor)));
        if (!(made[0] instanceof Intercomm joined)) {
            throw new IllegalStateException("MPI cannot connect the processes at both ends of the socket.");
        }
        return joined;
    }

    /**
     * Makes one group of both. {@code MPI_Intercomm_merge} Collective over both.
     *
     * @param high whether the processes of the own group come after the others; the same on all of them. If both groups
     *     say the same, the library chooses
     * @return the communicator, to be closed
     * @throws MpiException if MPI reports an error
     */
    public Comm merge(boolean high) {
        try (Call call = begin()) {
            return make(call, () -> inherited(Communicators.intercommMerge(word(), high)));
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

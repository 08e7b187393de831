package mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.Processes;

/** Two groups of processes, of which each exchanges messages with the other. */
public final class Intercomm extends Comm {

    Intercomm(CommHandle handle) {
        super(handle);
    }

    @Override
    public Intercomm clone() {
        return unchecked(this::dup);
    }

    @Override
    public Intercomm dup() throws MPIException {
        return MPIException.of(() -> new Intercomm(Communicators.commDup(handle())));
    }

    @Override
    public Intercomm iDup() throws MPIException {
        return beginCopy(Intercomm::new);
    }

    @Override
    public Intercomm dupWithInfo(Info info) throws MPIException {
        return MPIException.of(() -> new Intercomm(Communicators.commDupWithInfo(handle(), info.handle())));
    }

    /**
     * {@return how many processes the other group has}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getRemoteSize() throws MPIException {
        return MPIException.of(() -> Communicators.commRemoteSize(handle()));
    }

    /**
     * {@return the processes of the other group}
     *
     * @throws MPIException if MPI reports an error
     */
    public Group getRemoteGroup() throws MPIException {
        return MPIException.of(() -> new Group(Communicators.commRemoteGroup(handle())));
    }

    /**
     * {@return one communicator of both groups}
     *
     * @param high whether the own group comes after the other one
     * @throws MPIException if MPI reports an error
     */
    public Intracomm merge(boolean high) throws MPIException {
        return MPIException.of(() -> new Intracomm(Communicators.intercommMerge(handle(), high)));
    }

    /**
     * {@return the communicator with the processes that started this one; it {@link #isNull} if none did}
     *
     * @throws MPIException if MPI reports an error
     */
    public static Intercomm getParent() throws MPIException {
        return MPIException.of(() -> new Intercomm(Processes.commGetParent()));
    }
}

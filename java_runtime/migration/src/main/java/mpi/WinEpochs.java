package mpi;

import dev.mpiglot.low.OneSided;
import dev.mpiglot.low.WinHandle;
import java.nio.Buffer;

/** When processes reach the memory of each other. */
abstract class WinEpochs extends WinBase {

    WinEpochs(WinHandle handle, Buffer memory) {
        super(handle, memory);
    }

    /**
     * Ends what processes began in the window, and begins anew.
     *
     * @param assertion what the program promises, or 0
     * @throws MPIException if MPI reports an error
     */
    public void fence(int assertion) throws MPIException {
        MPIException.run(() -> OneSided.winFence(assertion, handle()));
    }

    /**
     * Begins to reach the memory of processes.
     *
     * @param group the processes
     * @param assertion what the program promises, or 0
     * @throws MPIException if MPI reports an error
     */
    public void start(Group group, int assertion) throws MPIException {
        MPIException.run(() -> OneSided.winStart(group.handle(), assertion, handle()));
    }

    /**
     * Ends what {@link #start} began.
     *
     * @throws MPIException if MPI reports an error
     */
    public void complete() throws MPIException {
        MPIException.run(() -> OneSided.winComplete(handle()));
    }

    /**
     * Lets processes reach the memory of this one.
     *
     * @param group the processes
     * @param assertion what the program promises, or 0
     * @throws MPIException if MPI reports an error
     */
    public void post(Group group, int assertion) throws MPIException {
        MPIException.run(() -> OneSided.winPost(group.handle(), assertion, handle()));
    }

    /**
     * Waits until all processes have ended what {@link #post} let them do.
     *
     * @throws MPIException if MPI reports an error
     */
    public void waitFor() throws MPIException {
        MPIException.run(() -> OneSided.winWait(handle()));
    }

    /**
     * Begins to reach the memory of one process.
     *
     * @param lockType {@code MPI.LOCK_EXCLUSIVE} or {@code LOCK_SHARED}
     * @param rank the process
     * @param assertion what the program promises, or 0
     * @throws MPIException if MPI reports an error
     */
    public void lock(int lockType, int rank, int assertion) throws MPIException {
        MPIException.run(() -> OneSided.winLock(lockType, rank, assertion, handle()));
    }

    /**
     * Ends what {@link #lock} began.
     *
     * @param rank the process
     * @throws MPIException if MPI reports an error
     */
    public void unlock(int rank) throws MPIException {
        MPIException.run(() -> OneSided.winUnlock(rank, handle()));
    }

    /**
     * Begins to reach the memory of all processes.
     *
     * @param assertion what the program promises, or 0
     * @throws MPIException if MPI reports an error
     */
    public void lockAll(int assertion) throws MPIException {
        MPIException.run(() -> OneSided.winLockAll(assertion, handle()));
    }

    /**
     * Ends what {@link #lockAll} began.
     *
     * @throws MPIException if MPI reports an error
     */
    public void unlockAll() throws MPIException {
        MPIException.run(() -> OneSided.winUnlockAll(handle()));
    }

    /**
     * Brings both copies of the memory of this process together.
     *
     * @throws MPIException if MPI reports an error
     */
    public void sync() throws MPIException {
        MPIException.run(() -> OneSided.winSync(handle()));
    }

    /**
     * Waits until all operations are complete at a process.
     *
     * @param targetRank the rank of the process whose window it is
     * @throws MPIException if MPI reports an error
     */
    public void flush(int targetRank) throws MPIException {
        MPIException.run(() -> OneSided.winFlush(targetRank, handle()));
    }

    /**
     * Waits until all operations are complete at all processes.
     *
     * @throws MPIException if MPI reports an error
     */
    public void flushAll() throws MPIException {
        MPIException.run(() -> OneSided.winFlushAll(handle()));
    }

    /**
     * Waits until the buffers of all operations with a process can be used.
     *
     * @param targetRank the rank of the process whose window it is
     * @throws MPIException if MPI reports an error
     */
    public void flushLocal(int targetRank) throws MPIException {
        MPIException.run(() -> OneSided.winFlushLocal(targetRank, handle()));
    }

    /**
     * Waits until the buffers of all operations can be used.
     *
     * @throws MPIException if MPI reports an error
     */
    public void flushLocalAll() throws MPIException {
        MPIException.run(() -> OneSided.winFlushLocalAll(handle()));
    }

    /**
     * {@return whether all processes have ended what {@link #post} let them do}
     *
     * @throws MPIException if MPI reports an error
     */
    public boolean test() throws MPIException {
        return MPIException.of(() -> OneSided.winTest(handle()));
    }
}

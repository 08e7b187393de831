package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;

/** A communicator that is being made ({@link Comm#idup}). Any thread may wait for it. */
public final class CommRequest implements AutoCloseable {

    private final Request request;
    private final CommHandle parent;
    private final CommHandle handle;
    private Comm made;

    CommRequest(Request request, CommHandle parent, CommHandle handle) {
        this.request = request;
        this.parent = parent;
        this.handle = handle;
    }

    /**
     * Waits until the communicator is there.
     *
     * @return it, the same each time, to be closed
     * @throws CancelledException if the thread is interrupted; the operation goes on
     * @throws MpiException if MPI reports an error
     */
    public Comm await() {
        request.await();
        return adopted();
    }

    /**
     * Asks whether the communicator is there.
     *
     * @return whether {@link #await} would not wait
     * @throws MpiException if MPI reports an error
     */
    public boolean test() {
        return request.test().isPresent();
    }

    private synchronized Comm adopted() {
        if (made == null) {
            made = Comm.adopt(handle);
            Survival.note(parent, handle);
        }
        return made;
    }

    /**
     * Ends the use of this object, not of the communicator. It does not wait; the operation goes on. A communicator that
     * nobody has awaited stays open as long as MPI runs.
     */
    @Override
    public void close() {
        request.close();
    }
}

package mpi;

import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;

/** A message that can be started any number of times. */
public final class Prequest extends Request {

    Prequest(RequestHandle handle, Object... used) {
        super(handle, used);
    }

    @Override
    void hasEnded() {
        // what it uses is used again
    }

    /**
     * Starts the message.
     *
     * @throws MPIException if MPI reports an error
     */
    public void start() throws MPIException {
        MPIException.run(() -> PointToPoint.start(handle));
    }

    /**
     * Starts several messages.
     *
     * @param requests the messages
     * @throws MPIException if MPI reports an error
     */
    public static void startAll(Prequest[] requests) throws MPIException {
        MPIException.run(() -> PointToPoint.startall(handles(requests)));
    }
}

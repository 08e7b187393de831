package mpi;

import dev.mpiglot.low.MessageHandle;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.StatusValue;
import java.nio.Buffer;

/** A message that was found and has not been received. */
public final class Message {

    private MessageHandle handle = MessageHandle.NULL;

    /** No message. */
    public Message() {
        // is given one by a probe
    }

    /** The handle for a receive: some MPIs end the job where there is none. */
    private MessageHandle found() {
        if (isNull()) {
            throw new IllegalArgumentException("There is no message to receive.");
        }
        return handle;
    }

    /** {@return whether there is no message} */
    public boolean isNull() {
        return handle.equals(MessageHandle.NULL);
    }

    /** {@return whether it is the message of {@code MPI.PROC_NULL}} */
    public boolean isNoProc() {
        return handle.equals(MessageHandle.NO_PROC);
    }

    /**
     * {@return the status of a message that only this object receives, when there is one}
     *
     * @param source the rank that sends, or {@code MPI.ANY_SOURCE}
     * @param tag the tag of the message
     * @param comm the communicator
     * @throws MPIException if MPI reports an error
     */
    public Status mProbe(int source, int tag, Comm comm) throws MPIException {
        return MPIException.of(() -> {
            var status = new StatusValue();
            handle = PointToPoint.mprobe(source, tag, comm.handle(), status);
            return new Status(status, MPI.UNDEFINED);
        });
    }

    /**
     * {@return the status of such a message if there is one, else null}
     *
     * @param source the rank that sends, or {@code MPI.ANY_SOURCE}
     * @param tag the tag of the message
     * @param comm the communicator
     * @throws MPIException if MPI reports an error
     */
    public Status imProbe(int source, int tag, Comm comm) throws MPIException {
        return MPIException.of(() -> {
            var status = new StatusValue();
            return PointToPoint.improbe(source, tag, comm.handle(), status).map(found -> {
                handle = found;
                return new Status(status, MPI.UNDEFINED);
            }).orElse(null);
        });
    }

    /**
     * {@return the status of the message, when it has been received}
     *
     * @param buf where elements go, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Status mRecv(Object buf, int count, Datatype type) throws MPIException {
        return MPIException.of(() -> {
            var status = new StatusValue();
            try (Staged data = Staged.of(buf, type.span(count))) {
                PointToPoint.mrecv(data.segment(), count, type.handle(), found(), status);
                data.back(count, type, status);
            }
            handle = MessageHandle.NULL;
            return new Status(status, MPI.UNDEFINED);
        });
    }

    /**
     * {@return the receive of the message, which goes on}
     *
     * @param buf where elements go, a direct buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Request imRecv(Buffer buf, int count, Datatype type) throws MPIException {
        return MPIException.of(() -> {
            Request begun = CommBase.begin(buf, type.span(count), data -> PointToPoint.imrecv(data, count,
                    type.handle(), found()));
            handle = MessageHandle.NULL;
            return begun;
        });
    }
}

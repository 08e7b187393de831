package mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;

/** Messages whose arguments are kept, to be started any number of times. */
abstract class CommKept extends CommNeighbors {

    CommKept(CommHandle handle) {
        super(handle);
    }

    /** A message that goes on after its call. */
    interface Beginning {
        RequestHandle begin(MemorySegment buf, long count, DatatypeHandle type, int peer, int tag,
                CommHandle comm);
    }

    private Prequest keep(Beginning how, Buffer buf, int count, Datatype type, int peer, int tag) throws MPIException {
        return MPIException.of(() -> new Prequest(
                how.begin(Staged.direct(buf, type.span(count)), count, type.handle(), peer, tag, handle()), buf));
    }

    /**
     * {@return a send that can be started any number of times}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param dest the rank that receives
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final Prequest sendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return keep(PointToPoint::sendInit, buf, count, type, dest, tag);
    }

    /**
     * {@return a send through the attached buffer that can be started any number of times}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param dest the rank that receives
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final Prequest bSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return keep(PointToPoint::bsendInit, buf, count, type, dest, tag);
    }

    /**
     * {@return a send that is complete when its receive has begun that can be started any number of times}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param dest the rank that receives
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final Prequest sSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return keep(PointToPoint::ssendInit, buf, count, type, dest, tag);
    }

    /**
     * {@return a send whose receive has begun that can be started any number of times}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param dest the rank that receives
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final Prequest rSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return keep(PointToPoint::rsendInit, buf, count, type, dest, tag);
    }

    /**
     * {@return a receive that can be started any number of times}
     *
     * @param buf where elements go, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param source the rank that sends, or {@code MPI.ANY_SOURCE}
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final Prequest recvInit(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return keep(PointToPoint::recvInit, buf, count, type, source, tag);
    }
}

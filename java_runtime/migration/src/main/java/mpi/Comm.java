package mpi;

import dev.mpiglot.low.Caching;
import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.StatusValue;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;

/**
 * Processes that exchange messages. An array is copied for each call, a direct buffer is not; what begins and goes on
 * after its call takes direct buffers only. Displacements and counts are in elements.
 */
public class Comm extends CommTraits implements Freeable, Cloneable {

    /** {@code MPI_COMM_TYPE_SHARED}. */
    public static final int TYPE_SHARED = MpiConstants.COMM_TYPE_SHARED;

    Comm(CommHandle handle) {
        super(handle);
    }

    /**
     * {@return another communicator of the same processes}
     *
     * @throws MPIException if MPI reports an error
     */
    public Comm dup() throws MPIException {
        return MPIException.of(() -> new Comm(Communicators.commDup(handle())));
    }

    @Override
    public Comm clone() {
        return unchecked(this::dup);
    }

    /**
     * {@return another communicator, to be used when its {@link #getRequest} is complete}
     *
     * @throws MPIException if MPI reports an error
     */
    public Comm iDup() throws MPIException {
        return beginCopy(Comm::new);
    }

    /**
     * {@return another communicator of the same processes with other hints}
     *
     * @param info hints, or {@code MPI.INFO_NULL}
     * @throws MPIException if MPI reports an error
     */
    public Comm dupWithInfo(Info info) throws MPIException {
        return MPIException.of(() -> new Comm(Communicators.commDupWithInfo(handle(), info.handle())));
    }

    /**
     * {@return how many processes there are}
     *
     * @throws MPIException if MPI reports an error
     */
    public final int getSize() throws MPIException {
        return MPIException.of(() -> Communicators.commSize(handle()));
    }

    /**
     * {@return the number of this process}
     *
     * @throws MPIException if MPI reports an error
     */
    public final int getRank() throws MPIException {
        return MPIException.of(() -> Communicators.commRank(handle()));
    }

    /**
     * {@return {@code MPI.IDENT}, {@code CONGRUENT}, {@code SIMILAR} or {@code UNEQUAL}}
     *
     * @param comm1 a communicator
     * @param comm2 another one
     * @throws MPIException if MPI reports an error
     */
    public static int compare(Comm comm1, Comm comm2) throws MPIException {
        return MPIException.of(() -> Communicators.commCompare(comm1.handle(), comm2.handle()));
    }

    @Override
    public final void free() throws MPIException {
        MPIException.run(() -> Communicators.commFree(handle()));
        hasGone();
    }

    /** {@return whether this is no communicator} */
    public final boolean isNull() {
        return handle().equals(CommHandle.NULL);
    }

    /**
     * {@return whether there are two groups of processes}
     *
     * @throws MPIException if MPI reports an error
     */
    public final boolean isInter() throws MPIException {
        return MPIException.of(() -> Communicators.commTestInter(handle()));
    }

    /**
     * Ends the job.
     *
     * @param errorCode the exit status
     * @throws MPIException if MPI reports an error
     */
    public final void abort(int errorCode) throws MPIException {
        MPIException.run(() -> Environment.abort(handle(), errorCode));
    }

    /**
     * Names the communicator.
     *
     * @param name the name
     * @throws MPIException if MPI reports an error
     */
    public final void setName(String name) throws MPIException {
        MPIException.run(() -> Caching.commSetName(handle(), name));
    }

    /**
     * {@return the name of the communicator}
     *
     * @throws MPIException if MPI reports an error
     */
    public final String getName() throws MPIException {
        return MPIException.of(() -> Caching.commGetName(handle()));
    }

    /** A send that is complete when its call returns. */
    private interface Sending {
        void send(MemorySegment buf, long count, DatatypeHandle type, int dest, int tag,
                CommHandle comm);
    }

    private void send(Sending how, Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        MPIException.run(() -> {
            try (Staged data = Staged.of(buf, type.span(count))) {
                how.send(data.segment(), count, type.handle(), dest, tag, handle());
            }
        });
    }

    private Request begin(Beginning how, Buffer buf, int count, Datatype type, int peer, int tag) throws MPIException {
        return MPIException.of(() -> {
            MemorySegment data = Staged.direct(buf, type.span(count));
            return new Request(how.begin(data, count, type.handle(), peer, tag, handle()), buf);
        });
    }

    /**
     * Sends a message.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param dest the rank that receives
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final void send(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        send(PointToPoint::send, buf, count, type, dest, tag);
    }

    /**
     * Sends a message, complete when its receive has begun.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param dest the rank that receives
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final void sSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        send(PointToPoint::ssend, buf, count, type, dest, tag);
    }

    /**
     * Sends a message through the attached buffer.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param dest the rank that receives
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final void bSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        send(PointToPoint::bsend, buf, count, type, dest, tag);
    }

    /**
     * Sends a message whose receive has begun.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param dest the rank that receives
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final void rSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        send(PointToPoint::rsend, buf, count, type, dest, tag);
    }

    /**
     * {@return the status of a message, when it has been received}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param source the rank that sends, or {@code MPI.ANY_SOURCE}
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final Status recv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return MPIException.of(() -> {
            var status = new StatusValue();
            try (Staged data = Staged.of(buf, type.span(count))) {
                PointToPoint.recv(data.segment(), count, type.handle(), source, tag, handle(), status);
                data.back(count, type, status);
            }
            return new Status(status, MPI.UNDEFINED);
        });
    }

    /**
     * {@return the status of a message that was received while another was sent}
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param dest the rank that receives
     * @param sendtag the tag of the message that is sent
     * @param recvbuf where elements go
     * @param recvcount how many come, of each process where there are several
     * @param recvtype their type
     * @param source the rank that sends, or {@code MPI.ANY_SOURCE}
     * @param recvtag the tag of the message that is received
     * @throws MPIException if MPI reports an error
     */
    public final Status sendRecv(Object sendbuf, int sendcount, Datatype sendtype, int dest, int sendtag,
            Object recvbuf, int recvcount, Datatype recvtype, int source, int recvtag) throws MPIException {
        return MPIException.of(() -> {
            var status = new StatusValue();
            try (Staged sent = Staged.of(sendbuf, sendtype.span(sendcount));
                    Staged data = Staged.of(recvbuf, recvtype.span(recvcount))) {
                PointToPoint.sendrecv(sent.segment(), sendcount, sendtype.handle(), dest, sendtag,
                        data.segment(), recvcount, recvtype.handle(), source, recvtag, handle(), status);
                data.back(recvcount, recvtype, status);
            }
            return new Status(status, MPI.UNDEFINED);
        });
    }

    /**
     * {@return the status of a message that was received in the place of the one that was sent}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param dest the rank that receives
     * @param sendtag the tag of the message that is sent
     * @param source the rank that sends, or {@code MPI.ANY_SOURCE}
     * @param recvtag the tag of the message that is received
     * @throws MPIException if MPI reports an error
     */
    public final Status sendRecvReplace(Object buf, int count, Datatype type, int dest, int sendtag, int source,
            int recvtag) throws MPIException {
        return MPIException.of(() -> {
            var status = new StatusValue();
            try (Staged data = Staged.of(buf, type.span(count))) {
                PointToPoint.sendrecvReplace(
                        data.segment(), count, type.handle(), dest, sendtag, source, recvtag, handle(), status);
                data.back(count, type, status);
            }
            return new Status(status, MPI.UNDEFINED);
        });
    }

    /**
     * {@return the send of a message, which goes on}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param dest the rank that receives
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final Request iSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return begin(PointToPoint::isend, buf, count, type, dest, tag);
    }

    /**
     * {@return the send of a message, which goes on}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param dest the rank that receives
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final Request ibSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return begin(PointToPoint::ibsend, buf, count, type, dest, tag);
    }

    /**
     * {@return the send of a message, which goes on}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param dest the rank that receives
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final Request isSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return begin(PointToPoint::issend, buf, count, type, dest, tag);
    }

    /**
     * {@return the send of a message, which goes on}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param dest the rank that receives
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final Request irSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return begin(PointToPoint::irsend, buf, count, type, dest, tag);
    }

    /**
     * {@return the receive of a message, which goes on}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param source the rank that sends, or {@code MPI.ANY_SOURCE}
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final Request iRecv(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return begin(PointToPoint::irecv, buf, count, type, source, tag);
    }

    /**
     * {@return the status of a message, when there is one to be received}
     *
     * @param source the rank that sends, or {@code MPI.ANY_SOURCE}
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final Status probe(int source, int tag) throws MPIException {
        return MPIException.of(() -> {
            var status = new StatusValue();
            PointToPoint.probe(source, tag, handle(), status);
            return new Status(status, MPI.UNDEFINED);
        });
    }

    /**
     * {@return the status of a message if there is one to be received, else null}
     *
     * @param source the rank that sends, or {@code MPI.ANY_SOURCE}
     * @param tag the tag of the message
     * @throws MPIException if MPI reports an error
     */
    public final Status iProbe(int source, int tag) throws MPIException {
        return MPIException.of(() -> {
            var status = new StatusValue();
            return PointToPoint.iprobe(source, tag, handle(), status) ? new Status(status, MPI.UNDEFINED) : null;
        });
    }

    /**
     * Waits until all processes have come here.
     *
     * @throws MPIException if MPI reports an error
     */
    public final void barrier() throws MPIException {
        MPIException.run(() -> Collectives.barrier(handle()));
    }

    /**
     * {@return an operation that is complete when all processes have begun it}
     *
     * @throws MPIException if MPI reports an error
     */
    public final Request iBarrier() throws MPIException {
        return MPIException.of(() -> new Request(Collectives.ibarrier(handle())));
    }

    /**
     * Gives all processes the elements of the root.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
        MPIException.run(() -> {
            try (Staged data = Staged.of(buf, type.span(count))) {
                Collectives.bcast(data.segment(), count, type.handle(), root, handle());
                data.back();
            }
        });
    }

    /**
     * {@return the operation of {@link #bcast}, which goes on}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Request iBcast(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return MPIException.of(() -> {
            MemorySegment data = Staged.direct(buf, type.span(count));
            return new Request(Collectives.ibcast(data, count, type.handle(), root, handle()), buf);
        });
    }

    /**
     * Gathers elements of all processes at the root.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param recvbuf where elements go
     * @param recvcount how many come, of each process where there are several
     * @param recvtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final void gather(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
            Datatype recvtype, int root) throws MPIException {
        MPIException.run(() -> {
            boolean isRoot = isRoot(root);
            try (Staged sent = Staged.of(sendbuf, sendtype.span(sendcount));
                    Staged data = Staged.of(isRoot ? recvbuf : null, isRoot
                            ? spanOfAll(recvcount, recvtype) : Span.NONE)) {
                Collectives.gather(sent.segment(), sendcount, sendtype.handle(), data.segment(), recvcount,
                        (isRoot ? recvtype : sendtype).handle(), root, handle());
                data.back();
            }
        });
    }

    /**
     * Gathers elements at the root, whose own are in their place.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final void gather(Object buf, int count, Datatype type, int root) throws MPIException {
        MPIException.run(() -> {
            boolean isRoot = isRoot(root);
            try (Staged data = Staged.of(buf, type.span(isRoot ? (long) count * peers() : count))) {
                Collectives.gather(isRoot ? IN_PLACE : data.segment(), count, type.handle(),
                        isRoot ? data.segment() : MemorySegment.NULL, count, type.handle(), root, handle());
                if (isRoot) {
                    data.back();
                }
            }
        });
    }

    /**
     * Gathers different numbers of elements at the root.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param recvbuf where elements go
     * @param recvcount how many come, of each process where there are several
     * @param displs where the blocks begin
     * @param recvtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int[] recvcount,
            int[] displs, Datatype recvtype, int root) throws MPIException {
        MPIException.run(() -> {
            boolean isRoot = isRoot(root);
            try (Staged sent = Staged.of(sendbuf, sendtype.span(sendcount));
                    Staged data = Staged.of(isRoot ? recvbuf : null, isRoot ? span(recvcount, displs, recvtype) : Span.NONE)) {
                Collectives.gatherv(sent.segment(), sendcount, sendtype.handle(), data.segment(),
                        isRoot ? recvcount : null, isRoot ? displs : null, (isRoot ? recvtype : sendtype).handle(),
                                root, handle());
                data.back();
            }
        });
    }

    /**
     * Distributes elements of the root.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param recvbuf where elements go
     * @param recvcount how many come, of each process where there are several
     * @param recvtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final void scatter(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
            Datatype recvtype, int root) throws MPIException {
        MPIException.run(() -> {
            boolean isRoot = isRoot(root);
            try (Staged sent = Staged.of(isRoot ? sendbuf : null, isRoot ? spanOfAll(sendcount, sendtype)
                    : Span.NONE);
                    Staged data = Staged.of(recvbuf, recvtype.span(recvcount))) {
                Collectives.scatter(sent.segment(), sendcount, (isRoot ? sendtype : recvtype).handle(), data.segment(),
                        recvcount, recvtype.handle(), root, handle());
                data.back();
            }
        });
    }

    /**
     * Distributes different numbers of elements of the root.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent, to each process where there are several
     * @param displs where the blocks begin
     * @param sendtype their type
     * @param recvbuf where elements go
     * @param recvcount how many come, of each process where there are several
     * @param recvtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, Object recvbuf,
            int recvcount, Datatype recvtype, int root) throws MPIException {
        MPIException.run(() -> {
            boolean isRoot = isRoot(root);
            try (Staged sent = Staged.of(isRoot ? sendbuf : null, isRoot ? span(sendcount, displs, sendtype) : Span.NONE);
                    Staged data = Staged.of(recvbuf, recvtype.span(recvcount))) {
                Collectives.scatterv(sent.segment(), isRoot ? sendcount : null, isRoot ? displs : null,
                        (isRoot ? sendtype : recvtype).handle(), data.segment(), recvcount, recvtype.handle(), root,
                                handle());
                data.back();
            }
        });
    }

    /**
     * Gathers elements of all processes at all.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param recvbuf where elements go
     * @param recvcount how many come, of each process where there are several
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final void allGather(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
            Datatype recvtype) throws MPIException {
        MPIException.run(() -> {
            try (Staged sent = Staged.of(sendbuf, sendtype.span(sendcount));
                    Staged data = Staged.of(recvbuf, spanOfAll(recvcount, recvtype))) {
                Collectives.allgather(sent.segment(), sendcount, sendtype.handle(), data.segment(), recvcount,
                        recvtype.handle(), handle());
                data.back();
            }
        });
    }

    /**
     * Gathers elements at all processes, whose own are in their place.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public final void allGather(Object buf, int count, Datatype type) throws MPIException {
        MPIException.run(() -> {
            try (Staged data = Staged.of(buf, spanOfAll(count, type))) {
                Collectives.allgather(IN_PLACE, 0, type.handle(), data.segment(), count, type.handle(), handle());
                data.back();
            }
        });
    }

    /**
     * Gathers different numbers of elements at all processes.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param recvbuf where elements go
     * @param recvcount how many come, of each process where there are several
     * @param displs where the blocks begin
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final void allGatherv(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int[] recvcount,
            int[] displs, Datatype recvtype) throws MPIException {
        MPIException.run(() -> {
            try (Staged sent = Staged.of(sendbuf, sendtype.span(sendcount));
                    Staged data = Staged.of(recvbuf, span(recvcount, displs, recvtype))) {
                Collectives.allgatherv(sent.segment(), sendcount, sendtype.handle(), data.segment(), recvcount, displs,
                        recvtype.handle(), handle());
                data.back();
            }
        });
    }

    /**
     * Gives each process elements of each other.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param recvbuf where elements go
     * @param recvcount how many come, of each process where there are several
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final void allToAll(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
            Datatype recvtype) throws MPIException {
        MPIException.run(() -> {
            try (Staged sent = Staged.of(sendbuf, spanOfAll(sendcount, sendtype));
                    Staged data = Staged.of(recvbuf, spanOfAll(recvcount, recvtype))) {
                Collectives.alltoall(sent.segment(), sendcount, sendtype.handle(), data.segment(), recvcount,
                        recvtype.handle(), handle());
                data.back();
            }
        });
    }

    /**
     * Gives each process a different number of elements of each other.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent, to each process where there are several
     * @param sdispls where the blocks begin that are sent
     * @param sendtype their type
     * @param recvbuf where elements go
     * @param recvcount how many come, of each process where there are several
     * @param rdispls where the blocks begin that are received
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final void allToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype, Object recvbuf,
            int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        MPIException.run(() -> {
            try (Staged sent = Staged.of(sendbuf, span(sendcount, sdispls, sendtype));
                    Staged data = Staged.of(recvbuf, span(recvcount, rdispls, recvtype))) {
                Collectives.alltoallv(sent.segment(), sendcount, sdispls, sendtype.handle(), data.segment(), recvcount,
                        rdispls, recvtype.handle(), handle());
                data.back();
            }
        });
    }

    /**
     * Combines the elements of all processes at the root.
     *
     * @param sendbuf the elements that are sent
     * @param recvbuf where elements go
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final void reduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root)
            throws MPIException {
        MPIException.run(() -> {
            boolean isRoot = isRoot(root);
            try (Staged sent = Staged.of(sendbuf, type.span(count));
                    Staged data = Staged.of(isRoot ? recvbuf : null, isRoot ? type.span(count) : Span.NONE)) {
                Collectives.reduce(sent.segment(), data.segment(), count, type.handle(), op.handle(type), root,
                        handle());
                data.back();
            }
        });
    }

    /**
     * Combines elements at the root, in the place of its own.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final void reduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        MPIException.run(() -> {
            boolean isRoot = isRoot(root);
            Span used = type.span(count);
            // MPICH 4.0 ends in a segmentation fault in place on a root that is not rank 0.
            try (Staged own = isRoot ? Staged.copy(buf, used) : Staged.of(buf, used);
                    Staged data = isRoot ? Staged.of(buf, used) : Staged.of(null, Span.NONE)) {
                Collectives.reduce(own.segment(), data.segment(), count, type.handle(), op.handle(type), root,
                        handle());
                data.back();
            }
        });
    }

    /**
     * Combines the elements of all processes at all.
     *
     * @param sendbuf the elements that are sent
     * @param recvbuf where elements go
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        combine(Collectives::allreduce, sendbuf, recvbuf, count, type, op);
    }

    /**
     * The same in the place of the own elements.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        combineInPlace(Collectives::allreduce, buf, count, type, op);
    }
}

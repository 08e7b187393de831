package mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Datatypes;
import java.nio.Buffer;
import java.util.Objects;

/** Collective operations in the place of elements, reductions in parts, and packing. */
abstract class CommPlaces extends CommBase {

    CommPlaces(CommHandle handle) {
        super(handle);
    }

    /** A place in packed bytes after which there is room for elements: not each MPI looks. */
    private static long place(int position, int count, Datatype type, byte[] packed) {
        type.span(count); // refuses a negative count
        long bytes = Math.multiplyExact(Datatypes.typeSize(type.handle()), count);
        return Objects.checkFromIndexSize((long) position, bytes, (long) packed.length);
    }

    /**
     * Gathers different numbers of elements at the root, whose own are in their place.
     *
     * @param recvbuf where elements go
     * @param recvcount how many come, of each process where there are several
     * @param displs where the blocks begin
     * @param recvtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final void gatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
            throws MPIException {
        MPIException.run(() -> call(null, Span.NONE, recvbuf, span(recvcount, displs, recvtype), (sent, data) ->
            Collectives.gatherv(IN_PLACE, 0, recvtype.handle(), data, recvcount, displs, recvtype.handle(), root,
                    handle())));
    }

    /**
     * Gives elements to the root: what the other processes call.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        MPIException.run(() -> call(sendbuf, sendtype.span(sendcount), null, Span.NONE, (sent, data) ->
            Collectives.gatherv(sent, sendcount, sendtype.handle(), NOTHING, (int[]) null, null, sendtype.handle(),
                    root, handle())));
    }

    /**
     * Distributes elements of the root, whose own stay in their place.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final void scatter(Object buf, int count, Datatype type, int root) throws MPIException {
        MPIException.run(() -> {
            boolean isRoot = isRoot(root);
            call(null, Span.NONE, buf, isRoot ? spanOfAll(count, type) : type.span(count), (sent, data) ->
                Collectives.scatter(isRoot ? data : NOTHING, count, type.handle(), isRoot ? IN_PLACE : data, count,
                        type.handle(), root, handle()));
        });
    }

    /**
     * Distributes different numbers of elements of the root, whose own stay in their place.
     *
     * @param sendbuf the elements that are sent
     * @param sendcount how many are sent, to each process where there are several
     * @param displs where the blocks begin
     * @param sendtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
            throws MPIException {
        MPIException.run(() -> call(sendbuf, span(sendcount, displs, sendtype), null, Span.NONE, (sent, data) ->
            Collectives.scatterv(sent, sendcount, displs, sendtype.handle(), IN_PLACE, 0, sendtype.handle(), root,
                    handle())));
    }

    /**
     * Takes elements of the root: what the other processes call.
     *
     * @param recvbuf where elements go
     * @param recvcount how many come, of each process where there are several
     * @param recvtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final void scatterv(Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        MPIException.run(() -> call(null, Span.NONE, recvbuf, recvtype.span(recvcount), (sent, data) ->
            Collectives.scatterv(NOTHING, (int[]) null, null, recvtype.handle(), data, recvcount, recvtype.handle(),
                    root, handle())));
    }

    /**
     * Gathers different numbers of elements at all processes, whose own are in their place.
     *
     * @param recvbuf where elements go
     * @param recvcount how many come, of each process where there are several
     * @param displs where the blocks begin
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final void allGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        MPIException.run(() -> call(null, Span.NONE, recvbuf, span(recvcount, displs, recvtype), (sent, data) ->
            Collectives.allgatherv(IN_PLACE, 0, recvtype.handle(), data, recvcount, displs, recvtype.handle(),
                    handle())));
    }

    /**
     * Gives each process elements of types of its own.
     *
     * @param sendBuf the elements that are sent, in a direct buffer
     * @param sendCount how many are sent to each process
     * @param sDispls the bytes where the blocks begin that are sent
     * @param sendTypes the types of the blocks that are sent
     * @param recvBuf where elements go, a direct buffer
     * @param recvCount how many come of each process
     * @param rDispls the bytes where the blocks begin that are received
     * @param recvTypes the types of the blocks that are received
     * @throws MPIException if MPI reports an error
     */
    public final void allToAllw(Buffer sendBuf, int[] sendCount, int[] sDispls, Datatype[] sendTypes, Buffer recvBuf,
            int[] recvCount, int[] rDispls, Datatype[] recvTypes) throws MPIException {
        MPIException.run(() -> Collectives.alltoallw(
            Staged.direct(sendBuf, span(sendCount, sDispls, sendTypes)), sendCount, sDispls,
                    Datatype.handles(sendTypes),
            Staged.direct(recvBuf, span(recvCount, rDispls, recvTypes)), recvCount, rDispls,
                    Datatype.handles(recvTypes), handle()));
    }

    /**
     * Combines the elements of all processes and gives each its part.
     *
     * @param sendbuf the elements that are sent
     * @param recvbuf where elements go
     * @param recvcounts how many elements each process gets
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final void reduceScatter(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op)
            throws MPIException {
        MPIException.run(() -> call(sendbuf, type.span(sum(recvcounts)), recvbuf, type.span(own(recvcounts)), (sent,
                data) ->
            Collectives.reduceScatter(sent, data, recvcounts, type.handle(), op.handle(type), handle())));
    }

    /**
     * The same in the place of the own elements: the part is at the begin of the buffer.
     *
     * @param buf the elements, an array or a buffer
     * @param counts how many elements each process gets
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final void reduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        MPIException.run(() -> {
            Span used = type.span(sum(counts));
            // MPICH ends the job in place if a part is longer than what stands before it.
            try (Staged own = Staged.copy(buf, used); Staged data = Staged.of(buf, used)) {
                Collectives.reduceScatter(own.segment(), data.segment(), counts, type.handle(), op.handle(type),
                        handle());
                data.back();
            }
        });
    }

    /**
     * Combines the elements of all processes and gives each a part of the same length.
     *
     * @param sendbuf the elements that are sent
     * @param recvbuf where elements go
     * @param recvcount how many come, of each process where there are several
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final void reduceScatterBlock(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op)
            throws MPIException {
        MPIException.run(() -> call(sendbuf, spanOfOwn(recvcount, type), recvbuf, type.span(recvcount), (sent, data) ->
            Collectives.reduceScatterBlock(sent, data, recvcount, type.handle(), op.handle(type), handle())));
    }

    /**
     * The same in the place of the own elements: the part is at the begin of the buffer.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements each process gets
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final void reduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
        MPIException.run(() -> call(null, Span.NONE, buf, spanOfOwn(count, type), (sent, data) ->
            Collectives.reduceScatterBlock(IN_PLACE, data, count, type.handle(), op.handle(type), handle())));
    }

    /**
     * Combines elements of two buffers of this process, in the place of the second.
     *
     * @param inBuf the first elements
     * @param inOutBuf the second elements, then the results
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public static void reduceLocal(Object inBuf, Object inOutBuf, int count, Datatype type, Op op) throws MPIException {
        MPIException.run(() -> call(inBuf, type.span(count), inOutBuf, type.span(count), (in, inOut) ->
            Collectives.reduceLocal(in, inOut, count, type.handle(), op.handle(type))));
    }

    /**
     * {@return the place in the packed bytes after elements that were packed there}
     *
     * @param inbuf the elements, an array or a buffer
     * @param incount how many elements
     * @param type their type
     * @param outbuf the packed bytes
     * @param position the first byte in the packed bytes
     * @throws MPIException if MPI reports an error
     */
    public final int pack(Object inbuf, int incount, Datatype type, byte[] outbuf, int position) throws MPIException {
        return MPIException.of(() -> {
            long[] place = {place(position, incount, type, outbuf)};
            call(inbuf, type.span(incount), outbuf, Span.of(outbuf.length), (in, out) ->
                Datatypes.pack(in, incount, type.handle(), out, outbuf.length, place, handle()));
            return (int) place[0];
        });
    }

    /**
     * {@return the place in the packed bytes after elements that were unpacked from there}
     *
     * @param inbuf the packed bytes
     * @param position the first byte in the packed bytes
     * @param outbuf where elements go, an array or a buffer
     * @param outcount how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public final int unpack(byte[] inbuf, int position, Object outbuf, int outcount, Datatype type)
            throws MPIException {
        return MPIException.of(() -> {
            long[] place = {place(position, outcount, type, inbuf)};
            call(inbuf, Span.of(inbuf.length), outbuf, type.span(outcount), (in, out) ->
                Datatypes.unpack(in, inbuf.length, place, out, outcount, type.handle(), handle()));
            return (int) place[0];
        });
    }

    /**
     * {@return how many bytes elements need at most when they are packed}
     *
     * @param incount how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public final int packSize(int incount, Datatype type) throws MPIException {
        return MPIException.of(() -> (int) Datatypes.packSize(incount, type.handle(), handle()));
    }
}

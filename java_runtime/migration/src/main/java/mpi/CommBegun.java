package mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.CommHandle;
import java.nio.Buffer;

/** Collective operations that go on after their call; their buffers are direct. */
abstract class CommBegun extends CommPlaces {

    CommBegun(CommHandle handle) {
        super(handle);
    }

    /**
     * {@return the operation of {@link Comm#gather}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come, of each process where there are several
     * @param recvtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Request iGather(Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int recvcount,
            Datatype recvtype, int root) throws MPIException {
        return MPIException.of(() -> {
            boolean isRoot = isRoot(root);
            return begin(sendbuf, sendtype.span(sendcount), isRoot ? recvbuf : null, isRoot ? spanOfAll(recvcount,
                    recvtype) : Span.NONE, (sent, data) ->
                Collectives.igather(sent, sendcount, sendtype.handle(), data, recvcount,
                        (isRoot ? recvtype : sendtype).handle(), root, handle()));
        });
    }

    /**
     * {@return the same operation in the place of the own elements}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Request iGather(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return MPIException.of(() -> {
            boolean isRoot = isRoot(root);
            return begin(buf, isRoot ? spanOfAll(count, type) : type.span(count), data ->
                Collectives.igather(isRoot ? IN_PLACE : data, count, type.handle(), isRoot ? data : NOTHING, count,
                        type.handle(), root, handle()));
        });
    }

    /**
     * {@return the operation of {@link Comm#gatherv}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come, of each process where there are several
     * @param displs where the blocks begin
     * @param recvtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int[] recvcount,
            int[] displs, Datatype recvtype, int root) throws MPIException {
        return MPIException.of(() -> {
            boolean isRoot = isRoot(root);
            return begin(sendbuf, sendtype.span(sendcount), isRoot ? recvbuf : null, isRoot ? span(recvcount, displs,
                    recvtype) : Span.NONE, (sent, data) ->
                Collectives.igatherv(sent, sendcount, sendtype.handle(), data, isRoot ? recvcount : null,
                        isRoot ? displs : null, (isRoot ? recvtype : sendtype).handle(), root, handle()));
        });
    }

    /**
     * {@return the same operation at the root, whose own elements are in their place}
     *
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come, of each process where there are several
     * @param displs where the blocks begin
     * @param recvtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Request iGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
            throws MPIException {
        return MPIException.of(() -> begin(recvbuf, span(recvcount, displs, recvtype), data ->
            Collectives.igatherv(IN_PLACE, 0, recvtype.handle(), data, recvcount, displs, recvtype.handle(), root,
                    handle())));
    }

    /**
     * {@return the same operation as the other processes begin it}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        return MPIException.of(() -> begin(sendbuf, sendtype.span(sendcount), data ->
            Collectives.igatherv(data, sendcount, sendtype.handle(), NOTHING, (int[]) null, null, sendtype.handle(),
                    root, handle())));
    }

    /**
     * {@return the operation of {@link Comm#scatter}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come, of each process where there are several
     * @param recvtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Request iScatter(Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int recvcount,
            Datatype recvtype, int root) throws MPIException {
        return MPIException.of(() -> {
            boolean isRoot = isRoot(root);
            return begin(isRoot ? sendbuf : null, isRoot ? spanOfAll(sendcount, sendtype) : Span.NONE, recvbuf,
                    recvtype.span(recvcount), (sent, data) ->
                Collectives.iscatter(sent, sendcount, (isRoot ? sendtype : recvtype).handle(), data, recvcount,
                        recvtype.handle(), root, handle()));
        });
    }

    /**
     * {@return the same operation, where the elements of the root stay in their place}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Request iScatter(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return MPIException.of(() -> {
            boolean isRoot = isRoot(root);
            return begin(buf, isRoot ? spanOfAll(count, type) : type.span(count), data ->
                Collectives.iscatter(isRoot ? data : NOTHING, count, type.handle(), isRoot ? IN_PLACE : data, count,
                        type.handle(), root, handle()));
        });
    }

    /**
     * {@return the operation of {@link Comm#scatterv}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent, to each process where there are several
     * @param displs where the blocks begin
     * @param sendtype their type
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come, of each process where there are several
     * @param recvtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype, Buffer recvbuf,
            int recvcount, Datatype recvtype, int root) throws MPIException {
        return MPIException.of(() -> {
            boolean isRoot = isRoot(root);
            return begin(isRoot ? sendbuf : null, isRoot ? span(sendcount, displs, sendtype) : Span.NONE, recvbuf,
                    recvtype.span(recvcount), (sent, data) ->
                Collectives.iscatterv(sent, isRoot ? sendcount : null, isRoot ? displs : null,
                        (isRoot ? sendtype : recvtype).handle(), data, recvcount, recvtype.handle(), root, handle()));
        });
    }

    /**
     * {@return the same operation at the root, whose own elements stay in their place}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent, to each process where there are several
     * @param displs where the blocks begin
     * @param sendtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
            throws MPIException {
        return MPIException.of(() -> begin(sendbuf, span(sendcount, displs, sendtype), data ->
            Collectives.iscatterv(data, sendcount, displs, sendtype.handle(), IN_PLACE, 0, sendtype.handle(), root,
                    handle())));
    }

    /**
     * {@return the same operation as the other processes begin it}
     *
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come, of each process where there are several
     * @param recvtype their type
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Request iScatterv(Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return MPIException.of(() -> begin(recvbuf, recvtype.span(recvcount), data ->
            Collectives.iscatterv(NOTHING, (int[]) null, null, recvtype.handle(), data, recvcount, recvtype.handle(),
                    root, handle())));
    }

    /**
     * {@return the operation of {@link Comm#allGather}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come, of each process where there are several
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final Request iAllGather(Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int recvcount,
            Datatype recvtype) throws MPIException {
        return MPIException.of(() -> begin(sendbuf, sendtype.span(sendcount), recvbuf, spanOfAll(recvcount, recvtype),
                (sent, data) ->
            Collectives.iallgather(sent, sendcount, sendtype.handle(), data, recvcount, recvtype.handle(), handle())));
    }

    /**
     * {@return the same operation in the place of the own elements}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public final Request iAllGather(Buffer buf, int count, Datatype type) throws MPIException {
        return MPIException.of(() -> begin(buf, spanOfAll(count, type), data ->
            Collectives.iallgather(IN_PLACE, 0, type.handle(), data, count, type.handle(), handle())));
    }

    /**
     * {@return the operation of {@link Comm#allGatherv}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come, of each process where there are several
     * @param displs where the blocks begin
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final Request iAllGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int[] recvcount,
            int[] displs, Datatype recvtype) throws MPIException {
        return MPIException.of(() -> begin(sendbuf, sendtype.span(sendcount), recvbuf, span(recvcount, displs,
                recvtype), (sent, data) ->
            Collectives.iallgatherv(sent, sendcount, sendtype.handle(), data, recvcount, displs, recvtype.handle(),
                    handle())));
    }

    /**
     * {@return the same operation in the place of the own elements}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements come of each process
     * @param displs where the blocks begin
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public final Request iAllGatherv(Buffer buf, int[] count, int[] displs, Datatype type) throws MPIException {
        return MPIException.of(() -> begin(buf, span(count, displs, type), data ->
            Collectives.iallgatherv(IN_PLACE, 0, type.handle(), data, count, displs, type.handle(), handle())));
    }

    /**
     * {@return the operation of {@link Comm#allToAll}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent, to each process where there are several
     * @param sendtype their type
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come, of each process where there are several
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final Request iAllToAll(Buffer sendbuf, int sendcount, Datatype sendtype, Buffer recvbuf, int recvcount,
            Datatype recvtype) throws MPIException {
        return MPIException.of(() -> begin(sendbuf, spanOfAll(sendcount, sendtype), recvbuf, spanOfAll(recvcount,
                recvtype), (sent, data) ->
            Collectives.ialltoall(sent, sendcount, sendtype.handle(), data, recvcount, recvtype.handle(), handle())));
    }

    /**
     * {@return the operation of {@link Comm#allToAllv}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param sendcount how many are sent, to each process where there are several
     * @param sdispls where the blocks begin that are sent
     * @param sendtype their type
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come, of each process where there are several
     * @param rdispls where the blocks begin that are received
     * @param recvtype their type
     * @throws MPIException if MPI reports an error
     */
    public final Request iAllToAllv(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype, Buffer recvbuf,
            int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return MPIException.of(() -> begin(sendbuf, span(sendcount, sdispls, sendtype), recvbuf, span(recvcount,
                rdispls, recvtype), (sent, data) ->
            Collectives.ialltoallv(sent, sendcount, sdispls, sendtype.handle(), data, recvcount, rdispls,
                    recvtype.handle(), handle())));
    }

    /**
     * {@return the operation of {@link Comm#allToAllw}, which goes on}
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
    public final Request iAllToAllw(Buffer sendBuf, int[] sendCount, int[] sDispls, Datatype[] sendTypes,
            Buffer recvBuf, int[] recvCount, int[] rDispls, Datatype[] recvTypes) throws MPIException {
        return MPIException.of(() -> begin(sendBuf, span(sendCount, sDispls, sendTypes), recvBuf, span(recvCount,
                rDispls, recvTypes), (sent, data) ->
            Collectives.ialltoallw(sent, sendCount, sDispls, Datatype.handles(sendTypes), data, recvCount, rDispls,
                    Datatype.handles(recvTypes), handle())));
    }

    /**
     * {@return the operation of {@link Comm#reduce}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param recvbuf where elements go, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Request iReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op, int root)
            throws MPIException {
        return MPIException.of(() -> {
            boolean isRoot = isRoot(root);
            return begin(sendbuf, type.span(count), isRoot ? recvbuf : null, isRoot ? type.span(count) : Span.NONE, (sent,
                    data) ->
                Collectives.ireduce(sent, data, count, type.handle(), op.handle(type), root, handle()));
        });
    }

    /**
     * {@return the same operation in the place of the own elements}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Request iReduce(Buffer buf, int count, Datatype type, Op op, int root) throws MPIException {
        return MPIException.of(() -> {
            boolean isRoot = isRoot(root);
            return begin(buf, type.span(count), data ->
                Collectives.ireduce(isRoot ? IN_PLACE : data, isRoot ? data : NOTHING, count, type.handle(),
                        op.handle(type), root, handle()));
        });
    }

    /**
     * {@return the operation of {@link Comm#allReduce}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param recvbuf where elements go, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final Request iAllReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
            throws MPIException {
        return beginCombining(Collectives::iallreduce, sendbuf, recvbuf, count, type, op);
    }

    /**
     * {@return the same operation in the place of the own elements}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final Request iAllReduce(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return beginInPlace(Collectives::iallreduce, buf, count, type, op);
    }

    /**
     * {@return the operation of {@link Comm#reduceScatter}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param recvbuf where elements go, a direct buffer
     * @param recvcounts how many elements each process gets
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final Request iReduceScatter(Buffer sendbuf, Buffer recvbuf, int[] recvcounts, Datatype type, Op op)
            throws MPIException {
        return MPIException.of(() -> begin(sendbuf, type.span(sum(recvcounts)), recvbuf, type.span(own(recvcounts)),
                (sent, data) ->
            Collectives.ireduceScatter(sent, data, recvcounts, type.handle(), op.handle(type), handle())));
    }

    /**
     * {@return the same operation in the place of the own elements}
     *
     * @param buf the elements, a direct buffer
     * @param counts how many elements each process gets
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final Request iReduceScatter(Buffer buf, int[] counts, Datatype type, Op op) throws MPIException {
        return MPIException.of(() -> begin(buf, type.span(sum(counts)), data ->
            Collectives.ireduceScatter(IN_PLACE, data, counts, type.handle(), op.handle(type), handle())));
    }

    /**
     * {@return the operation of {@link Comm#reduceScatterBlock}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param recvbuf where elements go, a direct buffer
     * @param recvcount how many come, of each process where there are several
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final Request iReduceScatterBlock(Buffer sendbuf, Buffer recvbuf, int recvcount, Datatype type, Op op)
            throws MPIException {
        return MPIException.of(() -> begin(sendbuf, spanOfOwn(recvcount, type), recvbuf, type.span(recvcount), (sent,
                data) ->
            Collectives.ireduceScatterBlock(sent, data, recvcount, type.handle(), op.handle(type), handle())));
    }

    /**
     * {@return the same operation in the place of the own elements}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements each process gets
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final Request iReduceScatterBlock(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return MPIException.of(() -> begin(buf, spanOfOwn(count, type), data ->
            Collectives.ireduceScatterBlock(IN_PLACE, data, count, type.handle(), op.handle(type), handle())));
    }
}

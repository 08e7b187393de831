package mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.OpHandle;
import dev.mpiglot.low.RequestHandle;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The handle of a communicator, and what its methods share. */
abstract class CommBase {

    static final MemorySegment IN_PLACE = MpiConstants.IN_PLACE;
    static final MemorySegment NOTHING = MemorySegment.NULL;

    private CommHandle handle;
    private Request request; // null: it was not made by iDup

    CommBase(CommHandle handle) {
        this.handle = handle;
    }

    final CommHandle handle() {
        return handle;
    }

    final void hasGone() {
        handle = CommHandle.NULL;
    }

    final Request request() {
        return request;
    }

    /** A copy of a communicator that MPI begins to make. */
    final <T extends CommBase> T beginCopy(Function<CommHandle, T> make) throws MPIException {
        return MPIException.of(() -> {
            var begun = Communicators.commIdup(handle);
            T copy = make.apply(begun.newcomm());
            ((CommBase) copy).request = new Request(begun.request());
            return copy;
        });
    }

    /** What a call makes that can only throw unchecked. */
    static <T> T unchecked(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** How many processes a collective operation exchanges elements with. */
    final int peers() {
        return Communicators.commTestInter(handle) ? Communicators.commRemoteSize(handle)
                : Communicators.commSize(handle);
    }

    final boolean isRoot(int root) {
        return Communicators.commTestInter(handle) ? root == MPI.ROOT : Communicators.commRank(handle) == root;
    }

    /** The bytes that so many elements of each process reach over. */
    final Span spanOfAll(int count, Datatype type) {
        return type.span((long) count * peers());
    }

    /** The bytes that blocks of elements reach over. */
    static Span span(int[] counts, int[] displs, Datatype type) {
        long extent = Datatypes.typeGetExtent(type.handle()).extent();
        Span all = Span.NONE;
        for (int i = 0; i < counts.length; i++) {
            Objects.checkIndex(i, displs.length);
            all = all.and(block(counts[i], Math.multiplyExact(displs[i], extent), displs[i], type));
        }
        return all;
    }

    /** The same for blocks of several types, that begin at bytes. */
    static Span span(int[] counts, int[] displs, Datatype[] types) {
        Span all = Span.NONE;
        for (int i = 0; i < counts.length; i++) {
            Objects.checkIndex(i, Math.min(displs.length, types.length));
            all = all.and(block(counts[i], displs[i], displs[i], types[i]));
        }
        return all;
    }

    private static Span block(int count, long bytes, int displ, Datatype type) {
        if (displ < 0) {
            throw new IndexOutOfBoundsException("The displacement " + displ + " is negative.");
        }
        return count == 0 ? Span.NONE : type.span(count).moved(bytes);
    }

    /** The bytes that so many elements for each process of the own group reach over. */
    final Span spanOfOwn(int count, Datatype type) {
        return type.span((long) count * Communicators.commSize(handle));
    }

    /** What of the counts of all processes is that of this one. */
    final int own(int[] counts) {
        return counts[Objects.checkIndex(Communicators.commRank(handle), counts.length)];
    }

    static int sum(int[] counts) {
        return IntStream.of(counts).reduce(0, Math::addExact);
    }

    /** What a call does with the memory of two buffers. */
    interface Both<T> {
        T with(MemorySegment sent, MemorySegment received);
    }

    /** A call that is complete when it returns. */
    interface Complete {
        void with(MemorySegment sent, MemorySegment received);
    }

    /** Calls with the elements that are sent and room for those that come, of which it uses these bytes. */
    static void call(Object sendbuf, Span sendBytes, Object recvbuf, Span recvBytes, Complete call) {
        try (Staged sent = Staged.of(sendbuf, sendBytes); Staged data = Staged.of(recvbuf, recvBytes)) {
            call.with(sent.segment(), data.segment());
            data.back();
        }
    }

    /** Begins an operation of direct buffers, of which it uses these bytes. */
    static Request begin(Buffer sendbuf, Span sendBytes, Buffer recvbuf, Span recvBytes,
            Both<RequestHandle> call) {
        MemorySegment sent = Staged.direct(sendbuf, sendBytes);
        return new Request(call.with(sent, Staged.direct(recvbuf, recvBytes)), sendbuf, recvbuf);
    }

    /** The same with one buffer. */
    static Request begin(Buffer buf, Span bytes, Function<MemorySegment, RequestHandle> call) {
        return new Request(call.apply(Staged.direct(buf, bytes)), buf);
    }

    /** A reduction whose result all processes get, each its own. */
    interface Combining {
        void combine(MemorySegment sendbuf, MemorySegment recvbuf, long count, DatatypeHandle type,
                OpHandle op, CommHandle comm);
    }

    final void combine(Combining how, Object sendbuf, Object recvbuf, int count, Datatype type, Op op)
            throws MPIException {
        MPIException.run(() -> call(sendbuf, type.span(count), recvbuf, type.span(count), (sent, data) ->
                how.combine(sent, data, count, type.handle(), op.handle(type), handle)));
    }

    final void combineInPlace(Combining how, Object buf, int count, Datatype type, Op op) throws MPIException {
        MPIException.run(() -> call(null, Span.NONE, buf, type.span(count), (sent, data) ->
                how.combine(IN_PLACE, data, count, type.handle(), op.handle(type), handle)));
    }

    /** A reduction of all processes that goes on. */
    interface BeginCombining {
        RequestHandle combine(MemorySegment sendbuf, MemorySegment recvbuf, long count,
                DatatypeHandle type, OpHandle op, CommHandle comm);
    }

    final Request beginCombining(BeginCombining how, Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
            throws MPIException {
        return MPIException.of(() -> begin(sendbuf, type.span(count), recvbuf, type.span(count), (sent, data) ->
                how.combine(sent, data, count, type.handle(), op.handle(type), handle)));
    }

    final Request beginInPlace(BeginCombining how, Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return MPIException.of(() -> begin(buf, type.span(count), data ->
                how.combine(IN_PLACE, data, count, type.handle(), op.handle(type), handle)));
    }
}

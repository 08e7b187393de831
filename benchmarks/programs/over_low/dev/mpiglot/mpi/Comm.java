package dev.mpiglot.mpi;

import static dev.mpiglot.low.CommHandle.WORLD;
import static dev.mpiglot.low.MpiConstants.IN_PLACE;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.PointToPoint;
import java.lang.foreign.MemorySegment;

/** All processes. Each call copies arrays to memory that MPI reads, and from memory that it has written. */
public final class Comm {

    public static final int PROC_NULL = MpiConstants.PROC_NULL;

    Comm() {
    }

    public int rank() {
        return Communicators.commRank(WORLD);
    }

    public int size() {
        return Communicators.commSize(WORLD);
    }

    public void barrier() {
        Collectives.barrier(WORLD);
    }

    public void send(int[] sent, int dest, int tag) {
        MemorySegment block = Blocks.takeWith(MpiBuffer.of(sent));
        PointToPoint.send(block, sent.length, Datatype.INT.low(), dest, tag, WORLD);
        Blocks.give(block);
    }

    public void recv(int[] received, int source, int tag) {
        recv(MpiBuffer.of(received), source, tag);
    }

    public void recv(double[] received, int source, int tag) {
        recv(MpiBuffer.of(received), source, tag);
    }

    private void recv(MpiBuffer<?> received, int source, int tag) {
        MemorySegment block = Blocks.take(received);
        PointToPoint.recv(block, received.count(), received.type().low(), source, tag, WORLD, null);
        Blocks.giveInto(received, block);
    }

    public Request isend(double[] sent, int dest, int tag) {
        return isend(MpiBuffer.of(sent), dest, tag);
    }

    public Request isend(MpiBuffer<?> sent, int dest, int tag) {
        MemorySegment block = Blocks.takeWith(sent);
        return new Request(PointToPoint.isend(block, sent.count(), sent.type().low(), dest, tag, WORLD), block, null);
    }

    public Request irecv(MpiBuffer<?> received, int source, int tag) {
        MemorySegment block = Blocks.take(received);
        return new Request(PointToPoint.irecv(block, received.count(), received.type().low(), source, tag, WORLD),
                block, source == PROC_NULL ? null : received);
    }

    public void allreduce(long[] data, Op op) {
        allreduce(MpiBuffer.of(data), op);
    }

    public void allreduce(double[] data, Op op) {
        allreduce(MpiBuffer.of(data), op);
    }

    private void allreduce(MpiBuffer<?> data, Op op) {
        MemorySegment block = Blocks.takeWith(data);
        Collectives.allreduce(IN_PLACE, block, data.count(), data.type().low(), op.low(), WORLD);
        Blocks.giveInto(data, block);
    }

    public <A> void allreduce(MpiBuffer<A> sent, MpiBuffer<A> received, Op op) {
        MemorySegment from = Blocks.takeWith(sent);
        MemorySegment to = Blocks.take(received);
        Collectives.allreduce(from, to, sent.count(), sent.type().low(), op.low(), WORLD);
        Blocks.give(from);
        Blocks.giveInto(received, to);
    }

    public <A> void allgatherv(MpiBuffer<A> sent, MpiBuffer<A> received, int[] counts) {
        MemorySegment from = Blocks.takeWith(sent);
        MemorySegment to = Blocks.take(received);
        Collectives.allgatherv(from, sent.count(), sent.type().low(), to, counts, MpiBuffer.starts(counts),
                received.type().low(), WORLD);
        Blocks.give(from);
        Blocks.giveInto(received, to);
    }

    public <A> void alltoall(MpiBuffer<A> sent, MpiBuffer<A> received) {
        MemorySegment from = Blocks.takeWith(sent);
        MemorySegment to = Blocks.take(received);
        int part = sent.count() / size();
        Collectives.alltoall(from, part, sent.type().low(), to, part, received.type().low(), WORLD);
        Blocks.give(from);
        Blocks.giveInto(received, to);
    }

    public <A> void alltoallv(MpiBuffer<A> sent, int[] sentCounts, MpiBuffer<A> received, int[] receivedCounts) {
        MemorySegment from = Blocks.takeWith(sent);
        MemorySegment to = Blocks.take(received);
        Collectives.alltoallv(from, sentCounts, MpiBuffer.starts(sentCounts), sent.type().low(), to, receivedCounts,
                MpiBuffer.starts(receivedCounts), received.type().low(), WORLD);
        Blocks.give(from);
        Blocks.giveInto(received, to);
    }
}

package dev.mpiglot.mpi;

import static mpi.MPI.COMM_WORLD;

import java.lang.foreign.MemorySegment;
import mpi.MPI;

/**
 * All processes. Calls that block take arrays; the others take direct buffers only, to and from which arrays are
 * copied. So do those whose parts have different lengths: for arrays, Open MPI's {@code getCountv} multiplies where it
 * should add, and the call may write beyond its memory.
 */
public final class Comm {

    public static final int PROC_NULL = MPI.PROC_NULL;

    Comm() {
    }

    public int rank() {
        return Calls.ask(COMM_WORLD::getRank);
    }

    public int size() {
        return Calls.ask(COMM_WORLD::getSize);
    }

    public void barrier() {
        Calls.run(COMM_WORLD::barrier);
    }

    public void send(int[] sent, int dest, int tag) {
        Calls.run(() -> COMM_WORLD.send(sent, sent.length, MPI.INT, dest, tag));
    }

    public void recv(int[] received, int source, int tag) {
        Calls.run(() -> COMM_WORLD.recv(received, received.length, MPI.INT, source, tag));
    }

    public void recv(double[] received, int source, int tag) {
        Calls.run(() -> COMM_WORLD.recv(received, received.length, MPI.DOUBLE, source, tag));
    }

    public Request isend(double[] sent, int dest, int tag) {
        return isend(MpiBuffer.of(sent), dest, tag);
    }

    public Request isend(MpiBuffer<?> sent, int dest, int tag) {
        MemorySegment block = Blocks.takeWith(sent);
        return new Request(Calls.ask(() -> COMM_WORLD.iSend(block.asByteBuffer(), sent.count(), sent.type().open(),
                dest, tag)), block, null);
    }

    public Request irecv(MpiBuffer<?> received, int source, int tag) {
        MemorySegment block = Blocks.take(received);
        return new Request(Calls.ask(() -> COMM_WORLD.iRecv(block.asByteBuffer(), received.count(),
                received.type().open(), source, tag)), block, source == PROC_NULL ? null : received);
    }

    public void allreduce(long[] data, Op op) {
        allreduce(MpiBuffer.of(data), op);
    }

    public void allreduce(double[] data, Op op) {
        allreduce(MpiBuffer.of(data), op);
    }

    private void allreduce(MpiBuffer<?> data, Op op) {
        Calls.run(() -> COMM_WORLD.allReduce(data.array(), data.count(), data.type().open(), op.open()));
    }

    public <A> void allreduce(MpiBuffer<A> sent, MpiBuffer<A> received, Op op) {
        Calls.run(() -> COMM_WORLD.allReduce(sent.array(), received.array(), sent.count(), sent.type().open(),
                op.open()));
    }

    public <A> void allgatherv(MpiBuffer<A> sent, MpiBuffer<A> received, int[] counts) {
        MemorySegment to = Blocks.take(received);
        Calls.run(() -> COMM_WORLD.allGatherv(sent.array(), sent.count(), sent.type().open(), to.asByteBuffer(), counts,
                MpiBuffer.starts(counts), received.type().open()));
        Blocks.giveInto(received, to);
    }

    public <A> void alltoall(MpiBuffer<A> sent, MpiBuffer<A> received) {
        int part = sent.count() / size();
        Calls.run(() -> COMM_WORLD.allToAll(sent.array(), part, sent.type().open(), received.array(), part,
                received.type().open()));
    }

    public <A> void alltoallv(MpiBuffer<A> sent, int[] sentCounts, MpiBuffer<A> received, int[] receivedCounts) {
        MemorySegment from = Blocks.takeWith(sent);
        MemorySegment to = Blocks.take(received);
        Calls.run(() -> COMM_WORLD.allToAllv(from.asByteBuffer(), sentCounts, MpiBuffer.starts(sentCounts),
                sent.type().open(), to.asByteBuffer(), receivedCounts, MpiBuffer.starts(receivedCounts),
                received.type().open()));
        Blocks.give(from);
        Blocks.giveInto(received, to);
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Mpi;
import dev.mpiglot.low.Output;
import dev.mpiglot.low.PointToPoint;
import java.lang.foreign.Arena;

/** A group of processes that can send each other messages. Ranks count from 0. */
public final class Comm implements Messages, CollectiveOperations, AutoCloseable {

    /** A message from anybody. */
    public static final int ANY_SOURCE = Mpi.ANY_SOURCE;
    /** A message with any tag. */
    public static final int ANY_TAG = Mpi.ANY_TAG;
    /** Nobody: messages to and from it are complete at once. */
    public static final int PROC_NULL = Mpi.PROC_NULL;

    private final dev.mpiglot.low.Comm handle;

    /**
     * A communicator from the layer below, which stays responsible for freeing it unless this one is closed.
     *
     * @param handle its handle
     */
    public Comm(dev.mpiglot.low.Comm handle) {
        this.handle = handle;
    }

    /** {@return this process's number in the group} */
    public int rank() {
        return Communicators.commRank(handle);
    }

    /** {@return the number of processes in the group} */
    public int size() {
        return Communicators.commSize(handle);
    }

    /** {@return a communicator of the same group whose messages never meet this one's; collective} */
    public Comm dup() {
        return new Comm(Communicators.commDup(handle));
    }

    /**
     * Divides the group; collective.
     *
     * @param color processes with the same color get together
     * @param key orders them
     * @return the communicator of those with this color
     */
    public Comm split(int color, int key) {
        return new Comm(Communicators.commSplit(handle, color, key));
    }

    /** Waits until all processes of the group are here. */
    public void barrier() {
        Collectives.barrier(handle);
    }

    /**
     * Ends all processes of the job, as far as that is possible, once the launcher has read what this one wrote.
     *
     * @param code what the launcher returns
     */
    public void abort(int code) {
        Output.arrive();
        Environment.abort(handle, code);
    }

    @Override
    public void send(Buffer data, int dest, int tag) {
        try (Arena arena = Arena.ofConfined()) {
            PointToPoint.send(data.lend(arena).segment(), data.count(), data.type().handle(), dest, tag, handle);
        }
    }

    @Override
    public Status recv(Buffer data, int source, int tag) {
        try (Arena arena = Arena.ofConfined()) {
            Buffer.Loan loan = data.lend(arena);
            dev.mpiglot.low.Status status = new dev.mpiglot.low.Status();
            try {
                PointToPoint.recv(loan.segment(), data.count(), data.type().handle(), source, tag, handle, status);
            } finally {
                loan.giveBack();
            }
            return Status.of(status);
        }
    }

    @Override
    public Request isend(Buffer data, int dest, int tag) {
        Buffer.Loan loan = data.lend(Request.arena());
        return new Request(PointToPoint.isend(loan.segment(), data.count(), data.type().handle(), dest, tag, handle),
                null);
    }

    @Override
    public Request irecv(Buffer data, int source, int tag) {
        Buffer.Loan loan = data.lend(Request.arena());
        return new Request(PointToPoint.irecv(loan.segment(), data.count(), data.type().handle(), source, tag, handle),
                loan);
    }

    /**
     * Sends one message and receives another; no order of processes can make it wait forever.
     *
     * @param sent what to send
     * @param dest the rank to send to
     * @param received where the other message goes
     * @param source the rank to receive from, or {@link #ANY_SOURCE}
     * @param tag the tag of both
     * @return what is known of the message received
     */
    public Status sendrecv(Buffer sent, int dest, Buffer received, int source, int tag) {
        try (Arena arena = Arena.ofConfined()) {
            Buffer.Loan loan = received.lend(arena);
            dev.mpiglot.low.Status status = new dev.mpiglot.low.Status();
            try {
                PointToPoint.sendrecv(sent.lend(arena).segment(), sent.count(), sent.type().handle(), dest, tag,
                        loan.segment(), received.count(), received.type().handle(), source, tag, handle, status);
            } finally {
                loan.giveBack();
            }
            return Status.of(status);
        }
    }

    @Override
    public void bcast(Buffer data, int root) {
        try (Arena arena = Arena.ofConfined()) {
            Buffer.Loan loan = data.lend(arena);
            Collectives.bcast(loan.segment(), data.count(), data.type().handle(), root, handle);
            loan.giveBack();
        }
    }

    @Override
    public void reduce(Buffer data, Op op, int root) {
        try (Arena arena = Arena.ofConfined()) {
            Buffer.Loan loan = data.lend(arena);
            boolean here = rank() == root;
            Collectives.reduce(here ? Mpi.IN_PLACE : loan.segment(), here ? loan.segment() : null, data.count(),
                    data.type().handle(), op.handle(), root, handle);
            loan.giveBack();
        }
    }

    @Override
    public void allreduce(Buffer data, Op op) {
        try (Arena arena = Arena.ofConfined()) {
            Buffer.Loan loan = data.lend(arena);
            Collectives.allreduce(Mpi.IN_PLACE, loan.segment(), data.count(), data.type().handle(), op.handle(),
                    handle);
            loan.giveBack();
        }
    }

    @Override
    public Request iallreduce(Buffer data, Op op) {
        Buffer.Loan loan = data.lend(Request.arena());
        return new Request(Collectives.iallreduce(Mpi.IN_PLACE, loan.segment(), data.count(), data.type().handle(),
                op.handle(), handle), loan);
    }

    @Override
    public void gather(Buffer sent, Buffer received, int root) {
        try (Arena arena = Arena.ofConfined()) {
            Buffer.Loan loan = received == null ? null : received.lend(arena);
            Collectives.gather(sent.lend(arena).segment(), sent.count(), sent.type().handle(),
                    loan == null ? null : loan.segment(), loan == null ? 0 : received.count() / size(),
                    loan == null ? sent.type().handle() : received.type().handle(), root, handle);
            if (loan != null) {
                loan.giveBack();
            }
        }
    }

    @Override
    public void allgather(Buffer sent, Buffer received) {
        try (Arena arena = Arena.ofConfined()) {
            Buffer.Loan loan = received.lend(arena);
            Collectives.allgather(sent.lend(arena).segment(), sent.count(), sent.type().handle(), loan.segment(),
                    received.count() / size(), received.type().handle(), handle);
            loan.giveBack();
        }
    }

    @Override
    public void scatter(Buffer sent, Buffer received, int root) {
        try (Arena arena = Arena.ofConfined()) {
            Buffer.Loan loan = received.lend(arena);
            Collectives.scatter(sent == null ? null : sent.lend(arena).segment(),
                    sent == null ? 0 : sent.count() / size(),
                    sent == null ? received.type().handle() : sent.type().handle(), loan.segment(), received.count(),
                    received.type().handle(), root, handle);
            loan.giveBack();
        }
    }

    @Override
    public void alltoall(Buffer sent, Buffer received) {
        try (Arena arena = Arena.ofConfined()) {
            Buffer.Loan loan = received.lend(arena);
            Collectives.alltoall(sent.lend(arena).segment(), sent.count() / size(), sent.type().handle(),
                    loan.segment(), received.count() / size(), received.type().handle(), handle);
            loan.giveBack();
        }
    }

    /** {@return the handle for {@link dev.mpiglot.low}} */
    public dev.mpiglot.low.Comm handle() {
        return handle;
    }

    /** Frees the communicator; collective. The two that MPI provides stay. */
    @Override
    public void close() {
        if (!handle.equals(dev.mpiglot.low.Comm.WORLD) && !handle.equals(dev.mpiglot.low.Comm.SELF)) {
            Communicators.commFree(handle);
        }
    }
}

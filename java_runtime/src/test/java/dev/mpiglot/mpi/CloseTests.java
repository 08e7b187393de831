package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.mpi.Element.Ints;
import java.util.ArrayList;
import java.util.List;

/** Objects know that they are closed, and closing them again does nothing. */
public final class CloseTests {

    private CloseTests() {
    }

    private static void refused(Check.Statement statement) {
        IllegalStateException e = Check.fails(IllegalStateException.class, statement);
        Check.isTrue(e.getMessage().contains("closed"), e.getMessage());
    }

    public static void aClosedCommunicatorIsRefused(Comm world) {
        Comm comm = world.dup();
        comm.close();
        comm.close();
        int[] one = new int[1];
        refused(comm::barrier);
        refused(comm::rank);
        refused(comm::size);
        refused(comm::dup);
        refused(comm::handle);
        refused(() -> comm.split(0, 0));
        refused(() -> comm.abort(1));
        refused(() -> comm.send(one, 0, 0));
        refused(() -> comm.recv(one, 0, 0));
        refused(() -> comm.isend(one, 0, 0));
        refused(() -> comm.irecv(one, 0, 0));
        refused(() -> comm.sendrecv(one, 0, one, 0, 0));
        refused(() -> comm.bcast(one, 0));
        refused(() -> comm.reduce(one, Op.SUM, 0));
        refused(() -> comm.allreduce(one, Op.SUM));
        refused(() -> comm.iallreduce(one, Op.SUM));
        refused(() -> comm.gather(one, one, 0));
        refused(() -> comm.allgather(one, one));
        refused(() -> comm.scatter(one, one, 0));
        refused(() -> comm.alltoall(one, one));
        world.barrier();
    }

    public static void whatMpiProvidesStaysOpen(Comm world) {
        world.close();
        Datatype.INT.close();
        Op.SUM.close();
        int[] sum = {1};
        world.allreduce(sum, Op.SUM);
        Check.equal(sum[0], world.size());
    }

    public static void aCommunicatorIsFreedByOneObjectOnly(Comm world) {
        Comm owner = world.dup();
        Comm other = new Comm(owner.handle());
        Check.equal(other.size(), world.size());
        other.close();
        refused(other::rank);
        Check.equal(owner.rank(), world.rank());
        Comm third = new Comm(owner.handle());
        Check.fails(IllegalStateException.class, () -> Comm.adopt(owner.handle()));
        owner.close();
        refused(third::barrier);
        third.close();
        CommHandle low = Communicators.commDup(world.handle());
        new Comm(low).close();
        Comm adopted = Comm.adopt(low);
        Check.fails(IllegalStateException.class, () -> Comm.adopt(low));
        adopted.barrier();
        adopted.close();
        refused(adopted::barrier);
    }

    public static void aProcessOutsideOfAllGroupsHasNoCommunicator(Comm world) {
        Comm none = world.split(MpiConstants.UNDEFINED, 0);
        Check.fails(IllegalStateException.class, none::barrier);
        none.close();
        none.close();
    }

    public static void intercommunicatorsLeaveCollectivesToTheLayerBelow(Comm world) {
        if (world.size() < 2) {
            return;
        }
        try (Comm half = world.split(world.rank() % 2, 0);
                Comm inter = Comm.adopt(Communicators.intercommCreate(half.handle(), 0, world.handle(), 1 - world.rank() % 2, 3))) {
            Check.fails(UnsupportedOperationException.class, () -> inter.allgather(new int[1], new int[world.size()]));
            Check.fails(UnsupportedOperationException.class, () -> inter.bcast(new int[1], 0));
        }
    }

    public static void aClosedDatatypeIsRefused(Comm world) {
        Datatype<Ints> type = Datatype.vector(2, 1, 2, Datatype.INT);
        MpiBuffer<Ints> onHeap = MpiBuffer.of(new int[3]).as(type, 1);
        MpiBuffer<Ints> outside = MpiBuffer.allocate(Datatype.INT, 3).as(type, 1);
        type.close();
        type.close();
        refused(type::handle);
        refused(() -> type.resized(64));
        refused(() -> Datatype.contiguous(2, type));
        refused(() -> Datatype.vector(1, 1, 1, type));
        for (MpiBuffer<Ints> buffer : List.of(onHeap, outside)) {
            refused(() -> world.send(buffer, world.rank(), 0));
            refused(() -> world.irecv(buffer, world.rank(), 0));
            refused(() -> world.sendrecv(MpiBuffer.of(new int[2]), world.rank(), buffer, world.rank(), 0));
            refused(() -> world.allreduce(buffer, Op.SUM));
            refused(() -> world.alltoall(MpiBuffer.of(new int[2]), buffer), world.size() == 1 || world.size() == 2);
        }
        world.barrier();
    }

    private static void refused(Check.Statement statement, boolean wanted) {
        if (wanted) {
            Check.fails(RuntimeException.class, statement);
        }
    }

    public static void aTypeMayBeClosedBeforeItsMessagesAreComplete(Comm world) {
        int[] got = new int[3];
        Datatype<Ints> type = Datatype.vector(2, 1, 2, Datatype.INT);
        MpiBuffer<Ints> outside = MpiBuffer.allocate(Datatype.INT, 3);
        Request[] requests = {world.irecv(MpiBuffer.of(got).as(type, 1), world.rank(), 1),
            world.irecv(outside.as(type, 1), world.rank(), 2)};
        type.close();
        world.isend(new int[] {4, 5}, world.rank(), 1).await();
        world.isend(new int[] {6, 7}, world.rank(), 2).await();
        Request.awaitAll(requests);
        Check.equal(got, new int[] {4, 0, 5});
        Check.equal(outside.getInt(2), 7);
    }

    public static void aClosedOperationIsRefused(Comm world) {
        Op<Ints> op = Op.ofInts(true, Integer::sum);
        op.close();
        op.close();
        refused(op::handle);
        refused(() -> world.allreduce(new int[1], op));
        refused(() -> world.iallreduce(new int[1], op));
        refused(() -> world.reduce(new int[1], op, 0));
    }

    public static void anOperationMayBeClosedBeforeItsReductionsAreComplete(Comm world) {
        int[] value = {world.rank() + 1};
        Op<Ints> op = Op.ofInts(true, Integer::sum);
        Request request = world.iallreduce(value, op);
        op.close();
        request.await();
        Check.equal(value[0], world.size() * (world.size() + 1) / 2);
    }

    public static void aCompleteRequestMayBeClosedAgain(Comm world) {
        int[] got = new int[1];
        Request request = world.irecv(got, world.rank(), 1);
        world.isend(new int[] {3}, world.rank(), 1).close();
        request.await();
        request.close();
        request.close();
        Status status = request.await();
        Check.equal(status.source(), world.rank());
        Check.equal(got[0], 3);
    }

    public static void whatACallUsesIsNotClosed(Comm world) {
        try (Comm comm = world.dup()) {
            List<String> told = new ArrayList<>();
            List<AutoCloseable> used = new ArrayList<>(List.of(comm));
            Op<Ints> op = Op.ofInts(true, (a, b) -> {
                for (AutoCloseable one : used) {
                    told.add(Check.fails(IllegalStateException.class, one::close).getMessage());
                }
                return a + b;
            });
            used.add(op);
            int[] sum = {1};
            comm.allreduce(sum, op);
            comm.allreduce(sum, op);
            Check.equal(sum[0], world.size() * world.size());
            Check.isTrue(told.stream().allMatch(sentence -> sentence.contains("close it afterwards")), told.toString());
            world.allreduce(sum, Op.SUM);
            op.close();
            refused(op::handle);
        }
    }
}

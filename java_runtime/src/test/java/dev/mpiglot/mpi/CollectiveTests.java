package dev.mpiglot.mpi;

import dev.mpiglot.mpi.Element.Doubles;
import dev.mpiglot.mpi.Element.Ints;
import dev.mpiglot.mpi.Element.Longs;
import java.lang.foreign.Arena;
import java.util.Arrays;

/** Operations of all processes. */
public final class CollectiveTests {

    private CollectiveTests() {
    }

    public static void valuesOfOneProcessAreCombined(Comm world) {
        int[] second = {1, 2, 3};
        Op.SUM.reduceLocal(MpiBuffer.of(new int[] {10, 20, 30}), MpiBuffer.of(second));
        Check.equal(second, new int[] {11, 22, 33});
        Op.SUM.reduceLocal(MpiBuffer.of(second), MpiBuffer.of(second));
        Check.equal(second, new int[] {22, 44, 66});
        MpiBuffer<Element.Ints> outside = MpiBuffer.allocate(Datatype.INT, 2);
        outside.setInt(1, 5);
        Op<Element.Ints> minus = Op.ofInts(false, (a, b) -> a - b);
        minus.reduceLocal(MpiBuffer.of(new int[] {7, 7}), outside);
        Check.equal(outside.getInt(0), 7);
        Check.equal(outside.getInt(1), 2);
        int[] gaps = {1, 9, 2, 9};
        try (Datatype<Element.Ints> every = Datatype.vector(2, 1, 2, Datatype.INT)) {
            Op.PROD.reduceLocal(MpiBuffer.of(new int[] {3, 4}), MpiBuffer.of(gaps).as(every, 1));
            Check.equal(gaps, new int[] {3, 9, 8, 9});
        }
        Check.isTrue(Op.SUM.isCommutative() && !minus.isCommutative(), "commutative");
        minus.close();
        Check.fails(IllegalStateException.class, minus::isCommutative);
        Check.fails(IllegalStateException.class, () -> minus.reduceLocal(outside, MpiBuffer.of(new int[2])));
        Check.fails(IllegalArgumentException.class, () -> Op.SUM.reduceLocal(outside, MpiBuffer.of(new int[3])));
        Check.fails(IllegalArgumentException.class, () -> Op.SUM.reduceLocal(null, outside));
        Check.fails(IllegalArgumentException.class, () -> Op.SUM.reduceLocal(outside, MpiBuffer.inPlace()));
    }

    public static void bcastGivesAllTheSame(Comm world) {
        int root = world.size() - 1;
        int[] data = world.rank() == root ? new int[] {4, 5} : new int[2];
        world.bcast(data, root);
        Check.equal(data, new int[] {4, 5});
    }

    public static void reduceGivesTheResultToTheRootOnly(Comm world) {
        double[] data = {world.rank() + 1, 2};
        world.reduce(data, Op.PROD, 0);
        double factorial = 1;
        for (int i = 2; i <= world.size(); i++) {
            factorial *= i;
        }
        if (world.rank() == 0) {
            Check.equal(data, new double[] {factorial, Math.pow(2, world.size())});
        } else {
            Check.equal(data, new double[] {world.rank() + 1, 2});
        }
    }

    public static void reduceWorksAtFirstAndLastRootForShortAndLongBuffers(Comm world) {
        int ranks = world.size();
        for (int root : new int[] {0, ranks - 1}) {
            for (int n : new int[] {1, 100_000}) {
                for (int round = 0; round < 3; round++) {
                    int[] values = new int[n];
                    Arrays.setAll(values, i -> i + world.rank());
                    MpiBuffer<Ints> outside = MpiBuffer.allocate(Datatype.INT, n);
                    outside.setInt(n - 1, values[n - 1]);
                    int[] expected = values.clone();
                    if (world.rank() == root) {
                        Arrays.setAll(expected, i -> i * ranks + ranks * (ranks - 1) / 2);
                    }
                    world.reduce(values, Op.SUM, root);
                    world.reduce(outside, Op.SUM, root);
                    Check.equal(values, expected);
                    Check.equal(outside.getInt(n - 1), expected[n - 1]);
                }
            }
        }
    }

    public static void predefinedOperationsMeanWhatTheySay(Comm world) {
        int last = world.size() - 1;
        int[] values = {world.rank()};
        world.allreduce(values, Op.MAX);
        Check.equal(values[0], last);
        values[0] = world.rank();
        world.allreduce(values, Op.MIN);
        Check.equal(values[0], 0);
        values[0] = 1 << world.rank();
        world.allreduce(values, Op.BOR);
        Check.equal(values[0], (1 << world.size()) - 1);
    }

    public static void memoryOutsideTheHeapIsReducedWhereItLies(Comm world) {
        Comm other = world.dup();
        for (Kind kind : Kind.NUMBERS) {
            for (int first = 0; first < 2; first++) {
                reduceWhereItLies(world, kind, first);
                reduceWhereItLies(other, kind, first);
            }
        }
        other.close();
        Check.fails(ClosedException.class, () -> other.allreduce(MpiBuffer.allocate(Datatype.INT, 1), Op.SUM));
    }

    /** Some values, the first few of which stay as they are. */
    @SuppressWarnings("unchecked")
    private static void reduceWhereItLies(Comm comm, Kind kind, int first) {
        int size = comm.size();
        int[] mine = {comm.rank() + 1, 5, -comm.rank(), 2};
        int[] sums = {size * (size + 1) / 2, 5 * size, -size * (size - 1) / 2, 2 * size};
        Datatype<Element.Numeric> type = (Datatype<Element.Numeric>) (Datatype<?>) Datatype.of(kind);
        MpiBuffer<Element.Numeric> all = MpiBuffer.allocate(type, mine.length);
        all.memory().copyFrom(Primitives.segment(Primitives.of(kind, mine)));
        comm.allreduce(all.as(type, mine.length - first, first), Op.SUM);
        System.arraycopy(mine, 0, sums, 0, first);
        Object found = Primitives.of(kind, mine);
        Primitives.segment(found).copyFrom(all.memory());
        Check.equal(found, Primitives.of(kind, sums));
    }

    public static void whatCannotBeReducedIsRefusedOutsideTheHeap(Comm world) {
        MpiBuffer<Element.Doubles> values = MpiBuffer.allocate(Datatype.DOUBLE, 2);
        @SuppressWarnings({"rawtypes", "unchecked"})
        Op<Element.Doubles> bits = (Op) Op.BAND;
        Check.fails(IllegalArgumentException.class, () -> world.allreduce(values, bits));
        Check.fails(IllegalArgumentException.class, () -> world.allreduce(values, (Op<Element.Doubles>) null));
        Check.fails(IllegalArgumentException.class, () -> world.allreduce((MpiBuffer<Element.Doubles>) null, Op.SUM));
        Op<Element.Doubles> closed = Op.ofDoubles(true, Double::sum);
        closed.close();
        Check.fails(IllegalStateException.class, () -> world.allreduce(values, closed));
        Datatype<Element.Doubles> pair = Datatype.contiguous(2, Datatype.DOUBLE);
        MpiBuffer<Element.Doubles> pairs = MpiBuffer.allocate(pair, 1);
        world.allreduce(pairs, Op.SUM);
        pair.close();
        Check.fails(IllegalStateException.class, () -> world.allreduce(pairs, Op.SUM));
        Arena arena = Arena.ofShared();
        MpiBuffer<Element.Doubles> ended = MpiBuffer.over(arena.allocate(8, 8), Datatype.DOUBLE, 1);
        ended.setDouble(0, 1);
        world.allreduce(ended, Op.SUM);
        Check.equal(ended.getDouble(0), (double) world.size());
        arena.close();
        Check.fails(ClosedException.class, () -> world.allreduce(ended, Op.SUM));
    }

    public static void gatherCollectsInRankOrder(Comm world) {
        int root = world.size() / 2;
        int[] all = world.rank() == root ? new int[2 * world.size()] : null;
        world.gather(new int[] {world.rank(), -world.rank()}, all, root);
        if (all != null) {
            int[] expected = new int[2 * world.size()];
            Arrays.setAll(expected, i -> i % 2 == 0 ? i / 2 : -(i / 2));
            Check.equal(all, expected);
        }
    }

    public static void scatterGivesEachItsPart(Comm world) {
        long[] all = null;
        if (world.rank() == 0) {
            all = new long[world.size()];
            Arrays.setAll(all, i -> 10L * i);
        }
        long[] part = new long[1];
        world.scatter(all, part, 0);
        Check.equal(part[0], 10L * world.rank());
    }

    public static void allgatherAndAlltoallTranspose(Comm world) {
        int[] all = new int[world.size()];
        world.allgather(new int[] {world.rank() + 7}, all);
        int[] sent = new int[world.size()];
        Arrays.setAll(sent, i -> 100 * world.rank() + i);
        int[] got = new int[world.size()];
        world.alltoall(sent, got);
        for (int i = 0; i < world.size(); i++) {
            Check.equal(all[i], i + 7);
            Check.equal(got[i], 100 * i + world.rank());
        }
    }

    public static void splitMakesSmallerWorlds(Comm world) {
        try (Comm half = world.split(world.rank() % 2, -world.rank())) {
            int members = (world.size() + 1 - world.rank() % 2) / 2;
            Check.equal(half.size(), members);
            Check.equal(half.rank(), members - 1 - world.rank() / 2);
        }
    }

    public static void dupKeepsMessagesApart(Comm world) {
        try (Comm other = world.dup()) {
            Request one = world.isend(new int[] {1}, world.rank(), 0);
            Request two = other.isend(new int[] {2}, world.rank(), 0);
            int[] got = new int[1];
            other.recv(got, world.rank(), 0);
            Check.equal(got[0], 2);
            world.recv(got, world.rank(), 0);
            Check.equal(got[0], 1);
            Request.awaitAll(one, two);
        }
    }

    public static void nonblockingReductionFillsTheArrayOnCompletion(Comm world) {
        int[] values = {1, world.rank()};
        Request request = world.iallreduce(values, Op.SUM);
        request.await();
        Check.equal(values, new int[] {world.size(), world.size() * (world.size() - 1) / 2});
    }

    public static void anOwnOperationMayDependOnTheOrder(Comm world) {
        try (Op<Longs> first = Op.ofLongs(false, (left, right) -> left); Op<Longs> last = Op.ofLongs(false, (left, right) -> right)) {
            long[] value = {world.rank() + 1};
            world.allreduce(value, first);
            Check.equal(value[0], 1L);
            value[0] = world.rank() + 1;
            world.allreduce(value, last);
            Check.equal(value[0], (long) world.size());
        }
    }

    public static void ownOperationsWorkOnDoubles(Comm world) {
        try (Op<Doubles> hypot = Op.ofDoubles(true, Math::hypot)) {
            double[] values = {1, 2};
            world.allreduce(values, hypot);
            Check.isTrue(Math.abs(values[0] - Math.sqrt(world.size())) < 1e-12, "hypot: " + values[0]);
        }
    }
}

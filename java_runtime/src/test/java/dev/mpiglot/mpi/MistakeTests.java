package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.ErrorClass;
import dev.mpiglot.mpi.Element.Ints;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * What the last rank alone does wrong in a collective operation: it takes part and is told afterwards, and the others are
 * told nothing. Short and long messages, which libraries send in different ways.
 */
@SuppressWarnings({"unchecked", "rawtypes"})
public final class MistakeTests {

    private static final int[] LENGTHS = {2, 1 << 16};

    private MistakeTests() {
    }

    /** What random calls have found: other exceptions came. */
    public static void mistakesInsideOfListsAndSizesAreTold(Comm world) {
        List<DistGraph.Neighbor> none = List.of();
        List<DistGraph.Neighbor> hole = Collections.singletonList(null);
        List<DistGraph.Edge> noEdge = Collections.singletonList(null);
        tells("an element of sources\" is null", () -> world.createDistGraphAdjacent(hole, none, null, false));
        tells("an element of destinations\" is null", () -> world.createDistGraphAdjacent(none, hole, null, false));
        tells("an element of edges\" is null", () -> world.createDistGraph(noEdge, null, false));
        tells("too many bytes", () -> world.allocateWindow(Datatype.INT, Long.MAX_VALUE, null));
        tells("too many bytes", () -> world.allocateSharedWindow(Datatype.INT, 1L << 61, null));
        @SuppressWarnings({"unchecked", "rawtypes"})
        Check.Statement noRecord = () -> RecordArray.of((Class) Object.class, 1);
        tells("java.lang.Object is no record with components.", noRecord);
    }

    private static void tells(String sentence, Check.Statement mistake) {
        String said = Check.fails(IllegalArgumentException.class, mistake).getMessage();
        Check.isTrue(said.contains(sentence), said);
    }

    /** The calls of a test, in which one rank gives something wrong. */
    interface Calls {
        void make(boolean wrong, int last, int n, int all);
    }

    static void onTheLast(Comm world, Calls calls) {
        int last = world.size() - 1;
        for (int n : LENGTHS) {
            calls.make(world.rank() == last, last, n, n * world.size());
        }
        int[] sum = {1};
        world.allreduce(sum, Op.SUM);
        Check.equal(sum[0], world.size());
    }

    static void told(boolean wrong, Check.Statement statement) {
        if (wrong) {
            RuntimeException e = Check.fails(RuntimeException.class, statement);
            Check.isTrue(e instanceof IllegalArgumentException || e instanceof IllegalStateException, e.toString());
            return;
        }
        try {
            statement.run();
        } catch (Exception e) {
            throw new AssertionError("told of another rank's mistake", e);
        }
    }

    private static MpiBuffer<Ints> ints(int n) {
        return MpiBuffer.of(new int[n]);
    }

    public static void lengthsThatDoNotFitLeaveNobodyWaiting(Comm world) {
        onTheLast(world, (wrong, last, n, all) -> {
            told(wrong, () -> world.scatter(new int[wrong ? all + 1 : 0], new int[n], last));
            told(wrong, () -> world.scatter(new int[wrong ? 2 * all : 0], new int[n], last));
            told(wrong, () -> world.scatter(new int[all], new int[wrong ? 0 : n], last));
            told(wrong, () -> world.scatter(new int[0], new int[n], last));
            told(wrong, () -> world.gather(new int[n], new int[wrong ? all + 1 : 0], last));
            told(wrong, () -> world.gather(new int[wrong ? 0 : n], new int[all], last));
            told(wrong, () -> world.allgather(new int[n], new int[wrong ? all + 1 : all]));
            told(wrong, () -> world.allgather(new int[wrong ? 0 : n], new int[all]));
            told(wrong, () -> world.alltoall(new int[all], new int[wrong ? 2 * all : all]));
            told(wrong, () -> world.alltoall(new int[all], new int[wrong ? 0 : all]));
            told(wrong, () -> world.alltoall(new int[wrong ? 0 : all], new int[all]));
            told(wrong, () -> world.alltoall(new int[all], new int[wrong ? all / 2 : all]));
            told(wrong, () -> world.alltoall(new int[wrong ? all + 1 : all], new int[all]));
        });
    }

    public static void buffersThatAreMissingLeaveNobodyWaiting(Comm world) {
        for (MpiBuffer<Ints> bad : Arrays.asList(null, MpiBuffer.<Ints>inPlace())) {
            onTheLast(world, (wrong, last, n, all) -> {
                told(wrong, () -> world.scatter(wrong ? bad : null, ints(n), last));
                told(wrong, () -> world.gather(ints(n), bad, last));
                told(wrong, () -> world.allgather(ints(n), wrong ? bad : ints(all)));
                told(wrong, () -> world.alltoall(ints(all), wrong ? bad : ints(all)));
            });
        }
        onTheLast(world, (wrong, last, n, all) -> {
            told(wrong, () -> world.scatter(ints(all), wrong ? null : ints(n), last));
            told(wrong, () -> world.gather(wrong ? null : ints(n), ints(all), last));
            told(wrong, () -> world.allgather(wrong ? null : ints(n), ints(all)));
            told(wrong, () -> world.alltoall(wrong ? null : ints(all), ints(all)));
        });
    }

    public static void arraysThatAreNullLeaveNobodyWaiting(Comm world) {
        onTheLast(world, (wrong, last, n, all) -> {
            int[] part = wrong ? null : new int[n];
            int[] parts = wrong ? null : new int[all];
            told(wrong, () -> world.scatter(new int[all], part, last));
            told(wrong, () -> world.scatter(parts, new int[n], last));
            told(wrong, () -> world.gather(part, new int[all], last));
            told(wrong, () -> world.gather(new int[n], parts, last));
            told(wrong, () -> world.allgather(part, new int[all]));
            told(wrong, () -> world.allgather(new int[n], parts));
            told(wrong, () -> world.alltoall(parts, new int[all]));
            told(wrong, () -> world.alltoall(new int[all], parts));
        });
    }

    public static void closedTypesLeaveNobodyWaiting(Comm world) {
        Datatype<Ints> closed = Datatype.contiguous(1, Datatype.INT);
        closed.close();
        onTheLast(world, (wrong, last, n, all) -> {
            MpiBuffer<Ints> part = wrong ? ints(n).as(closed, n) : ints(n);
            MpiBuffer<Ints> parts = wrong ? ints(all).as(closed, all) : ints(all);
            told(wrong, () -> world.scatter(ints(all), part, 0));
            told(wrong, () -> world.scatter(parts, part, last));
            told(wrong, () -> world.gather(part, ints(all), 0));
            told(wrong, () -> world.gather(part, parts, last));
            told(wrong, () -> world.allgather(part, wrong ? MpiBuffer.inPlace() : parts));
            told(wrong, () -> world.alltoall(parts, parts));
            told(wrong, () -> world.bcast(part, 0));
            told(wrong, () -> world.bcast(part, last));
            told(wrong, () -> world.allreduce(part, Op.SUM));
            told(wrong, () -> world.reduce(part, Op.SUM, 0));
            told(wrong, () -> world.reduce(part, Op.SUM, last));
            told(wrong, () -> world.iallreduce(part, Op.SUM).await());
        });
    }

    public static void operationsThatDoNotFitLeaveNobodyWaiting(Comm world) {
        Op<Ints> closed = Op.ofInts(false, Integer::sum);
        closed.close();
        try (Op<Ints> sum = Op.ofInts(true, Integer::sum); Op<Ints> unordered = Op.ofInts(false, Integer::sum);
                Op doubles = Op.ofDoubles(true, Double::sum)) {
            reduceWith(world, unordered, closed);
            reduceWith(world, sum, doubles);
            onTheLast(world, (wrong, last, n, all) -> told(wrong,
                    () -> world.allreduce((MpiBuffer) MpiBuffer.of(new float[n]), wrong ? (Op) Op.BAND : Op.SUM)));
        }
    }

    private static void reduceWith(Comm world, Op right, Op bad) {
        onTheLast(world, (wrong, last, n, all) -> {
            Op op = wrong ? bad : right;
            told(wrong, () -> world.allreduce((MpiBuffer) ints(n), op));
            told(wrong, () -> world.reduce((MpiBuffer) ints(n), op, 0));
            told(wrong, () -> world.reduce((MpiBuffer) ints(n), op, last));
            told(wrong, () -> world.iallreduce((MpiBuffer) ints(n), op).await());
        });
    }

    public static void aColorThatIsNoneLeavesNobodyWaiting(Comm world) {
        boolean wrong = world.rank() == 0;
        Comm[] made = {null};
        told(wrong, () -> made[0] = world.split(wrong ? -5 : 3, 0));
        if (!wrong) {
            Check.equal(made[0].size(), world.size() - 1);
            made[0].close();
        }
    }

    /** Nobody knows whom such a process would serve. */
    public static void aRootThatIsNoneIsToldAtOnce(Comm world) {
        Comm self = new Comm(CommHandle.SELF);
        for (int root : new int[] {-1, 1, 9999}) {
            for (Check.Statement call : new Check.Statement[] {
                () -> self.bcast(new int[1], root), () -> self.reduce(new int[1], Op.SUM, root),
                () -> self.gather(new int[1], new int[1], root),
                () -> self.scatter(new int[1], new int[1], root)}) {
                Check.equal(Check.fails(RootException.class, call).kind(), ErrorClass.ERR_ROOT);
            }
        }
    }
}

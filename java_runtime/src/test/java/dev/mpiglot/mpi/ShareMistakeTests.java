package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.mpi.Element.Ints;
import java.util.Arrays;

/** What one rank alone does wrong in the collective operations that follow from the plan. */
@SuppressWarnings({"unchecked", "rawtypes"})
public final class ShareMistakeTests {

    private ShareMistakeTests() {
    }

    private static MpiBuffer<Ints> ints(int n) {
        return MpiBuffer.of(new int[n]);
    }

    private static MpiBuffer wrongly(boolean wrong, int n, MpiBuffer bad) {
        return wrong ? bad : ints(n);
    }

    public static void nonblockingFormsLeaveNobodyWaiting(Comm world) {
        Datatype<Ints> type = Datatype.contiguous(1, Datatype.INT);
        type.close();
        MistakeTests.onTheLast(world, (wrong, last, n, all) -> {
            MistakeTests.told(wrong, () -> world.igather(ints(n), wrongly(wrong, all, ints(all + 1)), last).await());
            MistakeTests.told(wrong, () -> world.iscatter(wrongly(wrong, all, null), ints(n), last).await());
            MistakeTests.told(wrong, () -> world.iallgather(wrongly(wrong, n, null), ints(all)).await());
            MistakeTests.told(wrong, () -> world.ialltoall(ints(all), wrongly(wrong, all, ints(2 * all))).await());
            MpiBuffer<Ints> closed = ints(n).as(type, n);
            MistakeTests.told(wrong, () -> world.ibcast(wrongly(wrong, n, closed), 0).await());
        });
    }

    public static void reductionsLeaveNobodyWaiting(Comm world) {
        for (MpiBuffer bad : Arrays.asList(null, MpiBuffer.of(new int[3]), MpiBuffer.of(new float[2]))) {
            MistakeTests.onTheLast(world, (wrong, last, n, all) -> {
                MpiBuffer got = wrongly(wrong, n, bad);
                MistakeTests.told(wrong, () -> world.allreduce(ints(n), got, Op.SUM));
                MistakeTests.told(wrong, () -> world.iallreduce(ints(n), got, Op.SUM).await());
                MistakeTests.told(wrong, () -> world.reduce(ints(n), got, Op.SUM, last));
                MistakeTests.told(wrong, () -> world.ireduce(ints(n), got, Op.SUM, last).await());
                MistakeTests.told(wrong, () -> world.scan(ints(n), got, Op.SUM));
                MistakeTests.told(wrong, () -> world.iexscan(ints(n), got, Op.SUM).await());
                MistakeTests.told(wrong, () -> world.reduceScatterBlock(ints(all), wrongly(wrong, n, null), Op.SUM));
                MistakeTests.told(wrong, () -> world.reduceScatterBlock(wrongly(wrong, all, bad), ints(n), Op.SUM));
                int[] counts = new int[world.size()];
                Arrays.fill(counts, n);
                MistakeTests.told(wrong, () -> world.reduceScatter(ints(all), wrongly(wrong, n, null), counts, Op.SUM));
                MistakeTests.told(wrong, () -> world.reduceScatter(wrongly(wrong, all, null), ints(n), counts, Op.SUM));
                MpiBuffer<Ints> part = ints(wrong ? n + 1 : n);
                MistakeTests.told(wrong, () -> world.ireduceScatter(ints(all), part, counts, Op.SUM).await());
            });
        }
    }

    public static void operationsThatDoNotFitLeaveNobodyWaiting(Comm world) {
        Op<Ints> closed = Op.ofInts(true, Integer::sum);
        closed.close();
        try (Op<Ints> sum = Op.ofInts(true, Integer::sum)) {
            MistakeTests.onTheLast(world, (wrong, last, n, all) -> {
                Op op = wrong ? closed : sum;
                MistakeTests.told(wrong, () -> world.allreduce((MpiBuffer) ints(n), (MpiBuffer) ints(n), op));
                MistakeTests.told(wrong, () -> world.scan((MpiBuffer) ints(n), op));
                MistakeTests.told(wrong, () -> world.iscan((MpiBuffer) ints(n), op).await());
                MistakeTests.told(wrong, () ->
                        world.reduceScatterBlock((MpiBuffer) ints(all), (MpiBuffer) ints(n), op));
                MpiBuffer<Ints> outside = MpiBuffer.allocate(Datatype.INT, n);
                MistakeTests.told(wrong, () -> world.exscan((MpiBuffer) outside, op));
            });
        }
    }

    public static void partsThatDoNotFitLeaveNobodyWaiting(Comm world) {
        MistakeTests.onTheLast(world, (wrong, last, n, all) -> {
            int[] counts = new int[world.size()];
            Arrays.fill(counts, n);
            int[] behind = wrong ? new int[world.size()] : null;
            if (wrong) {
                behind[0] = 1;
                behind[last] = all - n + 1; // beyond the end
            }
            int[] few = wrong ? new int[0] : null;
            MistakeTests.told(wrong, () -> world.allgatherv(ints(n), ints(all), counts, behind));
            MistakeTests.told(wrong, () -> world.allgatherv(ints(n), ints(all), counts, few));
            MistakeTests.told(wrong, () -> world.allgatherv(wrongly(wrong, n, ints(n + 1)), ints(all), counts));
            MistakeTests.told(wrong, () -> world.iallgatherv(ints(n), wrongly(wrong, all, null), counts).await());
            MistakeTests.told(wrong, () -> world.gatherv(ints(n), wrongly(wrong, all, ints(all - 1)), counts, last));
            MistakeTests.told(wrong, () -> world.igatherv(wrongly(wrong, n, null), ints(all), counts, last).await());
            MistakeTests.told(wrong, () -> world.scatterv(wrongly(wrong, all, ints(1)), counts, ints(n), last));
            MistakeTests.told(wrong, () -> world.scatterv(ints(all), counts, behind, ints(n), last));
            MistakeTests.told(wrong, () -> world.iscatterv(ints(all), counts, wrongly(wrong, n, null), last).await());
            MistakeTests.told(wrong, () -> world.alltoallv(ints(all), counts, behind, ints(all), counts, null));
            MistakeTests.told(wrong, () -> world.alltoallv(wrongly(wrong, all, null), counts, ints(all), counts));
            MpiBuffer floats = wrongly(wrong, all, MpiBuffer.of(new float[3]));
            MistakeTests.told(wrong, () -> world.ialltoallv(ints(all), counts, floats, counts).await());
        });
    }

    /** Nobody knows how long the parts of others are then. */
    public static void countsThatAreNoneAreToldAtOnce(Comm world) {
        Comm self = new Comm(CommHandle.SELF);
        for (int[] bad : new int[][] {null, {}, {1, 0}, {-1}}) {
            for (Check.Statement call : new Check.Statement[] {
                () -> self.allgatherv(ints(1), ints(1), bad), () -> self.gatherv(ints(1), ints(1), bad, 0),
                () -> self.scatterv(ints(1), bad, ints(1), 0),
                () -> self.alltoallv(ints(1), bad, ints(1), new int[] {1}),
                () -> self.alltoallv(ints(1), new int[] {1}, ints(1), bad),
                () -> self.reduceScatter(ints(1), ints(1), bad, Op.SUM),
                () -> self.scan((MpiBuffer<Ints>) null, Op.SUM), () -> self.allreduce(ints(1), ints(1), null),
                () -> self.allreduce(null, null, Op.SUM), () -> self.allgatherv(null, null, new int[] {1}),
                () -> self.ibcast(null, 0)}) {
                Check.fails(IllegalArgumentException.class, call);
            }
        }
    }
}

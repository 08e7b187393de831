package dev.mpiglot.mpi;

import dev.mpiglot.low.KeptHandle;
import dev.mpiglot.mpi.Element.Ints;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;

/** Collective operations that are prepared once and started many times. */
public final class PersistentShareTests {

    private static final int ROUNDS = 3;
    private static final int[] LENGTHS = {1, 7, 9_000};

    private PersistentShareTests() {
    }

    /** Whether the library has such operations; if not, it says so. */
    private static boolean isThere(Comm world) {
        try {
            world.barrierInit().close();
            return true;
        } catch (UnavailableException e) {
            Check.isTrue(e.getMessage().contains("MPI_Barrier_init"), e.getMessage());
            return false;
        }
    }

    private static MpiBuffer<Ints> buffer(boolean onHeap, int n) {
        return onHeap ? MpiBuffer.of(new int[n]) : MpiBuffer.allocate(Datatype.INT, n);
    }

    private static void fill(MpiBuffer<Ints> buffer, IntUnaryOperator value) {
        for (int i = 0; i < buffer.count(); i++) {
            buffer.setInt(i, value.applyAsInt(i));
        }
    }

    private static void has(MpiBuffer<Ints> buffer, IntUnaryOperator value) {
        for (int i = 0; i < buffer.count(); i++) {
            if (buffer.getInt(i) != value.applyAsInt(i)) {
                throw new AssertionError("element " + i + " of " + buffer + " is " + buffer.getInt(i) + " instead of "
                        + value.applyAsInt(i));
            }
        }
    }

    private static void nothingIsLeft() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Check.PATIENCE);
        while (isSomethingLeft()) {
            Check.isTrue(System.nanoTime() < end, "an operation is left");
        }
    }

    private static boolean isSomethingLeft() {
        return KeptHandle.underWay().stream().map(KeptHandle::owner).anyMatch(one -> one instanceof Persistent
                || one instanceof LeftPersistent);
    }

    /** A test in one sort of memory. */
    private interface Case {
        void run(boolean onHeap, int n);
    }

    private static void inAllMemory(Comm world, Case one) {
        if (!isThere(world)) {
            return;
        }
        for (int n : LENGTHS) {
            one.run(true, n);
            one.run(false, n);
        }
        nothingIsLeft();
    }

    /** What a rank has in a round. */
    private static int value(int rank, int round, int i) {
        return 1000 * round + 100 * rank + i % 97;
    }

    public static void barriersAndBroadcastsAreStartedAgain(Comm world) {
        int rank = world.rank();
        inAllMemory(world, (onHeap, n) -> {
            MpiBuffer<Ints> data = buffer(onHeap, n);
            int root = world.size() - 1;
            try (Persistent barrier = world.barrierInit(); Persistent bcast = world.bcastInit(data, root)) {
                for (int round = 0; round < ROUNDS; round++) {
                    int now = round;
                    fill(data, i -> value(rank, now, i));
                    bcast.start().await();
                    has(data, i -> value(root, now, i));
                    barrier.start().await();
                }
            }
        });
    }

    public static void partsAreGatheredAndScatteredAgain(Comm world) {
        int rank = world.rank();
        int ranks = world.size();
        inAllMemory(world, (onHeap, n) -> {
            MpiBuffer<Ints> mine = buffer(onHeap, n);
            MpiBuffer<Ints> all = buffer(onHeap, n * ranks);
            MpiBuffer<Ints> part = buffer(onHeap, n);
            MpiBuffer<Ints> atRoot = rank == 0 ? all : null;
            again(world.gatherInit(mine, atRoot, 0), round -> fill(mine, i -> value(rank, round, i)), round -> {
                if (rank == 0) {
                    has(all, i -> value(i / n, round, i % n));
                }
            });
            again(world.scatterInit(atRoot, part, 0), round -> fill(all, i -> value(i / n, round, i % n)),
                    round -> has(part, i -> value(rank, round, i)));
            again(world.allgatherInit(mine, all), round -> fill(mine, i -> value(rank, round, i)),
                    round -> has(all, i -> value(i / n, round, i % n)));
            again(world.allgatherInit(MpiBuffer.inPlace(), all), round -> fill(all, i -> value(rank, round, i % n)),
                    round -> has(all, i -> value(i / n, round, i % n)));
            MpiBuffer<Ints> crossed = buffer(onHeap, n * ranks);
            again(world.alltoallInit(all, crossed), round -> fill(all, i -> value(rank, round, i / n)),
                    round -> has(crossed, i -> value(i / n, round, rank)));
        });
    }

    /** What happens in a round. */
    private interface Step {
        void in(int round);
    }

    /** Starts the operation several times and closes it. */
    private static void again(Persistent operation, Step before, Step after) {
        try (operation) {
            for (int round = 0; round < ROUNDS; round++) {
                before.in(round);
                operation.start().await();
                after.in(round);
            }
        }
    }

    public static void partsOfDifferentSizesAreSentAgain(Comm world) {
        int rank = world.rank();
        int ranks = world.size();
        inAllMemory(world, (onHeap, n) -> {
            int[] counts = new int[ranks];
            int[] at = new int[ranks];
            int[] own = new int[ranks];
            for (int r = 0; r < ranks; r++) {
                counts[r] = n + r;
                own[r] = n + rank;
                at[r] = r * (n + ranks) + 1;
            }
            int length = ranks * (n + ranks) + 1;
            MpiBuffer<Ints> mine = buffer(onHeap, counts[rank]);
            MpiBuffer<Ints> all = buffer(onHeap, length);
            MpiBuffer<Ints> atRoot = rank == 0 ? all : null;
            IntUnaryOperator ownerOf = i -> (i - 1) / (n + ranks);
            Step fillMine = round -> {
                fill(mine, i -> value(rank, round, i));
                fill(all, i -> -1);
            };
            Step hasAll = round -> has(all, i -> i > 0 && i - at[ownerOf.applyAsInt(i)] < counts[ownerOf.applyAsInt(i)]
                    ? value(ownerOf.applyAsInt(i), round, i - at[ownerOf.applyAsInt(i)]) : -1);
            again(world.gathervInit(mine, atRoot, counts, at, 0), fillMine, rank == 0 ? hasAll : round -> { });
            again(world.allgathervInit(mine, all, counts, at), fillMine, hasAll);
            again(world.scattervInit(atRoot, counts, at, mine, 0), round -> {
                fill(all, i -> value(Math.max(0, ownerOf.applyAsInt(i)), round, i));
                fill(mine, i -> -1);
            }, round -> has(mine, i -> value(rank, round, i + at[rank])));
            MpiBuffer<Ints> sent = buffer(onHeap, (n + rank) * ranks);
            MpiBuffer<Ints> got = buffer(onHeap, java.util.stream.IntStream.of(counts).sum());
            again(world.alltoallvInit(sent, own, got, counts), round -> {
                fill(sent, i -> value(rank, round, i / (n + rank)));
                fill(got, i -> -1);
            }, round -> {
                for (int r = 0, i = 0; r < ranks; i += counts[r++]) {
                    Check.equal(got.getInt(i), value(r, round, rank));
                    Check.equal(got.getInt(i + counts[r] - 1), value(r, round, rank));
                }
            });
        });
    }

    /** The sum over ranks below {@code end}. */
    private static int sum(int end, int round, int i) {
        int sum = 0;
        for (int r = 0; r < end; r++) {
            sum += value(r, round, i);
        }
        return sum;
    }

    public static void valuesAreReducedAgain(Comm world) {
        int rank = world.rank();
        int ranks = world.size();
        inAllMemory(world, (onHeap, n) -> {
            MpiBuffer<Ints> mine = buffer(onHeap, n);
            MpiBuffer<Ints> result = buffer(onHeap, n);
            Step fillMine = round -> fill(mine, i -> value(rank, round, i));
            Op<Ints> own = Op.ofInts(true, Integer::sum);
            List<Persistent> prepared = new ArrayList<>();
            for (Op<? super Ints> op : List.<Op<? super Ints>>of(Op.SUM, own)) {
                prepared.add(world.allreduceInit(mine, result, op));
                prepared.add(world.scanInit(mine, result, op));
                prepared.add(world.exscanInit(mine, result, op));
                for (int root : new int[] {0, ranks - 1}) {
                    prepared.add(world.reduceInit(mine, rank == root ? result : null, op, root));
                }
            }
            own.close(); // what is prepared still uses it
            for (int k = 0; k < prepared.size(); k++) {
                int which = k % 5;
                again(prepared.get(k), fillMine, round -> {
                    if (which == 0 || which == 3 && rank == 0 || which == 4 && rank == ranks - 1) {
                        has(result, i -> sum(ranks, round, i));
                    } else if (which == 1 || which == 2 && rank > 0) {
                        has(result, i -> sum(which == 1 ? rank + 1 : rank, round, i));
                    }
                });
            }
            again(world.allreduceInit(mine, Op.SUM), fillMine, round -> has(mine, i -> sum(ranks, round, i)));
            again(world.reduceInit(mine, Op.SUM, ranks - 1), fillMine, round -> has(mine, i -> rank == ranks - 1
                    ? sum(ranks, round, i) : value(rank, round, i)));
        });
    }

    public static void partsOfResultsAreScatteredAgain(Comm world) {
        int rank = world.rank();
        int ranks = world.size();
        inAllMemory(world, (onHeap, n) -> {
            int[] counts = new int[ranks];
            int before = 0;
            for (int r = 0; r < ranks; r++) {
                counts[r] = n + r;
                before += r < rank ? counts[r] : 0;
            }
            int start = before;
            MpiBuffer<Ints> parts = buffer(onHeap, n * ranks);
            MpiBuffer<Ints> part = buffer(onHeap, n);
            again(world.reduceScatterBlockInit(parts, part, Op.SUM), round -> fill(parts, i -> value(rank, round, i)),
                    round -> has(part, i -> sum(ranks, round, i + rank * n)));
            MpiBuffer<Ints> all = buffer(onHeap, java.util.stream.IntStream.of(counts).sum());
            MpiBuffer<Ints> own = buffer(onHeap, counts[rank]);
            again(world.reduceScatterInit(all, own, counts, Op.SUM), round -> fill(all, i -> value(rank, round, i)),
                    round -> has(own, i -> sum(ranks, round, i + start)));
        });
    }

    public static void severalAreStartedTogetherOnVirtualThreads(Comm world) throws Exception {
        if (!isThere(world)) {
            return;
        }
        Throwable[] thrown = new Throwable[1];
        Thread.ofVirtual().start(() -> {
            int[] one = new int[1];
            int[] other = new int[1];
            try (Persistent sum = world.allreduceInit(MpiBuffer.of(one), Op.SUM);
                    Persistent bcast = world.bcastInit(MpiBuffer.of(other), 0)) {
                for (int round = 1; round <= ROUNDS; round++) {
                    one[0] = round;
                    other[0] = world.rank() == 0 ? round : 0;
                    Check.equal(Requests.awaitAll(Persistent.startAll(sum, bcast)).size(), 2);
                    Check.equal(one[0], round * world.size());
                    Check.equal(other[0], round);
                }
            } catch (Throwable t) {
                thrown[0] = t;
            }
        }).join();
        Check.equal(thrown[0], null);
        nothingIsLeft();
    }

    public static void whatIsClosedWhileItRunsGoesOn(Comm world) {
        if (!isThere(world)) {
            return;
        }
        int[] sum = {1};
        Persistent operation = world.allreduceInit(MpiBuffer.of(sum), Op.SUM);
        Request begun = operation.start();
        Check.fails(IllegalStateException.class, operation::start);
        Check.fails(UnsupportedOperationException.class, begun::cancel);
        operation.close();
        Check.fails(IllegalStateException.class, operation::start);
        nothingIsLeft();
        world.barrier();
    }

    public static void whatAnOperationNeedsMayBeClosed(Comm world) {
        if (!isThere(world)) {
            return;
        }
        MpiBuffer<Ints> data = MpiBuffer.allocate(Datatype.INT, 9);
        Datatype<Ints> column = Datatype.vector(3, 1, 3, Datatype.INT);
        Persistent bcast = world.bcastInit(data.as(column, 1), 0);
        column.close();
        Check.fails(IllegalStateException.class, () -> world.bcast(data.as(column, 1), 0));
        List<Datatype<Ints>> others = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            others.add(Datatype.vector(2, 2, 2 + i, Datatype.INT));
        }
        again(bcast, round -> fill(data, i -> world.rank() == 0 ? value(0, round, i) : -1),
                round -> has(data, i -> world.rank() == 0 || i % 3 == 0 ? value(0, round, i) : -1));
        others.forEach(Datatype::close);
        nothingIsLeft();
    }

    /** The last rank takes part in the preparation, and is told then; the others close what they have prepared. */
    public static void mistakesLeaveNobodyWaiting(Comm world) {
        if (!isThere(world)) {
            return;
        }
        Op<Ints> closed = Op.ofInts(true, Integer::sum);
        closed.close();
        Op<Ints> open = Op.ofInts(true, Integer::sum);
        MistakeTests.onTheLast(world, (wrong, last, n, all) -> {
            MpiBuffer<Ints> part = MpiBuffer.of(new int[n]);
            MpiBuffer<Ints> more = MpiBuffer.of(new int[wrong ? all + 1 : all]);
            int[] counts = new int[world.size()];
            java.util.Arrays.fill(counts, n);
            MistakeTests.told(wrong, () -> world.allgatherInit(part, more).close());
            MistakeTests.told(wrong, () -> world.alltoallInit(MpiBuffer.of(new int[all]), more).close());
            MistakeTests.told(wrong, () -> world.allgathervInit(wrong ? null : part, more, counts).close());
            MpiBuffer<Ints> result = wrong ? more : MpiBuffer.of(new int[n]);
            MistakeTests.told(wrong, () -> world.allreduceInit(part, result, Op.SUM).close());
            Op<Ints> op = wrong ? closed : open;
            MistakeTests.told(wrong, () -> world.scanInit(part, op).close());
        });
        open.close();
        Check.fails(IllegalArgumentException.class, () -> world.bcastInit(null, 0));
        Check.fails(IllegalArgumentException.class, () -> world.allreduceInit(null, Op.SUM));
        Comm copy = world.dup();
        Persistent late = copy.barrierInit();
        copy.close();
        Check.fails(IllegalStateException.class, late::start);
        Check.fails(IllegalStateException.class, copy::barrierInit);
        late.close();
        nothingIsLeft();
    }

    /** What a persistent message to or from nobody leaves in MPI does not reach the next operations. */
    public static void sumsAreRightAfterMessagesWithNobody(Comm world) {
        if (!dev.mpiglot.low.Library.load().has("MPI_Allreduce_init")) {
            return;
        }
        MpiBuffer<Element.Ints> data = MpiBuffer.of(new int[1]);
        int[] sum = {0};
        for (int round = 0; round < 6; round++) {
            Persistent[] withNobody = {world.sendInit(data, Comm.PROC_NULL, 1), world.recvInit(data, Comm.PROC_NULL, 1),
                    world.ssendInit(data, Comm.PROC_NULL, 1)};
            for (int i = 0; i < withNobody.length; i++) {
                if (round % 3 == i) {
                    withNobody[i].start().await();
                }
            }
            for (int i = round % 2; i < withNobody.length; i++) {
                withNobody[i].close();
            }
            try (Persistent all = world.allreduceInit(MpiBuffer.of(sum), Op.SUM)) {
                for (int again = 0; again < 3; again++) {
                    sum[0] = world.rank() + round + again;
                    all.start().await();
                    Check.equal(sum[0], world.size() * (world.size() - 1) / 2 + world.size() * (round + again));
                }
            }
            withNobody[0].close();
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.mpi.Element.Ints;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Collective operations among neighbours in grids and graphs. */
public final class NeighbourTests {

    private static final int[] LENGTHS = {1, 6, 9_000};

    private NeighbourTests() {
    }

    private static MpiBuffer<Ints> buffer(boolean onHeap, int n, IntUnaryOperator value) {
        MpiBuffer<Ints> made = onHeap ? MpiBuffer.of(new int[n]) : MpiBuffer.allocate(Datatype.INT, n);
        for (int i = 0; i < n; i++) {
            made.setInt(i, value.applyAsInt(i));
        }
        return made;
    }

    private static void has(MpiBuffer<Ints> buffer, IntUnaryOperator value) {
        for (int i = 0; i < buffer.count(); i++) {
            if (buffer.getInt(i) != value.applyAsInt(i)) {
                throw new AssertionError("element " + i + " of " + buffer + " is " + buffer.getInt(i) + " instead of "
                        + value.applyAsInt(i));
            }
        }
    }

    /** An operation in one of its forms, to the end. */
    private interface Form {
        void run();
    }

    /** The three forms of an operation; the last is run twice. */
    private static List<Form> forms(Form blocking, java.util.function.Supplier<Request> begun,
            java.util.function.Supplier<Persistent> prepared) {
        return List.of(blocking, () -> begun.get().await(), () -> {
            try (Persistent operation = prepared.get()) {
                operation.start().await();
                operation.start().await();
            } catch (UnavailableException beforeMpi4) {
                blocking.run();
            }
        });
    }

    private interface Case {
        void run(boolean onHeap, int n);
    }

    private static void inAllMemory(Case one) {
        for (int n : LENGTHS) {
            one.run(true, n);
            one.run(false, n);
        }
    }

    private static int value(int rank, int slot, int i) {
        return 10_000 * slot + 100 * rank + i % 89;
    }

    /** Gathers from these ranks; the part of nobody stays. */
    private static void gather(Neighborhood comm, int[] from) {
        int rank = comm.rank();
        inAllMemory((onHeap, n) -> {
            MpiBuffer<Ints> mine = buffer(onHeap, n, i -> value(rank, 0, i));
            MpiBuffer<Ints> got = buffer(onHeap, n * from.length, i -> -1);
            for (Form form : forms(() -> comm.neighborAllgather(mine, got), () -> comm.ineighborAllgather(mine, got),
                    () -> comm.neighborAllgatherInit(mine, got))) {
                for (int i = 0; i < got.count(); i++) {
                    got.setInt(i, -7);
                }
                form.run();
                has(got, i -> from[i / n] == Comm.PROC_NULL ? -7 : value(from[i / n], 0, i % n));
            }
        });
    }

    public static void neighboursInAGridAreGathered(Comm world) {
        int[] size = {world.size()};
        try (Cart ring = world.createCart(size, new boolean[] {true}, false);
                Cart line = world.createCart(size, new boolean[] {false}, false);
                Cart plane = world.createCart(new int[] {1, world.size()}, new boolean[] {false, true}, false)) {
            gather(ring, new int[] {Ring.left(world), Ring.right(world)});
            Cart.Shift sides = line.shift(0, 1);
            gather(line, new int[] {sides.source(), sides.dest()});
            gather(plane, new int[] {Comm.PROC_NULL, Comm.PROC_NULL, Ring.left(world), Ring.right(world)});
        }
    }

    public static void neighboursInGraphsAreGathered(Comm world) {
        int size = world.size();
        int last = size - 1;
        int[][] circle = IntStream.range(0, size).mapToObj(r -> new int[] {(r + 1) % size, (r + last) % size})
                .toArray(int[][]::new);
        boolean atLast = world.rank() == last;
        int[] from = IntStream.range(0, atLast ? last : 0).toArray();
        int[] to = atLast ? new int[0] : new int[] {last};
        try (Graph graph = world.createGraph(circle, false);
                DistGraph star = world.createDistGraphAdjacent(from, to, null, false); DistGraph copy = star.dup()) {
            gather(graph, circle[world.rank()]);
            gather(star, from);
            gather(copy, from);
            MpiBuffer<Ints> mine = MpiBuffer.of(new int[] {world.rank() + 5, 1});
            MpiBuffer<Ints> got = MpiBuffer.of(new int[2 * from.length]);
            int[] twos = IntStream.of(from).map(r -> 2).toArray();
            int[] sentTwos = IntStream.of(to).map(r -> 2).toArray();
            MpiBuffer<Ints> sent = atLast ? MpiBuffer.of(new int[0]) : mine;
            for (Form form : forms(() -> star.neighborAllgatherv(mine, got, twos),
                    () -> star.ineighborAllgatherv(mine, got, twos), () -> star.neighborAllgathervInit(mine, got, twos))) {
                form.run();
                has(got, i -> i % 2 == 1 ? 1 : i / 2 + 5);
                IntStream.range(0, 2 * from.length).forEach(i -> got.setInt(i, -1));
            }
            for (Form form : forms(() -> star.neighborAlltoall(sent, got), () -> star.ineighborAlltoall(sent, got),
                    () -> star.neighborAlltoallvInit(sent, sentTwos, got, twos))) {
                form.run();
                has(got, i -> i % 2 == 1 ? 1 : i / 2 + 5);
                IntStream.range(0, 2 * from.length).forEach(i -> got.setInt(i, -1));
            }
        }
    }

    /** Where all processes are neighbours, parts cross. */
    public static void neighboursExchangeParts(Comm world) {
        int rank = world.rank();
        int size = world.size();
        int[] from = IntStream.range(0, size).map(i -> (rank + i) % size).toArray();
        int[] to = IntStream.range(0, size).map(i -> size - 1 - i).toArray();
        try (DistGraph all = world.createDistGraphAdjacent(from, to, null, false)) {
            inAllMemory((onHeap, n) -> {
                MpiBuffer<Ints> sent = buffer(onHeap, n * size, i -> value(rank, to[i / n], i % n));
                MpiBuffer<Ints> got = buffer(onHeap, n * size, i -> -1);
                for (Form form : forms(() -> all.neighborAlltoall(sent, got), () -> all.ineighborAlltoall(sent, got),
                        () -> all.neighborAlltoallInit(sent, got))) {
                    form.run();
                    has(got, i -> value(from[i / n], rank, i % n));
                    got.setInt(0, -1);
                }
            });
        }
        if (size < 3) {
            return; // which of two parts for one neighbour is which, libraries do not agree upon
        }
        try (Cart ring = world.createCart(new int[] {size}, new boolean[] {true}, false)) {
            int[] got = new int[2];
            ring.neighborAlltoall(MpiBuffer.of(new int[] {10 * rank, 10 * rank + 1}), MpiBuffer.of(got));
            Check.equal(got, new int[] {10 * Ring.left(world) + 1, 10 * Ring.right(world)});
        }
    }

    public static void partsOfNeighboursHaveTheirOwnSizes(Comm world) {
        int rank = world.rank();
        int size = world.size();
        int[] ranks = IntStream.range(0, size).toArray();
        try (DistGraph all = world.createDistGraphAdjacent(ranks, ranks, null, false)) {
            inAllMemory((onHeap, n) -> {
                int[] counts = IntStream.range(0, size).map(r -> n + r).toArray();
                int[] own = IntStream.range(0, size).map(r -> n + rank).toArray();
                int[] at = IntStream.range(0, size).map(r -> r * (n + size) + 1).toArray();
                MpiBuffer<Ints> mine = buffer(onHeap, n + rank, i -> value(rank, 0, i));
                MpiBuffer<Ints> got = buffer(onHeap, size * (n + size) + 1, i -> -1);
                IntUnaryOperator expected = i -> {
                    int r = (i - 1) / (n + size);
                    return i == 0 || i - at[r] >= counts[r] ? -1 : value(r, 0, i - at[r]);
                };
                for (Form form : forms(() -> all.neighborAllgatherv(mine, got, counts, at),
                        () -> all.ineighborAllgatherv(mine, got, counts, at),
                        () -> all.neighborAllgathervInit(mine, got, counts, at))) {
                    form.run();
                    has(got, expected);
                    got.setInt(1, 5);
                }
                MpiBuffer<Ints> sent = buffer(onHeap, size * (n + rank), i -> value(rank, i / (n + rank), 0));
                MpiBuffer<Ints> crossed = buffer(onHeap, IntStream.of(counts).sum(), i -> -1);
                for (Form form : forms(() -> all.neighborAlltoallv(sent, own, crossed, counts),
                        () -> all.ineighborAlltoallv(sent, own, crossed, counts),
                        () -> all.neighborAlltoallvInit(sent, own, crossed, counts))) {
                    form.run();
                    for (int r = 0, i = 0; r < size; i += counts[r++]) {
                        Check.equal(crossed.getInt(i), value(r, rank, 0));
                        Check.equal(crossed.getInt(i + counts[r] - 1), value(r, rank, 0));
                        crossed.setInt(i, -1);
                    }
                }
            });
        }
    }

    public static void aProcessMayHaveNoNeighbours(Comm world) {
        int[] none = {};
        try (DistGraph empty = world.createDistGraphAdjacent(none, none, null, false)) {
            MpiBuffer<Ints> nothing = MpiBuffer.of(none);
            empty.neighborAllgather(MpiBuffer.of(new int[3]), nothing);
            empty.neighborAlltoall(nothing, nothing);
            empty.neighborAllgatherv(MpiBuffer.of(new int[3]), nothing, none);
            empty.neighborAlltoallv(nothing, none, nothing, none);
            Check.fails(IllegalArgumentException.class, () ->
                    empty.neighborAllgather(nothing, MpiBuffer.of(new int[1])));
            Check.fails(IllegalArgumentException.class, () -> empty.neighborAlltoall(null, null));
        }
    }

    public static void virtualThreadsExchangeWithNeighbours(Comm world) throws Exception {
        try (Cart ring = world.createCart(new int[] {world.size()}, new boolean[] {true}, false)) {
            int[] got = new int[2];
            Thread.ofVirtual()
                    .start(() -> ring.neighborAllgather(MpiBuffer.of(new int[] {world.rank()}), MpiBuffer.of(got)))
                    .join();
            Check.equal(got, new int[] {Ring.left(world), Ring.right(world)});
        }
    }

    /** What the last rank does wrong it is told after taking part. */
    public static void mistakesLeaveNobodyWaiting(Comm world) {
        try (Cart ring = world.createCart(new int[] {world.size()}, new boolean[] {true}, false)) {
            Datatype<Ints> closed = Datatype.contiguous(1, Datatype.INT);
            closed.close();
            MistakeTests.onTheLast(world, (wrong, last, n, all) -> {
                MpiBuffer<Ints> part = MpiBuffer.of(new int[n]);
                MpiBuffer<Ints> parts = MpiBuffer.of(new int[2 * n]);
                for (MpiBuffer<Ints> bad
                        : Arrays.asList(null, MpiBuffer.<Ints>inPlace(), MpiBuffer.of(new int[2 * n + 1]),
                        MpiBuffer.of(new int[2 * n]).as(closed, 2 * n))) {
                    MpiBuffer<Ints> given = wrong ? bad : parts;
                    MistakeTests.told(wrong, () -> ring.neighborAllgather(part, given));
                    MistakeTests.told(wrong, () -> ring.neighborAlltoall(given, parts));
                    MistakeTests.told(wrong, () -> ring.neighborAlltoall(parts, given));
                    MistakeTests.told(wrong, () -> ring.ineighborAlltoall(parts, given).await());
                    int[] counts = {n, n};
                    int[] at = wrong && bad != null && bad.count() > 2 * n ? new int[] {0, n + 2} : null;
                    MistakeTests.told(wrong, () -> ring.neighborAlltoallv(given, counts, at, parts, counts, null));
                    MistakeTests.told(wrong, () -> ring.neighborAllgatherv(part, given, counts, at));
                }
            });
        }
    }

    public static void whatFitsNoNeighbourIsRefused(Comm world) {
        Cart ring = world.createCart(new int[] {world.size()}, new boolean[] {true}, false);
        MpiBuffer<Ints> one = MpiBuffer.of(new int[1]);
        MpiBuffer<Ints> two = MpiBuffer.of(new int[2]);
        refused("2 neighbours to receive from", () -> ring.neighborAllgather(one, MpiBuffer.of(new int[4])));
        refused("each of 2 neighbours to receive from", () -> ring.neighborAllgatherv(one, two, new int[] {1}));
        refused("each of 2 neighbours to send to", () -> ring.neighborAlltoallv(two, new int[3], two, new int[2]));
        refused("negative number -1 at 1", () -> ring.neighborAllgatherv(one, two, new int[] {1, -1}));
        refused("\"counts\" is null", () -> ring.neighborAllgatherv(one, two, null));
        refused("not inside", () -> ring.neighborAlltoallv(two, new int[] {1, 1}, two, new int[] {1, 2}));
        refused("cannot be MpiBuffer.inPlace()", () -> ring.neighborAlltoall(MpiBuffer.inPlace(), two));
        refused("cannot be divided among 2 neighbours to send to", () -> ring.neighborAlltoall(one, two));
        ring.close();
        String told = Check.fails(IllegalStateException.class, () -> ring.neighborAllgather(one, two)).getMessage();
        Check.isTrue(told.contains("communicator is closed"), told);
    }

    private static void refused(String part, Check.Statement statement) {
        String told = Check.fails(IllegalArgumentException.class, statement).getMessage();
        Check.isTrue(told.contains(part), told);
    }
}

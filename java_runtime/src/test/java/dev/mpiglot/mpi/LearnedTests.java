package dev.mpiglot.mpi;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Operations that learn the lengths: each with all types and lengths, and with a process that gives nothing. */
public final class LearnedTests {

    private static final int[] LENGTHS = {0, 1, 5, 700};

    private LearnedTests() {
    }

    /** Methods of arrays of a type, which differ in nothing else. */
    private record Methods<A>(Kind kind, Class<?> type, Receive<A> recv, Rooted<A> bcast, Rooted<A> gather, Single<A> allgather,
            Scatter<A> scatter, Exchange<A> alltoall, Neighbors<A> neighborAllgather,
            NeighborExchange<A> neighborAlltoall) {

        @SuppressWarnings("unchecked")
        A array(int from, int to, int length) {
            int[] values = new int[length];
            for (int i = 0; i < length; i++) {
                values[i] = value(from, to, i);
            }
            return (A) Primitives.of(kind, values);
        }

        @SuppressWarnings("unchecked")
        A[] rows(List<A> rows) {
            return rows.toArray((A[]) Array.newInstance(type, 0));
        }
    }

    private interface Receive<A> {
        A of(Comm comm, int source, int tag);
    }

    private interface Rooted<A> {
        A of(Comm comm, A array, int root);
    }

    private interface Single<A> {
        A of(Comm comm, A array);
    }

    private interface Scatter<A> {
        A of(Comm comm, A[] rows, int root);
    }

    private interface Exchange<A> {
        A[] of(Comm comm, A[] parts);
    }

    private interface Neighbors<A> {
        A[] of(Cart comm, A array);
    }

    private interface NeighborExchange<A> {
        A[] of(Cart comm, A[] parts);
    }

    private static final List<Methods<?>> ALL = List.of(
            new Methods<byte[]>(Kind.BYTE, byte[].class, Comm::recvBytes, Comm::bcastBytes, Comm::gather, Comm::allgather,
                    Comm::scatterBytes, Comm::alltoall, Cart::neighborAllgather, Cart::neighborAlltoall),
            new Methods<short[]>(Kind.SHORT, short[].class, Comm::recvShorts, Comm::bcastShorts, Comm::gather,
                    Comm::allgather, Comm::scatterShorts, Comm::alltoall, Cart::neighborAllgather, Cart::neighborAlltoall),
            new Methods<char[]>(Kind.CHAR, char[].class, Comm::recvChars, Comm::bcastChars, Comm::gather, Comm::allgather,
                    Comm::scatterChars, Comm::alltoall, Cart::neighborAllgather, Cart::neighborAlltoall),
            new Methods<int[]>(Kind.INT, int[].class, Comm::recvInts, Comm::bcastInts, Comm::gather, Comm::allgather,
                    Comm::scatterInts, Comm::alltoall, Cart::neighborAllgather, Cart::neighborAlltoall),
            new Methods<long[]>(Kind.LONG, long[].class, Comm::recvLongs, Comm::bcastLongs, Comm::gather, Comm::allgather,
                    Comm::scatterLongs, Comm::alltoall, Cart::neighborAllgather, Cart::neighborAlltoall),
            new Methods<float[]>(Kind.FLOAT, float[].class, Comm::recvFloats, Comm::bcastFloats, Comm::gather,
                    Comm::allgather, Comm::scatterFloats, Comm::alltoall, Cart::neighborAllgather, Cart::neighborAlltoall),
            new Methods<double[]>(Kind.DOUBLE, double[].class, Comm::recvDoubles, Comm::bcastDoubles, Comm::gather,
                    Comm::allgather, Comm::scatterDoubles, Comm::alltoall, Cart::neighborAllgather,
                    Cart::neighborAlltoall));

    private static int value(int from, int to, int i) {
        return (from * 41 + to * 17 + i * 7) % 101;
    }

    /** The same for all, or another one for each pair of processes: a round of {@code LENGTHS.length} has all of 100000. */
    private static int length(int from, int to, int round) {
        if (round > LENGTHS.length) {
            return 100_000;
        }
        return round == LENGTHS.length ? 3 : LENGTHS[(from + 2 * to + round) % LENGTHS.length];
    }

    /** Every type with small lengths that differ, and one type with equal lengths and large ones. */
    public static void arraysOfAllTypesArriveWithTheirLengths(Comm world) throws Exception {
        try (Cart ring = world.createCart(new int[] {world.size()}, new boolean[] {true}, false)) {
            for (int i = 0; i < ALL.size(); i++) {
                everyOperation(world, ring, ALL.get(i), i % LENGTHS.length);
            }
            for (int round = LENGTHS.length; round <= LENGTHS.length + 1; round++) {
                everyOperation(world, ring, ALL.get(3), round);
            }
        }
    }

    private static <A> void everyOperation(Comm world, Cart ring, Methods<A> methods, int round) throws Exception {
        int rank = world.rank();
        int ranks = world.size();
        int root = round % ranks;
        Source<A> given = (from, to) -> methods.array(from, to, length(from, to, round));
        Request sent = world.isend(Primitives.buffer(given.of(rank, 1)), Ring.right(world), 5);
        Check.equal(methods.recv.of(world, Ring.left(world), 5), given.of(Ring.left(world), 1));
        sent.await();
        Check.equal(methods.bcast.of(world, rank == root ? given.of(root, 2) : null, root), given.of(root, 2));
        Object all = joined(methods, ranks, from -> given.of(from, 3));
        Check.equal(methods.allgather.of(world, given.of(rank, 3)), all);
        Check.equal(methods.gather.of(world, given.of(rank, 3), root), rank == root ? all : methods.array(0, 0, 0));
        A[] rows = methods.rows(IntStream.range(0, ranks).mapToObj(to -> given.of(root, to)).toList());
        Check.equal(methods.scatter.of(world, rank == root ? rows : null, root), given.of(root, rank));
        A[] parts = methods.rows(IntStream.range(0, ranks).mapToObj(to -> given.of(rank, to)).toList());
        Check.equal(methods.alltoall.of(world, parts),
                methods.rows(IntStream.range(0, ranks).mapToObj(from -> given.of(from, rank)).toList()));
        int left = Ring.left(world);
        int right = Ring.right(world);
        Check.equal(methods.neighborAllgather.of(ring, given.of(rank, 4)),
                methods.rows(List.of(given.of(left, 4), given.of(right, 4))));
        if (ranks > 2) { // else a neighbour is on both sides, and libraries differ in which part is which
            Check.equal(methods.neighborAlltoall.of(ring, methods.rows(List.of(given.of(rank, left), given.of(rank, right)))),
                    methods.rows(List.of(given.of(left, rank), given.of(right, rank))));
        }
    }

    private interface Source<A> {
        A of(int from, int to);
    }

    private static Object joined(Methods<?> methods, int ranks, java.util.function.IntFunction<Object> each) {
        int[] values = IntStream.range(0, ranks).flatMap(r -> IntStream.of(Primitives.values(each.apply(r)))).toArray();
        return Primitives.of(methods.kind, values);
    }

    private static int[] ints(int from, int length) {
        return IntStream.range(0, length).map(i -> value(from, 0, i)).toArray();
    }

    public static void buffersAreCollectedWithTheirCounts(Comm world) {
        int rank = world.rank();
        int ranks = world.size();
        int[] counts = IntStream.range(0, ranks).map(from -> from * 2 % 5).toArray();
        int[] all = IntStream.range(0, ranks).flatMap(from -> IntStream.of(ints(from, counts[from]))).toArray();
        has(world.allgatherv(MpiBuffer.of(ints(rank, counts[rank]))), all, counts);
        Collected<Element.Ints> got = world.gatherv(MpiBuffer.of(ints(rank, counts[rank])), ranks - 1);
        has(got, rank == ranks - 1 ? all : new int[0], rank == ranks - 1 ? counts : new int[0]);
        int[] toEach = IntStream.range(0, ranks).map(to -> (rank + to) % 3).toArray();
        int[] given = IntStream.range(0, ranks).flatMap(to -> IntStream.of(ints(rank + to, toEach[to]))).toArray();
        has(world.alltoallv(MpiBuffer.of(given), toEach), given, toEach);
    }

    private static void has(Collected<Element.Ints> got, int[] values, int[] counts) {
        Check.equal(got.counts(), counts);
        Check.equal(IntStream.range(0, (int) got.values().count()).map(got.values()::getInt).toArray(), values);
    }

    public static void elementsWithGapsKeepThem(Comm world) {
        try (Datatype<Element.Ints> pair = Datatype.vector(2, 1, 2, Datatype.INT)) {
            Collected<Element.Ints> got = world.allgatherv(MpiBuffer.of(new int[] {7, 0, 8}).as(pair, 1));
            Check.equal(got.values().count(), (long) world.size());
            for (int i = 0; i < world.size(); i++) {
                Check.equal(got.values().getInt(3 * i) * 10 + got.values().getInt(3 * i + 2), 78);
            }
        }
    }

    public static void aGridThatEndsAndAGraphOfOneWayHaveEmptyPlaces(Comm world) {
        int rank = world.rank();
        int last = world.size() - 1;
        try (Cart line = world.createCart(new int[] {last + 1}, new boolean[] {false}, false);
                DistGraph star = world.createDistGraphAdjacent(rank == 0 ? new int[0] : new int[] {0},
                        rank == 0 ? IntStream.rangeClosed(1, last).toArray() : new int[0], null, false)) {
            int[] none = {};
            int[][] got = line.neighborAlltoall(new int[][] {ints(rank, 2), ints(rank + 50, 3)});
            Check.equal(got, new int[][] {rank > 0 ? ints(rank + 49, 3) : none, rank < last ? ints(rank + 1, 2) : none});
            Check.equal(line.neighborAllgather(ints(rank, rank)),
                    new int[][] {rank > 0 ? ints(rank - 1, rank - 1) : none, rank < last ? ints(rank + 1, rank + 1) : none});
            Check.equal(star.neighborAllgather(ints(rank, 4)), rank == 0 ? new int[0][] : new int[][] {ints(0, 4)});
            Collected<Element.Ints> alone = star.neighborAllgatherv(MpiBuffer.of(ints(rank, 4)));
            has(alone, rank == 0 ? none : ints(0, 4), rank == 0 ? none : new int[] {4});
            int[] counts = rank == 0 ? IntStream.rangeClosed(1, last).toArray() : none;
            has(star.neighborAlltoallv(MpiBuffer.of(ints(3, Arrays.stream(counts).sum())), counts),
                    rank == 0 ? none : Arrays.copyOfRange(ints(3, 100), rank * (rank - 1) / 2, rank * (rank + 1) / 2),
                    rank == 0 ? none : new int[] {rank});
        }
    }

    private static void refused(boolean here, String who, String reason, Check.Statement statement) {
        String told = Check.fails(CodecException.class, statement).getMessage();
        Check.isTrue(told.contains(here ? reason : who), told);
    }

    public static void whereOneGivesNothingAllThrow(Comm world) {
        int bad = world.size() - 1;
        boolean here = world.rank() == bad;
        String who = "Rank " + bad;
        int[] mine = here ? null : new int[] {1};
        int[][] parts = new int[here ? bad : bad + 1][1];
        int[][] missing = new int[bad + 1][1];
        missing[0] = mine;
        int[] counts = new int[bad + 1];
        counts[0] = here ? 2 : 0;
        MpiBuffer<Element.Ints> buffer = MpiBuffer.of(new int[1]);
        refused(here, who, "null", () -> world.bcastInts(mine, bad));
        refused(here, who, "null", () -> world.gather(mine, 0));
        refused(here, who, "null", () -> world.allgather(mine));
        refused(here, who, bad + " elements", () -> world.scatterInts(parts, bad));
        refused(here, who, "null", () -> world.scatterInts(missing, bad));
        refused(here, who, bad + " elements", () -> world.alltoall(parts));
        refused(here, who, "Row 0", () -> world.alltoall(missing));
        refused(here, who, "null", () -> world.allgatherv(here ? null : buffer));
        refused(here, who, "in", () -> world.gatherv(here ? MpiBuffer.inPlace() : buffer, 0));
        refused(here, who, "not inside", () -> world.alltoallv(buffer, counts));
        Check.equal(world.allgather(new int[] {world.rank()}).length, world.size());
    }

    public static void aBufferOfMoreElementsThanAnIntCountsIsRefused(Comm world) {
        try (Datatype<Element.Bytes> nothing = Datatype.contiguous(0, Datatype.BYTE)) {
            boolean here = world.rank() == 0;
            refused(here, "Rank 0", "larger", () -> world.allgatherv(MpiBuffer.allocate(nothing, here ? 1L << 31 : 1)));
        }
        refused(true, "", "3000000000", () -> Given.total(new int[] {1_500_000_000, 1_500_000_000}));
        Check.equal(Given.total(new int[] {Integer.MAX_VALUE, 0}), Integer.MAX_VALUE);
    }

    public static void neighboursOfOneThatGivesNothingThrowAndOthersDoNot(Comm world) throws Exception {
        int rank = world.rank();
        int bad = world.size() - 1;
        try (Cart line = world.createCart(new int[] {bad + 1}, new boolean[] {false}, false)) {
            boolean here = rank == bad;
            int[][] parts = {ints(rank, 20_000), here ? null : ints(rank, 2)};
            Check.Statement[] uses = {
                () -> line.neighborAllgather(here ? null : ints(rank, 20_000)),
                () -> line.neighborAlltoall(parts),
                () -> line.neighborAllgatherv(here ? null : MpiBuffer.of(ints(rank, 20_000))),
                () -> line.neighborAlltoallv(MpiBuffer.of(ints(rank, 2)), here ? new int[] {2, 1} : new int[] {1, 1})};
            for (Check.Statement use : uses) {
                if (rank >= bad - 1) {
                    refused(here, "neighbour to receive from 1", "nothing", use);
                } else {
                    use.run();
                }
                Check.equal(line.neighborAllgather(ints(rank, 1)).length, 2);
            }
        }
    }

    public static void messagesThatAreNoSuchArrayAreTakenAndRefused(Comm world) {
        Request sent = world.isend(new byte[7], Ring.right(world), 6);
        refused(true, "", "7 bytes", () -> world.recvInts(Ring.left(world), 6));
        sent.await();
        Check.equal(world.recvDoubles(Comm.PROC_NULL, 6), new double[0]);
    }
}

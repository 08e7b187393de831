package dev.mpiglot.mpi;

import dev.mpiglot.mpi.Element.Ints;
import dev.mpiglot.mpi.Element.Longs;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Collective operations that follow from the plan, against loops in Java: all types, on the heap and outside. */
@SuppressWarnings({"unchecked", "rawtypes"})
public final class SharesTests {

    private static final int[] SHORT = {0, 1, 5};
    private static final int[] LENGTHS = {0, 1, 5, 40_000};

    private SharesTests() {
    }

    private interface Case {
        void run(Data data) throws Exception;
    }

    /** Makes buffers of one type in one sort of memory. */
    private record Data(Datatype<?> type, boolean onHeap) {

        /** Whether long messages are tried: of the smallest and the largest values, of all types in whole runs. */
        boolean isLong() {
            return Check.isWhole() || type.kind() == Kind.BYTE || type.kind() == Kind.LONG;
        }

        int[] lengths() {
            return isLong() ? LENGTHS : SHORT;
        }

        MpiBuffer buffer(long n, IntUnaryOperator value) {
            MpiBuffer buffer = !onHeap ? MpiBuffer.allocate(type, n) : switch (type.kind()) {
                case BYTE, RECORD -> MpiBuffer.of(new byte[(int) n]);
                case SHORT -> MpiBuffer.of(new short[(int) n]);
                case CHAR -> MpiBuffer.of(new char[(int) n]);
                case INT -> MpiBuffer.of(new int[(int) n]);
                case LONG -> MpiBuffer.of(new long[(int) n]);
                case FLOAT -> MpiBuffer.of(new float[(int) n]);
                case DOUBLE -> MpiBuffer.of(new double[(int) n]);
                case BOOLEAN -> throw new AssertionError("not of numbers");
            };
            for (int i = 0; i < n; i++) {
                set(buffer, i, value.applyAsInt(i));
            }
            return buffer;
        }

        MpiBuffer empty(long n) {
            return buffer(n, i -> 99);
        }
    }

    private static void set(MpiBuffer<?> buffer, long i, int value) {
        switch (buffer.type().kind()) {
            case BYTE, RECORD -> buffer.setByte(i, (byte) value);
            case SHORT -> buffer.setShort(i, (short) value);
            case CHAR -> buffer.setChar(i, (char) value);
            case INT -> buffer.setInt(i, value);
            case LONG -> buffer.setLong(i, value);
            case FLOAT -> buffer.setFloat(i, value);
            case DOUBLE -> buffer.setDouble(i, value);
        }
    }

    private static long get(MpiBuffer<?> buffer, long i) {
        return switch (buffer.type().kind()) {
            case BYTE, RECORD -> buffer.getByte(i);
            case SHORT -> buffer.getShort(i);
            case CHAR -> buffer.getChar(i);
            case INT -> buffer.getInt(i);
            case LONG -> buffer.getLong(i);
            case FLOAT -> (long) buffer.getFloat(i);
            case DOUBLE -> (long) buffer.getDouble(i);
            case BOOLEAN -> throw new AssertionError("not of numbers");
        };
    }

    private static void has(MpiBuffer<?> buffer, long n, IntUnaryOperator value) {
        for (int i = 0; i < n; i++) {
            if (get(buffer, i) != value.applyAsInt(i)) {
                throw new AssertionError("element " + i + " of " + buffer + " is " + get(buffer, i) + " instead of "
                        + value.applyAsInt(i));
            }
        }
    }

    private static void inAllMemory(Case one) throws Exception {
        for (Datatype<?> type : List.of(Datatype.BYTE, Datatype.SHORT, Datatype.CHAR, Datatype.INT, Datatype.LONG,
                Datatype.FLOAT, Datatype.DOUBLE)) {
            one.run(new Data(type, true));
            one.run(new Data(type, false));
        }
    }

    private static int value(int rank, int i) {
        return rank + 1 + i % 3;
    }

    /** The sum of the values of so many ranks. */
    private static int sum(int ranks, int i) {
        int sum = 0;
        for (int r = 0; r < ranks; r++) {
            sum += value(r, i);
        }
        return sum;
    }

    public static void ibarrierWaitsForAll(Comm world) {
        Request barrier = world.ibarrier();
        if (world.rank() == 0 && world.size() > 1) {
            world.send(new int[0], world.size() - 1, 5);
        } else if (world.rank() == world.size() - 1 && world.size() > 1) {
            world.recv(new int[0], 0, 5);
        }
        barrier.await();
        Request.awaitAll(world.ibarrier(), world.ibarrier());
    }

    public static void ibcastGivesAllTheSame(Comm world) throws Exception {
        inAllMemory(data -> {
            for (int n : data.lengths()) {
                int root = world.size() - 1;
                MpiBuffer<?> all = data.buffer(n, i -> world.rank() == root ? i % 50 : 0);
                world.ibcast(all, root).await();
                has(all, n, i -> i % 50);
            }
        });
    }

    public static void reductionsOutOfPlaceLeaveWhatIsSent(Comm world) throws Exception {
        int rank = world.rank();
        int ranks = world.size();
        inAllMemory(data -> {
            for (int n : data.lengths()) {
                MpiBuffer sent = data.buffer(n, i -> value(rank, i));
                MpiBuffer got = data.empty(n);
                world.allreduce(sent, got, Op.SUM);
                has(got, n, i -> sum(ranks, i));
                MpiBuffer later = data.empty(n);
                world.iallreduce(sent, later, Op.MAX).await();
                has(later, n, i -> value(ranks - 1, i));
                for (int root : new int[] {0, ranks - 1}) {
                    MpiBuffer one = rank == root ? data.empty(n) : null;
                    world.reduce(sent, one, Op.SUM, root);
                    MpiBuffer two = rank == root ? data.empty(n) : null;
                    world.ireduce(sent, two, Op.SUM, root).await();
                    MpiBuffer three = data.buffer(n, i -> value(rank, i));
                    world.ireduce(three, Op.SUM, root).await();
                    has(three, n, i -> rank == root ? sum(ranks, i) : value(rank, i));
                    if (rank == root) {
                        has(one, n, i -> sum(ranks, i));
                        has(two, n, i -> sum(ranks, i));
                    }
                }
                has(sent, n, i -> value(rank, i));
            }
        });
    }

    public static void scansCombineThoseBefore(Comm world) throws Exception {
        int rank = world.rank();
        inAllMemory(data -> {
            for (int n : data.lengths()) {
                MpiBuffer sent = data.buffer(n, i -> value(rank, i));
                MpiBuffer[] got = {data.empty(n), data.empty(n), values(data, n, rank), values(data, n, rank)};
                world.scan(sent, got[0], Op.SUM);
                world.iscan(sent, got[1], Op.SUM).await();
                world.scan(got[2], Op.SUM);
                world.iscan(got[3], Op.SUM).await();
                MpiBuffer[] before = {data.empty(n), data.empty(n), values(data, n, rank), values(data, n, rank)};
                world.exscan(sent, before[0], Op.SUM);
                world.iexscan(sent, before[1], Op.SUM).await();
                world.exscan(before[2], Op.SUM);
                world.iexscan(before[3], Op.SUM).await();
                for (int k = 0; k < 4; k++) {
                    int unchanged = k;
                    has(got[k], n, i -> sum(rank + 1, i));
                    has(before[k], n, i -> rank > 0 ? sum(rank, i) : unchanged < 2 ? 99 : value(rank, i));
                }
                has(sent, n, i -> value(rank, i));
            }
        });
    }

    private static MpiBuffer values(Data data, int n, int rank) {
        return data.buffer(n, i -> value(rank, i));
    }

    public static void anOwnOperationScansInTheOrderOfRanks(Comm world) {
        try (Op<Longs> last = Op.ofLongs(false, (left, right) -> right)) {
            lastOfRanks(world, last);
        }
    }

    private static void lastOfRanks(Comm world, Op<Longs> last) {
        int rank = world.rank();
        MpiBuffer<Longs> mine = MpiBuffer.of(new long[] {rank + 1});
        MpiBuffer<Longs> got = MpiBuffer.of(new long[1]);
        world.scan(mine, got, last);
        Check.equal(got.getLong(0), rank + 1L);
        world.exscan(mine, got, last);
        Check.equal(got.getLong(0), rank == 0 ? 1L : rank);
        MpiBuffer<Longs> all = MpiBuffer.of(new long[world.size()]);
        all.setLong(world.size() - 1, rank);
        MpiBuffer<Longs> part = MpiBuffer.of(new long[1]);
        world.reduceScatterBlock(all, part, last);
        Check.equal(part.getLong(0), rank == world.size() - 1 ? (long) rank : 0L);
    }

    public static void reduceScatterGivesEachItsPart(Comm world) throws Exception {
        int rank = world.rank();
        int ranks = world.size();
        inAllMemory(data -> {
            for (int n : data.lengths()) {
                MpiBuffer sent = data.buffer((long) n * ranks, i -> value(rank, i));
                MpiBuffer[] got = {data.empty(n), data.empty(n)};
                world.reduceScatterBlock(sent, got[0], Op.SUM);
                world.ireduceScatterBlock(sent, got[1], Op.SUM).await();
                MpiBuffer inPlace = data.buffer((long) n * ranks, i -> value(rank, i));
                world.reduceScatterBlock(MpiBuffer.inPlace(), inPlace, Op.SUM);
                for (MpiBuffer one : List.of(got[0], got[1], inPlace)) {
                    has(one, n, i -> sum(ranks, rank * n + i));
                }
                int[] counts = counts(ranks, n);
                int before = before(counts, rank);
                MpiBuffer parts = data.buffer(before(counts, ranks), i -> value(rank, i));
                MpiBuffer[] own = {data.empty(counts[rank]), data.empty(counts[rank])};
                world.reduceScatter(parts, own[0], counts, Op.SUM);
                world.ireduceScatter(parts, own[1], counts, Op.SUM).await();
                MpiBuffer again = data.buffer(before(counts, ranks), i -> value(rank, i));
                world.reduceScatter(MpiBuffer.inPlace(), again, counts, Op.SUM);
                for (MpiBuffer one : List.of(own[0], own[1], again)) {
                    has(one, counts[rank], i -> sum(ranks, before + i));
                }
            }
        });
    }

    /** Of different sizes; that of rank 1 is zero. */
    private static int[] counts(int ranks, int n) {
        int[] counts = new int[ranks];
        for (int r = 0; r < ranks; r++) {
            counts[r] = r == 1 ? 0 : n + r;
        }
        return counts;
    }

    private static int before(int[] counts, int rank) {
        int sum = 0;
        for (int r = 0; r < rank; r++) {
            sum += counts[r];
        }
        return sum;
    }

    public static void nonblockingFormsMoveWhatBlockingOnesMove(Comm world) throws Exception {
        int rank = world.rank();
        int ranks = world.size();
        inAllMemory(data -> {
            for (int n : data.lengths()) {
                int root = ranks / 2;
                int all = n * ranks;
                MpiBuffer mine = data.buffer(n, i -> rank * 10 + i % 7);
                IntUnaryOperator ofAll = i -> i / n * 10 + i % n % 7;
                MpiBuffer atRoot = rank == root ? data.empty(all) : null;
                MpiBuffer everywhere = data.empty(all);
                MpiBuffer toEach = data.buffer(all, ofAll);
                MpiBuffer part = data.empty(n);
                MpiBuffer crossed = data.empty(all);
                Request.awaitAll(world.igather(mine, atRoot, root), world.iallgather(mine, everywhere),
                        world.iscatter(rank == root ? toEach : null, part, root), world.ialltoall(toEach, crossed));
                if (rank == root) {
                    has(atRoot, all, ofAll);
                }
                has(everywhere, all, ofAll);
                has(part, n, i -> ofAll.applyAsInt(rank * n + i));
                has(crossed, all, i -> ofAll.applyAsInt(rank * n + i % n));
                MpiBuffer inPlace = data.buffer(all, i -> i / n == rank ? ofAll.applyAsInt(i) : 0);
                world.iallgather(MpiBuffer.inPlace(), inPlace).await();
                has(inPlace, all, ofAll);
            }
        });
    }

    public static void partsOfDifferentSizesAreGathered(Comm world) throws Exception {
        int rank = world.rank();
        int ranks = world.size();
        inAllMemory(data -> {
            for (int n : data.isLong() ? new int[] {0, 3, 30_000} : new int[] {0, 3}) {
                int root = ranks - 1;
                int[] counts = counts(ranks, n);
                if (ranks > 1 && n > 3 && KnownDefects.has("iallgatherv-sends-single-elements")) {
                    counts[1] = 10_000; // else tens of thousands of messages: minutes beside other programs
                }
                int all = before(counts, ranks);
                IntUnaryOperator ofAll = i -> of(counts, i);
                MpiBuffer mine = data.buffer(counts[rank], i -> ofAll.applyAsInt(before(counts, rank) + i));
                boolean here = rank == root;
                MpiBuffer[] got = {data.empty(all), data.empty(all), here ? data.empty(all) : null,
                        here ? data.empty(all) : null};
                world.allgatherv(mine, got[0], counts);
                world.iallgatherv(mine, got[1], counts).await();
                world.gatherv(mine, got[2], here ? counts : null, root);
                world.igatherv(mine, got[3], here ? counts : null, root).await();
                MpiBuffer[] parts = {data.empty(counts[rank]), data.empty(counts[rank])};
                MpiBuffer toEach = here ? data.buffer(all, ofAll) : null;
                world.scatterv(toEach, here ? counts : null, parts[0], root);
                world.iscatterv(toEach, here ? counts : null, parts[1], root).await();
                for (int k = 0; k < 4; k++) {
                    if (got[k] != null) {
                        has(got[k], all, ofAll);
                    }
                    has(parts[k % 2], counts[rank], i -> ofAll.applyAsInt(before(counts, rank) + i));
                }
                MpiBuffer inPlace = data.buffer(all, i -> owner(counts, i) == rank ? ofAll.applyAsInt(i) : 0);
                world.allgatherv(MpiBuffer.inPlace(), inPlace, counts);
                has(inPlace, all, ofAll);
            }
        });
    }

    private static int owner(int[] counts, int i) {
        int rank = 0;
        while (i >= before(counts, rank + 1)) {
            rank++;
        }
        return rank;
    }

    private static int of(int[] counts, int i) {
        int rank = owner(counts, i);
        return rank * 10 + (i - before(counts, rank)) % 7;
    }

    public static void whatLiesBetweenPartsStaysAsItIs(Comm world) throws Exception {
        int rank = world.rank();
        int ranks = world.size();
        inAllMemory(data -> {
            int[] counts = counts(ranks, 2);
            int[] at = new int[ranks];
            for (int r = 0; r < ranks; r++) {
                at[r] = (ranks - 1 - r) * (ranks + 4) + 1;
            }
            int length = ranks * (ranks + 4) + 1;
            IntUnaryOperator expected = i -> {
                int r = ranks - 1 - Math.min(ranks - 1, i / (ranks + 4));
                int inside = i - at[r];
                return inside >= 0 && inside < counts[r] ? r * 10 + inside : 99;
            };
            MpiBuffer mine = data.buffer(counts[rank], i -> rank * 10 + i);
            MpiBuffer got = data.empty(length);
            world.allgatherv(mine, got, counts, at);
            has(got, length, expected);
            MpiBuffer later = data.empty(length);
            Request request = world.iallgatherv(mine, later, counts, at);
            set(later, 0, 77); // no part of the operation
            request.await();
            Check.equal(get(later, 0), 77L);
            set(later, 0, 99);
            has(later, length, expected);
            MpiBuffer part = data.empty(counts[rank]);
            world.scatterv(got, counts, at, part, 0);
            has(part, counts[rank], i -> rank * 10 + i);
            MpiBuffer atRoot = rank == 0 ? data.empty(length) : null;
            world.gatherv(part, atRoot, counts, at, 0);
            if (rank == 0) {
                has(atRoot, length, expected);
                MpiBuffer inPlace = data.buffer(length, expected);
                world.scatterv(inPlace, counts, at, MpiBuffer.inPlace(), 0);
                world.gatherv(MpiBuffer.inPlace(), inPlace, counts, at, 0);
                has(inPlace, length, expected);
            } else {
                world.scatterv(null, null, part, 0);
                world.gatherv(part, null, null, 0);
            }
        });
    }

    public static void alltoallvCrossesPartsOfDifferentSizes(Comm world) throws Exception {
        int rank = world.rank();
        int ranks = world.size();
        inAllMemory(data -> {
            for (int n : new int[] {1, 9_000}) {
                int[] given = new int[ranks];
                int[] got = new int[ranks];
                int[] at = new int[ranks];
                for (int r = 0; r < ranks; r++) {
                    given[r] = n * ((rank + 2 * r) % 3);
                    got[r] = n * ((r + 2 * rank) % 3);
                    at[r] = (ranks - 1 - r) * 3 * n;
                }
                MpiBuffer sent = data.buffer(before(given, ranks), i -> rank * 10 + owner(given, i));
                int all = before(got, ranks);
                MpiBuffer[] received = {data.empty(all), data.empty(all), data.empty(3L * n * ranks)};
                world.alltoallv(sent, given, received[0], got);
                world.ialltoallv(sent, given, received[1], got).await();
                world.ialltoallv(sent, given, null, received[2], got, at).await();
                for (int k = 0; k < 2; k++) {
                    has(received[k], before(got, ranks), i -> owner(got, i) * 10 + rank);
                }
                has(received[2], 3L * n * ranks, i -> {
                    int r = ranks - 1 - i / (3 * n);
                    return i % (3 * n) < got[r] ? r * 10 + rank : 99;
                });
            }
        });
        int[] ones = new int[ranks];
        java.util.Arrays.fill(ones, 1);
        MpiBuffer<Ints> crossed = MpiBuffer.of(new int[ranks]);
        for (int r = 0; r < ranks; r++) {
            crossed.setInt(r, 100 * rank + r);
        }
        world.alltoallv(MpiBuffer.inPlace(), null, crossed, ones);
        has(crossed, ranks, i -> 100 * i + rank);
    }

    public static void partsMayBeColumns(Comm world) {
        int ranks = world.size();
        int rank = world.rank();
        try (Datatype<Ints> column = Datatype.vector(3, 1, ranks + 1, Datatype.INT);
                Datatype<Ints> columns = column.resized(Integer.BYTES)) {
            int width = ranks + 1;
            for (MpiBuffer<Ints> matrix : List.of(MpiBuffer.of(new int[40 * width]),
                    MpiBuffer.allocate(Datatype.INT, 40L * width))) {
                int[] at = new int[ranks];
                at[0] = ranks;
                int[] counts = new int[ranks];
                counts[0] = 1;
                counts[ranks - 1] = 1;
                int[] mine = new int[3 * counts[rank]];
                java.util.Arrays.fill(mine, rank + 1);
                world.allgatherv(MpiBuffer.of(mine), matrix.as(columns, width), counts, at);
                for (int row = 0; row < 3; row++) {
                    Check.equal(matrix.getInt((long) row * width), ranks == 1 ? 0 : ranks);
                    Check.equal(matrix.getInt((long) row * width + at[0]), 1);
                }
                Check.equal(matrix.getInt(3L * width), 0);
            }
        }
    }

    public static void buffersMayShareMemory(Comm world) {
        int ranks = world.size();
        int rank = world.rank();
        MpiBuffer<Ints> memory = MpiBuffer.allocate(Datatype.INT, 4L * ranks);
        MpiBuffer<Ints> first = memory.as(Datatype.INT, ranks);
        MpiBuffer<Ints> second = memory.as(Datatype.INT, ranks, 1);
        for (int i = 0; i < ranks; i++) {
            first.setInt(i, value(rank, i));
        }
        world.allreduce(first, second, Op.SUM);
        has(second, ranks, i -> sum(ranks, i));
        for (int i = 0; i < ranks; i++) {
            first.setInt(i, 10 * rank + i);
        }
        world.ialltoall(first, first).await();
        has(first, ranks, i -> 10 * i + rank);
        world.scan(first, first, Op.MAX);
        has(first, ranks, i -> 10 * i + rank);
    }

    public static void virtualThreadsCallThem(Comm world) throws Exception {
        int rank = world.rank();
        int ranks = world.size();
        Throwable[] thrown = {null};
        Thread.ofVirtual().start(() -> {
            try {
                Data data = new Data(Datatype.INT, true);
                int[] counts = counts(ranks, 2);
                MpiBuffer got = data.empty(before(counts, ranks));
                world.allgatherv(data.buffer(counts[rank], i -> rank * 10 + i), got, counts);
                has(got, before(counts, ranks), i -> of(counts, i));
                MpiBuffer values = data.buffer(3, i -> value(rank, i));
                world.iscan(values, Op.SUM).await();
                has(values, 3, i -> sum(rank + 1, i));
                MpiBuffer sum = data.empty(3);
                world.allreduce(data.buffer(3, i -> value(rank, i)), sum, Op.SUM);
                has(sum, 3, i -> sum(ranks, i));
                world.ibarrier().await();
            } catch (Throwable t) {
                thrown[0] = t;
            }
        }).join();
        if (thrown[0] != null) {
            throw new AssertionError(thrown[0]);
        }
    }

    public static void aClosedCommunicatorRefusesThem(Comm world) {
        Comm closed = world.dup();
        closed.close();
        MpiBuffer<Ints> one = MpiBuffer.of(new int[1]);
        int[] counts = {1};
        List<Check.Statement> calls = List.of(() -> closed.ibarrier(), () -> closed.ibcast(one, 0),
                () -> closed.reduce(one, one, Op.SUM, 0), () -> closed.ireduce(one, Op.SUM, 0),
                () -> closed.allreduce(one, one, Op.SUM), () -> closed.iallreduce(one, one, Op.SUM),
                () -> closed.scan(one, Op.SUM), () -> closed.iexscan(one, one, Op.SUM),
                () -> closed.igather(one, one, 0),
                () -> closed.iallgather(one, one), () -> closed.iscatter(one, one, 0), () -> closed.ialltoall(one, one),
                () -> closed.gatherv(one, one, counts, 0), () -> closed.scatterv(one, counts, one, 0),
                () -> closed.allgatherv(one, one, counts), () -> closed.ialltoallv(one, counts, one, counts),
                () -> closed.reduceScatter(one, one, counts, Op.SUM),
                () -> closed.ireduceScatterBlock(one, one, Op.SUM));
        for (Check.Statement call : calls) {
            Check.fails(IllegalStateException.class, call);
        }
    }
}

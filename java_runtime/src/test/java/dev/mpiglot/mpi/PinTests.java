package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Large arrays of calls that block are pinned where the collector allows it, and copied elsewhere: with the same results. */
public final class PinTests {

    private static final int LIMIT = 1 << 16;
    private static final int[] OFFSETS = Check.isWhole() ? new int[] {0, 3} : new int[] {3};
    private static final List<Kind> KINDS = List.of(Kind.BYTE, Kind.SHORT, Kind.CHAR, Kind.INT, Kind.LONG, Kind.FLOAT,
            Kind.DOUBLE);
    /** As the JVM says, by another way than the package asks it. */
    private static final boolean PINS = pins();

    private PinTests() {
    }

    private static boolean pins() {
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
        String switched = System.getProperty("mpiglot.pinned.bytes", "65536");
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .anyMatch(one -> one.getName().startsWith("G1") || one.getName().startsWith("Shenandoah"))
                && flags.stream().noneMatch(flag -> flag.startsWith("-Xcheck:jni") || flag.contains("+CheckJNICalls"))
                && switched.equals("65536");
    }

    /** Elements of an array between others, which nothing changes. */
    private static final class Piece {

        private static final int GUARD = 99;
        private final Kind kind;
        private final int offset;
        private final int count;
        private final Object array;
        final MpiBuffer<Element.Numeric> buffer;

        @SuppressWarnings("unchecked")
        Piece(Kind kind, int offset, int count, IntUnaryOperator value) {
            this.kind = kind;
            this.offset = offset;
            this.count = count;
            this.array = Primitives.of(kind, around(value));
            this.buffer = (MpiBuffer<Element.Numeric>) Primitives.buffer(array).as(Datatype.of(kind), count, offset);
        }

        private int[] around(IntUnaryOperator value) {
            int[] all = new int[offset + count + 5];
            Arrays.fill(all, GUARD);
            for (int i = 0; i < count; i++) {
                all[offset + i] = value.applyAsInt(i);
            }
            return all;
        }

        MpiBuffer<Element.Numeric> part(int first, int elements) {
            return buffer.as(buffer.type(), elements, first);
        }

        void requires(String what, IntUnaryOperator value) {
            Object expected = Primitives.of(kind, around(value));
            long wrong = Primitives.segment(array).mismatch(Primitives.segment(expected));
            Check.isTrue(wrong < 0, what + ": byte " + wrong + " of " + count + " " + kind + " from " + offset + " on");
        }
    }

    /** Elements of a kind on a communicator, with values that are others each time. */
    private static final class Round {

        private static int rounds;
        final Comm world;
        final int rank;
        final int ranks;
        final int count;
        private final Kind kind;
        private final int offset;
        private final int round = rounds++;

        Round(Comm world, Kind kind, int offset, int count) {
            this.world = world;
            this.rank = world.rank();
            this.ranks = world.size();
            this.kind = kind;
            this.offset = offset;
            this.count = count;
        }

        /** What a rank has at an index: 0 to 22, so that four of them are a byte. */
        int value(int rank, int index) {
            return (index * 7 + rank * 5 + round * 3) % 23;
        }

        IntUnaryOperator of(int rank) {
            return i -> value(rank, i);
        }

        IntUnaryOperator sumOf(int ranks) {
            return i -> IntStream.range(0, ranks).map(one -> value(one, i)).sum();
        }

        Piece mine() {
            return new Piece(kind, offset, count, of(rank));
        }

        Piece empty() {
            return new Piece(kind, offset, count, i -> 50);
        }

        Piece piece(int count, IntUnaryOperator value) {
            return new Piece(kind, offset, count, value);
        }

        int left() {
            return (rank + ranks - 1) % ranks;
        }

        int right() {
            return (rank + 1) % ranks;
        }
    }

    /** An operation with its check; how many arrays of this process it has, all of which are large. */
    @FunctionalInterface
    private interface Use {
        int run(Round round);
    }

    private static Map<String, Use> uses() {
        Map<String, Use> uses = new LinkedHashMap<>();
        uses.put("send", r -> {
            Piece out = r.mine();
            Piece in = r.empty();
            Request sent = r.world.isend(out.buffer, r.right(), 1);
            Check.equal(r.world.recv(in.buffer, r.left(), 1).bytes(), in.buffer.bytes());
            sent.await();
            in.requires("recv", r.of(r.left()));
            Request received = r.world.irecv(in.buffer, r.right(), 2);
            r.world.send(out.buffer, r.left(), 2);
            received.await();
            in.requires("send", r.of(r.right()));
            return 2;
        });
        uses.put("ssend", r -> {
            Piece in = r.empty();
            Request received = r.world.irecv(in.buffer, r.left(), 2);
            r.world.ssend(r.mine().buffer, r.right(), 2);
            received.await();
            in.requires("ssend", r.of(r.left()));
            return 1;
        });
        uses.put("mprobe", r -> {
            Piece in = r.empty();
            Request sent = r.world.isend(r.mine().buffer, r.right(), 3);
            r.world.mprobe(r.left(), 3).recv(in.buffer);
            sent.await();
            in.requires("recv of a probed message", r.of(r.left()));
            return 1;
        });
        uses.put("a short message", r -> {
            Piece out = r.piece(r.count - 5, r.of(r.rank));
            Piece in = r.empty();
            Request sent = r.world.isend(out.buffer, r.right(), 4);
            r.world.recv(in.buffer, r.left(), 4);
            sent.await();
            in.requires("short recv", i -> i < r.count - 5 ? r.value(r.left(), i) : 50);
            return 1;
        });
        uses.put("sendrecv", r -> {
            Piece in = r.empty();
            r.world.sendrecv(r.mine().buffer, r.right(), in.buffer, r.left(), 5);
            in.requires("sendrecv", r.of(r.left()));
            return 2;
        });
        uses.put("sendrecv within one array", r -> {
            Piece all = r.piece(2 * r.count, i -> i < r.count ? r.value(r.rank, i) : 50);
            r.world.sendrecv(all.part(0, r.count), r.right(), all.part(r.count, r.count), r.left(), 6);
            all.requires("sendrecv within one array",
                    i -> r.value(i < r.count ? r.rank : r.left(), i % r.count));
            return 2;
        });
        uses.put("sendrecv of elements that overlap", r -> {
            int half = r.count / 2;
            Piece all = r.piece(r.count + half, i -> i < r.count ? r.value(r.rank, i) : 50);
            r.world.sendrecv(all.part(0, r.count), r.right(), all.part(half, r.count), r.left(), 7);
            all.requires("sendrecv of elements that overlap",
                    i -> i < half ? r.value(r.rank, i) : r.value(r.left(), i - half));
            return 1;
        });
        uses.put("sendrecvReplace", r -> {
            Piece all = r.mine();
            r.world.sendrecvReplace(all.buffer, r.right(), 8, r.left(), 8);
            all.requires("sendrecvReplace", r.of(r.left()));
            return 1;
        });
        uses.put("bcast", r -> {
            int root = r.ranks - 1;
            Piece all = r.rank == root ? r.mine() : r.empty();
            r.world.bcast(all.buffer, root);
            all.requires("bcast", r.of(root));
            return 1;
        });
        uses.put("reduce", r -> {
            int root = r.ranks - 1;
            Piece all = r.mine();
            r.world.reduce(all.buffer, Op.SUM, root);
            all.requires("reduce", r.rank == root ? r.sumOf(r.ranks) : r.of(r.rank));
            Piece sum = r.empty();
            r.world.reduce(r.mine().buffer, sum.buffer, Op.SUM, 0);
            sum.requires("reduce of two buffers", r.rank == 0 ? r.sumOf(r.ranks) : i -> 50);
            return r.rank == 0 ? 3 : 2;
        });
        uses.put("allreduce", r -> {
            Piece all = r.mine();
            r.world.allreduce(all.buffer, Op.SUM);
            all.requires("allreduce", r.sumOf(r.ranks));
            Piece sum = r.empty();
            Piece mine = r.mine();
            r.world.allreduce(mine.buffer, sum.buffer, Op.SUM);
            sum.requires("allreduce of two buffers", r.sumOf(r.ranks));
            mine.requires("what allreduce read", r.of(r.rank));
            return 3;
        });
        uses.put("scan", r -> {
            Piece sum = r.empty();
            r.world.scan(r.mine().buffer, sum.buffer, Op.SUM);
            sum.requires("scan", r.sumOf(r.rank + 1));
            Piece all = r.mine();
            r.world.scan(all.buffer, Op.SUM);
            all.requires("scan in place", r.sumOf(r.rank + 1));
            return 3;
        });
        uses.put("exscan", r -> {
            Piece sum = r.empty();
            r.world.exscan(r.mine().buffer, sum.buffer, Op.SUM);
            sum.requires("exscan", r.rank == 0 ? i -> 50 : r.sumOf(r.rank));
            return r.rank == 0 ? 0 : 2; // rank 0 gets nothing, whatever MPI does with its buffer
        });
        uses.put("gather and scatter", r -> {
            Piece all = r.piece(r.count * r.ranks, i -> 50);
            r.world.gather(r.mine().buffer, all.buffer, 0);
            IntUnaryOperator gathered = i -> r.value(i / r.count, i % r.count);
            all.requires("gather", r.rank == 0 ? gathered : i -> 50);
            Piece part = r.empty();
            r.world.scatter(all.buffer, part.buffer, 0);
            part.requires("scatter", r.of(r.rank));
            return r.rank == 0 ? 4 : 2;
        });
        uses.put("allgather", r -> {
            Piece all = r.piece(r.count * r.ranks, i -> 50);
            r.world.allgather(r.mine().buffer, all.buffer);
            all.requires("allgather", i -> r.value(i / r.count, i % r.count));
            Piece here = r.piece(r.count * r.ranks, i -> i / r.count == r.rank ? r.value(r.rank, i % r.count) : 50);
            r.world.allgather(MpiBuffer.inPlace(), here.buffer);
            here.requires("allgather in place", i -> r.value(i / r.count, i % r.count));
            return 3;
        });
        uses.put("alltoall", r -> {
            Piece out = r.piece(r.count * r.ranks, r.of(r.rank));
            Piece in = r.piece(r.count * r.ranks, i -> 50);
            r.world.alltoall(out.buffer, in.buffer);
            in.requires("alltoall", i -> r.value(i / r.count, r.rank * r.count + i % r.count));
            return 2;
        });
        uses.put("parts of different sizes with gaps", PinTests::vectors);
        uses.put("reduceScatter", r -> {
            Piece part = r.empty();
            r.world.reduceScatterBlock(r.piece(r.count * r.ranks, r.of(r.rank)).buffer, part.buffer, Op.SUM);
            IntUnaryOperator own = i -> r.sumOf(r.ranks).applyAsInt(r.rank * r.count + i);
            part.requires("reduceScatterBlock", own);
            int[] counts = new int[r.ranks];
            Arrays.fill(counts, r.count);
            Piece other = r.empty();
            r.world.reduceScatter(r.piece(r.count * r.ranks, r.of(r.rank)).buffer, other.buffer, counts, Op.SUM);
            other.requires("reduceScatter", own);
            return 4;
        });
        uses.put("reduceLocal", r -> {
            Piece sum = r.piece(r.count, r.of(1));
            Op.SUM.reduceLocal(r.piece(r.count, r.of(0)).buffer, sum.buffer);
            sum.requires("reduceLocal", r.sumOf(2));
            return 2;
        });
        uses.put("pack", r -> {
            Piece in = r.empty();
            PackedBuffer packed = PackedBuffer.allocate(r.world, 16L * r.count + 100);
            packed.pack(r.mine().buffer);
            packed.rewind();
            packed.unpack(in.buffer);
            in.requires("unpack", r.of(r.rank));
            return 2;
        });
        return uses;
    }

    /** Parts with gaps between them, which keep what they had. */
    private static int vectors(Round r) {
        int[] counts = new int[r.ranks];
        int[] places = new int[r.ranks];
        int step = r.count + 4;
        Arrays.setAll(counts, rank -> r.count - rank);
        Arrays.setAll(places, rank -> rank * step);
        int end = r.ranks * step;
        Piece all = r.piece(end, i -> 50);
        r.world.allgatherv(r.piece(counts[r.rank], r.of(r.rank)).buffer, all.buffer, counts, places);
        IntUnaryOperator parts = i -> i % step < counts[i / step] ? r.value(i / step, i % step) : 50;
        all.requires("allgatherv", parts);
        Piece gathered = r.piece(end, i -> 50);
        r.world.gatherv(r.piece(counts[r.rank], r.of(r.rank)).buffer, gathered.buffer, counts, places, 0);
        gathered.requires("gatherv", r.rank == 0 ? parts : i -> 50);
        Piece part = r.piece(counts[r.rank], i -> 50);
        r.world.scatterv(all.buffer, counts, places, part.buffer, 0);
        part.requires("scatterv", r.of(r.rank));
        int[] own = new int[r.ranks];
        Arrays.fill(own, counts[r.rank]);
        Piece crossed = r.piece(end, i -> 50);
        r.world.alltoallv(all.buffer, counts, places, crossed.buffer, own, places);
        crossed.requires("alltoallv", i -> i % step < own[0] ? r.value(r.rank, i % step) : 50);
        return 2 + (r.rank == 0 ? 4 : 2) + 2;
    }

    /** Allocates, and asks for collections, while something else is done. */
    private static final class Collections {

        /** Where arrays are pinned, the collector must move what is around them; elsewhere they are copies anyway. */
        private static final int PAUSE_NS = PINS || Check.isWhole() ? 1_000_000 : 10_000_000;

        private volatile boolean isOver;

        static void during(Runnable action) {
            Collections collections = new Collections();
            Thread.ofPlatform().daemon().start(collections::run);
            try {
                action.run();
            } finally {
                collections.isOver = true;
            }
        }

        private void run() {
            List<byte[]> kept = new ArrayList<>();
            for (int i = 0; !isOver; i++) {
                kept.add(new byte[10_000]);
                if (kept.size() > 500) {
                    kept.subList(0, 400).clear();
                }
                if (i % 2000 == 0) {
                    System.gc();
                }
                if (i % 100 == 0) {
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
        }
    }

    private static void run(Comm world, int bytes, boolean areLarge, List<Kind> kinds) {
        for (Kind kind : kinds) {
            for (int offset : OFFSETS) {
                for (Map.Entry<String, Use> use : uses().entrySet()) {
                    long before = Pins.taken();
                    int arrays = use.getValue().run(new Round(world, kind, offset, bytes / kind.size()));
                    long expected = PINS && areLarge ? arrays : 0;
                    if (bytes == LIMIT || !areLarge) { // parts of other lengths are on either side of the limit
                        continue;
                    }
                    Check.isTrue(Pins.taken() - before == expected, use.getKey() + " of " + bytes + " bytes of " + kind
                            + " pinned " + (Pins.taken() - before) + " arrays, not " + expected);
                }
            }
        }
        Check.equal(Pins.held(), 0L);
    }

    public static void arraysAroundTheLimitArriveWhileMemoryIsCollected(Comm world) {
        Collections.during(() -> {
            // Copies are the same at every length.
            int[] lengths = PINS || Check.isWhole() ? new int[] {LIMIT / 2, LIMIT - 8, LIMIT, LIMIT + 8} : new int[] {LIMIT};
            for (int i = 0; i < lengths.length; i++) {
                int part = i;
                run(world, lengths[i], false, Check.isWhole() ? KINDS : List.of(KINDS.get(part + 2)));
            }
        });
    }

    public static void largeArraysArriveWhileMemoryIsCollected(Comm world) {
        Collections.during(() -> {
            run(world, 3 * LIMIT, true, Check.isWhole() ? KINDS : List.of(Kind.BYTE));
            if (Check.isWhole()) {
                run(world, 2 << 20, true, KINDS);
            }
        });
    }

    private static void pins(int expected, Check.Statement action) throws Exception {
        long before = Pins.taken();
        action.run();
        Check.equal(Pins.taken() - before, PINS ? (long) expected : 0L);
        Check.equal(Pins.held(), 0L);
    }

    public static void theLimitIsExact(Comm world) throws Exception {
        int self = world.rank();
        for (int less = 0; less < 2; less++) {
            byte[] sent = new byte[LIMIT - less];
            byte[] received = new byte[LIMIT - less];
            Arrays.fill(sent, (byte) 7);
            pins(2 - 2 * less, () -> world.sendrecv(sent, self, received, self, 1));
            Check.equal(received, sent);
        }
    }

    public static void operationsOfTheProgramGetCopies(Comm world) throws Exception {
        try (Op<Element.Ints> sum = Op.ofInts(true, Integer::sum)) {
            int[] values = new int[LIMIT];
            Arrays.setAll(values, i -> i + world.rank());
            pins(0, () -> world.allreduce(values, sum));
            int[] more = new int[LIMIT];
            Arrays.setAll(more, i -> i * world.size() + world.size() * (world.size() - 1) / 2);
            Check.equal(values, more);
            pins(0, () -> sum.reduceLocal(MpiBuffer.of(new int[LIMIT]), MpiBuffer.of(values)));
            Check.equal(values, more);
        }
    }

    public static void operationsThatDoNotBlockGetCopies(Comm world) throws Exception {
        int self = world.rank();
        double[] sent = new double[LIMIT];
        double[] received = new double[LIMIT];
        Arrays.fill(sent, 2.5);
        pins(0, () -> {
            Request in = world.irecv(received, self, 1);
            world.isend(sent, self, 1).await();
            in.await();
            double[] sum = {0};
            world.iallreduce(sum, Op.SUM).await();
            try (Persistent again = world.sendInit(MpiBuffer.of(sent), self, 2)) {
                Request next = world.irecv(received, self, 2);
                again.start().await();
                next.await();
            }
        });
        Check.equal(received, sent);
    }

    public static void virtualThreadsGetCopies(Comm world) throws Exception {
        if (!Progress.isPossible()) {
            return;
        }
        int self = world.rank();
        pins(0, () -> Check.together(() -> {
            Throwable[] thrown = new Throwable[1];
            Thread.ofVirtual().uncaughtExceptionHandler((thread, e) -> thrown[0] = e).start(() -> {
                long[] sent = new long[LIMIT];
                long[] received = new long[LIMIT];
                Arrays.fill(sent, self);
                world.sendrecv(sent, self, received, self, 1);
                Check.equal(received, sent);
                world.allreduce(received, Op.MAX);
                Check.equal(received[LIMIT - 1], (long) world.size() - 1);
            }).join();
            Check.equal(thrown[0], null);
        }));
    }

    /** Booleans, columns, segments and views have no elements of MPI side by side in an array. */
    public static void otherBuffersGetCopies(Comm world) throws Exception {
        int self = world.rank();
        boolean[] flags = new boolean[2 * LIMIT];
        boolean[] others = new boolean[2 * LIMIT];
        flags[LIMIT] = true;
        pins(0, () -> world.sendrecv(MpiBuffer.of(flags), self, MpiBuffer.of(others), self, 1));
        Check.equal(others, flags);
        int[] matrix = IntStream.range(0, 4 * LIMIT).toArray();
        int[] columns = new int[4 * LIMIT];
        pins(0, () -> world.sendrecv(MpiBuffer.of(matrix).strided(LIMIT, 2, 4), self,
                MpiBuffer.of(columns).strided(LIMIT, 2, 4), self, 2));
        Check.equal(columns[4 * LIMIT - 3], 4 * LIMIT - 3);
        Check.equal(columns[4 * LIMIT - 2], 0);
        MemorySegment readOnly = MemorySegment.ofArray(matrix).asReadOnly();
        pins(1, () -> world.sendrecv(MpiBuffer.of(readOnly, Datatype.INT), self, MpiBuffer.of(columns), self, 3));
        Check.equal(columns, matrix);
    }

    /** Elements that begin at no multiple of their size are copied. */
    public static void elementsOfAnotherTypeArriveFromAnyByte(Comm world) throws Exception {
        int self = world.rank();
        byte[] sent = new byte[8 * LIMIT + 16];
        new java.util.Random(5).nextBytes(sent);
        pins(8 + 1, () -> { // what receives, each time, and what is sent from one of eight bytes
            for (int first = 0; first < 8; first++) {
                double[] received = new double[LIMIT];
                world.sendrecv(MpiBuffer.of(sent).as(Datatype.BYTE, 8L * LIMIT, first).as(Datatype.DOUBLE, LIMIT), self,
                        MpiBuffer.of(received), self, 4);
                Check.isTrue(MemorySegment.ofArray(received).mismatch(
                        MemorySegment.ofArray(sent).asSlice(first, 8L * LIMIT)) < 0, "elements from byte " + first);
            }
        });
    }

    /** A handler of the program runs while its array is pinned. */
    public static void callsThatFailEndTheirPins(Comm world) throws Exception {
        int self = world.rank();
        int[] told = {0};
        byte[] sent = new byte[2 * LIMIT];
        byte[] received = new byte[2 * LIMIT];
        pins(1, () -> Check.fails(MpiException.class, () -> world.send(sent, world.size(), 1)));
        pins(1, () -> Check.fails(MpiException.class, () -> world.recv(received, world.size(), 1)));
        pins(1, () -> Check.fails(MpiException.class, () -> world.bcast(sent, world.size())));
        try (Comm comm = world.dup(); ErrorHandler handler = ErrorHandler.of(error -> {
            told[0]++;
            System.gc();
            Arrays.fill(received, (byte) 3); // MPI may be called by no handler with MPICH 4.0.2
        })) {
            comm.setErrorHandler(handler);
            pins(1, () -> Check.fails(MpiException.class, () -> comm.send(received, comm.size(), 1)));
            Check.equal(told[0], 1);
            Check.equal(received[LIMIT], (byte) 3);
        }
    }

    /** All processes have their part; one of them gives what does not fit. */
    public static void mistakesOfOneRankEndTheirPins(Comm world) {
        int ranks = world.size();
        boolean isWrong = world.rank() == 0;
        byte[] mine = new byte[2 * LIMIT];
        byte[] all = new byte[2 * LIMIT * ranks - (isWrong ? 1 : 0)];
        Arrays.fill(mine, (byte) (world.rank() + 1));
        if (isWrong) {
            Check.fails(IllegalArgumentException.class, () -> world.allgather(mine, all));
        } else {
            world.allgather(mine, all);
            for (int rank = 0; rank < ranks; rank++) {
                Check.equal(all[2 * LIMIT * rank + LIMIT], (byte) (rank + 1));
            }
        }
        Check.equal(Pins.held(), 0L);
    }

    public static void threadsPinTheSameArray(Comm world) {
        if (!Progress.isPossible()) {
            return;
        }
        int self = world.rank();
        int[] sent = IntStream.range(0, 2 * LIMIT).toArray();
        Check.Statement[] statements = new Check.Statement[3];
        for (int i = 0; i < statements.length; i++) {
            int tag = 10 + i;
            statements[i] = () -> {
                int[] received = new int[2 * LIMIT];
                for (int round = 0; round < 50; round++) {
                    received[round] = -1;
                    world.sendrecv(sent, self, received, self, tag);
                    Check.equal(received, sent);
                }
            };
        }
        Collections.during(() -> Check.together(statements));
        Check.equal(Pins.held(), 0L);
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.mpi.Element.Integral;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Records in every operation do what whole numbers of the same order do: each record is made of a number from 0 to 99,
 * and numbers of the same ten have the same value, so that the index decides.
 */
public final class RecordArrayTests {

    private static final int[] LENGTHS = {0, 1, 7, 8192, 65_537};
    /** Associative, and the order of ranks shows: the left one, unless it is a multiple of 3. */
    private static final IntBinaryOperator FIRST = (a, b) -> a % 3 != 0 ? a : b;

    private record Pair(int ten, int one) {
    }

    private record Inner(byte one, double ten) {
    }

    private record Padded(byte a, Inner inner, boolean odd, long copy, char b) {
    }

    /** None is made of zeros, as receivers have them before a message, nor of a part of a message. */
    private record Positive(short ten, double one, float sum) {

        Positive {
            if (sum != ten + (float) one || ten <= 0) {
                throw new IllegalArgumentException("no number is made of " + ten + " and " + one);
            }
        }
    }

    private RecordArrayTests() {
    }

    /**
     * A class of records, each of which stands for a number, and an operation.
     *
     * @param op on the records
     * @param plain on the numbers
     */
    private record Sort<R extends Record>(Class<R> type, IntFunction<R> maker, ToIntFunction<R> number, Op<?> op,
            Op<?> plain) {

        /** The operation that a loop makes of one on numbers. */
        Sort<R> with(boolean commutative, IntBinaryOperator operator) {
            return new Sort<>(type, maker, number, Op.of(type, commutative, (a, b) -> maker.apply(
                    operator.applyAsInt(number.applyAsInt(a), number.applyAsInt(b)))),
                    Op.ofInts(commutative, operator));
        }

        Forms.Held held(int[] values) {
            RecordArray<R> all = RecordArray.of(type, IntStream.of(values).mapToObj(maker).toList());
            return new Forms.Held(all.buffer(), () -> all.toList().stream().mapToInt(number).toArray());
        }
    }

    private static <R extends Record & Located> void pairs(List<Sort<?>> all, Class<R> type, IntFunction<R> most,
            IntFunction<R> least, Function<R, Number> value) {
        ToIntFunction<R> number = one -> value.apply(one).intValue() * 10 + 9 - one.index();
        Sort<R> places = new Sort<>(type, most, number, Op.MAXLOC, Op.MAX);
        all.add(places);
        all.add(new Sort<>(type, least, one -> value.apply(one).intValue() * 10 + one.index(), Op.MINLOC, Op.MIN));
        all.add(places.with(false, FIRST));
    }

    private static List<Sort<?>> sorts() {
        List<Sort<?>> all = new ArrayList<>();
        pairs(all, Located.OfDouble.class, i -> Located.of((double) (i / 10), 9 - i % 10),
                i -> Located.of((double) (i / 10), i % 10), Located.OfDouble::value);
        pairs(all, Located.OfFloat.class, i -> Located.of((float) (i / 10), 9 - i % 10),
                i -> Located.of((float) (i / 10), i % 10), Located.OfFloat::value);
        pairs(all, Located.OfLong.class, i -> Located.of((long) (i / 10), 9 - i % 10),
                i -> Located.of((long) (i / 10), i % 10), Located.OfLong::value);
        pairs(all, Located.OfInt.class, i -> Located.of(i / 10, 9 - i % 10), i -> Located.of(i / 10, i % 10),
                Located.OfInt::value);
        pairs(all, Located.OfShort.class, i -> Located.of((short) (i / 10), 9 - i % 10),
                i -> Located.of((short) (i / 10), i % 10), Located.OfShort::value);
        Sort<Pair> pairs = new Sort<>(Pair.class, i -> new Pair(i / 10, i % 10), one -> one.ten * 10 + one.one,
                null, null);
        Sort<Padded> padded = new Sort<>(Padded.class,
                i -> new Padded((byte) i, new Inner((byte) (i % 10), i / 10), i % 2 == 1, i, (char) i), one -> {
                    int i = (int) one.inner.ten * 10 + one.inner.one;
                    boolean whole = one.a == i && one.odd == (i % 2 == 1) && one.copy == i && one.b == i;
                    return whole ? i : -1;
                }, null, null);
        Sort<Positive> positive = new Sort<>(Positive.class,
                i -> new Positive((short) (i / 10 + 1), i % 10, i / 10 + 1 + i % 10),
                one -> one.ten * 10 - 10 + (int) one.one, null, null);
        for (Sort<?> sort : List.of(pairs, padded, positive)) {
            all.add(sort.with(true, Math::max));
            all.add(sort.with(false, FIRST));
        }
        return all;
    }

    /** The file of an operation has a view of its records, unless they have gaps inside; no window has records. */
    private record Made(Comm world, MpiFile file, Datatype<?> refused) implements FormUses.Objects {

        @Override
        @SuppressWarnings("unchecked")
        public Window<Integral> window(Kind kind) {
            return world.allocateWindow((Datatype<Integral>) refused, 1, null);
        }

        @Override
        @SuppressWarnings("unchecked")
        public Window<Integral> dynamic(Kind kind) {
            return world.createDynamicWindow((Datatype<Integral>) refused, null);
        }

        @Override
        public MpiFile file(Kind kind) {
            if (refused != null) {
                file.setView(FileView.of(0, refused));
            }
            return file;
        }
    }

    /** Windows have no records; files and partitioned messages only those without gaps. */
    private static boolean isRefused(String name, Datatype<?> type, boolean isWhole) {
        boolean isPacked = name.startsWith("PackedBuffer") && LibraryDefects.PACKS_NO_STRUCTURES != null;
        boolean isExchange = name.startsWith("isendrecv") && LibraryDefects.EXCHANGES_FREE_TYPES != null;
        boolean isBuffered = List.of("bsend", "ibsend", "bsendInit").contains(name)
                && LibraryDefects.PACKED_IS_TRUNCATED != null && !type.layout().isDense();
        return isPacked || isExchange || isBuffered || name.contains("Window") || name.startsWith("MpiFile") && !isWhole
                || name.equals("psendInit") && !type.layout().isDense();
    }

    /** The lengths take turns, so that an operation has all of them with some sort. */
    private static int length(int turn) {
        return LENGTHS[turn % 29 == 7 ? 4 : turn % 29 == 14 ? 3 : turn % 3];
    }

    public static void everyOperationDoesWithRecordsWhatItDoesWithNumbers(Comm world) throws Exception {
        int each = (Check.isWhole() ? 5 : 161) * world.size();
        AllTests.mpi().attachBuffer(4L * 64 * LENGTHS[4]);
        FileTests.inFolder(world, path -> {
            try (Cart ring = world.createCart(new int[] {world.size()}, new boolean[] {true}, false);
                    MpiFile plain = world.openFile(path + "plain", FileMode.READ_WRITE, FileMode.CREATE)) {
                plain.setView(FileView.of(0, Datatype.INT));
                int round = RandomTests.seed();
                int turn = 0;
                for (Sort<?> sort : sorts()) {
                    turn++;
                    try (MpiFile file = world.openFile(path + sort.type.getSimpleName(), FileMode.READ_WRITE,
                            FileMode.CREATE); Datatype<?> type = Datatype.struct(sort.type);
                            Datatype<?> sideBySide = type.resized(type.size())) {
                        boolean isWhole = sideBySide.layout().isDense();
                        if (isWhole) {
                            file.setView(FileView.of(0, sideBySide));
                        }
                        for (String name : FormOperations.ALL.keySet()) {
                            if (++round % each != 0) {
                                continue;
                            }
                            if (isRefused(name, type, isWhole)) {
                                refuse(world, ring, sort, file, type, name);
                            } else {
                                compare(world, ring, sort, file, plain, name, length(round / each + turn), round);
                            }
                        }
                    }
                    sort.op.close();
                    sort.plain.close();
                }
            }
        });
        AllTests.mpi().detachBuffer();
    }

    @SuppressWarnings("unchecked")
    private static void refuse(Comm world, Cart ring, Sort<?> sort, MpiFile file, Datatype<?> type, String name) {
        Forms.Form form = new Forms.Form("records", Kind.RECORD, sort::held);
        FormUses uses = new FormUses(world, ring, new Made(world, file, type), form, 1, 0, (Op<Integral>) sort.op);
        try {
            if (name.startsWith("isendrecv")) { // that of FormOperations does nothing where the library has none
                world.isendrecvReplace(uses.sent(1), uses.right(), 3, uses.left(), 3);
            } else if (name.contains("Window")) {
                uses.window();
            }
            FormOperations.ALL.get(name).run(uses);
        } catch (IllegalArgumentException | UnavailableException e) {
            return;
        }
        throw new AssertionError(name + " of " + sort.type.getSimpleName() + " was not refused");
    }

    @SuppressWarnings("unchecked")
    private static void compare(Comm world, Cart ring, Sort<?> sort, MpiFile file, MpiFile ofNumbers, String name,
            int length, int round) {
        Forms.Form form = new Forms.Form("records", Kind.RECORD, sort::held);
        FormUses uses = new FormUses(world, ring, new Made(world, file, null), form, length,
                round, (Op<Integral>) sort.op);
        FormUses plain = new FormUses(world, ring, new Made(world, ofNumbers, null), Forms.plain(Kind.INT), length,
                round, (Op<Integral>) sort.plain);
        try {
            FormOperations.ALL.get(name).run(uses);
            FormOperations.ALL.get(name).run(plain);
            Check.equal(uses.contents(), plain.contents());
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(name + " of " + length + " " + sort.type.getSimpleName() + ", round " + round, e);
        }
    }

    /** A rank that takes the wrong operation throws, and so do those that hear of it; nobody waits. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void operationsAndRecordsThatDoNotFitAreRefused(Comm world) {
        RecordArray<Pair> pairs = RecordArray.of(Pair.class, List.of(new Pair(world.rank(), 1)));
        RecordArray<Located.OfInt> places = RecordArray.of(Located.OfInt.class, 1);
        Op most = Op.MAXLOC;
        Op sum = Op.SUM;
        refused("MAXLOC cannot reduce Pair elements, only Located.", () -> world.allreduce(pairs.buffer(), most));
        refused("SUM cannot reduce OfInt elements", () -> world.iallreduce((MpiBuffer) places.buffer(), sum).await());
        refused("MAXLOC cannot reduce int elements, only Located.",
                () -> world.scan((MpiBuffer) MpiBuffer.of(new int[1]), most));
        refused("\"received\" has OfInt elements, \"sent\" has Pair elements.",
                () -> world.allgather((MpiBuffer) pairs.buffer(), (MpiBuffer) places.buffer()));
        refused("null", () -> pairs.set(0, null));
        refused("null", () -> RecordArray.of(Pair.class, java.util.Arrays.asList(new Pair(1, 2), null)));
        refused("-1 elements", () -> RecordArray.of(Pair.class, -1));
        Check.fails(IndexOutOfBoundsException.class, () -> pairs.get(1));
        Check.equal(pairs.toList(), List.of(new Pair(world.rank(), 1)));
        refused("", () -> world.allocateWindow(pairs.buffer().type(), 1, null));
        boolean here = world.rank() == 0;
        try (Op<Element.Of<Pair>> greatest = Op.of(Pair.class, true, (a, b) -> a.ten > b.ten ? a : b);
                Op<Element.Of<Padded>> other = Op.of(Padded.class, true, (a, b) -> a)) {
            Check.Statement reduction = () -> world.allreduce(pairs.buffer(), here ? (Op) other : greatest);
            if (here) {
                refused("cannot reduce Pair elements, only Padded.", reduction);
            } else {
                world.allreduce(pairs.buffer(), greatest);
            }
            pairs.set(0, new Pair(world.rank(), 2));
            world.allreduce(pairs.buffer(), greatest);
            Check.equal(pairs.get(0), new Pair(world.size() - 1, 2));
        }
        whatAnOperatorThrowsLeavesNobodyWaiting(world);
    }

    /** Each start takes the values that the records have then; the lambda sees them whole. */
    public static void eachStartTakesTheRecordsOfThen(Comm world) {
        RecordArray<Padded> sent = RecordArray.of(Padded.class, 3);
        RecordArray<Padded> most = RecordArray.of(Padded.class, 3);
        try (Op<Element.Of<Padded>> last = Op.of(Padded.class, false, (a, b) -> b)) {
            Persistent prepared;
            try {
                prepared = world.allreduceInit(sent.buffer(), most.buffer(), last);
            } catch (UnavailableException e) {
                return;
            }
            try (prepared) {
                for (int i = 1; i < 4; i++) {
                    sent.set(2, new Padded((byte) i, new Inner((byte) world.rank(), i), true, 10 * i, 'x'));
                    prepared.start().await();
                    Inner highest = new Inner((byte) (world.size() - 1), i);
                    Check.equal(most.get(2), new Padded((byte) i, highest, true, 10 * i, 'x'));
                    Check.equal(most.get(0), sent.get(0));
                }
            }
        }
    }

    /** A buffered message longer than an eager one is what the records are at each start. */
    public static void bufferedMessagesTakeTheRecordsOfThen(Comm world) {
        RecordArray<Pair> sent = RecordArray.of(Pair.class, LENGTHS[3]);
        RecordArray<Pair> got = RecordArray.of(Pair.class, LENGTHS[3]);
        AllTests.mpi().attachBuffer(4L * 8 * LENGTHS[3] + 4096);
        try (Persistent out = world.bsendInit(sent.buffer(), Ring.right(world), 8)) {
            for (int i = 1; i < 5; i++) {
                sent.set(LENGTHS[3] - 1, new Pair(i, world.rank()));
                Request in = world.irecv(got.buffer(), Ring.left(world), 8);
                out.start().await();
                in.await();
                Check.equal(got.get(LENGTHS[3] - 1), new Pair(i, Ring.left(world)));
            }
        }
        AllTests.mpi().detachBuffer();
    }

    /** MPI does not say what becomes of a NaN, and on four ranks of MPICH they differ; the other places are right. */
    public static void valuesThatAreNoNumbersLeaveOtherPlacesAlone(Comm world) {
        double odd = world.rank() == world.size() - 1 ? Double.NaN : 1.0;
        for (Op<Element.Of<? extends Located>> op : List.of(Op.MAXLOC, Op.MINLOC)) {
            RecordArray<Located.OfDouble> all = RecordArray.of(Located.OfDouble.class,
                    List.of(Located.of(odd, world.rank()), Located.of(2.0, world.rank() + 3)));
            world.allreduce(all.buffer(), op);
            Check.equal(all.get(1), Located.of(2.0, 3));
            Check.isTrue(Double.isNaN(all.get(0).value()) || all.get(0).value() == 1.0, "found " + all.get(0));
        }
    }

    /** The rank takes part with zeros and throws; the others have their results. */
    public static void aRankWithoutItsRecordsLeavesNobodyWaiting(Comm world) {
        boolean here = world.rank() == world.size() - 1;
        RecordArray<Pair> all = RecordArray.of(Pair.class, world.size());
        RecordArray<Pair> own = RecordArray.of(Pair.class, List.of(new Pair(world.rank(), 1)));
        Datatype<Element.Of<Pair>> closed = Datatype.struct(Pair.class);
        MpiBuffer<Element.Of<Pair>> late = own.buffer().as(closed, 1, 0);
        closed.close();
        List<Pair> expected = IntStream.range(0, world.size())
                .mapToObj(i -> i < world.size() - 1 ? new Pair(i, 1) : new Pair(0, 0)).toList();
        try (Op<Element.Of<Pair>> most = Op.of(Pair.class, true,
                (a, b) -> a.ten > b.ten || a.ten == b.ten && a.one > b.one ? a : b)) {
            if (here) {
                Check.fails(IllegalStateException.class, () -> world.allgather(late, all.buffer()));
                Check.fails(IllegalArgumentException.class, () -> world.allgather(null, all.buffer()));
                Check.fails(IllegalStateException.class, () -> world.allreduce(late, most));
            } else {
                world.allgather(own.buffer(), all.buffer());
                Check.equal(all.toList(), expected);
                world.allgather(own.buffer(), all.buffer());
                Check.equal(all.toList(), expected);
                world.allreduce(own.buffer(), most);
                Check.equal(own.get(0), new Pair(Math.max(0, world.size() - 2), 1));
            }
        }
    }

    /** Parts of several records lie at their places, also where one rank has all of them. */
    public static void partsOfRecordsLieAtTheirPlaces(Comm world) {
        RecordArray<Padded> all = RecordArray.of(Padded.class, 3 * world.size() + 1);
        Padded mine = new Padded((byte) world.rank(), new Inner((byte) 1, 2), true, 4, 'y');
        RecordArray<Padded> two = RecordArray.of(Padded.class, List.of(mine, mine));
        int[] counts = new int[world.size()];
        int[] places = new int[world.size()];
        java.util.Arrays.fill(counts, 2);
        java.util.Arrays.setAll(places, i -> 3 * i + 1);
        world.allgatherv(two.buffer(), all.buffer(), counts, places);
        for (int i = 0; i < 3 * world.size() + 1; i++) {
            Padded expected = i % 3 == 0 ? new Padded((byte) 0, new Inner((byte) 0, 0), false, 0, (char) 0)
                    : new Padded((byte) (i / 3), mine.inner, true, 4, 'y');
            Check.equal(all.get(i), expected);
        }
    }

    private static void whatAnOperatorThrowsLeavesNobodyWaiting(Comm world) {
        RecordArray<Pair> pairs = RecordArray.of(Pair.class, List.of(new Pair(world.rank(), 1)));
        int[] called = {0};
        try (Op<Element.Of<Pair>> broken = Op.of(Pair.class, true, (a, b) -> {
            called[0] = 1;
            throw new UnsupportedOperationException("no order");
        })) {
            world.iallreduce(pairs.buffer(), broken).await();
            Check.equal(called[0], 0);
        } catch (CallbackException e) {
            Check.equal(e.getCause().getMessage(), "no order");
        }
        world.allreduce(called, Op.MAX);
        Check.equal(called[0], world.size() > 1 ? 1 : 0);
    }

    private static void refused(String part, Check.Statement statement) {
        String told = Check.fails(IllegalArgumentException.class, statement).getMessage();
        Check.isTrue(told.contains(part), told);
    }
}

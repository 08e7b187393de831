package dev.mpiglot.mpi;

import java.io.ObjectInputFilter;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;

/** Operations of the program on each type, on records and objects, and the places of largest values; against loops. */
public final class OpTests {

    private static final Codec<String> TEXT = Codec.serialized(ObjectInputFilter.Config.createFilter("java.base/*;!*"));
    /** Associative, and the order of the values shows: the left one, unless it is a multiple of 3. */
    private static final IntBinaryOperator FIRST = (a, b) -> a % 3 != 0 ? a : b;

    /** Components of every type, some of which C would pad. */
    private record Point(double x, int y) {
    }

    private record Everything(byte a, Point point, short b, boolean c, char d, long e, float f) {
    }

    private record Best(double value, int rank) {
    }

    private OpTests() {
    }

    private static int value(int rank, int i) {
        return (rank * 7 + i * 5 + 3) % 11;
    }

    private static int[] values(int rank) {
        return IntStream.range(0, 9).map(i -> value(rank, i)).toArray();
    }

    /** What a loop makes of the values of all ranks. */
    private static int[] expected(int ranks, IntBinaryOperator operator) {
        return IntStream.range(0, 9).map(
                i -> IntStream.range(0, ranks).map(rank -> value(rank, i)).reduce(operator).orElseThrow()).toArray();
    }

    private interface Reduce {
        Object reduced(Object array, boolean commutative, IntBinaryOperator operator);
    }

    private static <E extends Element> Object with(Op<E> op, Object array, java.util.function.Consumer<Op<E>> use) {
        try (op) {
            use.accept(op);
            return array;
        }
    }

    public static void lambdasReduceEveryTypeInTheOrderOfRanks(Comm world) {
        Reduce bytes = (a, c, f) -> with(Op.ofBytes(c, f), a, op -> world.allreduce((byte[]) a, op));
        Reduce shorts = (a, c, f) -> with(Op.ofShorts(c, f), a, op -> world.allreduce((short[]) a, op));
        Reduce chars = (a, c, f) -> with(Op.ofChars(c, f), a, op -> world.allreduce((char[]) a, op));
        Reduce ints = (a, c, f) -> with(Op.ofInts(c, f), a, op -> world.allreduce((int[]) a, op));
        Reduce longs = (a, c, f) -> with(Op.ofLongs(c, (x, y) -> f.applyAsInt((int) x, (int) y)), a,
                op -> world.allreduce((long[]) a, op));
        Reduce floats = (a, c, f) -> with(Op.ofFloats(c, (x, y) -> f.applyAsInt((int) x, (int) y)), a,
                op -> world.allreduce((float[]) a, op));
        Reduce doubles = (a, c, f) -> with(Op.ofDoubles(c, (x, y) -> f.applyAsInt((int) x, (int) y)), a,
                op -> world.allreduce((double[]) a, op));
        List<Reduce> all = List.of(bytes, shorts, chars, ints, longs, floats, doubles);
        for (int i = 0; i < all.size(); i++) {
            Kind kind = Kind.values()[i];
            for (boolean commutative : new boolean[] {true, false}) {
                IntBinaryOperator operator = commutative ? Math::max : FIRST;
                Object got = all.get(i).reduced(Primitives.of(kind, values(world.rank())), commutative, operator);
                Check.equal(Primitives.values(got), expected(world.size(), operator));
            }
        }
        byte[] wraps = {100};
        with(Op.ofBytes(true, (a, b) -> 200), wraps, op ->
                op.reduceLocal(MpiBuffer.of(new byte[1]), MpiBuffer.of(wraps)));
        Check.equal(wraps[0], (byte) 200);
    }

    private static Everything everything(int i) {
        return new Everything((byte) i, new Point(i + 0.5, i * 3), (short) -i, i % 2 == 0, (char) (i + 60_000), 1L << i, i / 4f);
    }

    public static void recordsAreCombinedInTheOrderOfRanks(Comm world) {
        int rank = world.rank();
        int ranks = world.size();
        int root = ranks - 1;
        try (Op<Element.Of<Everything>> first = Op.of(Everything.class, false, (a, b) -> a);
                Op<Element.Of<Everything>> last = Op.of(Everything.class, false, (a, b) -> b);
                Op<Element.Of<Best>> argmax = Op.of(Best.class, true, OpTests::better)) {
            Check.equal(world.allreduce(everything(rank), first), everything(0));
            Check.equal(world.allreduce(List.of(everything(rank), everything(rank + 9)), last),
                    List.of(everything(root), everything(root + 9)));
            Check.equal(world.allreduce(List.<Everything>of(), last), List.of());
            Check.equal(world.scan(everything(rank), last), everything(rank));
            Check.equal(world.exscan(everything(rank), last),
                    rank == 0 ? Optional.empty() : Optional.of(everything(rank - 1)));
            Check.equal(world.reduce(everything(rank), first, root),
                    rank == root ? Optional.of(everything(0)) : Optional.empty());
            Best best = IntStream.range(0, ranks).mapToObj(r -> new Best(value(r, 1), r)).reduce(OpTests::better).orElseThrow();
            Check.equal(world.allreduce(new Best(value(rank, 1), rank), argmax), best);
            Check.equal(List.of(first.isCommutative(), argmax.isCommutative()), List.of(false, true));
        }
    }

    private static Best better(Best a, Best b) {
        return a.value > b.value || a.value == b.value && a.rank < b.rank ? a : b;
    }

    public static void placesOfTheLargestAndSmallestAreFound(Comm world) {
        int rank = world.rank();
        int most = IntStream.range(0, world.size()).reduce((a, b) -> value(b, 0) > value(a, 0) ? b : a).orElseThrow();
        int least = IntStream.range(0, world.size()).reduce((a, b) -> value(b, 0) < value(a, 0) ? b : a).orElseThrow();
        int mine = value(rank, 0);
        int high = value(most, 0);
        int low = value(least, 0);
        Check.equal(world.allreduce(Located.of(mine + 0.25, rank), Op.MAXLOC), new Located.OfDouble(high + 0.25, most));
        Check.equal(world.allreduce(Located.of(mine + 0.5f, rank), Op.MAXLOC), new Located.OfFloat(high + 0.5f, most));
        Check.equal(world.allreduce(Located.of(mine + (1L << 40), rank), Op.MAXLOC),
                new Located.OfLong(high + (1L << 40), most));
        Check.equal(world.allreduce(Located.of(mine, rank), Op.MAXLOC), new Located.OfInt(high, most));
        Check.equal(world.allreduce(Located.of((short) mine, rank), Op.MAXLOC),
                new Located.OfShort((short) high, most));
        Check.equal(world.allreduce(Located.of((short) mine, rank), Op.MINLOC),
                new Located.OfShort((short) low, least));
        Check.equal(world.allreduce(List.<Located.OfInt>of(), Op.MINLOC), List.of());
        Check.equal(world.allreduce(Located.of(mine + 0.25, rank), Op.MINLOC), new Located.OfDouble(low + 0.25, least));
        Check.equal(world.allreduce(Located.of(mine + 0.5f, rank), Op.MINLOC), new Located.OfFloat(low + 0.5f, least));
        Check.equal(world.allreduce(Located.of(mine + (1L << 40), rank), Op.MINLOC),
                new Located.OfLong(low + (1L << 40), least));
        Check.equal(world.allreduce(Located.of(mine, rank), Op.MINLOC), new Located.OfInt(low, least));
        Check.equal(world.allreduce(List.of(new Located.OfDouble(mine, rank),
                new Located.OfDouble(7, rank + 5)), Op.MAXLOC),
                List.of(new Located.OfDouble(high, most), new Located.OfDouble(7, 5)));
    }

    public static void objectsAreCombinedInTheOrderOfRanks(Comm world) {
        String all = String.join("", IntStream.range(0, world.size()).mapToObj(r -> "<" + r + ">").toList());
        String mine = "<" + world.rank() + ">";
        Check.equal(world.allreduceObject(TEXT, mine, String::concat), all);
        Check.equal(world.reduceObject(TEXT, mine, String::concat, 0),
                world.rank() == 0 ? Optional.of(all) : Optional.empty());
        Check.equal(world.reduceObject(TEXT, mine, (left, right) -> null, 0).isPresent(), world.size() == 1);
        Check.fails(IllegalArgumentException.class, () -> world.allreduceObject(TEXT, mine, null));
        Codec<String> none = world.rank() == 0 ? null : TEXT;
        Check.fails(CodecException.class, () -> world.allreduceObject(none, mine, String::concat));
    }

    public static void whatLambdasThrowComesOutOfTheCall(Comm world) {
        thrown(world, "no order", (a, b) -> {
            throw new UnsupportedOperationException("no order");
        });
        thrown(world, "null", (a, b) -> null);
        if (world.size() > 1) {
            Check.equal(Check.fails(UnsupportedOperationException.class, () -> world.allreduceObject(TEXT, "", (a, b) -> {
                throw new UnsupportedOperationException("no sum");
            })).getMessage(), "no sum");
        }
        Check.equal(world.allreduce(Located.of(1, 5), Op.MAXLOC), new Located.OfInt(1, 5));
    }

    /** The processes throw on which MPI calls the operator: one at least, and not always all. */
    private static void thrown(Comm world, String cause, BinaryOperator<Best> operator) {
        int[] called = {0};
        try (Op<Element.Of<Best>> broken = Op.of(Best.class, true, (a, b) -> {
            called[0] = 1;
            return operator.apply(a, b);
        })) {
            world.allreduce(new Best(1, 2), broken);
            Check.equal(called[0], 0);
        } catch (CallbackException e) {
            Check.equal(called[0], 1);
            Check.isTrue(e.getCause().getMessage().contains(cause), e.getCause().getMessage());
        }
        world.allreduce(called, Op.MAX);
        Check.equal(called[0], world.size() > 1 ? 1 : 0);
    }

    public static void aProcessWithoutARecordTakesPart(Comm world) {
        boolean here = world.rank() == world.size() - 1;
        Op<Element.Of<Best>> closed = Op.of(Best.class, true, OpTests::better);
        closed.close();
        try (Op<Element.Of<Best>> argmax = Op.of(Best.class, true, OpTests::better)) {
            Check.Statement missing = () -> world.allreduce(here ? null : new Best(-1, 1), argmax);
            Check.Statement ended = () -> world.allreduce(new Best(-1, 1), here ? closed : argmax);
            if (here) {
                Check.fails(IllegalArgumentException.class, missing);
                Check.fails(IllegalStateException.class, ended);
            } else {
                Check.equal(world.allreduce(new Best(-1, 1), argmax), new Best(0, 0));
                try {
                    ended.run();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
            Check.equal(world.allreduce(new Best(3, 4), argmax), new Best(3, 4));
        }
    }

    private record Named(String name) {
    }

    private record Empty() {
    }

    public static void recordsThatHaveNoFormAreRefused(Comm world) {
        Check.fails(IllegalArgumentException.class, () -> Op.of(Named.class, true, (a, b) -> a));
        Check.fails(IllegalArgumentException.class, () -> Op.of(Empty.class, true, (a, b) -> a));
        Check.fails(IllegalArgumentException.class, () -> Op.of(Best.class, true, null));
        Check.fails(IllegalArgumentException.class, () -> Op.of((Class<Best>) null, true, (a, b) -> a));
    }
}

package dev.mpiglot.low;

import dev.mpiglot.mpi.Check;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Datatype;
import dev.mpiglot.mpi.Element;
import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Op;
import dev.mpiglot.mpi.PackedBuffer;
import dev.mpiglot.mpi.Primitives;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.util.List;

/** Calls that use arrays where they are. To run before MPI has a callback: afterwards there is none of them. */
public final class HeapCallTests {

    private static final int GUARD = 99;
    private static final int PINNED_FROM = 1 << 16;
    private static final List<Class<?>> TYPES = List.of(byte.class, short.class, char.class, int.class, long.class,
            float.class, double.class);
    private static final int ROUNDS = 300;
    private static final int THREADS = 3;

    private HeapCallTests() {
    }

    /** Whether large arrays are pinned instead. */
    private static boolean pins() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .anyMatch(one -> one.getName().startsWith("G1") || one.getName().startsWith("Shenandoah"))
                && ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .noneMatch(flag -> flag.startsWith("-Xcheck:jni") || flag.contains("mpiglot.pinned.bytes"));
    }

    /** So many calls are made in arrays that have so many bytes each. */
    private static void makes(int calls, long bytes, Runnable action) {
        boolean isShort = bytes <= HeapCalls.MOST_BYTES && !(bytes >= PINNED_FROM && pins());
        int before = HeapCalls.made;
        boolean isOpen = Call.quick;
        action.run();
        Check.equal(HeapCalls.made - before, isShort && isOpen ? calls : 0);
    }

    /** Elements of an array between others. */
    private record Piece(Object array, int first, int count) {

        static Piece of(Class<?> type, int first, int count, int value) {
            Object array = Array.newInstance(type, first + count + 2);
            for (int i = 0; i < first + count + 2; i++) {
                put(array, i, i < first || i >= first + count ? GUARD : value + i % 5);
            }
            return new Piece(array, first, count);
        }

        private static void put(Object array, int i, int value) {
            switch (array) {
                case byte[] all -> all[i] = (byte) value;
                case short[] all -> all[i] = (short) value;
                case char[] all -> all[i] = (char) value;
                case int[] all -> all[i] = value;
                case long[] all -> all[i] = value;
                case float[] all -> all[i] = value;
                case double[] all -> all[i] = value;
                default -> throw new AssertionError(array);
            }
        }

        @SuppressWarnings("unchecked")
        MpiBuffer<Element.Numeric> buffer() {
            MpiBuffer<?> all = Primitives.buffer(array);
            return (MpiBuffer<Element.Numeric>) all.as(all.type(), count, first);
        }

        void requires(Piece other) {
            boolean isSame = Primitives.segment(array).mismatch(Primitives.segment(other.array)) < 0;
            Check.isTrue(isSame, count + " elements from " + first + " on of " + array.getClass());
        }
    }

    private static int size(Class<?> type) {
        return type == byte.class ? 1 : type == short.class || type == char.class ? 2
                : type == int.class || type == float.class ? 4 : 8;
    }

    public static void elementsOfAllKindsAndLengths(Comm world) {
        Check.isTrue(Call.quick, "the short way is closed though MPI has no callback");
        world.rank(); // this thread has been here
        for (Class<?> type : TYPES) {
            int most = (int) HeapCalls.MOST_BYTES / size(type);
            int pinned = PINNED_FROM / size(type);
            for (int first = 0; first < 4; first++) {
                for (int count : new int[] {0, 1, 2, 33}) {
                    elements(world, type, first, count);
                }
            }
            if (Check.isWhole() || type == double.class) {
                for (int count : new int[] {pinned - 1, pinned, most, most + 1}) {
                    elements(world, type, 3, count);
                }
            }
        }
    }

    private static void elements(Comm world, Class<?> type, int first, int count) {
        long bytes = (long) count * size(type);
        Piece given = Piece.of(type, first, count, 1);
        Piece sum = Piece.of(type, first + 1, count, 2);
        makes(1, bytes, () -> Op.SUM.reduceLocal(given.buffer(), sum.buffer()));
        given.requires(Piece.of(type, first, count, 1));
        Piece expected = Piece.of(type, first + 1, count, 2);
        for (int i = 0; i < count; i++) {
            Piece.put(expected.array, first + 1 + i, 3 + (first + i) % 5 + (first + 1 + i) % 5);
        }
        sum.requires(expected);
        PackedBuffer box = PackedBuffer.allocate(world, 2 * bytes + 100);
        makes(2, bytes, () -> {
            box.pack(given.buffer());
            box.pack(given.buffer());
        });
        Check.equal(box.position(), 2 * bytes);
        box.rewind();
        Piece got = Piece.of(type, first, count, 7);
        makes(1, bytes, () -> box.unpack(got.buffer()));
        got.requires(given);
        Check.equal(box.position(), bytes);
        Piece rest = Piece.of(type, first, count, 7);
        makes(1, bytes, () -> box.unpack(rest.buffer()));
        rest.requires(given);
        Check.fails(IllegalArgumentException.class, () -> box.unpack(Piece.of(type, 0, 1, 1).buffer()));
    }

    /** Elements that overlap, or lie in an array of smaller ones, or outside the heap, are copied as before. */
    public static void otherElementsAreCopied(Comm world) {
        world.rank();
        int[] all = {1, 2, 3, 4, 5};
        MpiBuffer<Element.Ints> buffer = MpiBuffer.of(all);
        makes(0, 1, () -> Op.SUM.reduceLocal(buffer.as(Datatype.INT, 4, 0), buffer.as(Datatype.INT, 4, 1)));
        Check.equal(all, new int[] {1, 3, 5, 7, 9});
        makes(0, 1, () -> Op.SUM.reduceLocal(buffer, buffer));
        Check.equal(all, new int[] {2, 6, 10, 14, 18});
        makes(1, 1, () -> Op.SUM.reduceLocal(buffer.as(Datatype.INT, 2, 0), buffer.as(Datatype.INT, 2, 2)));
        Check.equal(all, new int[] {2, 6, 12, 20, 18});
        byte[] bytes = new byte[30];
        MpiBuffer<Element.Ints> odd = MpiBuffer.of(bytes).as(Datatype.INT, 5, 3);
        makes(0, 1, () -> Op.SUM.reduceLocal(buffer, odd));
        PackedBuffer box = PackedBuffer.allocate(world, 100);
        makes(0, 1, () -> box.pack(odd));
        box.rewind();
        int[] got = new int[5];
        makes(1, 1, () -> box.unpack(MpiBuffer.of(got)));
        Check.equal(got, all);
        MpiBuffer<Element.Ints> outside = MpiBuffer.allocate(Datatype.INT, 5);
        makes(0, 1, () -> Op.SUM.reduceLocal(buffer, outside));
        makes(0, 1, () -> Op.SUM.reduceLocal(outside, buffer));
        Check.equal(all, new int[] {4, 12, 24, 40, 36});
    }

    public static void virtualThreadsDoNotTakeThisWay(Comm world) throws InterruptedException {
        if (Generalized.queryThread() != MpiConstants.THREAD_MULTIPLE) {
            return;
        }
        int[] sum = {1, 2};
        int before = HeapCalls.made;
        Thread.ofVirtual().start(() -> Op.SUM.reduceLocal(MpiBuffer.of(new int[] {10, 20}), MpiBuffer.of(sum))).join();
        Check.equal(HeapCalls.made, before);
        Check.equal(sum, new int[] {11, 22});
    }

    /** Arrays move between the calls of several threads, not within one. */
    public static void memoryIsCollectedMeanwhile(Comm world) throws Exception {
        int threads = Generalized.queryThread() == MpiConstants.THREAD_MULTIPLE ? THREADS : 1;
        Check.Statement[] all = new Check.Statement[threads];
        for (int i = 0; i < threads - 1; i++) {
            all[i] = () -> moving(world);
        }
        all[threads - 1] = () -> {
            for (int i = 0; i < 10; i++) {
                System.gc();
            }
            moving(world);
        };
        Check.together(all);
    }

    private static void moving(Comm world) {
        for (int round = 0; round < ROUNDS; round++) {
            int count = 1 + round * 13 % 5000;
            double[] sum = new double[count];
            double[] given = new double[count];
            PackedBuffer box = PackedBuffer.allocate(world, 8L * count + 100);
            java.util.Arrays.setAll(given, i -> i);
            for (int i = 0; i < 4; i++) {
                Op.SUM.reduceLocal(MpiBuffer.of(given), MpiBuffer.of(sum));
                sum = sum.clone();
            }
            box.pack(MpiBuffer.of(sum));
            box.rewind();
            box.unpack(MpiBuffer.of(given));
            for (int i = 0; i < count; i++) {
                Check.isTrue(given[i] == 4.0 * i, given[i] + " at " + i + " of " + count);
            }
        }
    }
}

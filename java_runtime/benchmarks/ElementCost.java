import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Datatype;
import dev.mpiglot.mpi.Element;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongSupplier;

/**
 * What one element costs in loops: a line each, name, tab, nanoseconds of an element in the best of many passes. Sums
 * and histograms over arrays, bare memory segments, and buffers outside the heap and over arrays, in one program, so
 * that the compiler has met all kinds of memory; with an argument ("buffer", "over an array") those alone whose names end
 * with it, as in a program that has one kind of memory.
 */
public final class ElementCost {

    private static final int ELEMENTS = 1 << 14;
    private static final int BUCKETS = 1 << 10;
    private static final int PASSES = 4_000;

    private static String only = ""; // the end of the names of what is measured

    private static long kept; // what is computed is used

    private ElementCost() {
    }

    public static void main(String[] args) {
        only = args.length == 0 ? "" : args[0];
        int[] ints = new int[ELEMENTS];
        double[] doubles = new double[ELEMENTS];
        int[] counts = new int[BUCKETS];
        MemorySegment bare = Arena.ofAuto().allocate(4L * ELEMENTS, 8);
        MemorySegment bareDoubles = Arena.ofAuto().allocate(8L * ELEMENTS, 8);
        MemorySegment bareCounts = Arena.ofAuto().allocate(4L * BUCKETS, 8);
        MpiBuffer<Element.Ints> outside = MpiBuffer.allocate(Datatype.INT, ELEMENTS);
        MpiBuffer<Element.Doubles> outsideDoubles = MpiBuffer.allocate(Datatype.DOUBLE, ELEMENTS);
        MpiBuffer<Element.Ints> outsideCounts = MpiBuffer.allocate(Datatype.INT, BUCKETS);
        MpiBuffer<Element.Ints> over = MpiBuffer.of(ints);
        MpiBuffer<Element.Doubles> overDoubles = MpiBuffer.of(doubles);
        MpiBuffer<Element.Ints> overCounts = MpiBuffer.of(counts);
        for (int i = 0; i < ELEMENTS; i++) {
            int key = i * 0x9E3779B1 >>> 22;
            ints[i] = key;
            doubles[i] = key;
            bare.setAtIndex(ValueLayout.JAVA_INT, i, key);
            bareDoubles.setAtIndex(ValueLayout.JAVA_DOUBLE, i, key);
            outside.setInt(i, key);
            outsideDoubles.setDouble(i, key);
        }
        for (int round = 0; round < 2; round++) { // the first one for the compiler
            boolean tells = round == 1;
            measure(tells, "sum of int, array", () -> sum(ints));
            measure(tells, "sum of int, segment", () -> sum(bare));
            measure(tells, "sum of int, buffer", () -> sumInts(outside));
            measure(tells, "sum of int, buffer over an array", () -> sumInts(over));
            measure(tells, "scale of double, array", () -> scale(doubles));
            measure(tells, "scale of double, segment", () -> scale(bareDoubles));
            measure(tells, "scale of double, buffer", () -> scale(outsideDoubles));
            measure(tells, "scale of double, buffer over an array", () -> scale(overDoubles));
            measure(tells, "sum of double, array", () -> sum(doubles));
            measure(tells, "sum of double, segment", () -> sumDoubles(bareDoubles));
            measure(tells, "sum of double, buffer", () -> sumDoubles(outsideDoubles));
            measure(tells, "sum of double, buffer over an array", () -> sumDoubles(overDoubles));
            measure(tells, "histogram, array", () -> histogram(ints, counts));
            measure(tells, "histogram, segment", () -> histogram(bare, bareCounts));
            measure(tells, "histogram, buffer", () -> histogram(outside, outsideCounts));
            measure(tells, "histogram, buffer over an array", () -> histogram(over, overCounts));
        }
        if (kept == 1) {
            System.err.println(kept);
        }
    }

    private static void measure(boolean tells, String name, LongSupplier pass) {
        if (!name.endsWith(only)) {
            return;
        }
        long best = Long.MAX_VALUE;
        for (int i = 0; i < PASSES; i++) {
            long begin = System.nanoTime();
            kept += pass.getAsLong();
            best = Math.min(best, System.nanoTime() - begin);
        }
        if (tells) {
            System.out.printf("%s\t%.2f%n", name, best / (double) ELEMENTS);
        }
    }

    private static long sum(int[] from) {
        int sum = 0;
        for (int i = 0; i < ELEMENTS; i++) {
            sum += from[i];
        }
        return sum;
    }

    private static long sum(MemorySegment from) {
        int sum = 0;
        for (int i = 0; i < ELEMENTS; i++) {
            sum += from.getAtIndex(ValueLayout.JAVA_INT, i);
        }
        return sum;
    }

    private static long sumInts(MpiBuffer<Element.Ints> from) {
        int sum = 0;
        for (int i = 0; i < ELEMENTS; i++) {
            sum += from.getInt(i);
        }
        return sum;
    }

    private static long scale(double[] data) {
        for (int i = 0; i < ELEMENTS; i++) {
            data[i] = data[i] * 1.0000001;
        }
        return 0;
    }

    private static long scale(MemorySegment data) {
        for (int i = 0; i < ELEMENTS; i++) {
            data.setAtIndex(ValueLayout.JAVA_DOUBLE, i, data.getAtIndex(ValueLayout.JAVA_DOUBLE, i) * 1.0000001);
        }
        return 0;
    }

    private static long scale(MpiBuffer<Element.Doubles> data) {
        for (int i = 0; i < ELEMENTS; i++) {
            data.setDouble(i, data.getDouble(i) * 1.0000001);
        }
        return 0;
    }

    private static long sum(double[] from) {
        double sum = 0;
        for (int i = 0; i < ELEMENTS; i++) {
            sum += from[i];
        }
        return (long) sum;
    }

    private static long sumDoubles(MemorySegment from) {
        double sum = 0;
        for (int i = 0; i < ELEMENTS; i++) {
            sum += from.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
        }
        return (long) sum;
    }

    private static long sumDoubles(MpiBuffer<Element.Doubles> from) {
        double sum = 0;
        for (int i = 0; i < ELEMENTS; i++) {
            sum += from.getDouble(i);
        }
        return (long) sum;
    }

    private static long histogram(int[] keys, int[] counts) {
        for (int i = 0; i < ELEMENTS; i++) {
            counts[keys[i]]++;
        }
        return counts[1];
    }

    private static long histogram(MemorySegment keys, MemorySegment counts) {
        for (int i = 0; i < ELEMENTS; i++) {
            int key = keys.getAtIndex(ValueLayout.JAVA_INT, i);
            counts.setAtIndex(ValueLayout.JAVA_INT, key, counts.getAtIndex(ValueLayout.JAVA_INT, key) + 1);
        }
        return counts.getAtIndex(ValueLayout.JAVA_INT, 1);
    }

    private static long histogram(MpiBuffer<Element.Ints> keys, MpiBuffer<Element.Ints> counts) {
        for (int i = 0; i < ELEMENTS; i++) {
            int key = keys.getInt(i);
            counts.setInt(key, counts.getInt(key) + 1);
        }
        return counts.getInt(1);
    }
}

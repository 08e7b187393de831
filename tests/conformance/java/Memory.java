package support;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Buffers of the cases: elements outside the Java heap. */
public final class Memory {

    private Memory() {
    }

    private static MemorySegment room(long count, long bytes) {
        return Arena.ofAuto().allocate(Math.max(1, count) * bytes, 16);
    }

    public static MemorySegment ints(long count) {
        return room(count, 4);
    }

    public static MemorySegment intsOf(long[] values) {
        MemorySegment made = ints(values.length);
        for (int i = 0; i < values.length; i++) {
            intTo(made, i, values[i]);
        }
        return made;
    }

    public static long intAt(MemorySegment buffer, long index) {
        return buffer.getAtIndex(ValueLayout.JAVA_INT, index);
    }

    public static void intTo(MemorySegment buffer, long index, long value) {
        buffer.setAtIndex(ValueLayout.JAVA_INT, index, (int) value);
    }

    public static MemorySegment intsFrom(MemorySegment buffer, long index) {
        return buffer.asSlice(4 * index);
    }

    public static boolean intsAre(MemorySegment buffer, long[] expected) {
        boolean same = buffer.byteSize() == 4L * expected.length;
        for (int i = 0; same && i < expected.length; i++) {
            same = intAt(buffer, i) == expected[i];
        }
        return same;
    }

    public static MemorySegment longs(long count) {
        return room(count, 8);
    }

    public static MemorySegment longsOf(long[] values) {
        MemorySegment made = longs(values.length);
        for (int i = 0; i < values.length; i++) {
            longTo(made, i, values[i]);
        }
        return made;
    }

    public static long longAt(MemorySegment buffer, long index) {
        return buffer.getAtIndex(ValueLayout.JAVA_LONG, index);
    }

    public static void longTo(MemorySegment buffer, long index, long value) {
        buffer.setAtIndex(ValueLayout.JAVA_LONG, index, (long) value);
    }

    public static MemorySegment longsFrom(MemorySegment buffer, long index) {
        return buffer.asSlice(8 * index);
    }

    public static boolean longsAre(MemorySegment buffer, long[] expected) {
        boolean same = buffer.byteSize() == 8L * expected.length;
        for (int i = 0; same && i < expected.length; i++) {
            same = longAt(buffer, i) == expected[i];
        }
        return same;
    }

    public static MemorySegment doubles(long count) {
        return room(count, 8);
    }

    public static MemorySegment doublesOf(double[] values) {
        MemorySegment made = doubles(values.length);
        for (int i = 0; i < values.length; i++) {
            doubleTo(made, i, values[i]);
        }
        return made;
    }

    public static double doubleAt(MemorySegment buffer, long index) {
        return buffer.getAtIndex(ValueLayout.JAVA_DOUBLE, index);
    }

    public static void doubleTo(MemorySegment buffer, long index, double value) {
        buffer.setAtIndex(ValueLayout.JAVA_DOUBLE, index, (double) value);
    }

    public static MemorySegment doublesFrom(MemorySegment buffer, long index) {
        return buffer.asSlice(8 * index);
    }

    public static boolean doublesAre(MemorySegment buffer, double[] expected) {
        boolean same = buffer.byteSize() == 8L * expected.length;
        for (int i = 0; same && i < expected.length; i++) {
            same = doubleAt(buffer, i) == expected[i];
        }
        return same;
    }

    public static MemorySegment floats(long count) {
        return room(count, 4);
    }

    public static MemorySegment floatsOf(double[] values) {
        MemorySegment made = floats(values.length);
        for (int i = 0; i < values.length; i++) {
            floatTo(made, i, values[i]);
        }
        return made;
    }

    public static double floatAt(MemorySegment buffer, long index) {
        return buffer.getAtIndex(ValueLayout.JAVA_FLOAT, index);
    }

    public static void floatTo(MemorySegment buffer, long index, double value) {
        buffer.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) value);
    }

    public static MemorySegment floatsFrom(MemorySegment buffer, long index) {
        return buffer.asSlice(4 * index);
    }

    public static boolean floatsAre(MemorySegment buffer, double[] expected) {
        boolean same = buffer.byteSize() == 4L * expected.length;
        for (int i = 0; same && i < expected.length; i++) {
            same = floatAt(buffer, i) == expected[i];
        }
        return same;
    }

    public static MemorySegment chars(long count) {
        return room(count, 1);
    }

    public static MemorySegment charsOf(long[] values) {
        MemorySegment made = chars(values.length);
        for (int i = 0; i < values.length; i++) {
            charTo(made, i, values[i]);
        }
        return made;
    }

    public static long charAt(MemorySegment buffer, long index) {
        return buffer.getAtIndex(ValueLayout.JAVA_BYTE, index) & 0xff;
    }

    public static void charTo(MemorySegment buffer, long index, long value) {
        buffer.setAtIndex(ValueLayout.JAVA_BYTE, index, (byte) value);
    }

    /** Without an end: for calls that are told of a larger room, which Java refuses of what ends before. */
    public static MemorySegment charsFrom(MemorySegment buffer, long index) {
        return buffer.asSlice(1 * index).reinterpret(Long.MAX_VALUE);
    }

    public static boolean charsAre(MemorySegment buffer, long[] expected) {
        boolean same = buffer.byteSize() == 1L * expected.length;
        for (int i = 0; same && i < expected.length; i++) {
            same = charAt(buffer, i) == expected[i];
        }
        return same;
    }

    public static MemorySegment shorts(long count) {
        return room(count, 2);
    }

    public static MemorySegment shortsOf(long[] values) {
        MemorySegment made = shorts(values.length);
        for (int i = 0; i < values.length; i++) {
            shortTo(made, i, values[i]);
        }
        return made;
    }

    public static long shortAt(MemorySegment buffer, long index) {
        return buffer.getAtIndex(ValueLayout.JAVA_SHORT, index);
    }

    public static void shortTo(MemorySegment buffer, long index, long value) {
        buffer.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) value);
    }

    public static MemorySegment shortsFrom(MemorySegment buffer, long index) {
        return buffer.asSlice(2 * index);
    }

    public static boolean shortsAre(MemorySegment buffer, long[] expected) {
        boolean same = buffer.byteSize() == 2L * expected.length;
        for (int i = 0; same && i < expected.length; i++) {
            same = shortAt(buffer, i) == expected[i];
        }
        return same;
    }
}

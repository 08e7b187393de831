package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/** Small whole numbers in arrays of every primitive type. */
public final class Primitives {

    private Primitives() {
    }

    static Object of(Kind kind, int[] values) {
        int count = values.length;
        switch (kind) {
            case BYTE, BOOLEAN -> {
                byte[] all = new byte[count];
                for (int i = 0; i < count; i++) {
                    all[i] = (byte) values[i];
                }
                return all;
            }
            case SHORT -> {
                short[] all = new short[count];
                for (int i = 0; i < count; i++) {
                    all[i] = (short) values[i];
                }
                return all;
            }
            case CHAR -> {
                char[] all = new char[count];
                for (int i = 0; i < count; i++) {
                    all[i] = (char) values[i];
                }
                return all;
            }
            case INT -> {
                return values.clone();
            }
            case LONG -> {
                return IntStream.of(values).asLongStream().toArray();
            }
            case FLOAT -> {
                float[] all = new float[count];
                for (int i = 0; i < count; i++) {
                    all[i] = values[i];
                }
                return all;
            }
            case DOUBLE -> {
                return IntStream.of(values).asDoubleStream().toArray();
            }
            default -> throw new AssertionError(kind);
        }
    }

    /** A buffer of a whole array. */
    public static MpiBuffer<?> buffer(Object array) {
        return switch (array) {
            case byte[] one -> MpiBuffer.of(one);
            case short[] one -> MpiBuffer.of(one);
            case char[] one -> MpiBuffer.of(one);
            case int[] one -> MpiBuffer.of(one);
            case long[] one -> MpiBuffer.of(one);
            case float[] one -> MpiBuffer.of(one);
            case double[] one -> MpiBuffer.of(one);
            default -> throw new AssertionError(array);
        };
    }

    /** The memory of an array. */
    public static MemorySegment segment(Object array) {
        return switch (array) {
            case byte[] one -> MemorySegment.ofArray(one);
            case short[] one -> MemorySegment.ofArray(one);
            case char[] one -> MemorySegment.ofArray(one);
            case int[] one -> MemorySegment.ofArray(one);
            case long[] one -> MemorySegment.ofArray(one);
            case float[] one -> MemorySegment.ofArray(one);
            case double[] one -> MemorySegment.ofArray(one);
            default -> throw new AssertionError(array);
        };
    }

    static byte[] bytes(Kind kind, int[] values) {
        return segment(of(kind, values)).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    }

    static int[] values(Kind kind, byte[] bytes) {
        Object array = of(kind, new int[bytes.length / kind.size()]);
        segment(array).copyFrom(MemorySegment.ofArray(bytes));
        return values(array);
    }

    static int[] values(Object array) {
        int[] all = new int[java.lang.reflect.Array.getLength(array)];
        for (int i = 0; i < all.length; i++) {
            all[i] = switch (array) {
                case byte[] one -> one[i];
                case short[] one -> one[i];
                case char[] one -> one[i];
                case int[] one -> one[i];
                case long[] one -> (int) one[i];
                case float[] one -> (int) one[i];
                case double[] one -> (int) one[i];
                default -> throw new AssertionError(array);
            };
        }
        return all;
    }
}

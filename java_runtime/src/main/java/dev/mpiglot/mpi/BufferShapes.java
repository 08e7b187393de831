package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/** The buffers of elements that are not side by side in memory. MPI gets copies of them, as of arrays. */
abstract sealed class BufferShapes extends BufferSlices permits BufferMemory {

    private static <R, E extends Element> MpiBuffer<E> rows(
            R[] rows, Function<R, MemorySegment> segment, Datatype<E> type) {
        MemorySegment[] all = new MemorySegment[Arguments.present("rows", rows).length];
        for (int i = 0; i < all.length; i++) {
            if (rows[i] == null) {
                throw new IllegalArgumentException("Row " + i + " is null.");
            }
            all[i] = segment.apply(rows[i]);
        }
        return MpiBuffer.scattered(new Rows(all), type);
    }

    /**
     * The rows of an array of arrays, one after another. They may differ in length. A row that is put in the place of
     * another one later does not belong to the buffer.
     *
     * @param rows the rows
     * @return the buffer
     */
    public static MpiBuffer<Element.Bytes> rows(byte[][] rows) {
        return rows(rows, MemorySegment::ofArray, Datatype.BYTE);
    }

    /**
     * The rows of an array of arrays, one after another. They may differ in length. A row that is put in the place of
     * another one later does not belong to the buffer.
     *
     * @param rows the rows
     * @return the buffer
     */
    public static MpiBuffer<Element.Shorts> rows(short[][] rows) {
        return rows(rows, MemorySegment::ofArray, Datatype.SHORT);
    }

    /**
     * The rows of an array of arrays, one after another. They may differ in length. A row that is put in the place of
     * another one later does not belong to the buffer.
     *
     * @param rows the rows
     * @return the buffer
     */
    public static MpiBuffer<Element.Chars> rows(char[][] rows) {
        return rows(rows, MemorySegment::ofArray, Datatype.CHAR);
    }

    /**
     * The rows of an array of arrays, one after another. They may differ in length. A row that is put in the place of
     * another one later does not belong to the buffer.
     *
     * @param rows the rows
     * @return the buffer
     */
    public static MpiBuffer<Element.Ints> rows(int[][] rows) {
        return rows(rows, MemorySegment::ofArray, Datatype.INT);
    }

    /**
     * The rows of an array of arrays, one after another. They may differ in length. A row that is put in the place of
     * another one later does not belong to the buffer.
     *
     * @param rows the rows
     * @return the buffer
     */
    public static MpiBuffer<Element.Longs> rows(long[][] rows) {
        return rows(rows, MemorySegment::ofArray, Datatype.LONG);
    }

    /**
     * The rows of an array of arrays, one after another. They may differ in length. A row that is put in the place of
     * another one later does not belong to the buffer.
     *
     * @param rows the rows
     * @return the buffer
     */
    public static MpiBuffer<Element.Floats> rows(float[][] rows) {
        return rows(rows, MemorySegment::ofArray, Datatype.FLOAT);
    }

    /**
     * The rows of an array of arrays, one after another. They may differ in length. A row that is put in the place of
     * another one later does not belong to the buffer.
     *
     * @param rows the rows
     * @return the buffer
     */
    public static MpiBuffer<Element.Doubles> rows(double[][] rows) {
        return rows(rows, MemorySegment::ofArray, Datatype.DOUBLE);
    }

    /** All elements of the buffer that shapes take parts of. */
    abstract Scattered source();

    /** The bytes from one element of the buffer to the next; throws if the elements have gaps. */
    abstract long each();

    /** Blocks at equal distances; throws unless they are among {@code elements} and apart. */
    final Grid blocks(long elements, long blocks, long length, long stride) {
        if (blocks < 0 || length < 0 || blocks > 1 && stride < length) {
            throw new IllegalArgumentException(blocks + " blocks of " + length + " elements cannot begin " + stride
                    + " elements apart.");
        }
        if (blocks > 0 && (length > elements || blocks > 1 && stride > (elements - length) / (blocks - 1))) {
            throw new IllegalArgumentException(blocks + " blocks of " + length + " elements that begin " + stride
                    + " elements apart are not in the " + elements + " elements of the buffer.");
        }
        return new Grid(source(), 0, new long[] {blocks}, new long[] {stride * each()}, length * each());
    }

    /** A box of an array of several dimensions; throws unless it is in there. */
    final Grid box(long elements, int[] shape, int[] from, int[] to) {
        int dimensions = Arguments.present("shape", shape).length;
        if (dimensions == 0 || Arguments.present("from", from).length != dimensions
                || Arguments.present("to", to).length != dimensions) {
            throw new IllegalArgumentException("\"shape\", \"from\" and \"to\" must have as many dimensions, and one at "
                    + "least.");
        }
        long[] strides = new long[dimensions];
        long[] counts = new long[dimensions - 1];
        long first = 0;
        long all = 1;
        for (int i = dimensions - 1; i >= 0; i--) {
            if (from[i] < 0 || from[i] > to[i] || to[i] > shape[i]) {
                throw new IllegalArgumentException("Indices " + from[i] + " to " + to[i] + " of dimension " + i
                        + " are not in its " + shape[i] + " elements.");
            }
            strides[i] = all * each();
            first += from[i] * strides[i];
            all = Math.multiplyExact(all, shape[i]);
        }
        if (all != elements) {
            throw new IllegalArgumentException("The buffer has " + elements + " elements and its shape makes " + all + ".");
        }
        for (int i = 0; i < counts.length; i++) {
            counts[i] = to[i] - from[i];
        }
        long length = to[dimensions - 1] - from[dimensions - 1];
        return new Grid(source(), first, counts, strides, length * each());
    }
}

package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;

/** The buffers of an array, and of parts of one. */
abstract sealed class BufferSlices permits BufferShapes {

    private static <A> A present(A array) {
        return Arguments.present("array", array);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static MpiBuffer<Element.Bytes> of(byte[] array) {
        return MpiBuffer.ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.BYTE);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static MpiBuffer<Element.Shorts> of(short[] array) {
        return MpiBuffer.ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.SHORT);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static MpiBuffer<Element.Chars> of(char[] array) {
        return MpiBuffer.ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.CHAR);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static MpiBuffer<Element.Ints> of(int[] array) {
        return MpiBuffer.ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.INT);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static MpiBuffer<Element.Longs> of(long[] array) {
        return MpiBuffer.ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.LONG);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static MpiBuffer<Element.Floats> of(float[] array) {
        return MpiBuffer.ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.FLOAT);
    }

    /**
     * All elements of an array.
     *
     * @param array the elements
     * @return the buffer
     */
    public static MpiBuffer<Element.Doubles> of(double[] array) {
        return MpiBuffer.ofArray(MemorySegment.ofArray(present(array)), array, array.length, Datatype.DOUBLE);
    }

    private static <E extends Element> MpiBuffer<E> slice(MemorySegment all, int from, int to, Datatype<E> type) {
        require(from, to, all.byteSize() / type.bytes());
        return MpiBuffer.copied(all.asSlice(from * type.bytes(), (to - from) * type.bytes()), type, to - from);
    }

    private static void require(int from, int to, long length) {
        if (from < 0 || from > to || to > length) {
            throw new IndexOutOfBoundsException("Elements " + from + " to " + to + " are not in an array of " + length
                    + ".");
        }
    }

    /**
     * All elements of an array. MPI gets a byte for each.
     *
     * @param array the elements
     * @return the buffer
     */
    public static MpiBuffer<Element.Booleans> of(boolean[] array) {
        return of(array, 0, present(array).length);
    }

    /**
     * A part of an array. No other element of the array is read or written.
     *
     * @param array the array
     * @param from the index of the first element
     * @param to the index behind the last element
     * @return the buffer
     * @throws IndexOutOfBoundsException if the array does not have these elements
     */
    public static MpiBuffer<Element.Booleans> of(boolean[] array, int from, int to) {
        require(from, to, present(array).length);
        return MpiBuffer.scattered(new Flags(array, from, to - from), Datatype.BOOLEAN);
    }

    /**
     * A part of an array. No other element of the array is read or written.
     *
     * @param array the array
     * @param from the index of the first element
     * @param to the index behind the last element
     * @return the buffer
     * @throws IndexOutOfBoundsException if the array does not have these elements
     */
    public static MpiBuffer<Element.Bytes> of(byte[] array, int from, int to) {
        return slice(MemorySegment.ofArray(present(array)), from, to, Datatype.BYTE);
    }

    /**
     * A part of an array. No other element of the array is read or written.
     *
     * @param array the array
     * @param from the index of the first element
     * @param to the index behind the last element
     * @return the buffer
     * @throws IndexOutOfBoundsException if the array does not have these elements
     */
    public static MpiBuffer<Element.Shorts> of(short[] array, int from, int to) {
        return slice(MemorySegment.ofArray(present(array)), from, to, Datatype.SHORT);
    }

    /**
     * A part of an array. No other element of the array is read or written.
     *
     * @param array the array
     * @param from the index of the first element
     * @param to the index behind the last element
     * @return the buffer
     * @throws IndexOutOfBoundsException if the array does not have these elements
     */
    public static MpiBuffer<Element.Chars> of(char[] array, int from, int to) {
        return slice(MemorySegment.ofArray(present(array)), from, to, Datatype.CHAR);
    }

    /**
     * A part of an array. No other element of the array is read or written.
     *
     * @param array the array
     * @param from the index of the first element
     * @param to the index behind the last element
     * @return the buffer
     * @throws IndexOutOfBoundsException if the array does not have these elements
     */
    public static MpiBuffer<Element.Ints> of(int[] array, int from, int to) {
        return slice(MemorySegment.ofArray(present(array)), from, to, Datatype.INT);
    }

    /**
     * A part of an array. No other element of the array is read or written.
     *
     * @param array the array
     * @param from the index of the first element
     * @param to the index behind the last element
     * @return the buffer
     * @throws IndexOutOfBoundsException if the array does not have these elements
     */
    public static MpiBuffer<Element.Longs> of(long[] array, int from, int to) {
        return slice(MemorySegment.ofArray(present(array)), from, to, Datatype.LONG);
    }

    /**
     * A part of an array. No other element of the array is read or written.
     *
     * @param array the array
     * @param from the index of the first element
     * @param to the index behind the last element
     * @return the buffer
     * @throws IndexOutOfBoundsException if the array does not have these elements
     */
    public static MpiBuffer<Element.Floats> of(float[] array, int from, int to) {
        return slice(MemorySegment.ofArray(present(array)), from, to, Datatype.FLOAT);
    }

    /**
     * A part of an array. No other element of the array is read or written.
     *
     * @param array the array
     * @param from the index of the first element
     * @param to the index behind the last element
     * @return the buffer
     * @throws IndexOutOfBoundsException if the array does not have these elements
     */
    public static MpiBuffer<Element.Doubles> of(double[] array, int from, int to) {
        return slice(MemorySegment.ofArray(present(array)), from, to, Datatype.DOUBLE);
    }
}

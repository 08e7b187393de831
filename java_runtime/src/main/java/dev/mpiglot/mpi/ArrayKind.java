package dev.mpiglot.mpi;

import dev.mpiglot.mpi.Element.Bytes;
import dev.mpiglot.mpi.Element.Chars;
import dev.mpiglot.mpi.Element.Doubles;
import dev.mpiglot.mpi.Element.Floats;
import dev.mpiglot.mpi.Element.Ints;
import dev.mpiglot.mpi.Element.Longs;
import dev.mpiglot.mpi.Element.Shorts;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Arrays of a primitive type: how one is made, and its buffer.
 *
 * @param type the type of the elements
 * @param make a new array
 * @param makeRows a new array of so many arrays, which are null
 * @param buffer the buffer of an array
 * @param bufferOfRows the buffer of the rows, one after another
 * @param <A> the arrays
 * @param <E> their elements
 */
record ArrayKind<A, E extends Element>(Datatype<E> type, IntFunction<A> make, IntFunction<A[]> makeRows,
        Function<A, MpiBuffer<E>> buffer, Function<A[], MpiBuffer<E>> bufferOfRows) {

    static final ArrayKind<byte[], Bytes> BYTES =
            new ArrayKind<>(Datatype.BYTE, byte[]::new, byte[][]::new, MpiBuffer::of, MpiBuffer::rows);
    static final ArrayKind<short[], Shorts> SHORTS =
            new ArrayKind<>(Datatype.SHORT, short[]::new, short[][]::new, MpiBuffer::of, MpiBuffer::rows);
    static final ArrayKind<char[], Chars> CHARS =
            new ArrayKind<>(Datatype.CHAR, char[]::new, char[][]::new, MpiBuffer::of, MpiBuffer::rows);
    static final ArrayKind<int[], Ints> INTS =
            new ArrayKind<>(Datatype.INT, int[]::new, int[][]::new, MpiBuffer::of, MpiBuffer::rows);
    static final ArrayKind<long[], Longs> LONGS =
            new ArrayKind<>(Datatype.LONG, long[]::new, long[][]::new, MpiBuffer::of, MpiBuffer::rows);
    static final ArrayKind<float[], Floats> FLOATS =
            new ArrayKind<>(Datatype.FLOAT, float[]::new, float[][]::new, MpiBuffer::of, MpiBuffer::rows);
    static final ArrayKind<double[], Doubles> DOUBLES =
            new ArrayKind<>(Datatype.DOUBLE, double[]::new, double[][]::new, MpiBuffer::of, MpiBuffer::rows);

    /** New arrays of these lengths. */
    A[] rows(int[] lengths) {
        A[] rows = makeRows.apply(lengths.length);
        for (int i = 0; i < rows.length; i++) {
            rows[i] = make.apply(lengths[i]);
        }
        return rows;
    }
}

package dev.mpiglot.mpi;

/**
 * The types of the elements of buffers, datatypes and operations, for the compiler: no object has them. An {@code
 * Op<Ints>} reduces an {@code MpiBuffer<Ints>} and an {@code int[]}; the compiler refuses it for a {@code double[]}.
 */
public sealed interface Element {

    /** Numbers: the elements that can be added and compared. */
    sealed interface Numeric extends Element {
    }

    /** Whole numbers: the elements that have bits. */
    sealed interface Integral extends Numeric {
    }

    /** Numbers with a fraction. */
    sealed interface Real extends Numeric {
    }

    /** What has parts of several types: a structure, a number of Fortran. It is moved and not reduced. */
    sealed interface Records extends Element {
    }

    /**
     * The records of a class ({@link RecordArray}), which operations of that class reduce, too.
     *
     * @param <R> the class
     */
    non-sealed interface Of<R extends Record> extends Records {
    }

    /** Java's {@code boolean}: the values that can be combined by logic. */
    non-sealed interface Booleans extends Element {
    }

    /** Java's {@code byte}. */
    non-sealed interface Bytes extends Integral {
    }

    /** Java's {@code short}. */
    non-sealed interface Shorts extends Integral {
    }

    /** Java's {@code char}, a number without a sign here. */
    non-sealed interface Chars extends Integral {
    }

    /** Java's {@code int}. */
    non-sealed interface Ints extends Integral {
    }

    /** Java's {@code long}. */
    non-sealed interface Longs extends Integral {
    }

    /** Java's {@code float}. */
    non-sealed interface Floats extends Real {
    }

    /** Java's {@code double}. */
    non-sealed interface Doubles extends Real {
    }
}

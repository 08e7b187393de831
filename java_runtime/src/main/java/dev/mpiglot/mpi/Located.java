package dev.mpiglot.mpi;

/**
 * A value and where it is, of which {@link Op#MAXLOC} and {@link Op#MINLOC} find the largest and the smallest one, and
 * the smallest index of equal ones. MPI does not say what becomes of values that are not numbers; processes may get
 * different results.
 */
public sealed interface Located {

    /** {@return where the value is: a rank, or the place in an array} */
    int index();

    /**
     * {@return a value and where it is}
     *
     * @param value the value
     * @param index a rank, or the place in an array
     */
    static OfDouble of(double value, int index) {
        return new OfDouble(value, index);
    }

    /**
     * {@return a value and where it is}
     *
     * @param value the value
     * @param index a rank, or the place in an array
     */
    static OfFloat of(float value, int index) {
        return new OfFloat(value, index);
    }

    /**
     * {@return a value and where it is}
     *
     * @param value the value
     * @param index a rank, or the place in an array
     */
    static OfLong of(long value, int index) {
        return new OfLong(value, index);
    }

    /**
     * {@return a value and where it is}
     *
     * @param value the value
     * @param index a rank, or the place in an array
     */
    static OfInt of(int value, int index) {
        return new OfInt(value, index);
    }

    /**
     * {@return a value and where it is}
     *
     * @param value the value
     * @param index a rank, or the place in an array
     */
    static OfShort of(short value, int index) {
        return new OfShort(value, index);
    }

    /**
     * A {@code double} and where it is: {@code MPI_DOUBLE_INT}.
     *
     * @param value the value
     * @param index where it is
     */
    record OfDouble(double value, int index) implements Located {
    }

    /**
     * A {@code float} and where it is: {@code MPI_FLOAT_INT}.
     *
     * @param value the value
     * @param index where it is
     */
    record OfFloat(float value, int index) implements Located {
    }

    /**
     * A {@code long} and where it is: {@code MPI_LONG_INT}.
     *
     * @param value the value
     * @param index where it is
     */
    record OfLong(long value, int index) implements Located {
    }

    /**
     * An {@code int} and where it is: {@code MPI_2INT}.
     *
     * @param value the value
     * @param index where it is
     */
    record OfInt(int value, int index) implements Located {
    }

    /**
     * A {@code short} and where it is: {@code MPI_SHORT_INT}.
     *
     * @param value the value
     * @param index where it is
     */
    record OfShort(short value, int index) implements Located {
    }
}

package dev.mpiglot.mpi;

/**
 * A value and where it is, of which {@link Comm#maxloc} and {@link Comm#minloc} find the largest and the smallest one.
 */
public sealed interface Located {

    /** {@return where the value is: a rank, or the place in an array} */
    int index();

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
}

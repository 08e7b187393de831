package dev.mpiglot.mpi;

import java.lang.foreign.ValueLayout;

/**
 * The type of the elements of an array.
 *
 * @param <A> the array's type
 */
public record Datatype<A>(dev.mpiglot.low.Datatype low, ValueLayout layout) {

    public static final Datatype<int[]> INT = new Datatype<>(dev.mpiglot.low.Datatype.INT, ValueLayout.JAVA_INT);
    public static final Datatype<double[]> DOUBLE =
            new Datatype<>(dev.mpiglot.low.Datatype.DOUBLE, ValueLayout.JAVA_DOUBLE);

    static final Datatype<long[]> LONG = new Datatype<>(dev.mpiglot.low.Datatype.INT64_T, ValueLayout.JAVA_LONG);
}

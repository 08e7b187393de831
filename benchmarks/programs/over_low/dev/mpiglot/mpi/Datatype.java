package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import java.lang.foreign.ValueLayout;

/**
 * The type of the elements of an array.
 *
 * @param <A> the array's type
 */
public record Datatype<A>(DatatypeHandle low, ValueLayout layout) {

    public static final Datatype<int[]> INT = new Datatype<>(DatatypeHandle.INT, ValueLayout.JAVA_INT);
    public static final Datatype<double[]> DOUBLE =
            new Datatype<>(DatatypeHandle.DOUBLE, ValueLayout.JAVA_DOUBLE);

    static final Datatype<long[]> LONG = new Datatype<>(DatatypeHandle.INT64_T, ValueLayout.JAVA_LONG);
}

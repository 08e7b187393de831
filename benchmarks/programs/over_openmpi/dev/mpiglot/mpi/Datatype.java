package dev.mpiglot.mpi;

import java.lang.foreign.ValueLayout;
import mpi.MPI;

/**
 * The type of the elements of an array.
 *
 * @param <A> the array's type
 */
public record Datatype<A>(mpi.Datatype open, ValueLayout layout) {

    public static final Datatype<int[]> INT = new Datatype<>(MPI.INT, ValueLayout.JAVA_INT);
    public static final Datatype<double[]> DOUBLE = new Datatype<>(MPI.DOUBLE, ValueLayout.JAVA_DOUBLE);

    static final Datatype<long[]> LONG = new Datatype<>(MPI.LONG, ValueLayout.JAVA_LONG);
}

package dev.mpiglot.mpi;

/**
 * Elements of an array.
 *
 * @param <A> the array's type
 */
public record MpiBuffer<A>(Datatype<A> type, A array, int from, int count) {

    public static MpiBuffer<int[]> of(int[] array) {
        return new MpiBuffer<>(Datatype.INT, array, 0, array.length);
    }

    public static MpiBuffer<long[]> of(long[] array) {
        return new MpiBuffer<>(Datatype.LONG, array, 0, array.length);
    }

    public static MpiBuffer<double[]> of(double[] array) {
        return new MpiBuffer<>(Datatype.DOUBLE, array, 0, array.length);
    }

    /** The first ones. */
    public MpiBuffer<A> as(Datatype<A> elements, long number) {
        return as(elements, number, 0);
    }

    public MpiBuffer<A> as(Datatype<A> elements, long number, int first) {
        return new MpiBuffer<>(elements, array, first, Math.toIntExact(number));
    }

    /** Where parts of so many elements begin. */
    static int[] starts(int[] counts) {
        int[] starts = new int[counts.length];
        for (int i = 1; i < counts.length; i++) {
            starts[i] = starts[i - 1] + counts[i - 1];
        }
        return starts;
    }
}

package dev.mpiglot.mpi;

/**
 * Elements of an array.
 *
 * @param <A> the array's type
 */
public record Buffer<A>(Datatype<A> type, A array, int from, int count) {

    public static Buffer<int[]> of(int[] array) {
        return new Buffer<>(Datatype.INT, array, 0, array.length);
    }

    public static Buffer<long[]> of(long[] array) {
        return new Buffer<>(Datatype.LONG, array, 0, array.length);
    }

    public static Buffer<double[]> of(double[] array) {
        return new Buffer<>(Datatype.DOUBLE, array, 0, array.length);
    }

    /** The first ones. */
    public Buffer<A> as(Datatype<A> elements, long number) {
        return as(elements, number, 0);
    }

    public Buffer<A> as(Datatype<A> elements, long number, int first) {
        return new Buffer<>(elements, array, first, Math.toIntExact(number));
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

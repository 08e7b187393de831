package dev.mpiglot.mpi;

/** How many elements each process gives or gets, and where they lie in a buffer. */
final class Amounts {

    private Amounts() {
    }

    /**
     * Where each part begins; throws if a part is not inside of the buffer.
     *
     * @param places where they begin; null: one after the other
     */
    static long[] places(int[] places, long[] counts, String name, MpiBuffer<?> whole) {
        long[] at = places == null ? inTurn(counts) : of("displacements of " + name, places, counts.length);
        for (int i = 0; i < at.length; i++) {
            if (counts[i] > 0 && at[i] + counts[i] > whole.count()) {
                throw new IllegalArgumentException("Part " + i + ", " + counts[i] + " elements from "
                        + at[i] + " on, is not inside of the " + whole.count() + " elements of \"" + name + "\".");
            }
        }
        return at;
    }

    /** The numbers if there is one for each rank and none is negative; throws if not. */
    static long[] of(String name, int[] numbers, int ranks) {
        return of(name, numbers, ranks, "ranks");
    }

    /** The same for others than ranks. */
    static long[] of(String name, int[] numbers, int expected, String what) {
        if (numbers == null) {
            throw new IllegalArgumentException("\"" + name + "\" is null.");
        }
        if (numbers.length != expected) {
            throw new IllegalArgumentException("\"" + name + "\" has " + numbers.length
                    + " numbers: it must have one for each of " + expected + " " + what + ".");
        }
        long[] checked = new long[expected];
        for (int i = 0; i < expected; i++) {
            if (numbers[i] < 0) {
                throw new IllegalArgumentException("\"" + name + "\" has the negative number " + numbers[i]
                        + " at " + i + ".");
            }
            checked[i] = numbers[i];
        }
        return checked;
    }

    /** Where parts begin that stand one after the other. */
    static long[] inTurn(long[] counts) {
        long[] at = new long[counts.length];
        for (int i = 1; i < at.length; i++) {
            at[i] = at[i - 1] + counts[i - 1];
        }
        return at;
    }

    static long sum(long[] counts) {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    static long[] times(long[] numbers, long factor) {
        if (factor == 1) {
            return numbers;
        }
        long[] times = new long[numbers.length];
        for (int i = 0; i < times.length; i++) {
            times[i] = Math.multiplyExact(numbers[i], factor);
        }
        return times;
    }
}

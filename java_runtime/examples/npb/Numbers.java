package npb;

/** The random numbers of the benchmarks: x is multiplied by a modulo 2^46; a number is x / 2^46. */
final class Numbers {

    /** The usual factor, 5^13. */
    static final long FACTOR = 1_220_703_125;
    /** What a number in [0, 1) is to its x. */
    static final double SCALE = 0x1p-46;

    private static final long MASK = (1L << 46) - 1;

    private long x;

    Numbers(long seed) {
        x = seed;
    }

    /** The next x. */
    static long after(long x, long factor) {
        return x * factor & MASK;
    }

    /** The factor that goes so many numbers on. */
    static long power(long factor, long count) {
        long result = 1;
        long square = factor;
        for (long left = count; left > 0; left >>= 1) {
            if ((left & 1) != 0) {
                result = after(result, square);
            }
            square = after(square, square);
        }
        return result;
    }

    double next() {
        x = after(x, FACTOR);
        return x * SCALE;
    }
}

package npb;

import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Op;
import measured.Measured;

/** EP: pairs of random numbers of the normal distribution, counted by squares around zero. */
final class Ep implements Measured {

    private static final long SEED = 271_828_183;
    private static final int SQUARES = 10;
    private static final int BATCH = 16; // log2 of the pairs that follow one seed
    private static final double TOLERANCE = 1e-8;

    private final int pairs; // log2
    private final double[] official;
    private final double[] sums = new double[2];
    private final long[] counts = new long[SQUARES];
    private final double[] points = new double[3 << BATCH];

    Ep(String size) {
        switch (size) {
            case "S" -> {
                pairs = 24;
                official = new double[] {-3.247834652034740e3, -6.958407078382297e3, 13_176_389};
            }
            case "W" -> {
                pairs = 25;
                official = new double[] {-2.863319731645753e3, -6.320053679109499e3, 26_354_769};
            }
            case "A" -> {
                pairs = 28;
                official = new double[] {-4.295875165629892e3, -1.580732573678431e4, 210_832_767};
            }
            default -> throw new IllegalArgumentException("EP has the classes S, W and A here, not " + size + ".");
        }
    }

    @Override
    public void prepare(Comm world) {
        // nothing
    }

    @Override
    public void run(Comm world) {
        long step = Numbers.power(Numbers.FACTOR, 2L << BATCH);
        long batches = 1L << pairs - BATCH;
        for (long batch = world.rank(); batch < batches; batch += world.size()) {
            add(Numbers.after(SEED, Numbers.power(step, batch)));
        }
        world.allreduce(sums, Op.SUM);
        world.allreduce(counts, Op.SUM);
    }

    private void add(long seed) {
        int length = accept(seed);
        for (int i = 0; i < length; i += 3) {
            points[i + 2] = Math.log(points[i + 2]) / points[i + 2]; // in a loop of its own: no point waits for another
        }
        count(length);
    }

    /** Keeps x, y and the square of the distance of those points that lie in the circle; how many numbers these are. */
    private int accept(long seed) {
        long x = seed;
        int length = 0;
        for (int i = 0; i < 1 << BATCH; i++) {
            x = Numbers.after(x, Numbers.FACTOR);
            double a = 2 * (x * Numbers.SCALE) - 1;
            x = Numbers.after(x, Numbers.FACTOR);
            double b = 2 * (x * Numbers.SCALE) - 1;
            double square = a * a + b * b;
            points[length] = a;
            points[length + 1] = b;
            points[length + 2] = square;
            length += square <= 1 ? 3 : 0;
        }
        return length;
    }

    private void count(int length) {
        double sumX = 0;
        double sumY = 0;
        for (int i = 0; i < length; i += 3) {
            double factor = Math.sqrt(-2 * points[i + 2]);
            double gaussX = points[i] * factor;
            double gaussY = points[i + 1] * factor;
            counts[(int) Math.max(Math.abs(gaussX), Math.abs(gaussY))]++; // a comparison here takes twice the time
            sumX += gaussX;
            sumY += gaussY;
        }
        sums[0] += sumX;
        sums[1] += sumY;
    }

    @Override
    public boolean isRight(Comm world) {
        long all = 0;
        for (long count : counts) {
            all += count;
        }
        return all == (long) official[2] && isNear(sums[0], official[0]) && isNear(sums[1], official[1]);
    }

    private static boolean isNear(double value, double wanted) {
        return Math.abs((value - wanted) / wanted) <= TOLERANCE;
    }
}

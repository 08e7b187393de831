package npb;

import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Op;
import java.util.Arrays;
import java.util.PriorityQueue;
import measured.Measured;

/** MG: Poisson's equation in three dimensions, by cycles over coarser and coarser cubes. */
final class Mg implements Measured {

    private static final long SEED = 314_159_265;
    private static final int ITERATIONS = 4;
    private static final int CHARGES = 10; // of each sign
    private static final double TOLERANCE = 1e-8;

    private final int side;
    private final double official;
    private int levels;
    private Grid[] grids; // the coarsest first
    private double[][][] u; // the solution, and corrections of coarser cubes
    private double[][][] r; // residuals
    private double[][] v; // charges
    private double[] near; // of a row: sums of the four rows beside it
    private double[] far; // and of the four beyond
    private double norm;

    Mg(String size) {
        switch (size) {
            case "S" -> {
                side = 32;
                official = 0.5307707005734e-4;
            }
            case "W" -> {
                side = 128;
                official = 0.6467329375339e-5;
            }
            case "A" -> {
                side = 256;
                official = 0.2433365309069e-5;
            }
            default -> throw new IllegalArgumentException("MG has the classes S, W and A here, not " + size + ".");
        }
    }

    @Override
    public void prepare(Comm world) {
        levels = Integer.numberOfTrailingZeros(side);
        grids = new Grid[levels];
        u = new double[levels][][];
        r = new double[levels][][];
        for (int level = levels - 1; level >= 0; level--) {
            grids[level] = level == levels - 1 ? Grid.finest(world, side) : grids[level + 1].coarser();
            u[level] = grids[level].field();
            r[level] = grids[level].field();
        }
        near = new double[side + 2];
        far = new double[side + 2];
        v = grids[levels - 1].field();
        charge();
    }

    private record Value(double value, long place) {
    }

    /** Charges of 1 where the greatest of random numbers are, and of -1 where the least are. */
    private void charge() {
        Extremes least = new Extremes(-1);
        Extremes greatest = new Extremes(1);
        Numbers numbers = new Numbers(SEED);
        for (long place = 0; place < (long) side * side * side; place++) {
            double value = numbers.next();
            least.offer(value, place);
            greatest.offer(value, place);
        }
        Grid grid = grids[levels - 1];
        least.queue.forEach(one -> put(grid, one.place, -1));
        greatest.queue.forEach(one -> put(grid, one.place, 1));
        grid.exchange(v);
    }

    /** The greatest, or the least, of many values. */
    private static final class Extremes {

        private final int sign;
        private final PriorityQueue<Value> queue;

        Extremes(int sign) {
            this.sign = sign;
            queue = new PriorityQueue<>((a, b) -> sign * Double.compare(a.value, b.value));
        }

        void offer(double value, long place) {
            if (queue.size() < CHARGES || sign * Double.compare(value, queue.peek().value) > 0) {
                queue.add(new Value(value, place));
                if (queue.size() > CHARGES) {
                    queue.remove();
                }
            }
        }
    }

    private void put(Grid grid, long place, double charge) {
        int plane = (int) (place / side / side) + 1;
        if (plane >= grid.first && plane <= grid.last) {
            int row = (int) (place / side % side) + 1;
            v[plane - grid.first + 1][row * grid.width + (int) (place % side) + 1] = charge;
        }
    }

    @Override
    public void run(Comm world) {
        int top = levels - 1;
        residual(grids[top], u[top], v, r[top]);
        for (int i = 0; i < ITERATIONS; i++) {
            cycle();
            residual(grids[top], u[top], v, r[top]);
        }
        double[] sum = {0};
        for (int z = 1; z <= grids[top].last - grids[top].first + 1; z++) {
            for (int row = 1; row <= side; row++) {
                for (int x = 1; x <= side; x++) {
                    double value = r[top][z][row * grids[top].width + x];
                    sum[0] += value * value;
                }
            }
        }
        world.allreduce(sum, Op.SUM);
        norm = Math.sqrt(sum[0] / ((double) side * side * side));
    }

    private void cycle() {
        for (int level = levels - 1; level > 0; level--) {
            restrict(level);
        }
        clear(u[0]);
        smooth(grids[0], r[0], u[0]);
        for (int level = 1; level < levels; level++) {
            boolean isTop = level == levels - 1;
            if (!isTop) {
                clear(u[level]);
            }
            interpolate(level);
            residual(grids[level], u[level], isTop ? v : r[level], r[level]);
            smooth(grids[level], r[level], u[level]);
        }
    }

    private static void clear(double[][] field) {
        for (double[] plane : field) {
            Arrays.fill(plane, 0);
        }
    }

    /** Sums of the rows round one, for all its points. */
    private static void add(double[] below, double[] here, double[] above, int row, int width, double[] near,
            double[] far) {
        for (int x = 0; x < width; x++) {
            int at = row + x;
            near[x] = here[at - width] + here[at + width] + below[at] + above[at];
            far[x] = below[at - width] + below[at + width] + above[at - width] + above[at + width];
        }
    }

    private void residual(Grid grid, double[][] u, double[][] v, double[][] r) {
        int width = grid.width;
        for (int z = 1; z < u.length - 1; z++) {
            for (int row = width; row < width * (width - 1); row += width) {
                add(u[z - 1], u[z], u[z + 1], row, width, near, far);
                residual(u[z], v[z], r[z], row, grid.side, near, far);
            }
        }
        grid.exchange(r);
    }

    private static void residual(double[] u, double[] v, double[] r, int row, int side, double[] near, double[] far) {
        for (int x = 1; x <= side; x++) {
            r[row + x] = v[row + x] + 8.0 / 3.0 * u[row + x] - 1.0 / 6.0 * (far[x] + near[x - 1] + near[x + 1])
                    - 1.0 / 12.0 * (far[x - 1] + far[x + 1]);
        }
    }

    private void smooth(Grid grid, double[][] r, double[][] u) {
        int width = grid.width;
        for (int z = 1; z < u.length - 1; z++) {
            for (int row = width; row < width * (width - 1); row += width) {
                add(r[z - 1], r[z], r[z + 1], row, width, near, far);
                smooth(r[z], u[z], row, grid.side, near, far);
            }
        }
        grid.exchange(u);
    }

    private static void smooth(double[] r, double[] u, int row, int side, double[] near, double[] far) {
        for (int x = 1; x <= side; x++) {
            u[row + x] += -3.0 / 8.0 * r[row + x] + 1.0 / 32.0 * (r[row + x - 1] + r[row + x + 1] + near[x])
                    - 1.0 / 64.0 * (far[x] + near[x - 1] + near[x + 1]);
        }
    }

    /** The residual on the next coarser cube. */
    private void restrict(int level) {
        Grid fine = grids[level];
        Grid coarse = grids[level - 1];
        double[][] from = r[level];
        for (int z = coarse.first; z <= coarse.last; z++) {
            int at = 2 * z - fine.first + 1;
            for (int y = 1; y <= coarse.side; y++) {
                add(from[at - 1], from[at], from[at + 1], 2 * y * fine.width, fine.width, near, far);
                double[] to = r[level - 1][z - coarse.first + 1];
                restrict(from[at], 2 * y * fine.width, to, y * coarse.width, coarse.side);
            }
        }
        coarse.exchange(r[level - 1]);
    }

    private void restrict(double[] from, int row, double[] to, int coarseRow, int side) {
        for (int x = 1; x <= side; x++) {
            int at = 2 * x;
            to[coarseRow + x] = 0.5 * from[row + at] + 0.25 * (from[row + at - 1] + from[row + at + 1] + near[at])
                    + 0.125 * (near[at - 1] + near[at + 1] + far[at]) + 0.0625 * (far[at - 1] + far[at + 1]);
        }
    }

    /** Adds the correction of the next coarser cube. */
    private void interpolate(int level) {
        Grid fine = grids[level];
        Grid coarse = grids[level - 1];
        double[][] from = u[level - 1];
        for (int z = fine.first; z <= fine.last; z++) {
            double[] below = from[z / 2 - coarse.first + 1];
            double[] above = from[(z + 1) / 2 - coarse.first + 1];
            for (int y = 1; y <= fine.side; y++) {
                int south = y / 2 * coarse.width;
                int north = (y + 1) / 2 * coarse.width;
                interpolate(below, above, south, north, coarse.width, near);
                spread(near, u[level][z - fine.first + 1], y * fine.width, coarse.side);
            }
        }
        fine.exchange(u[level]);
    }

    private static void interpolate(double[] below, double[] above, int south, int north, int width, double[] mean) {
        for (int x = 0; x < width; x++) {
            mean[x] = 0.25 * (below[south + x] + below[north + x] + above[south + x] + above[north + x]);
        }
    }

    private static void spread(double[] mean, double[] to, int row, int side) {
        for (int x = 1; x <= side; x++) {
            to[row + 2 * x - 1] += 0.5 * (mean[x - 1] + mean[x]);
            to[row + 2 * x] += mean[x];
        }
    }

    @Override
    public boolean isRight(Comm world) {
        return Math.abs(norm - official) <= TOLERANCE * official;
    }
}

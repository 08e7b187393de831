package npb;

import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Op;
import measured.Measured;

/**
 * FT: a partial differential equation in three dimensions, by Fourier transforms. Processes have planes of z, and for
 * transforms along z rows of y of all planes.
 */
final class Ft implements Measured {

    private static final long SEED = 314_159_265;
    private static final int ITERATIONS = 6;
    private static final double ALPHA = 1e-6;
    private static final double TOLERANCE = 1e-12;
    private static final int SUMMED = 1024; // numbers that a checksum has

    private final int nx;
    private final int ny;
    private final int nz;
    private final double[] official; // real and imaginary part of each checksum
    private final double[] found = new double[2 * ITERATIONS];
    private Fft alongX;
    private Fft alongY;
    private Fft alongZ;
    private int firstZ;
    private int planes;
    private int firstY;
    private int rows;
    private int[] starts; // of the rows of y of each process
    private int[] rowCounts; // numbers that go to each process, when its rows are exchanged
    private int[] planeCounts; // numbers that come from each process
    private double[] space; // planes of z, then y, then x: complex numbers
    private double[] exchanged; // the same, in parts for each process
    private double[] spectrum; // z, then rows of y, then x
    private double[] evolved;
    private double[] factors; // that a step of time has

    Ft(String size) {
        int[] sides = switch (size) {
            case "S" -> new int[] {64, 64, 64};
            case "W" -> new int[] {128, 128, 32};
            case "A" -> new int[] {256, 256, 128};
            default -> throw new IllegalArgumentException("FT has the classes S, W and A here, not " + size + ".");
        };
        nx = sides[0];
        ny = sides[1];
        nz = sides[2];
        official = switch (size) {
            case "S" -> new double[] {
                554.6087004964, 484.5363331978, 554.6385409189, 486.5304269511, 554.6148406171, 488.3910722336,
                554.5423607415, 490.1273169046, 554.4255039624, 491.7475857993, 554.2683411902, 493.2597244941};
            case "W" -> new double[] {
                567.3612178944, 529.3246849175, 563.1436885271, 528.2149986629, 559.4024089970, 527.0996558037,
                556.0698047020, 526.0027904925, 553.0898991250, 524.9400845633, 550.4159734538, 523.9212247086};
            default -> new double[] {
                504.6735008193, 511.4047905510, 505.9412319734, 509.8809666433, 506.9376896287, 509.8144042213,
                507.7892868474, 510.1336130759, 508.5233095391, 510.4914655194, 509.1487099959, 510.7917842803};
        };
    }

    @Override
    public void prepare(Comm world) {
        int size = world.size();
        alongX = new Fft(nx);
        alongY = new Fft(ny);
        alongZ = new Fft(nz);
        firstZ = nz * world.rank() / size;
        planes = nz * (world.rank() + 1) / size - firstZ;
        firstY = ny * world.rank() / size;
        rows = ny * (world.rank() + 1) / size - firstY;
        starts = new int[size + 1];
        rowCounts = new int[size];
        planeCounts = new int[size];
        for (int i = 0; i < size; i++) {
            starts[i + 1] = ny * (i + 1) / size;
            rowCounts[i] = 2 * nx * planes * (starts[i + 1] - starts[i]);
            planeCounts[i] = 2 * nx * rows * (nz * (i + 1) / size - nz * i / size);
        }
        space = new double[2 * nx * ny * planes];
        exchanged = new double[space.length];
        spectrum = new double[2 * nx * rows * nz];
        evolved = new double[spectrum.length];
        factors = new double[nx * rows * nz];
        Numbers numbers = new Numbers(Numbers.after(SEED, Numbers.power(Numbers.FACTOR, 2L * nx * ny * firstZ)));
        for (int i = 0; i < space.length; i++) {
            space[i] = numbers.next();
        }
        int at = 0;
        for (int z = 0; z < nz; z++) {
            for (int y = firstY; y < firstY + rows; y++) {
                for (int x = 0; x < nx; x++) {
                    long square = square(x, nx) + square(y, ny) + square(z, nz);
                    factors[at++] = Math.exp(-4 * ALPHA * Math.PI * Math.PI * square);
                }
            }
        }
    }

    /** Of a frequency, whose upper half is below zero. */
    private static long square(int index, int length) {
        long frequency = index < length / 2 ? index : index - length;
        return frequency * frequency;
    }

    @Override
    public void run(Comm world) {
        inPlanes(1);
        copyRows(true);
        world.alltoallv(MpiBuffer.of(exchanged), rowCounts, MpiBuffer.of(spectrum), planeCounts);
        acrossPlanes(spectrum, 1);
        for (int i = 0; i < ITERATIONS; i++) {
            evolve(spectrum, evolved, factors);
            acrossPlanes(evolved, -1);
            world.alltoallv(MpiBuffer.of(evolved), planeCounts, MpiBuffer.of(exchanged), rowCounts);
            copyRows(false);
            inPlanes(-1);
            sum(world, i);
        }
    }

    private void inPlanes(int sign) {
        for (int z = 0; z < planes; z++) {
            int plane = z * ny * nx;
            for (int y = 0; y < ny; y += Fft.BATCH) {
                alongX.transform(space, plane + y * nx, 1, nx, sign);
            }
            for (int x = 0; x < nx; x += Fft.BATCH) {
                alongY.transform(space, plane + x, nx, 1, sign);
            }
        }
    }

    private void acrossPlanes(double[] data, int sign) {
        for (int first = 0; first < rows * nx; first += Fft.BATCH) {
            alongZ.transform(data, first, rows * nx, 1, sign);
        }
    }

    /** The rows of each process stand together while they are exchanged. */
    private void copyRows(boolean toExchange) {
        int at = 0;
        for (int process = 0; process + 1 < starts.length; process++) {
            int length = 2 * nx * (starts[process + 1] - starts[process]);
            for (int z = 0; z < planes; z++) {
                int place = 2 * nx * (z * ny + starts[process]);
                if (toExchange) {
                    System.arraycopy(space, place, exchanged, at, length);
                } else {
                    System.arraycopy(exchanged, at, space, place, length);
                }
                at += length;
            }
        }
    }

    private static void evolve(double[] spectrum, double[] evolved, double[] factors) {
        for (int i = 0; i < factors.length; i++) {
            double re = spectrum[2 * i] * factors[i];
            double im = spectrum[2 * i + 1] * factors[i];
            spectrum[2 * i] = re;
            spectrum[2 * i + 1] = im;
            evolved[2 * i] = re;
            evolved[2 * i + 1] = im;
        }
    }

    private void sum(Comm world, int iteration) {
        double[] sum = new double[2];
        for (int j = 1; j <= SUMMED; j++) {
            int z = 5 * j % nz - firstZ;
            if (z >= 0 && z < planes) {
                int place = 2 * ((z * ny + 3 * j % ny) * nx + j % nx);
                sum[0] += space[place];
                sum[1] += space[place + 1];
            }
        }
        world.allreduce(sum, Op.SUM);
        double all = (double) nx * ny * nz;
        found[2 * iteration] = sum[0] / all;
        found[2 * iteration + 1] = sum[1] / all;
    }

    @Override
    public boolean isRight(Comm world) {
        for (int i = 0; i < found.length; i += 2) {
            double off = Math.hypot(found[i] - official[i], found[i + 1] - official[i + 1]);
            if (!(off <= TOLERANCE * Math.hypot(official[i], official[i + 1]))) {
                return false;
            }
        }
        return true;
    }
}

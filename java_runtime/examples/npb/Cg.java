package npb;

import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Op;
import java.util.Arrays;
import measured.Measured;

/** CG: the smallest eigenvalue of a sparse matrix, by conjugate gradients. Each process has a block of rows. */
final class Cg implements Measured {

    private static final int STEPS = 25; // of conjugate gradients
    private static final int ITERATIONS = 15;
    private static final double TOLERANCE = 1e-10;

    private final int order;
    private final int nonzeros;
    private final double shift;
    private final double official;
    private Matrix matrix;
    private int first; // row of this process
    private int rows;
    private int[] shares; // rows of each process
    private double[] all; // elements of a vector, of all processes
    private double[] x;
    private double[] z;
    private double[] r;
    private double[] p;
    private double[] q;
    private double zeta;

    Cg(String size) {
        switch (size) {
            case "S" -> {
                order = 1400;
                nonzeros = 7;
                shift = 10;
                official = 8.5971775078648;
            }
            case "W" -> {
                order = 7000;
                nonzeros = 8;
                shift = 12;
                official = 10.362595087124;
            }
            case "A" -> {
                order = 14000;
                nonzeros = 11;
                shift = 20;
                official = 17.130235054029;
            }
            default -> throw new IllegalArgumentException("CG has the classes S, W and A here, not " + size + ".");
        }
    }

    @Override
    public void prepare(Comm world) {
        shares = new int[world.size()];
        for (int i = 0; i < shares.length; i++) {
            shares[i] = start(i + 1, world.size()) - start(i, world.size());
        }
        first = start(world.rank(), world.size());
        rows = shares[world.rank()];
        matrix = new Matrix(order, nonzeros, shift, first, rows);
        all = new double[order];
        x = new double[rows];
        z = new double[rows];
        r = new double[rows];
        p = new double[rows];
        q = new double[rows];
        Arrays.fill(x, 1);
        iterate(world); // not measured
        Arrays.fill(x, 1);
    }

    private int start(int process, int processes) {
        return (int) ((long) order * process / processes);
    }

    @Override
    public void run(Comm world) {
        for (int i = 0; i < ITERATIONS; i++) {
            iterate(world);
        }
    }

    private void iterate(Comm world) {
        solve(world);
        double[] products = {dot(x, z), dot(z, z)};
        world.allreduce(products, Op.SUM);
        zeta = shift + 1 / products[0];
        double scale = 1 / Math.sqrt(products[1]);
        for (int i = 0; i < rows; i++) {
            x[i] = scale * z[i];
        }
    }

    /** Solves A z = x, nearly. */
    private void solve(Comm world) {
        Arrays.fill(z, 0);
        System.arraycopy(x, 0, r, 0, rows);
        System.arraycopy(x, 0, p, 0, rows);
        double rho = sum(world, dot(r, r));
        for (int step = 0; step < STEPS; step++) {
            multiply(world, p, q);
            double alpha = rho / sum(world, dot(p, q));
            for (int i = 0; i < rows; i++) {
                z[i] += alpha * p[i];
                r[i] -= alpha * q[i];
            }
            double before = rho;
            rho = sum(world, dot(r, r));
            double beta = rho / before;
            for (int i = 0; i < rows; i++) {
                p[i] = r[i] + beta * p[i];
            }
        }
        multiply(world, z, q); // the benchmark measures the residual, too
        double residual = 0;
        for (int i = 0; i < rows; i++) {
            double d = x[i] - q[i];
            residual += d * d;
        }
        if (Math.sqrt(sum(world, residual)) > 1) {
            throw new IllegalStateException("The conjugate gradients do not converge.");
        }
    }

    private void multiply(Comm world, double[] own, double[] product) {
        world.allgatherv(MpiBuffer.of(own), MpiBuffer.of(all), shares);
        matrix.multiply(all, product);
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private static double sum(Comm world, double own) {
        double[] sum = {own};
        world.allreduce(sum, Op.SUM);
        return sum[0];
    }

    @Override
    public boolean isRight(Comm world) {
        return Math.abs((zeta - official) / official) <= TOLERANCE;
    }
}

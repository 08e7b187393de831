package heat;

import dev.mpiglot.mpi.Cart;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Op;
import measured.Measured;

/**
 * A process's part of the plate. A step computes the points that need no neighbour while the edges travel, and the
 * others when they have arrived.
 */
final class Plate implements Measured, AutoCloseable {

    private static final int ASKED = 50; // steps from one residual to the next

    private final Cart grid;
    private final Halo halo;
    private final int points; // on a side of the plate
    private final int steps;
    private final long known; // checksum
    private final int top;
    private final int left;
    private final int rows;
    private final int columns;
    private final double[] west; // a row moved by one point
    private final double[] east;
    private double[][] now; // rows, with the points round them
    private double[][] next;
    private double residual;

    Plate(Comm world, String size) {
        switch (size) {
            case "S" -> {
                points = 128;
                steps = 200;
                known = 0x9cb4568659987d89L;
            }
            case "W" -> {
                points = 512;
                steps = 500;
                known = 0xcb69ea75ab6a4452L;
            }
            default -> {
                points = 1024;
                steps = 1000;
                known = 0x02a7ecc1bf57f93eL;
            }
        }
        int[] dims = Cart.dimsCreate(world.size(), new int[2]);
        grid = world.createCart(dims, new boolean[2], true);
        int[] coords = grid.coords();
        top = points * coords[0] / dims[0];
        left = points * coords[1] / dims[1];
        rows = points * (coords[0] + 1) / dims[0] - top;
        columns = points * (coords[1] + 1) / dims[1] - left;
        west = new double[columns + 2];
        east = new double[columns + 2];
        halo = new Halo(grid, rows, columns);
    }

    /** Any temperatures; the northern edge of the plate is hot and stays so, the others are cold. */
    @Override
    public void prepare(Comm world) {
        now = new double[rows + 2][columns + 2];
        next = new double[rows + 2][];
        for (int i = 0; i <= rows + 1; i++) {
            for (int j = 0; j <= columns + 1; j++) {
                int row = top + i;
                int column = left + j;
                boolean isEdge = row == 0 || row == points + 1 || column == 0 || column == points + 1;
                double inside = (7 * row + 13 * column) % 31 / 31.0;
                now[i][j] = isEdge ? row == 0 ? 1 : 0 : inside;
            }
            next[i] = now[i].clone();
        }
    }

    @Override
    public void run(Comm world) {
        for (int step = 1; step <= steps; step++) {
            halo.start(now);
            relax(2, rows - 1, 2, columns - 1);
            halo.finish(now);
            relax(1, 1, 1, columns);
            relax(Math.max(rows, 2), rows, 1, columns);
            relax(2, rows - 1, 1, 1);
            relax(2, rows - 1, Math.max(columns, 2), columns);
            if (step % ASKED == 0) {
                double[] most = {change()};
                grid.allreduce(most, Op.MAX);
                residual = most[0];
            }
            double[][] old = now;
            now = next;
            next = old;
        }
    }

    /** Each point of some rows and columns gets the mean of its four neighbours. */
    private void relax(int firstRow, int lastRow, int firstColumn, int lastColumn) {
        int length = lastColumn - firstColumn + 1;
        if (length <= 0) {
            return;
        }
        for (int i = firstRow; i <= lastRow; i++) {
            System.arraycopy(now[i], firstColumn - 1, west, firstColumn, length);
            System.arraycopy(now[i], firstColumn + 1, east, firstColumn, length);
            mean(now[i - 1], now[i + 1], west, east, next[i], firstColumn, firstColumn + length);
        }
    }

    /** With one index in all arrays, since only then does the JVM make use of vectors. */
    private static void mean(double[] a, double[] b, double[] c, double[] d, double[] to, int first, int end) {
        for (int at = first; at < end; at++) {
            to[at] = 0.25 * (a[at] + b[at] + c[at] + d[at]);
        }
    }

    /** The greatest of this process in the last step. */
    private double change() {
        double most = 0;
        for (int i = 1; i <= rows; i++) {
            double[] before = now[i];
            double[] after = next[i];
            for (int j = 1; j <= columns; j++) {
                most = Math.max(most, Math.abs(after[j] - before[j]));
            }
        }
        return most;
    }

    /** Compares a sum of the bits of all temperatures, which does not depend on how many processes there are. */
    @Override
    public boolean isRight(Comm world) {
        long[] sum = {0};
        for (int i = 1; i <= rows; i++) {
            for (int j = 1; j <= columns; j++) {
                long place = (long) (top + i) * points + left + j;
                sum[0] += Double.doubleToRawLongBits(now[i][j]) * (2 * place + 1);
            }
        }
        grid.allreduce(sum, Op.SUM);
        if (grid.rank() == 0) {
            System.out.printf("checksum %016x, last change %.12e%n", sum[0], residual);
        }
        return sum[0] == known;
    }

    @Override
    public void close() {
        halo.close();
        grid.close();
    }
}

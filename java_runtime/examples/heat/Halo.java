package heat;

import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Cart;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Persistent;
import dev.mpiglot.mpi.Request;
import dev.mpiglot.mpi.Requests;

/** The edges of a part of the plate, which go to the four neighbours, and those that come from them. */
final class Halo implements AutoCloseable {

    private static final int SIDES = 4; // north, south, west, east

    private final double[][] out = new double[SIDES][];
    private final double[][] in = new double[SIDES][];
    private final int[] neighbors;
    private final int rows;
    private final int columns;
    private final Persistent[] messages = new Persistent[2 * SIDES];
    private Request[] pending;

    Halo(Cart grid, int rows, int columns) {
        Cart.Shift vertical = grid.shift(0, 1);
        Cart.Shift horizontal = grid.shift(1, 1);
        neighbors = new int[] {vertical.source(), vertical.dest(), horizontal.source(), horizontal.dest()};
        this.rows = rows;
        this.columns = columns;
        for (int side = 0; side < SIDES; side++) {
            int length = side < 2 ? columns : rows;
            out[side] = new double[length];
            in[side] = new double[length];
            messages[side] = grid.recvInit(MpiBuffer.of(in[side]), neighbors[side], side ^ 1);
            messages[SIDES + side] = grid.sendInit(MpiBuffer.of(out[side]), neighbors[side], side);
        }
    }

    /** Sends the edges of a field, and leaves at once. */
    void start(double[][] field) {
        for (int side = 0; side < SIDES; side++) {
            copy(side, field, false);
        }
        pending = Persistent.startAll(messages);
    }

    /** Waits for those of the neighbours, and puts them round the field. */
    void finish(double[][] field) {
        Requests.awaitAll(pending);
        for (int side = 0; side < SIDES; side++) {
            copy(side, field, true);
        }
    }

    private void copy(int side, double[][] field, boolean arrived) {
        if (neighbors[side] == Comm.PROC_NULL) {
            return;
        }
        int outward = arrived ? 1 : 0;
        double[] edge = arrived ? in[side] : out[side];
        int place = switch (side) {
            case 0, 2 -> 1 - outward;
            case 1 -> rows + outward;
            default -> columns + outward;
        };
        if (side < 2) {
            double[] row = field[place];
            System.arraycopy(arrived ? edge : row, arrived ? 0 : 1, arrived ? row : edge, arrived ? 1 : 0, columns);
            return;
        }
        for (int i = 0; i < rows; i++) {
            if (arrived) {
                field[i + 1][place] = edge[i];
            } else {
                edge[i] = field[i + 1][place];
            }
        }
    }

    @Override
    public void close() {
        for (Persistent message : messages) {
            message.close();
        }
    }
}

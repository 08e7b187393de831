package npb;

import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Request;
import dev.mpiglot.mpi.Requests;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A cube of MG that repeats itself in all directions. Each process has successive planes, perhaps none of a coarse
 * cube, and the two round them.
 */
final class Grid {

    final int side; // points
    final int width; // of a row, with a point at each end
    final int first; // plane of this process
    final int last;

    private final Comm world;
    private final int[] firsts; // of each process
    private final int[] lasts;

    private Grid(Comm world, int side, int[] firsts, int[] lasts) {
        this.world = world;
        this.side = side;
        this.firsts = firsts;
        this.lasts = lasts;
        width = side + 2;
        first = firsts[world.rank()];
        last = lasts[world.rank()];
    }

    static Grid finest(Comm world, int side) {
        int[] firsts = new int[world.size()];
        int[] lasts = new int[world.size()];
        for (int i = 0; i < firsts.length; i++) {
            firsts[i] = side * i / firsts.length + 1;
            lasts[i] = side * (i + 1) / lasts.length;
        }
        return new Grid(world, side, firsts, lasts);
    }

    /** Every other plane, on the process that has it here. */
    Grid coarser() {
        int[] from = Arrays.stream(firsts).map(plane -> (plane + 1) / 2).toArray();
        int[] to = Arrays.stream(lasts).map(plane -> plane / 2).toArray();
        return new Grid(world, side / 2, from, to);
    }

    /** Zeros. */
    double[][] field() {
        return new double[last - first + 3][width * width];
    }

    /** Gives points round the cube and the planes of this process the values of those at the other end. */
    void exchange(double[][] field) {
        for (int i = 1; i <= last - first + 1; i++) {
            double[] plane = field[i];
            for (int row = width; row < width * (width - 1); row += width) {
                plane[row] = plane[row + side];
                plane[row + side + 1] = plane[row + 1];
            }
            System.arraycopy(plane, width * side, plane, 0, width);
            System.arraycopy(plane, width, plane, width * (side + 1), width);
        }
        List<Request> pending = new ArrayList<>();
        for (int process = 0; process < firsts.length; process++) {
            give(field, process, 0, firsts[process] - 1, pending);
            give(field, process, 1, lasts[process] + 1, pending);
        }
        Requests.awaitAll(pending);
    }

    /** A plane for a process; the tag says on which side of its own. */
    private void give(double[][] field, int process, int tag, int wanted, List<Request> pending) {
        int plane = (wanted + side - 1) % side + 1;
        int owner = 0;
        while (plane < firsts[owner] || plane > lasts[owner]) {
            owner++;
        }
        double[] to = process == world.rank() ? field[tag == 0 ? 0 : field.length - 1] : null;
        double[] from = owner == world.rank() ? field[plane - first + 1] : null;
        if (from != null && to != null) {
            System.arraycopy(from, 0, to, 0, from.length);
        } else if (to != null) {
            pending.add(world.irecv(MpiBuffer.of(to), owner, tag));
        } else if (from != null) {
            pending.add(world.isend(MpiBuffer.of(from), process, tag));
        }
    }
}

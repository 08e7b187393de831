package npb;

import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Request;
import dev.mpiglot.mpi.Requests;
import java.util.ArrayList;
import java.util.List;

/** The systems of SP in each direction, by a {@link Sweep} upwards and one downwards. */
final class Factors {

    private static final int BLOCK = 8; // rows that go to the next process at once
    private static final int UP = 0; // tag
    private static final int DOWN = 1;

    private final Slab slab;
    private final Flow flow;
    private final double time; // of a step
    private final double[][] next = new double[Sweep.SPEEDS][]; // diagonals right of the main one, eliminated
    private final double[][] second = new double[Sweep.SPEEDS][];
    private final Turned turned;

    /** A plane with x and y exchanged, and a row below and above it. Lines of x are there what lines of y are here. */
    private static final class Turned {

        private final double[] volume;
        private final double[] along;
        private final double[] sound;
        private final double[][] right = new double[Flow.PARTS][];
        private final double[][] next = new double[Sweep.SPEEDS][];
        private final double[][] second = new double[Sweep.SPEEDS][];
        private final int side;

        Turned(int side) {
            this.side = side;
            volume = plane();
            along = plane();
            sound = plane();
            for (double[][] planes : List.of(right, next, second)) {
                for (int i = 0; i < planes.length; i++) {
                    planes[i] = plane();
                }
            }
        }

        private double[] plane() {
            return new double[side * (side + 2)];
        }

        void take(double[] from, int first, double[] to) {
            for (int y = 0; y < side; y++) {
                for (int x = 0; x < side; x++) {
                    to[side * (x + 1) + y] = from[first + side * y + x];
                }
            }
        }

        void give(double[] from, double[] to, int first) {
            for (int y = 1; y < side - 1; y++) {
                for (int x = 1; x < side - 1; x++) {
                    to[first + side * y + x] = from[side * (x + 1) + y];
                }
            }
        }
    }

    Factors(Slab slab, Flow flow, double time) {
        this.slab = slab;
        this.flow = flow;
        this.time = time;
        turned = new Turned(slab.side);
        for (int i = 0; i < Sweep.SPEEDS; i++) {
            next[i] = slab.field();
            second[i] = slab.field();
        }
    }

    void solveX(double[][] right) {
        int side = slab.side;
        for (int z = slab.firstInside(); z <= slab.lastInside(); z++) {
            int first = slab.at(z, 0);
            turned.take(flow.volume, first, turned.volume);
            turned.take(flow.velocity[0], first, turned.along);
            turned.take(flow.sound, first, turned.sound);
            for (int part = 0; part < Flow.PARTS; part++) {
                turned.take(right[part], first, turned.right[part]);
            }
            Sweep sweep = new Sweep(side, 0, time, turned.volume, turned.along, turned.sound, turned.right,
                    turned.next, turned.second, side);
            for (int x = 1; x < side - 1; x++) {
                sweep.up(x, side * (x + 1) + 1, side - 2);
            }
            for (int x = side - 2; x > 0; x--) {
                sweep.down(side * (x + 1) + 1, side - 2);
            }
            for (int part = 0; part < Flow.PARTS; part++) {
                turned.give(turned.right[part], right[part], first);
            }
        }
    }

    void solveY(double[][] right) {
        int side = slab.side;
        Sweep sweep = sweep(1, right);
        for (int z = slab.firstInside(); z <= slab.lastInside(); z++) {
            for (int y = 1; y < side - 1; y++) {
                sweep.up(y, slab.at(z, y) + 1, side - 2);
            }
            for (int y = side - 2; y > 0; y--) {
                sweep.down(slab.at(z, y) + 1, side - 2);
            }
        }
    }

    /**
     * Each process goes on with a block of rows where the one below has ended with it, then where the one above has
     * ended: a process works on a block while others work on the blocks before and behind it.
     */
    void solveZ(double[][] right) {
        Sweep sweep = sweep(2, right);
        List<double[]> passed = new ArrayList<>(List.of(right));
        passed.addAll(List.of(next));
        passed.addAll(List.of(second));
        List<Request> pending = new ArrayList<>();
        for (int y = 1; y < slab.side - 1; y += BLOCK) {
            int count = slab.side * Math.min(BLOCK, slab.side - 1 - y);
            receive(slab.below, UP, passed, slab.at(slab.first - Slab.AROUND, y), count);
            for (int z = slab.firstInside(); z <= slab.lastInside(); z++) {
                sweep.up(z, slab.at(z, y), count);
            }
            send(slab.above, UP, passed, slab.at(slab.last + 1 - Slab.AROUND, y), count, pending);
        }
        List<double[]> solved = List.of(right);
        for (int y = 1; y < slab.side - 1; y += BLOCK) {
            int count = slab.side * Math.min(BLOCK, slab.side - 1 - y);
            receive(slab.above, DOWN, solved, slab.at(slab.last + 1, y), count);
            for (int z = slab.lastInside(); z >= slab.firstInside(); z--) {
                sweep.down(slab.at(z, y), count);
            }
            send(slab.below, DOWN, solved, slab.at(slab.first, y), count, pending);
        }
        Requests.awaitAll(pending);
    }

    /** A block of rows of two planes. */
    private void receive(int source, int tag, List<double[]> fields, int first, int count) {
        if (source == Comm.PROC_NULL) {
            return;
        }
        double[] packet = new double[fields.size() * Slab.AROUND * count];
        slab.world.recv(packet, source, tag);
        int at = 0;
        for (double[] field : fields) {
            for (int i = 0; i < Slab.AROUND; i++) {
                System.arraycopy(packet, at, field, first + i * slab.plane, count);
                at += count;
            }
        }
    }

    private void send(int dest, int tag, List<double[]> fields, int first, int count, List<Request> pending) {
        if (dest == Comm.PROC_NULL) {
            return;
        }
        double[] packet = new double[fields.size() * Slab.AROUND * count];
        int at = 0;
        for (double[] field : fields) {
            for (int i = 0; i < Slab.AROUND; i++) {
                System.arraycopy(field, first + i * slab.plane, packet, at, count);
                at += count;
            }
        }
        pending.add(slab.world.isend(packet, dest, tag));
    }

    private Sweep sweep(int direction, double[][] right) {
        return new Sweep(slab.side, direction, time, flow.volume, flow.velocity[direction], flow.sound, right, next,
                second, flow.step(direction));
    }
}

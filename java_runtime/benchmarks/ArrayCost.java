import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Datatype;
import dev.mpiglot.mpi.Element;
import dev.mpiglot.mpi.Mpi;
import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Op;
import java.util.Arrays;

/**
 * What large messages between two processes, and sums over both, cost: a line each, name, tab, nanoseconds of the best of
 * many blocks, from rank 0; as benchmarks/messages/between.c. A line is of arrays or of memory outside the heap. With
 * -Dmpiglot.pinned.bytes=never all arrays are copied.
 */
public final class ArrayCost {

    private static final int[] KIB = {32, 64, 2048};
    private static final int BLOCKS = 12;

    private ArrayCost() {
    }

    public static void main(String[] args) {
        Mpi.run(mpi -> {
            for (int round = 0; round < 2; round++) { // compiled the second time
                for (int size : KIB) {
                    double[] sent = new double[128 * size];
                    Arrays.fill(sent, 1);
                    MpiBuffer<Element.Doubles> outside = MpiBuffer.allocate(Datatype.DOUBLE, sent.length);
                    MpiBuffer<Element.Doubles> inside = MpiBuffer.allocate(Datatype.DOUBLE, sent.length);
                    measure(mpi.world(), size, round, "array", MpiBuffer.of(sent), MpiBuffer.of(new double[sent.length]));
                    measure(mpi.world(), size, round, "off-heap", outside, inside);
                }
            }
        });
    }

    private static void measure(Comm world, int size, int round, String memory, MpiBuffer<Element.Doubles> sent,
            MpiBuffer<Element.Doubles> received) {
        int other = 1 - world.rank();
        String end = " of " + size + " KiB, " + memory;
        measure(world, size, round, "send and recv" + end, () -> {
            if (other == 1) {
                world.send(sent, other, 0);
                world.recv(received, other, 0);
            } else {
                world.recv(received, other, 0);
                world.send(sent, other, 0);
            }
        });
        measure(world, size, round, "sendrecv" + end, () -> world.sendrecv(sent, other, received, other, 0));
        measure(world, size, round, "allreduce" + end, () -> world.allreduce(sent, received, Op.SUM));
    }

    private static void measure(Comm world, int size, int round, String name, Runnable call) {
        double best = Double.MAX_VALUE;
        int calls = 4096 / size + 2;
        for (int block = 0; block < BLOCKS; block++) {
            world.barrier();
            long start = System.nanoTime();
            for (int i = 0; i < calls; i++) {
                call.run();
            }
            best = Math.min(best, (System.nanoTime() - start) / (double) calls);
        }
        if (world.rank() == 0 && round == 1) {
            System.out.printf("%s\t%.2f%n", name, best);
        }
    }
}

package user;

import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Mpi;
import dev.mpiglot.mpi.Op;

/** How many ranks are even, and how many odd. */
public final class Parity {

    private Parity() {
    }

    static int[] count(Comm world) {
        int[] counts = new int[2];
        if (world.rank() % 2 == 0) {
            counts[0] = even();
        } else {
            counts[1] = odd();
        }
        world.allreduce(counts, Op.SUM);
        return counts;
    }

    private static int even() {
        return 1;
    }

    private static int odd() {
        return 1;
    }

    static int never() {
        return 1;
    }

    public static void main(String[] args) {
        Mpi.run(mpi -> {
            int[] counts = count(mpi.world());
            if (mpi.world().rank() == 0) {
                System.out.println(counts[0] + " even, " + counts[1] + " odd");
            }
        });
    }
}

package user;

import dev.mpiglot.low.Communicators;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Mpi;
import dev.mpiglot.mpi.Op;

/** What somebody writes who has the package. */
public class Sum {
    public static void main(String[] args) {
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            int[] sum = {world.rank() + 1};
            world.allreduce(sum, Op.SUM);
            if (world.rank() == 0) {
                System.out.println("the sum over " + Communicators.commSize(world.handle()) + " ranks is " + sum[0]);
            }
        });
    }
}

package user;

import mpi.MPI;
import mpi.MPIException;

/** A program written for Open MPI's Java. */
public final class Old {

    private Old() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int[] sum = {MPI.COMM_WORLD.getRank() + 1};
        MPI.COMM_WORLD.allReduce(sum, 1, MPI.INT, MPI.SUM);
        if (MPI.COMM_WORLD.getRank() == 0) {
            System.out.println("the old sum is " + sum[0]);
        }
        MPI.Finalize();
    }
}

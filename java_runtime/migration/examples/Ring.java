import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** A number goes three times around a ring, and each process adds its rank. */
class Ring {

    private static final int TAG = 7;
    private static final int ROUNDS = 3;

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        int next = (rank + 1) % size;
        int previous = (rank + size - 1) % size;
        int[] sum = new int[1];
        for (int round = 0; round < ROUNDS && size > 1; round++) {
            if (rank > 0) {
                Status status = MPI.COMM_WORLD.recv(sum, 1, MPI.INT, previous, TAG);
                if (status.getSource() != previous || status.getCount(MPI.INT) != 1) {
                    throw new IllegalStateException("a message from " + status.getSource());
                }
            }
            sum[0] += rank;
            MPI.COMM_WORLD.send(sum, 1, MPI.INT, next, TAG);
            if (rank == 0) {
                MPI.COMM_WORLD.recv(sum, 1, MPI.INT, previous, TAG);
            }
        }
        if (rank == 0) {
            if (sum[0] != ROUNDS * size * (size - 1) / 2) {
                throw new IllegalStateException("the sum is " + sum[0]);
            }
            System.out.println("the ring of " + size + " has " + sum[0]);
        }
        MPI.Finalize();
    }
}

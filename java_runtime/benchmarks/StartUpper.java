import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Mpi;

/** The smallest program that sends and receives an array, as {@link StartBare}: how long it takes, what it loads. */
public final class StartUpper {

    private StartUpper() {
    }

    public static void main(String[] args) {
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            int rank = world.rank();
            int other = world.size() - 1 - rank;
            double[] values = {rank, 1, 2, 3};
            if (rank < other) {
                world.send(values, other, 0);
                world.recv(values, other, 0);
            } else if (rank > other) {
                double[] received = new double[values.length];
                world.recv(received, other, 0);
                world.send(values, other, 0);
                values = received;
            }
            if (values[0] != other) {
                throw new IllegalStateException("Another message came.");
            }
        });
    }
}

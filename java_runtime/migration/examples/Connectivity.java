import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/** Every pair of processes exchanges messages, and all take part in collective operations. */
class Connectivity extends Checked {

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        for (int i = 0; i < world.getSize(); i++) {
            for (int j = i + 1; j < world.getSize(); j++) {
                if (world.getRank() == i) {
                    exchange(world, j);
                } else if (world.getRank() == j) {
                    exchange(world, i);
                }
            }
        }
        collect(world);
        Intracomm half = world.split(world.getRank() % 2, 0);
        collect(half);
        half.free();
        world.barrier();
        if (world.getRank() == 0) {
            System.out.println("connected: " + world.getSize());
        }
        MPI.Finalize();
    }

    private static void exchange(Intracomm comm, int peer) throws MPIException {
        int rank = comm.getRank();
        int[] numbers = {0, rank, rank + 1};
        comm.sendRecv(MPI.slice(numbers, 1), 1, MPI.INT, peer, 1, MPI.slice(numbers, 2), 1, MPI.INT, peer, 1);
        require(Arrays.equals(numbers, new int[] {0, rank, peer}), "slices");
        IntBuffer sent = MPI.newIntBuffer(2).put(0, rank).put(1, -rank);
        IntBuffer received = MPI.newIntBuffer(2);
        Request[] both = {comm.iRecv(received, 2, MPI.INT, peer, 2), comm.iSend(sent, 2, MPI.INT, peer, 2)};
        Status[] statuses = Request.waitAllStatus(both);
        require(statuses[0].getSource() == peer && statuses[0].getCount(MPI.INT) == 2, "statuses");
        require(received.get(0) == peer && received.get(1) == -peer, "direct buffers");
        double[] few = {1, 2, 3};
        Request send = comm.iSend(MPI.newDoubleBuffer(2).put(0, peer), 2, MPI.DOUBLE, peer, 3);
        Status there = comm.probe(peer, MPI.ANY_TAG);
        require(there.getTag() == 3 && there.getCount(MPI.DOUBLE) == 2, "probe");
        comm.recv(few, 3, MPI.DOUBLE, peer, 3);
        send.waitFor();
        require(few[0] == rank && few[2] == 3, "a shorter message leaves the rest");
    }

    private static void collect(Intracomm comm) throws MPIException {
        int rank = comm.getRank();
        int size = comm.getSize();
        int[] all = new int[size];
        comm.allGather(new int[] {rank}, 1, MPI.INT, all, 1, MPI.INT);
        for (int i = 0; i < size; i++) {
            require(all[i] == i, "allGather");
        }
        long[] sum = {rank + 1};
        comm.allReduce(sum, 1, MPI.LONG, MPI.SUM);
        require(sum[0] == size * (size + 1) / 2, "allReduce");
        boolean[] first = {rank == 0};
        comm.bcast(first, 1, MPI.BOOLEAN, 0);
        require(first[0], "bcast");
        int[] parts = new int[size];
        comm.allToAll(all, 1, MPI.INT, parts, 1, MPI.INT);
        require(parts[size - 1] == rank, "allToAll");
        int[] mine = new int[1];
        comm.scatter(all, 1, MPI.INT, mine, 1, MPI.INT, 0);
        require(mine[0] == rank, "scatter");
        int[] back = new int[size];
        comm.gather(mine, 1, MPI.INT, back, 1, MPI.INT, size - 1);
        require(rank < size - 1 || Arrays.equals(back, all), "gather");
        comm.scan(mine, 1, MPI.INT, MPI.SUM);
        require(mine[0] == rank * (rank + 1) / 2, "scan");
        int[] counts = new int[size];
        Arrays.fill(counts, 1);
        int[] reversed = new int[size];
        int[] places = new int[size];
        Arrays.setAll(places, i -> size - 1 - i);
        comm.allGatherv(new int[] {rank}, 1, MPI.INT, reversed, counts, places, MPI.INT);
        require(reversed[0] == size - 1, "allGatherv");
        comm.gatherv(new int[] {rank}, 1, MPI.INT, back, counts, places, MPI.INT, 0);
        require(rank > 0 || Arrays.equals(back, reversed), "gatherv");
        comm.scatterv(all, counts, places, MPI.INT, mine, 1, MPI.INT, 0);
        require(mine[0] == size - 1 - rank, "scatterv");
        comm.allToAllv(all, counts, places, MPI.INT, parts, counts, places, MPI.INT);
        require(parts[0] == size - 1 - rank, "allToAllv");
        comm.reduce(new int[] {2}, mine, 1, MPI.INT, MPI.PROD, 0);
        require(rank > 0 || mine[0] == 1 << size, "reduce");
    }
}

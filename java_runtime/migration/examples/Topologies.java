import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.List;
import mpi.CartComm;
import mpi.CartParms;
import mpi.Comm;
import mpi.DistGraphNeighbors;
import mpi.GraphComm;
import mpi.GraphParms;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ShiftParms;

/** Grids and graphs, and collective operations of neighbours. */
class Topologies extends Checked {

    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private static int rank;
    private static int size;
    private static int next;
    private static int previous;

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        rank = WORLD.getRank();
        size = WORLD.getSize();
        next = (rank + 1) % size;
        previous = (rank + size - 1) % size;
        grid();
        ring();
        graph();
        edges();
        mistakes();
        if (rank == 0) {
            System.out.println("topologies: " + size);
        }
        MPI.Finalize();
    }

    private static void grid() throws MPIException {
        int[] dims = new int[2];
        CartComm.createDims(size, dims);
        require(dims[0] * dims[1] == size, "createDims");
        CartComm grid = WORLD.createCart(dims, new boolean[] {true, false}, false);
        require(grid.getTopology() == MPI.CART, "getTopology");
        CartParms parms = grid.getTopo();
        int[] place = grid.getCoords(rank);
        require(parms.getDimCount() == 2 && parms.getDim(0) == dims[0] && parms.getDim(1) == dims[1], "dimensions");
        require(parms.getPeriod(0) && !parms.getPeriod(1), "periods");
        require(parms.getCoord(0) == place[0] && parms.getCoord(1) == place[1], "coordinates");
        require(grid.getRank(place) == rank, "getRank");
        ShiftParms shift = grid.shift(1, 1);
        require((shift.getRankSource() == MPI.PROC_NULL) == (place[1] == 0), "the rank before");
        require((shift.getRankDest() == MPI.PROC_NULL) == (place[1] == dims[1] - 1), "the rank after");
        CartComm row = grid.sub(new boolean[] {false, true});
        require(row.getSize() == dims[1] && row.getTopo().getDimCount() == 1, "sub");
        require(grid.map(dims, new boolean[2]) >= 0, "map");
        CartComm copy = grid.clone();
        CartComm later = copy.iDup();
        later.getRequest().waitFor();
        CartComm hinted = grid.dupWithInfo(MPI.INFO_NULL);
        CartComm third = grid.dup();
        for (CartComm one : List.of(copy, hinted, third)) {
            require(one.getTopo().getDimCount() == 2, "a copy of a grid");
        }
        for (CartComm one : List.of(row, copy, later, hinted, third, grid)) {
            one.free();
        }
    }

    private static void ring() throws MPIException {
        CartComm ring = WORLD.createCart(new int[] {size}, new boolean[] {true}, false);
        int[] all = new int[2];
        ring.neighborAllGather(new int[] {rank}, 1, MPI.INT, all, 1, MPI.INT);
        require(Arrays.equals(all, new int[] {previous, next}), "neighborAllGather");
        int[] ones = {1, 1};
        int[] turned = {1, 0};
        ring.neighborAllGatherv(new int[] {rank}, 1, MPI.INT, all, ones, turned, MPI.INT);
        require(Arrays.equals(all, new int[] {next, previous}), "neighborAllGatherv");
        int[] two = {10 * rank, 10 * rank + 1}; // to the previous one, to the next one
        if (size > 2) { // else both are one process, and libraries do not agree which message is which
            ring.neighborAllToAll(two, 1, MPI.INT, all, 1, MPI.INT);
            require(Arrays.equals(all, new int[] {10 * previous + 1, 10 * next}), "neighborAllToAll");
            ring.neighborAllToAllv(two, ones, new int[] {0, 1}, MPI.INT, all, ones, turned, MPI.INT);
            require(Arrays.equals(all, new int[] {10 * next, 10 * previous + 1}), "neighborAllToAllv");
        }
        ring.free();
    }

    private static void graph() throws MPIException {
        int[] index = new int[size];
        int[] targets = new int[size];
        for (int i = 0; i < size; i++) {
            index[i] = i + 1;
            targets[i] = (i + 1) % size;
        }
        GraphComm graph = WORLD.createGraph(index, targets, false);
        GraphParms parms = graph.getDims();
        require(graph.getTopology() == MPI.GRAPH && parms.getIndexCount() == size, "createGraph");
        require(parms.getEdgeCount() == size && parms.getIndex(rank) == rank + 1, "getDims");
        require(parms.getEdge(rank) == next && graph.getNeighbors(rank)[0] == next, "getNeighbors");
        require(graph.map(index, targets) >= 0, "map");
        GraphComm copy = graph.dup();
        GraphComm other = graph.clone();
        GraphComm hinted = graph.dupWithInfo(MPI.INFO_NULL);
        GraphComm later = graph.iDup();
        later.getRequest().waitFor();
        require(copy.getDims().getEdgeCount() == size && other.getNeighbors(rank).length == 1, "a copy of a graph");
        for (GraphComm one : List.of(copy, other, hinted, later, graph)) {
            one.free();
        }
    }

    private static void edges() throws MPIException {
        int[] from = {previous};
        int[] to = {next};
        int[] three = {3};
        GraphComm weighted = WORLD.createDistGraphAdjacent(from, three, to, three, MPI.INFO_NULL, false);
        DistGraphNeighbors known = weighted.getDistGraphNeighbors();
        require(known.isWeighted() && known.getInDegree() == 1 && known.getOutDegree() == 1, "degrees");
        require(known.getSource(0) == previous && known.getDestination(0) == next, "edges");
        require(known.getSourceWeight(0) == 3 && known.getDestinationWeight(0) == 3, "weights");
        require(weighted.getTopology() == MPI.DIST_GRAPH, "getTopology");
        around(weighted);
        weighted.free();
        GraphComm plain = WORLD.createDistGraphAdjacent(from, to, MPI.INFO_NULL, false);
        require(!plain.getDistGraphNeighbors().isWeighted(), "no weights");
        around(plain);
        plain.free();
        GraphComm made = WORLD.createDistGraph(new int[] {rank}, new int[] {1}, to, MPI.INFO_NULL, false);
        require(made.getDistGraphNeighbors().getSource(0) == previous, "createDistGraph");
        around(made);
        made.free();
        GraphComm heavy = WORLD.createDistGraph(new int[] {rank}, new int[] {1}, to, new int[] {rank}, MPI.INFO_NULL,
                false);
        require(heavy.getDistGraphNeighbors().getSourceWeight(0) == previous, "weights of createDistGraph");
        heavy.free();
    }

    /** Each process sends to the next one, in all ways. */
    private static void around(Comm comm) throws MPIException {
        IntBuffer sent = MPI.newIntBuffer(1).put(0, rank);
        IntBuffer came = MPI.newIntBuffer(2);
        int[] one = {1};
        int[] zero = {0};
        comm.iNeighborAllGather(sent, 1, MPI.INT, came, 1, MPI.INT).waitFor();
        require(came.get(0) == previous, "iNeighborAllGather");
        comm.iNeighborAllGatherv(sent, 1, MPI.INT, came, one, one, MPI.INT).waitFor();
        require(came.get(1) == previous, "iNeighborAllGatherv");
        came.put(0, -1).put(1, -1);
        comm.iNeighborAllToAll(sent, 1, MPI.INT, came, 1, MPI.INT).waitFor();
        require(came.get(0) == previous, "iNeighborAllToAll");
        comm.iNeighborAllToAllv(sent, one, zero, MPI.INT, came, one, one, MPI.INT).waitFor();
        require(came.get(1) == previous, "iNeighborAllToAllv");
        int[] array = new int[2];
        comm.neighborAllToAll(new int[] {rank}, 1, MPI.INT, array, 1, MPI.INT);
        comm.neighborAllToAllv(new int[] {rank}, one, zero, MPI.INT, array, one, one, MPI.INT);
        require(array[0] == previous && array[1] == previous, "neighborAllToAll");
    }

    private static void mistakes() throws MPIException {
        CartComm ring = WORLD.createCart(new int[] {size}, new boolean[] {true}, false);
        Requests.refused(() -> WORLD.createCart(null, new boolean[1], false));
        Requests.refused(() -> WORLD.createCart(new int[] {size + 1}, new boolean[1], false));
        Requests.refused(() -> WORLD.createCart(new int[] {size, 1}, new boolean[1], false));
        Requests.refused(() -> ring.getRank(new int[0]));
        Requests.refused(() -> ring.getCoords(size));
        Requests.refused(() -> ring.shift(1, 1));
        Requests.refused(() -> ring.sub(new boolean[0]));
        Requests.refused(() -> ring.neighborAllGather(new int[1], 1, MPI.INT, new int[1], 1, MPI.INT));
        Requests.refused(() -> ring.getTopo().getDim(1));
        Requests.refused(() -> CartComm.createDims(size, new int[] {size + 1}));
        Requests.refused(() -> WORLD.createDistGraphAdjacent(new int[1], null, new int[1], null, null, false));
        ring.free();
        Requests.refused(ring::getTopo);
    }
}

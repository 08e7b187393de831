package mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.Topologies;
import java.util.Objects;

/** Processes in a grid. */
public final class CartComm extends Intracomm {

    CartComm(CommHandle handle) {
        super(handle);
    }

    @Override
    public CartComm clone() {
        return unchecked(this::dup);
    }

    @Override
    public CartComm dup() throws MPIException {
        return MPIException.of(() -> new CartComm(Communicators.commDup(handle())));
    }

    @Override
    public CartComm iDup() throws MPIException {
        return beginCopy(CartComm::new);
    }

    @Override
    public CartComm dupWithInfo(Info info) throws MPIException {
        return MPIException.of(() -> new CartComm(Communicators.commDupWithInfo(handle(), info.handle())));
    }

    /**
     * {@return the sizes and kinds of the dimensions, and the place of this process}
     *
     * @throws MPIException if MPI reports an error
     */
    public CartParms getTopo() throws MPIException {
        return MPIException.of(() -> {
            int count = Topologies.cartdimGet(handle());
            int[] dims = new int[count];
            boolean[] periods = new boolean[count];
            int[] coords = new int[count];
            Topologies.cartGet(handle(), dims, periods, coords);
            return new CartParms(dims, periods, coords);
        });
    }

    /**
     * {@return the rank at a place}
     *
     * @param coords a coordinate for each dimension
     * @throws MPIException if MPI reports an error
     */
    public int getRank(int[] coords) throws MPIException {
        return MPIException.of(() -> Topologies.cartRank(handle(), coords));
    }

    /**
     * {@return the place of a rank}
     *
     * @param rank a rank
     * @throws MPIException if MPI reports an error
     */
    public int[] getCoords(int rank) throws MPIException {
        return MPIException.of(() -> {
            int[] coords = new int[Topologies.cartdimGet(handle())];
            Topologies.cartCoords(handle(), Objects.checkIndex(rank, Communicators.commSize(handle())), coords);
            return coords;
        });
    }

    /**
     * {@return the neighbours of this process in one dimension}
     *
     * @param direction the dimension, from 0 on
     * @param disp how far
     * @throws MPIException if MPI reports an error
     */
    public ShiftParms shift(int direction, int disp) throws MPIException {
        return MPIException.of(() -> {
            Objects.checkIndex(direction, Topologies.cartdimGet(handle())); // not each MPI looks
            var ranks = Topologies.cartShift(handle(), direction, disp);
            return new ShiftParms(ranks.rankSource(), ranks.rankDest());
        });
    }

    /**
     * {@return the part of the grid with this process and some dimensions}
     *
     * @param remainDims which dimensions stay together
     * @throws MPIException if MPI reports an error
     */
    public CartComm sub(boolean[] remainDims) throws MPIException {
        return MPIException.of(() -> {
            Objects.checkFromIndexSize(0, Topologies.cartdimGet(handle()), remainDims.length); // not each MPI looks
            return new CartComm(Topologies.cartSub(handle(), remainDims));
        });
    }

    /**
     * {@return a good rank of this process in a grid, or {@code MPI.UNDEFINED}}
     *
     * @param dims how many processes each dimension has
     * @param periods which dimensions are rings
     * @throws MPIException if MPI reports an error
     */
    public int map(int[] dims, boolean[] periods) throws MPIException {
        return MPIException.of(() -> Topologies.cartMap(handle(), dims, periods));
    }

    /**
     * Chooses sizes of dimensions for a number of processes.
     *
     * @param nnodes how many processes there are
     * @param dims how many processes each dimension has; 0: to be chosen
     * @throws MPIException if MPI reports an error
     */
    public static void createDims(int nnodes, int[] dims) throws MPIException {
        MPIException.run(() -> Topologies.dimsCreate(nnodes, dims));
    }
}

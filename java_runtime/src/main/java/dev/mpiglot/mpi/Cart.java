package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Topologies;
import java.util.Arrays;

/**
 * A communicator whose processes are arranged in a grid, of any number of dimensions. {@link Comm#createCart} makes it.
 * It does everything that {@link Comm} does. The methods of the grid are local, except {@link #sub}; they throw an
 * {@link IllegalStateException} once the communicator is closed, and on a process that is not in the grid ({@link
 * #isNull}).
 */
public final class Cart extends Neighborhood {

    /** How many processes are divided: MPICH divides by zero where the root of the number is larger. */
    private static final int MOST_PROCESSES = 46340 * 46340;

    Cart(CommHandle handle, Life life, boolean owner) {
        super(handle, life, owner);
    }

    /** What MPI tells of the grid, and where this process is. */
    private record Grid(int[] dims, boolean[] periods, int[] coords) {

        /** A place in the grid, or outside of it. */
        void require(int[] place) {
            Arguments.length("coords", place.length, dims.length, "dimension");
            for (int d = 0; d < dims.length; d++) {
                if (!periods[d] && (place[d] < 0 || place[d] >= dims[d])) {
                    throw new IllegalArgumentException(Arrays.toString(place) + " is outside of the grid of "
                            + Arrays.toString(dims) + ".");
                }
            }
        }
    }

    private int dimensions() {
        return Topologies.cartdimGet(word());
    }

    @Override
    Degrees degrees() {
        int both = 2 * dimensions();
        return new Degrees(both, both);
    }

    private Grid grid() {
        return using(() -> {
            int dimensions = dimensions();
            Grid grid = new Grid(new int[dimensions], new boolean[dimensions], new int[dimensions]);
            if (dimensions > 0) {
                Topologies.cartGet(word(), grid.dims, grid.periods, grid.coords);
            }
            return grid;
        });
    }

    /**
     * Where a message comes from and goes to if all processes send by the same distance.
     *
     * @param source the rank to receive from, {@link Comm#PROC_NULL} outside of the grid
     * @param dest the rank to send to, {@link Comm#PROC_NULL} outside of the grid
     */
    public record Shift(int source, int dest) {
    }

    /**
     * Divides processes among the dimensions of a grid as evenly as possible. {@code MPI_Dims_create} Local; MPI must
     * have been started.
     *
     * @param processes how many
     * @param dims the lengths that are given, 0 for those to be found; stays as it is
     * @return the lengths, whose product is {@code processes}
     * @throws IllegalArgumentException if a length is negative or the processes cannot be divided like that
     * @throws MpiException if MPI reports an error
     */
    public static int[] dimsCreate(int processes, int[] dims) {
        Arguments.present("dims", dims);
        requireDivisible(processes, dims);
        int[] found = dims.clone();
        Topologies.dimsCreate(processes, found);
        return found;
    }

    /** Some libraries search without end for what there is not. */
    private static void requireDivisible(int processes, int[] dims) {
        if (processes < 1 || processes > MOST_PROCESSES) {
            throw new IllegalArgumentException(processes + " processes cannot be divided: there must be 1 to "
                    + MOST_PROCESSES + ".");
        }
        boolean isFree = false;
        int rest = processes;
        for (int length : dims) {
            if (length < 0 || length > 0 && rest % length != 0) {
                throw new IllegalArgumentException(processes + " processes cannot be divided into a grid of "
                        + Arrays.toString(dims) + ", where 0 stands for any length.");
            }
            isFree |= length == 0;
            rest = length == 0 ? rest : rest / length;
        }
        if (!isFree && rest != 1) {
            throw new IllegalArgumentException("A grid of " + Arrays.toString(dims) + " does not have " + processes
                    + " processes.");
        }
    }

    /** {@return the length of each dimension, in processes ({@code MPI_Cartdim_get}, {@code MPI_Cart_get})} */
    public int[] dims() {
        return grid().dims;
    }

    /** {@return whether the grid is closed to a ring in each dimension ({@code MPI_Cart_get})} */
    public boolean[] periods() {
        return grid().periods;
    }

    /** {@return where this process is ({@code MPI_Cart_get}); coordinates count from 0} */
    public int[] coords() {
        return grid().coords;
    }

    /**
     * Tells where a process is. {@code MPI_Cart_coords}
     *
     * @param rank its rank
     * @return its coordinates, which count from 0
     * @throws IllegalArgumentException if there is no such rank
     * @throws MpiException if MPI reports an error
     */
    public int[] coords(int rank) {
        return using(() -> {
            Arguments.rank("rank", rank, size());
            int[] found = new int[dimensions()];
            if (found.length > 0) {
                Topologies.cartCoords(word(), rank, found);
            }
            return found;
        });
    }

    /**
     * Tells which process is somewhere. {@code MPI_Cart_rank}
     *
     * @param coords its coordinates, which count from 0; where the grid is a ring, any number
     * @return its rank
     * @throws IllegalArgumentException if there are not as many as dimensions, or one is outside of the grid
     * @throws MpiException if MPI reports an error
     */
    public int rank(int[] coords) {
        Arguments.present("coords", coords);
        return using(() -> {
            grid().require(coords);
            return coords.length == 0 ? 0 : Topologies.cartRank(word(), coords);
        });
    }

    /**
     * Tells where a message comes from and goes to if all processes send by the same distance. {@code MPI_Cart_shift}
     *
     * @param direction the dimension; the first is 0
     * @param displacement the distance in processes; negative: towards coordinate 0
     * @return both ranks
     * @throws IllegalArgumentException if there is no such dimension
     * @throws MpiException if MPI reports an error
     */
    public Shift shift(int direction, int displacement) {
        return using(() -> {
            int dimensions = dimensions();
            if (direction < 0 || direction >= dimensions) {
                throw new IllegalArgumentException("There is no dimension " + direction + ": the grid has " + dimensions
                        + ", and the first is 0.");
            }
            Topologies.CartShiftResult found = Topologies.cartShift(word(), direction, displacement);
            return new Shift(found.rankSource(), found.rankDest());
        });
    }

    /**
     * Divides the grid into smaller ones. {@code MPI_Cart_sub} Collective.
     *
     * @param remain for each dimension whether the smaller grids have it; the same on all processes
     * @return the grid that this process is in, to be closed
     * @throws IllegalArgumentException if there are not as many as dimensions: at once, and others wait
     * @throws MpiException if MPI reports an error
     */
    public Cart sub(boolean[] remain) {
        Arguments.present("remain", remain);
        try (Call call = begin()) {
            Arguments.length("remain", remain.length, dimensions(), "dimension");
            return (Cart) make(call, () -> Topologies.cartSub(word(), remain));
        }
    }

    @Override
    public Cart dup() {
        return (Cart) super.dup();
    }

    @Override
    public Cart dupWithInfo(Info hints) {
        return (Cart) super.dupWithInfo(hints);
    }
}

package mpi;

/** The dimensions of a grid, and the place of a process. */
public final class CartParms {

    private final int[] dims;
    private final boolean[] periods;
    private final int[] coords;

    CartParms(int[] dims, boolean[] periods, int[] coords) {
        this.dims = dims;
        this.periods = periods;
        this.coords = coords;
    }

    /** {@return how many dimensions there are} */
    public int getDimCount() {
        return dims.length;
    }

    /**
     * {@return how many processes a dimension has}
     *
     * @param i which one, from 0 on
     */
    public int getDim(int i) {
        return dims[i];
    }

    /**
     * {@return whether a dimension is a ring}
     *
     * @param i which one, from 0 on
     */
    public boolean getPeriod(int i) {
        return periods[i];
    }

    /**
     * {@return the place of this process in a dimension}
     *
     * @param i which one, from 0 on
     */
    public int getCoord(int i) {
        return coords[i];
    }
}

package mpi;

/** The neighbours of a process in one dimension of a grid. */
public final class ShiftParms {

    private final int rankSource;
    private final int rankDest;

    ShiftParms(int rankSource, int rankDest) {
        this.rankSource = rankSource;
        this.rankDest = rankDest;
    }

    /** {@return the rank before this process, or {@code MPI.PROC_NULL}} */
    public int getRankSource() {
        return rankSource;
    }

    /** {@return the rank after this process, or {@code MPI.PROC_NULL}} */
    public int getRankDest() {
        return rankDest;
    }
}

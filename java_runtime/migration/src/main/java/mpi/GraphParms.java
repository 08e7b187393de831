package mpi;

/** A graph. */
public final class GraphParms {

    private final int[] index;
    private final int[] edges;

    GraphParms(int[] index, int[] edges) {
        this.index = index;
        this.edges = edges;
    }

    /** {@return how many processes there are} */
    public int getIndexCount() {
        return index.length;
    }

    /**
     * {@return how many edges a process and those before it have}
     *
     * @param i which one, from 0 on
     */
    public int getIndex(int i) {
        return index[i];
    }

    /** {@return how many edges there are} */
    public int getEdgeCount() {
        return edges.length;
    }

    /**
     * {@return the process that an edge leads to}
     *
     * @param i which one, from 0 on
     */
    public int getEdge(int i) {
        return edges[i];
    }
}

package mpi;

/** The edges of a process. */
public final class DistGraphNeighbors {

    final int[] sources;
    final int[] sourceWeights;
    final int[] destinations;
    final int[] destWeights;
    final boolean weighted;

    DistGraphNeighbors(int inDegree, int outDegree, boolean weighted) {
        sources = new int[inDegree];
        sourceWeights = new int[inDegree];
        destinations = new int[outDegree];
        destWeights = new int[outDegree];
        this.weighted = weighted;
    }

    /** {@return how many edges lead to this process} */
    public int getInDegree() {
        return sources.length;
    }

    /** {@return how many edges lead from this process} */
    public int getOutDegree() {
        return destinations.length;
    }

    /** {@return whether edges have weights} */
    public boolean isWeighted() {
        return weighted;
    }

    /**
     * {@return the process that an edge comes from}
     *
     * @param i which one, from 0 on
     */
    public int getSource(int i) {
        return sources[i];
    }

    /**
     * {@return the weight of the edge from there, 0 without weights}
     *
     * @param i which one, from 0 on
     */
    public int getSourceWeight(int i) {
        return sourceWeights[i];
    }

    /**
     * {@return the process that an edge leads to}
     *
     * @param i which one, from 0 on
     */
    public int getDestination(int i) {
        return destinations[i];
    }

    /**
     * {@return the weight of the edge to there, 0 without weights}
     *
     * @param i which one, from 0 on
     */
    public int getDestinationWeight(int i) {
        return destWeights[i];
    }
}

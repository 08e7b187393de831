package mpi;

/** A number of elements of 64 bits. */
@SuppressWarnings("rawtypes") // as in Open MPI
public final class Count implements Comparable {

    private long count;

    /**
     * A number.
     *
     * @param count the number
     */
    public Count(long count) {
        this.count = count;
    }

    /** {@return the number} */
    public long getCount() {
        return count;
    }

    /**
     * Changes the number.
     *
     * @param count the number
     */
    public void setCount(long count) {
        this.count = count;
    }

    @Override
    public boolean equals(Object obj) {
        return obj instanceof Count other && count == other.count;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(count);
    }

    @Override
    public int compareTo(Object obj) {
        return obj instanceof Count other ? Long.compare(count, other.count) : -1;
    }
}

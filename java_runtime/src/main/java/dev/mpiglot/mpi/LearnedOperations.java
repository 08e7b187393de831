package dev.mpiglot.mpi;

/**
 * The methods of {@link Comm} that collect buffers of any lengths. The counts are sent along. If a process gives nothing
 * that can be sent, all processes throw a {@link CodecException}, and the next operation finds them in step. All give
 * elements of the same type.
 */
abstract sealed class LearnedOperations extends MixedFactory permits ObjectOperations {

    private Comm comm() {
        return (Comm) this;
    }

    /**
     * Collects the elements of all processes at all. Collective.
     *
     * @param <E> the type of the single values
     * @param sent the elements of this process, of any number
     * @return all elements in the order of ranks, and how many each has given
     * @throws CodecException if the buffer of a process is null, in place or closed: everywhere
     * @throws MpiException if MPI reports an error
     */
    public <E extends Element> Collected<E> allgatherv(MpiBuffer<E> sent) {
        return Learned.allgather(comm(), sent);
    }

    /**
     * Collects the elements of all processes at one. Collective.
     *
     * @param <E> the type of the single values
     * @param sent the elements of this process, of any number
     * @param root the rank that gets them
     * @return all elements in the order of ranks, and how many each has given, at {@code root}; nothing elsewhere
     * @throws CodecException if the buffer of a process is null, in place or closed: everywhere
     * @throws MpiException if MPI reports an error
     */
    public <E extends Element> Collected<E> gatherv(MpiBuffer<E> sent, int root) {
        return Learned.gather(comm(), sent, root);
    }

    /**
     * Each process gives each other one elements. Collective.
     *
     * @param <E> the type of the single values
     * @param sent what goes to each rank, in their order
     * @param sentCounts how many elements go to each
     * @return what each rank gives, in their order, and how much
     * @throws CodecException if the buffer of a process is null, in place or closed, or its counts do not fit: everywhere
     * @throws MpiException if MPI reports an error
     */
    public <E extends Element> Collected<E> alltoallv(MpiBuffer<E> sent, int[] sentCounts) {
        return Learned.alltoall(comm(), sent, sentCounts);
    }
}

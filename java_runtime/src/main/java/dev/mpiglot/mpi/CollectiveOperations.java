package dev.mpiglot.mpi;

/** Collective operations, on buffers and on arrays. */
public sealed interface CollectiveOperations permits Comm {

    /**
     * Gives all processes what one has. Collective.
     *
     * @param data read at {@code root}, written elsewhere
     * @param root the rank that has it
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    void bcast(Buffer data, int root);

    /**
     * Gives all processes what one has. Collective.
     *
     * @param data read at {@code root}, written elsewhere
     * @param root the rank that has it
     */
    default void bcast(byte[] data, int root) {
        bcast(Buffer.of(data), root);
    }

    /**
     * Gives all processes what one has. Collective.
     *
     * @param data read at {@code root}, written elsewhere
     * @param root the rank that has it
     */
    default void bcast(int[] data, int root) {
        bcast(Buffer.of(data), root);
    }

    /**
     * Gives all processes what one has. Collective.
     *
     * @param data read at {@code root}, written elsewhere
     * @param root the rank that has it
     */
    default void bcast(long[] data, int root) {
        bcast(Buffer.of(data), root);
    }

    /**
     * Gives all processes what one has. Collective.
     *
     * @param data read at {@code root}, written elsewhere
     * @param root the rank that has it
     */
    default void bcast(float[] data, int root) {
        bcast(Buffer.of(data), root);
    }

    /**
     * Gives all processes what one has. Collective.
     *
     * @param data read at {@code root}, written elsewhere
     * @param root the rank that has it
     */
    default void bcast(double[] data, int root) {
        bcast(Buffer.of(data), root);
    }

    /**
     * Combines the values of all processes, element by element, at one. Collective.
     *
     * @param data the values; at {@code root} replaced by the result
     * @param op how two become one
     * @param root the rank that gets the result
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    void reduce(Buffer data, Op op, int root);

    /**
     * Combines the values of all processes, element by element, at one. Collective.
     *
     * @param data the values; at {@code root} replaced by the result
     * @param op how two become one
     * @param root the rank that gets the result
     */
    default void reduce(byte[] data, Op op, int root) {
        reduce(Buffer.of(data), op, root);
    }

    /**
     * Combines the values of all processes, element by element, at one. Collective.
     *
     * @param data the values; at {@code root} replaced by the result
     * @param op how two become one
     * @param root the rank that gets the result
     */
    default void reduce(int[] data, Op op, int root) {
        reduce(Buffer.of(data), op, root);
    }

    /**
     * Combines the values of all processes, element by element, at one. Collective.
     *
     * @param data the values; at {@code root} replaced by the result
     * @param op how two become one
     * @param root the rank that gets the result
     */
    default void reduce(long[] data, Op op, int root) {
        reduce(Buffer.of(data), op, root);
    }

    /**
     * Combines the values of all processes, element by element, at one. Collective.
     *
     * @param data the values; at {@code root} replaced by the result
     * @param op how two become one
     * @param root the rank that gets the result
     */
    default void reduce(float[] data, Op op, int root) {
        reduce(Buffer.of(data), op, root);
    }

    /**
     * Combines the values of all processes, element by element, at one. Collective.
     *
     * @param data the values; at {@code root} replaced by the result
     * @param op how two become one
     * @param root the rank that gets the result
     */
    default void reduce(double[] data, Op op, int root) {
        reduce(Buffer.of(data), op, root);
    }

    /**
     * Combines the values of all processes, element by element, for all. Collective.
     *
     * @param data the values; replaced by the result
     * @param op how two become one
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    void allreduce(Buffer data, Op op);

    /**
     * Combines the values of all processes, element by element, for all. Collective.
     *
     * @param data the values; replaced by the result
     * @param op how two become one
     */
    default void allreduce(byte[] data, Op op) {
        allreduce(Buffer.of(data), op);
    }

    /**
     * Combines the values of all processes, element by element, for all. Collective.
     *
     * @param data the values; replaced by the result
     * @param op how two become one
     */
    default void allreduce(int[] data, Op op) {
        allreduce(Buffer.of(data), op);
    }

    /**
     * Combines the values of all processes, element by element, for all. Collective.
     *
     * @param data the values; replaced by the result
     * @param op how two become one
     */
    default void allreduce(long[] data, Op op) {
        allreduce(Buffer.of(data), op);
    }

    /**
     * Combines the values of all processes, element by element, for all. Collective.
     *
     * @param data the values; replaced by the result
     * @param op how two become one
     */
    default void allreduce(float[] data, Op op) {
        allreduce(Buffer.of(data), op);
    }

    /**
     * Combines the values of all processes, element by element, for all. Collective.
     *
     * @param data the values; replaced by the result
     * @param op how two become one
     */
    default void allreduce(double[] data, Op op) {
        allreduce(Buffer.of(data), op);
    }

    /**
     * Begins to combine the values of all processes for all. Collective.
     *
     * @param data the values; replaced by the result on completion
     * @param op how two become one
     * @return the operation, to be awaited
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    Request iallreduce(Buffer data, Op op);

    /**
     * Begins to combine the values of all processes for all. Collective.
     *
     * @param data the values; replaced by the result on completion
     * @param op how two become one
     * @return the operation, to be awaited
     */
    default Request iallreduce(byte[] data, Op op) {
        return iallreduce(Buffer.of(data), op);
    }

    /**
     * Begins to combine the values of all processes for all. Collective.
     *
     * @param data the values; replaced by the result on completion
     * @param op how two become one
     * @return the operation, to be awaited
     */
    default Request iallreduce(int[] data, Op op) {
        return iallreduce(Buffer.of(data), op);
    }

    /**
     * Begins to combine the values of all processes for all. Collective.
     *
     * @param data the values; replaced by the result on completion
     * @param op how two become one
     * @return the operation, to be awaited
     */
    default Request iallreduce(long[] data, Op op) {
        return iallreduce(Buffer.of(data), op);
    }

    /**
     * Begins to combine the values of all processes for all. Collective.
     *
     * @param data the values; replaced by the result on completion
     * @param op how two become one
     * @return the operation, to be awaited
     */
    default Request iallreduce(float[] data, Op op) {
        return iallreduce(Buffer.of(data), op);
    }

    /**
     * Begins to combine the values of all processes for all. Collective.
     *
     * @param data the values; replaced by the result on completion
     * @param op how two become one
     * @return the operation, to be awaited
     */
    default Request iallreduce(double[] data, Op op) {
        return iallreduce(Buffer.of(data), op);
    }

    /**
     * Collects what all processes have at one, in the order of ranks. Collective.
     *
     * @param sent the same number of elements everywhere
     * @param received all of them; {@code null} elsewhere than at {@code root}
     * @param root the rank that gets them
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    void gather(Buffer sent, Buffer received, int root);

    /**
     * Collects what all processes have at one, in the order of ranks. Collective.
     *
     * @param sent the same number of elements everywhere
     * @param received all of them; {@code null} elsewhere than at {@code root}
     * @param root the rank that gets them
     */
    default void gather(byte[] sent, byte[] received, int root) {
        gather(Buffer.of(sent), received == null ? null : Buffer.of(received), root);
    }

    /**
     * Collects what all processes have at one, in the order of ranks. Collective.
     *
     * @param sent the same number of elements everywhere
     * @param received all of them; {@code null} elsewhere than at {@code root}
     * @param root the rank that gets them
     */
    default void gather(int[] sent, int[] received, int root) {
        gather(Buffer.of(sent), received == null ? null : Buffer.of(received), root);
    }

    /**
     * Collects what all processes have at one, in the order of ranks. Collective.
     *
     * @param sent the same number of elements everywhere
     * @param received all of them; {@code null} elsewhere than at {@code root}
     * @param root the rank that gets them
     */
    default void gather(long[] sent, long[] received, int root) {
        gather(Buffer.of(sent), received == null ? null : Buffer.of(received), root);
    }

    /**
     * Collects what all processes have at one, in the order of ranks. Collective.
     *
     * @param sent the same number of elements everywhere
     * @param received all of them; {@code null} elsewhere than at {@code root}
     * @param root the rank that gets them
     */
    default void gather(float[] sent, float[] received, int root) {
        gather(Buffer.of(sent), received == null ? null : Buffer.of(received), root);
    }

    /**
     * Collects what all processes have at one, in the order of ranks. Collective.
     *
     * @param sent the same number of elements everywhere
     * @param received all of them; {@code null} elsewhere than at {@code root}
     * @param root the rank that gets them
     */
    default void gather(double[] sent, double[] received, int root) {
        gather(Buffer.of(sent), received == null ? null : Buffer.of(received), root);
    }

    /**
     * Collects what all processes have at all, in the order of ranks. Collective.
     *
     * @param sent the same number of elements everywhere
     * @param received all of them
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    void allgather(Buffer sent, Buffer received);

    /**
     * Collects what all processes have at all, in the order of ranks. Collective.
     *
     * @param sent the same number of elements everywhere
     * @param received all of them
     */
    default void allgather(byte[] sent, byte[] received) {
        allgather(Buffer.of(sent), Buffer.of(received));
    }

    /**
     * Collects what all processes have at all, in the order of ranks. Collective.
     *
     * @param sent the same number of elements everywhere
     * @param received all of them
     */
    default void allgather(int[] sent, int[] received) {
        allgather(Buffer.of(sent), Buffer.of(received));
    }

    /**
     * Collects what all processes have at all, in the order of ranks. Collective.
     *
     * @param sent the same number of elements everywhere
     * @param received all of them
     */
    default void allgather(long[] sent, long[] received) {
        allgather(Buffer.of(sent), Buffer.of(received));
    }

    /**
     * Collects what all processes have at all, in the order of ranks. Collective.
     *
     * @param sent the same number of elements everywhere
     * @param received all of them
     */
    default void allgather(float[] sent, float[] received) {
        allgather(Buffer.of(sent), Buffer.of(received));
    }

    /**
     * Collects what all processes have at all, in the order of ranks. Collective.
     *
     * @param sent the same number of elements everywhere
     * @param received all of them
     */
    default void allgather(double[] sent, double[] received) {
        allgather(Buffer.of(sent), Buffer.of(received));
    }

    /**
     * Gives each process its part of what one has. Collective.
     *
     * @param sent all parts in the order of ranks; {@code null} elsewhere than at {@code root}
     * @param received this process's part
     * @param root the rank that has them
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    void scatter(Buffer sent, Buffer received, int root);

    /**
     * Gives each process its part of what one has. Collective.
     *
     * @param sent all parts in the order of ranks; {@code null} elsewhere than at {@code root}
     * @param received this process's part
     * @param root the rank that has them
     */
    default void scatter(byte[] sent, byte[] received, int root) {
        scatter(sent == null ? null : Buffer.of(sent), Buffer.of(received), root);
    }

    /**
     * Gives each process its part of what one has. Collective.
     *
     * @param sent all parts in the order of ranks; {@code null} elsewhere than at {@code root}
     * @param received this process's part
     * @param root the rank that has them
     */
    default void scatter(int[] sent, int[] received, int root) {
        scatter(sent == null ? null : Buffer.of(sent), Buffer.of(received), root);
    }

    /**
     * Gives each process its part of what one has. Collective.
     *
     * @param sent all parts in the order of ranks; {@code null} elsewhere than at {@code root}
     * @param received this process's part
     * @param root the rank that has them
     */
    default void scatter(long[] sent, long[] received, int root) {
        scatter(sent == null ? null : Buffer.of(sent), Buffer.of(received), root);
    }

    /**
     * Gives each process its part of what one has. Collective.
     *
     * @param sent all parts in the order of ranks; {@code null} elsewhere than at {@code root}
     * @param received this process's part
     * @param root the rank that has them
     */
    default void scatter(float[] sent, float[] received, int root) {
        scatter(sent == null ? null : Buffer.of(sent), Buffer.of(received), root);
    }

    /**
     * Gives each process its part of what one has. Collective.
     *
     * @param sent all parts in the order of ranks; {@code null} elsewhere than at {@code root}
     * @param received this process's part
     * @param root the rank that has them
     */
    default void scatter(double[] sent, double[] received, int root) {
        scatter(sent == null ? null : Buffer.of(sent), Buffer.of(received), root);
    }

    /**
     * Each process gives each other one a part of the same size. Collective.
     *
     * @param sent a part for each rank
     * @param received a part from each rank
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    void alltoall(Buffer sent, Buffer received);

    /**
     * Each process gives each other one a part of the same size. Collective.
     *
     * @param sent a part for each rank
     * @param received a part from each rank
     */
    default void alltoall(byte[] sent, byte[] received) {
        alltoall(Buffer.of(sent), Buffer.of(received));
    }

    /**
     * Each process gives each other one a part of the same size. Collective.
     *
     * @param sent a part for each rank
     * @param received a part from each rank
     */
    default void alltoall(int[] sent, int[] received) {
        alltoall(Buffer.of(sent), Buffer.of(received));
    }

    /**
     * Each process gives each other one a part of the same size. Collective.
     *
     * @param sent a part for each rank
     * @param received a part from each rank
     */
    default void alltoall(long[] sent, long[] received) {
        alltoall(Buffer.of(sent), Buffer.of(received));
    }

    /**
     * Each process gives each other one a part of the same size. Collective.
     *
     * @param sent a part for each rank
     * @param received a part from each rank
     */
    default void alltoall(float[] sent, float[] received) {
        alltoall(Buffer.of(sent), Buffer.of(received));
    }

    /**
     * Each process gives each other one a part of the same size. Collective.
     *
     * @param sent a part for each rank
     * @param received a part from each rank
     */
    default void alltoall(double[] sent, double[] received) {
        alltoall(Buffer.of(sent), Buffer.of(received));
    }
}

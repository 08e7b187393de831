package dev.mpiglot.mpi;

/**
 * Messages and collective operations, on buffers. A buffer that is missing, or whose size does not fit the others', and an
 * operation that is missing or of another type, are refused with an {@link IllegalArgumentException}: before MPI is called
 * for messages; after taking part in a collective operation, with zeros in the place of such a buffer, as far as another
 * buffer tells the size. If none does, if {@code root} is no rank or an operation is missing, the process throws at once
 * and the others wait for it; {@link Mpi#run} ends the job unless the program catches the exception.
 */
public sealed interface BufferOperations permits ArrayOperations {

    /**
     * Sends a message; returns when {@code data} may be changed.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     * @throws MpiException if MPI reports an error
     */
    void send(MpiBuffer<?> data, int dest, int tag);

    /**
     * Receives a message that has at most as many elements as {@code data}. Elements behind its end stay as they are,
     * and all of them if there is an error.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return what is known of the message
     * @throws MpiException if MPI reports an error
     */
    Status recv(MpiBuffer<?> data, int source, int tag);

    /**
     * Begins to send a message. An array may be changed at once, other memory when the operation is complete.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     * @return the operation, to be awaited
     * @throws MpiException if MPI reports an error
     */
    Request isend(MpiBuffer<?> data, int dest, int tag);

    /**
     * Begins to receive a message that has at most as many elements as {@code data}.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return the operation, to be awaited
     * @throws MpiException if MPI reports an error
     */
    Request irecv(MpiBuffer<?> data, int source, int tag);

    /**
     * Sends one message and receives another; no order of processes can make it wait forever.
     *
     * @param sent what to send
     * @param dest the rank to send to
     * @param received where the other message goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of both
     * @return what is known of the message received
     * @throws MpiException if MPI reports an error
     */
    Status sendrecv(MpiBuffer<?> sent, int dest, MpiBuffer<?> received, int source, int tag);

    /**
     * Gives all processes what one has. Collective.
     *
     * @param data read at {@code root}, written elsewhere; the same number of elements everywhere
     * @param root the rank that has it
     * @throws MpiException if MPI reports an error
     */
    void bcast(MpiBuffer<?> data, int root);

    /**
     * Combines the values of all processes, element by element, at one. Collective.
     *
     * @param <E> the type of the values
     * @param data the values; at {@code root} replaced by the result
     * @param op how two become one
     * @param root the rank that gets the result
     * @throws MpiException if MPI reports an error
     */
    <E extends Element> void reduce(MpiBuffer<E> data, Op<? super E> op, int root);

    /**
     * Combines the values of all processes, element by element, for all. Collective.
     *
     * @param <E> the type of the values
     * @param data the values; replaced by the result
     * @param op how two become one
     * @throws MpiException if MPI reports an error
     */
    <E extends Element> void allreduce(MpiBuffer<E> data, Op<? super E> op);

    /**
     * Begins to combine the values of all processes for all. Collective.
     *
     * @param <E> the type of the values
     * @param data the values; replaced by the result on completion
     * @param op how two become one
     * @return the operation, to be awaited
     * @throws MpiException if MPI reports an error
     */
    <E extends Element> Request iallreduce(MpiBuffer<E> data, Op<? super E> op);

    /**
     * Collects what all processes have at one, in the order of ranks. Collective.
     *
     * @param <E> the type of the values
     * @param sent the same number of elements everywhere
     * @param received at {@code root}, all of them; not used elsewhere and may be {@code null}
     * @param root the rank that gets them
     * @throws MpiException if MPI reports an error
     */
    <E extends Element> void gather(MpiBuffer<E> sent, @Nullable MpiBuffer<E> received, int root);

    /**
     * Collects what all processes have at all, in the order of ranks. Collective.
     *
     * @param <E> the type of the values
     * @param sent the same number of elements everywhere
     * @param received all of them: as many elements as {@code sent} for each rank
     * @throws MpiException if MPI reports an error
     */
    <E extends Element> void allgather(MpiBuffer<E> sent, MpiBuffer<E> received);

    /**
     * Gives each process its part of what one has. Collective.
     *
     * @param <E> the type of the values
     * @param sent at {@code root}, a part for each rank in their order; not used elsewhere and may be {@code null}
     * @param received this process's part, of the same size everywhere
     * @param root the rank that has them
     * @throws MpiException if MPI reports an error
     */
    <E extends Element> void scatter(@Nullable MpiBuffer<E> sent, MpiBuffer<E> received, int root);

    /**
     * Each process gives each other one a part of the same size. Collective.
     *
     * @param <E> the type of the values
     * @param sent a part for each rank
     * @param received a part from each rank
     * @throws MpiException if MPI reports an error
     */
    <E extends Element> void alltoall(MpiBuffer<E> sent, MpiBuffer<E> received);
}

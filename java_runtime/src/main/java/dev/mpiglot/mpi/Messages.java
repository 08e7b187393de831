package dev.mpiglot.mpi;

/** Messages from one process to another, from buffers and from arrays. */
public sealed interface Messages permits Comm {

    /**
     * Sends a message; returns when {@code data} may be changed.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    void send(Buffer data, int dest, int tag);

    /**
     * Sends a message; returns when {@code data} may be changed.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     */
    default void send(byte[] data, int dest, int tag) {
        send(Buffer.of(data), dest, tag);
    }

    /**
     * Sends a message; returns when {@code data} may be changed.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     */
    default void send(int[] data, int dest, int tag) {
        send(Buffer.of(data), dest, tag);
    }

    /**
     * Sends a message; returns when {@code data} may be changed.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     */
    default void send(long[] data, int dest, int tag) {
        send(Buffer.of(data), dest, tag);
    }

    /**
     * Sends a message; returns when {@code data} may be changed.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     */
    default void send(float[] data, int dest, int tag) {
        send(Buffer.of(data), dest, tag);
    }

    /**
     * Sends a message; returns when {@code data} may be changed.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     */
    default void send(double[] data, int dest, int tag) {
        send(Buffer.of(data), dest, tag);
    }

    /**
     * Receives a message that has at most as many elements as {@code data}.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return what is known of the message
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    Status recv(Buffer data, int source, int tag);

    /**
     * Receives a message that has at most as many elements as {@code data}.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return what is known of the message
     */
    default Status recv(byte[] data, int source, int tag) {
        return recv(Buffer.of(data), source, tag);
    }

    /**
     * Receives a message that has at most as many elements as {@code data}.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return what is known of the message
     */
    default Status recv(int[] data, int source, int tag) {
        return recv(Buffer.of(data), source, tag);
    }

    /**
     * Receives a message that has at most as many elements as {@code data}.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return what is known of the message
     */
    default Status recv(long[] data, int source, int tag) {
        return recv(Buffer.of(data), source, tag);
    }

    /**
     * Receives a message that has at most as many elements as {@code data}.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return what is known of the message
     */
    default Status recv(float[] data, int source, int tag) {
        return recv(Buffer.of(data), source, tag);
    }

    /**
     * Receives a message that has at most as many elements as {@code data}.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return what is known of the message
     */
    default Status recv(double[] data, int source, int tag) {
        return recv(Buffer.of(data), source, tag);
    }

    /**
     * Begins to send a message.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     * @return the operation, to be awaited
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    Request isend(Buffer data, int dest, int tag);

    /**
     * Begins to send a message.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     * @return the operation, to be awaited
     */
    default Request isend(byte[] data, int dest, int tag) {
        return isend(Buffer.of(data), dest, tag);
    }

    /**
     * Begins to send a message.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     * @return the operation, to be awaited
     */
    default Request isend(int[] data, int dest, int tag) {
        return isend(Buffer.of(data), dest, tag);
    }

    /**
     * Begins to send a message.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     * @return the operation, to be awaited
     */
    default Request isend(long[] data, int dest, int tag) {
        return isend(Buffer.of(data), dest, tag);
    }

    /**
     * Begins to send a message.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     * @return the operation, to be awaited
     */
    default Request isend(float[] data, int dest, int tag) {
        return isend(Buffer.of(data), dest, tag);
    }

    /**
     * Begins to send a message.
     *
     * @param data what to send
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     * @return the operation, to be awaited
     */
    default Request isend(double[] data, int dest, int tag) {
        return isend(Buffer.of(data), dest, tag);
    }

    /**
     * Begins to receive a message that has at most as many elements as {@code data}.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return the operation, to be awaited
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    Request irecv(Buffer data, int source, int tag);

    /**
     * Begins to receive a message that has at most as many elements as {@code data}.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return the operation, to be awaited
     */
    default Request irecv(byte[] data, int source, int tag) {
        return irecv(Buffer.of(data), source, tag);
    }

    /**
     * Begins to receive a message that has at most as many elements as {@code data}.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return the operation, to be awaited
     */
    default Request irecv(int[] data, int source, int tag) {
        return irecv(Buffer.of(data), source, tag);
    }

    /**
     * Begins to receive a message that has at most as many elements as {@code data}.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return the operation, to be awaited
     */
    default Request irecv(long[] data, int source, int tag) {
        return irecv(Buffer.of(data), source, tag);
    }

    /**
     * Begins to receive a message that has at most as many elements as {@code data}.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return the operation, to be awaited
     */
    default Request irecv(float[] data, int source, int tag) {
        return irecv(Buffer.of(data), source, tag);
    }

    /**
     * Begins to receive a message that has at most as many elements as {@code data}.
     *
     * @param data where it goes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return the operation, to be awaited
     */
    default Request irecv(double[] data, int source, int tag) {
        return irecv(Buffer.of(data), source, tag);
    }
}

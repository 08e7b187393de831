package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * The methods of {@link Comm} that send objects. Their lengths are sent along. Every process encodes its objects before it
 * sends anything: if one cannot, a length of -1 tells the others, and all throw a {@link CodecException}. A process that
 * cannot decode what has come throws one alone.
 */
public sealed interface ObjectOperations permits Comm {

    private Comm comm() {
        return (Comm) this;
    }

    private static <T> Given<Element.Bytes> encode(Codec<T> codec, List<? extends T> objects) {
        try {
            byte[][] parts = new byte[objects.size()][];
            for (int i = 0; i < parts.length; i++) {
                byte[] bytes = Arguments.present("codec", codec).encode(objects.get(i));
                parts[i] = Arguments.present("the bytes of an object", bytes);
            }
            int[] lengths = Arrays.stream(parts).mapToInt(part -> part.length).toArray();
            MpiBuffer<Element.Bytes> all = MpiBuffer.allocate(Datatype.BYTE, Given.sum(lengths));
            long at = 0;
            for (byte[] part : parts) {
                MemorySegment.copy(part, 0, all.segment(), ValueLayout.JAVA_BYTE, at, part.length);
                at += part.length;
            }
            return new Given<>(all, lengths, null);
        } catch (Exception e) {
            return Given.none(objects.size(), new CodecException("An object could not be encoded", e));
        }
    }

    private static <T> Given<Element.Bytes> encodeOne(Codec<T> codec, T object) {
        return encode(codec, Collections.singletonList(object));
    }

    private static <T> Given<Element.Bytes> encodeForAll(Codec<T> codec, List<? extends T> objects, int ranks) {
        if (objects == null || objects.size() != ranks) {
            return Given.none(ranks, new CodecException("There must be one object for each of " + ranks
                    + " ranks, and there are " + (objects == null ? "none" : objects.size()), null));
        }
        return encode(codec, objects);
    }

    private static <T> T decode(Codec<T> codec, byte[] bytes) {
        try {
            return Arguments.present("codec", codec).decode(bytes);
        } catch (Exception e) {
            throw new CodecException("An object could not be decoded", e);
        }
    }

    private static <T> List<T> decodeAll(Codec<T> codec, Collected<Element.Bytes> all) {
        List<T> objects = new ArrayList<>();
        long at = 0;
        for (int length : all.counts()) {
            objects.add(decode(codec, all.values().segment().asSlice(at, length).toArray(ValueLayout.JAVA_BYTE)));
            at += length;
        }
        return objects;
    }

    private static CodecException failure(int rank) {
        return new CodecException("Rank " + rank + " could not encode its objects.", null);
    }

    /**
     * Sends an object, which {@link #recvObject} receives. Nothing of the object is used afterwards.
     *
     * @param <T> the type of the object
     * @param codec makes its bytes
     * @param object the object
     * @param dest the rank to send to
     * @param tag what the receiver tells messages apart by
     * @throws CodecException if the object cannot be encoded; the receiver throws one, too
     * @throws MpiException if MPI reports an error
     */
    default <T> void sendObject(Codec<T> codec, T object, int dest, int tag) {
        Given<Element.Bytes> encoded = encodeOne(codec, object);
        if (encoded.reason() != null) {
            comm().send(new byte[] {Given.FAILED}, dest, tag);
            throw encoded.reason();
        }
        long length = encoded.lengths()[0];
        MpiBuffer<Element.Bytes> message = MpiBuffer.allocate(Datatype.BYTE, length + 1);
        message.setByte(0, Given.WHOLE);
        MemorySegment.copy(encoded.buffer().segment(), 0, message.segment(), 1, length);
        comm().send(message, dest, tag);
    }

    /**
     * Receives an object of {@link #sendObject}, of any length.
     *
     * @param <T> the type of the object
     * @param codec makes it of its bytes
     * @param source the rank to receive from, or {@link Comm#ANY_SOURCE}
     * @param tag the tag of the message, or {@link Comm#ANY_TAG}
     * @return the object; null from {@link Comm#PROC_NULL}
     * @throws CodecException if the sender could not encode it, or it cannot be decoded
     * @throws MpiException if MPI reports an error
     */
    default <T> T recvObject(Codec<T> codec, int source, int tag) {
        if (source == Comm.PROC_NULL) {
            return null;
        }
        Message found = comm().mprobe(source, tag);
        MpiBuffer<Element.Bytes> message = MpiBuffer.allocate(Datatype.BYTE, found.status().bytes());
        Status status = found.recv(message);
        if (message.count() == 0 || message.getByte(0) != Given.WHOLE && message.getByte(0) != Given.FAILED) {
            throw new CodecException("The message of rank " + status.source() + " is not of sendObject.", null);
        }
        if (message.getByte(0) == Given.FAILED) {
            throw failure(status.source());
        }
        return decode(codec, message.segment().asSlice(1).toArray(ValueLayout.JAVA_BYTE));
    }

    /**
     * Gives all processes the object that one has. Collective.
     *
     * @param <T> the type of the object
     * @param codec makes its bytes, and objects of them
     * @param object the object at {@code root}; not used elsewhere
     * @param root the rank that has it
     * @return the object itself at {@code root}, another one elsewhere
     * @throws CodecException if {@code root} cannot encode it: everywhere; if it cannot be decoded: here
     * @throws MpiException if MPI reports an error
     */
    default <T> T bcastObject(Codec<T> codec, T object, int root) {
        boolean here = comm().rank() == root;
        Given<Element.Bytes> own = here ? encodeOne(codec, object) : null;
        int[] length = SentLengths.lengthsOfRoot(comm(), own, 1, root, ObjectOperations::failure);
        byte[] bytes = new byte[here ? 0 : length[0]];
        comm().bcast(here ? own.buffer() : MpiBuffer.of(bytes), root);
        return here ? object : decode(codec, bytes);
    }

    /**
     * Collects the objects of all processes at one. Collective.
     *
     * @param <T> the type of the objects
     * @param codec makes their bytes, and objects of them
     * @param object the object of this process
     * @param root the rank that gets them
     * @return the objects in the order of ranks at {@code root}, none elsewhere
     * @throws CodecException if a process cannot encode its object: everywhere; if one cannot be decoded: at {@code root}
     * @throws MpiException if MPI reports an error
     */
    default <T> List<T> gatherObjects(Codec<T> codec, T object, int root) {
        return decodeAll(codec, SentLengths.gather(comm(), encodeOne(codec, object), root, ObjectOperations::failure));
    }

    /**
     * Collects the objects of all processes at all. Collective.
     *
     * @param <T> the type of the objects
     * @param codec makes their bytes, and objects of them
     * @param object the object of this process
     * @return the objects in the order of ranks, copies all of them
     * @throws CodecException if a process cannot encode its object: everywhere; if one cannot be decoded: here
     * @throws MpiException if MPI reports an error
     */
    default <T> List<T> allgatherObjects(Codec<T> codec, T object) {
        return decodeAll(codec, SentLengths.allgather(comm(), encodeOne(codec, object), ObjectOperations::failure));
    }

    /**
     * Gives each process one of the objects that one process has. Collective.
     *
     * @param <T> the type of the objects
     * @param codec makes their bytes, and objects of them
     * @param objects at {@code root}, one for each rank in their order; not used elsewhere and may be {@code null}
     * @param root the rank that has them
     * @return this process's object, a copy
     * @throws CodecException if {@code root} cannot encode them, or has not as many: everywhere; if one cannot be decoded:
     *     here
     * @throws MpiException if MPI reports an error
     */
    default <T> T scatterObjects(Codec<T> codec, @Nullable List<? extends T> objects, int root) {
        int ranks = comm().size();
        boolean here = comm().rank() == root;
        Given<Element.Bytes> own = here ? encodeForAll(codec, objects, ranks) : null;
        int[] lengths = SentLengths.lengthsOfRoot(comm(), own, ranks, root, ObjectOperations::failure);
        byte[] bytes = new byte[lengths[comm().rank()]];
        comm().scatterv(here ? own.buffer() : null, here ? lengths : null, MpiBuffer.of(bytes), root);
        return decode(codec, bytes);
    }

    /**
     * Each process gives each other one an object. Collective.
     *
     * @param <T> the type of the objects
     * @param codec makes their bytes, and objects of them
     * @param objects one for each rank, in their order
     * @return one from each rank, in their order, copies all of them
     * @throws CodecException if a process cannot encode its objects, or has not as many: everywhere; if one cannot be
     *     decoded: here
     * @throws MpiException if MPI reports an error
     */
    default <T> List<T> alltoallObjects(Codec<T> codec, List<? extends T> objects) {
        Given<Element.Bytes> own = encodeForAll(codec, objects, comm().size());
        return decodeAll(codec, SentLengths.alltoall(comm(), own, ObjectOperations::failure));
    }

    /**
     * Combines an object of each process. Every process combines all of them. Collective.
     *
     * @param <T> the type of the objects
     * @param codec makes their bytes, and objects of them
     * @param object the object of this process
     * @param operator makes one object of two, the left one from the lower rank; it need not be commutative
     * @return what it makes of all, in the order of ranks
     * @throws IllegalArgumentException if the operator is null: after taking part
     * @throws CodecException if a process cannot encode its object: everywhere; if one cannot be decoded: here
     * @throws MpiException if MPI reports an error
     */
    default <T> T allreduceObject(Codec<T> codec, T object, BinaryOperator<T> operator) {
        return combined(allgatherObjects(codec, object), operator);
    }

    /**
     * Combines an object of each process at one. Collective.
     *
     * @param <T> the type of the objects
     * @param codec makes their bytes, and objects of them
     * @param object the object of this process
     * @param operator makes one object of two, the left one from the lower rank; used at {@code root}
     * @param root the rank that gets the result
     * @return what it makes of all, in the order of ranks, at {@code root}; empty elsewhere, and where it makes null
     * @throws IllegalArgumentException if the operator is null at {@code root}: after taking part
     * @throws CodecException if a process cannot encode its object: everywhere; if one cannot be decoded: at {@code root}
     * @throws MpiException if MPI reports an error
     */
    default <T> Optional<T> reduceObject(Codec<T> codec, T object, BinaryOperator<T> operator, int root) {
        List<T> all = gatherObjects(codec, object, root);
        return all.isEmpty() ? Optional.empty() : Optional.ofNullable(combined(all, operator));
    }

    private static <T> T combined(List<T> all, BinaryOperator<T> operator) {
        Arguments.present("operator", operator);
        T result = all.getFirst();
        for (T next : all.subList(1, all.size())) {
            result = operator.apply(result, next);
        }
        return result;
    }
}

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
abstract sealed class ObjectOperations extends LearnedOperations permits RecordReductions {

    private static final byte WHOLE = 0;
    private static final byte FAILED = 1;

    /** Objects as bytes; null in the place of bytes: the reason says why there are none. */
    private record Encoded(byte[][] parts, CodecException reason) {

        /** The length of each part, or -1 for all. */
        int[] lengths(int count) {
            int[] lengths = new int[count];
            if (reason != null) {
                Arrays.fill(lengths, -1);
                return lengths;
            }
            Arrays.setAll(lengths, i -> parts[i].length);
            return lengths;
        }

        Buffer<Element.Bytes> all() {
            long sum = 0;
            for (byte[] part : parts) {
                sum += part.length;
            }
            Buffer<Element.Bytes> all = Buffer.allocate(Datatype.BYTE, sum);
            long at = 0;
            for (byte[] part : parts) {
                MemorySegment.copy(part, 0, all.segment(), ValueLayout.JAVA_BYTE, at, part.length);
                at += part.length;
            }
            return all;
        }
    }

    private static <T> Encoded encode(Codec<T> codec, List<? extends T> objects) {
        try {
            byte[][] parts = new byte[objects.size()][];
            for (int i = 0; i < parts.length; i++) {
                byte[] bytes = Arguments.present("codec", codec).encode(objects.get(i));
                parts[i] = Arguments.present("the bytes of an object", bytes);
            }
            return new Encoded(parts, null);
        } catch (Exception e) {
            return new Encoded(null, new CodecException("An object could not be encoded", e));
        }
    }

    private static <T> Encoded encodeOne(Codec<T> codec, T object) {
        return encode(codec, Collections.singletonList(object));
    }

    private static <T> Encoded encodeForAll(Codec<T> codec, List<? extends T> objects, int ranks) {
        if (objects == null || objects.size() != ranks) {
            return new Encoded(null, new CodecException("There must be one object for each of " + ranks
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

    private static <T> List<T> decodeAll(Codec<T> codec, Buffer<Element.Bytes> all, int[] lengths) {
        List<T> objects = new ArrayList<>();
        long at = 0;
        for (int length : lengths) {
            objects.add(decode(codec, all.segment().asSlice(at, length).toArray(ValueLayout.JAVA_BYTE)));
            at += length;
        }
        return objects;
    }

    private static Buffer<Element.Bytes> room(int[] lengths) {
        return Buffer.allocate(Datatype.BYTE, Amounts.sum(Arrays.stream(lengths).asLongStream().toArray()));
    }

    /** Throws on every process if one could not encode. */
    private static void requireAll(Encoded own, int[] lengths) {
        if (own.reason != null) {
            throw own.reason;
        }
        for (int rank = 0; rank < lengths.length; rank++) {
            if (lengths[rank] < 0) {
                throw failure(rank);
            }
        }
    }

    private static CodecException failure(int rank) {
        return new CodecException("Rank " + rank + " could not encode its objects.", null);
    }

    private Comm comm() {
        return (Comm) this;
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
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public <T> void sendObject(Codec<T> codec, T object, int dest, int tag) {
        Encoded encoded = encodeOne(codec, object);
        if (encoded.reason != null) {
            comm().send(new byte[] {FAILED}, dest, tag);
            throw encoded.reason;
        }
        byte[] bytes = encoded.parts[0];
        Buffer<Element.Bytes> message = Buffer.allocate(Datatype.BYTE, bytes.length + 1L);
        message.setByte(0, WHOLE);
        MemorySegment.copy(bytes, 0, message.segment(), ValueLayout.JAVA_BYTE, 1, bytes.length);
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
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public <T> T recvObject(Codec<T> codec, int source, int tag) {
        if (source == Comm.PROC_NULL) {
            return null;
        }
        Message found = comm().mprobe(source, tag);
        Buffer<Element.Bytes> message = Buffer.allocate(Datatype.BYTE, found.status().bytes());
        Status status = found.recv(message);
        if (message.count() == 0 || message.getByte(0) != WHOLE && message.getByte(0) != FAILED) {
            throw new CodecException("The message of rank " + status.source() + " is not of sendObject.", null);
        }
        if (message.getByte(0) == FAILED) {
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
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public <T> T bcastObject(Codec<T> codec, T object, int root) {
        boolean here = comm().rank() == root;
        Encoded own = here ? encodeOne(codec, object) : null;
        int[] length = here ? own.lengths(1) : new int[1];
        comm().bcast(length, root);
        if (length[0] < 0) {
            throw here ? own.reason : failure(root);
        }
        byte[] bytes = here ? own.parts[0] : new byte[length[0]];
        comm().bcast(bytes, root);
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
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public <T> List<T> gatherObjects(Codec<T> codec, T object, int root) {
        Encoded own = encodeOne(codec, object);
        int[] lengths = allLengths(own);
        if (comm().rank() != root) {
            comm().gatherv(own.all(), null, null, root);
            return List.of();
        }
        Buffer<Element.Bytes> all = room(lengths);
        comm().gatherv(own.all(), all, lengths, root);
        return decodeAll(codec, all, lengths);
    }

    private int[] allLengths(Encoded own) {
        int[] lengths = new int[comm().size()];
        comm().allgather(own.lengths(1), lengths);
        requireAll(own, lengths);
        return lengths;
    }

    /**
     * Collects the objects of all processes at all. Collective.
     *
     * @param <T> the type of the objects
     * @param codec makes their bytes, and objects of them
     * @param object the object of this process
     * @return the objects in the order of ranks, copies all of them
     * @throws CodecException if a process cannot encode its object: everywhere; if one cannot be decoded: here
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public <T> List<T> allgatherObjects(Codec<T> codec, T object) {
        Encoded own = encodeOne(codec, object);
        int[] lengths = allLengths(own);
        Buffer<Element.Bytes> all = room(lengths);
        comm().allgatherv(own.all(), all, lengths);
        return decodeAll(codec, all, lengths);
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
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public <T> T scatterObjects(Codec<T> codec, @Nullable List<? extends T> objects, int root) {
        int ranks = comm().size();
        boolean here = comm().rank() == root;
        Encoded own = here ? encodeForAll(codec, objects, ranks) : null;
        int[] lengths = here ? own.lengths(ranks) : new int[ranks];
        comm().bcast(lengths, root);
        if (lengths[0] < 0) {
            throw here ? own.reason : failure(root);
        }
        byte[] bytes = new byte[lengths[comm().rank()]];
        comm().scatterv(here ? own.all() : null, here ? lengths : null, Buffer.of(bytes), root);
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
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public <T> List<T> alltoallObjects(Codec<T> codec, List<? extends T> objects) {
        int ranks = comm().size();
        Encoded own = encodeForAll(codec, objects, ranks);
        int[] given = own.lengths(ranks);
        int[] got = new int[ranks];
        comm().alltoall(given, got);
        requireAll(own, got);
        Buffer<Element.Bytes> all = room(got);
        comm().alltoallv(own.all(), given, all, got);
        return decodeAll(codec, all, got);
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
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public <T> T allreduceObject(Codec<T> codec, T object, BinaryOperator<T> operator) {
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
     * @return what it makes of all, in the order of ranks, at {@code root}; empty elsewhere
     * @throws IllegalArgumentException if the operator is null at {@code root}: after taking part
     * @throws CodecException if a process cannot encode its object: everywhere; if one cannot be decoded: at {@code root}
     * @throws dev.mpiglot.low.MpiException if MPI reports an error
     */
    public <T> Optional<T> reduceObject(Codec<T> codec, T object, BinaryOperator<T> operator, int root) {
        List<T> all = gatherObjects(codec, object, root);
        return all.isEmpty() ? Optional.empty() : Optional.of(combined(all, operator));
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

package dev.mpiglot.mpi;

import java.util.function.IntFunction;

/** Operations on arrays of any lengths: the lengths go first, results are new arrays. */
final class SentLengths {

    private static final IntFunction<CodecException> RANK = rank -> Given.failure("Rank", rank);
    private static final IntFunction<CodecException> NEIGHBOR =
            index -> Given.failure("The neighbour to receive from", index);

    private SentLengths() {
    }

    static <A, E extends Element> A recv(Comm comm, ArrayKind<A, E> kind, int source, int tag) {
        if (source == Comm.PROC_NULL) {
            return kind.make().apply(0);
        }
        Message found = comm.mprobe(source, tag);
        long bytes = found.status().bytes();
        long length = bytes / kind.type().bytes();
        if (bytes % kind.type().bytes() != 0 || length > Integer.MAX_VALUE) {
            found.recv(MpiBuffer.allocate(Datatype.BYTE, bytes));
            throw new CodecException("The message of rank " + found.status().source() + " has " + bytes
                    + " bytes, which are no array of " + kind.type() + ".", null);
        }
        A values = kind.make().apply((int) length);
        found.recv(kind.buffer().apply(values));
        return values;
    }

    static <A, E extends Element> A bcast(Comm comm, ArrayKind<A, E> kind, A values, int root) {
        boolean here = comm.rank() == root;
        Given<E> own = here ? Given.whole(() -> of(kind, values)) : null;
        int[] length = lengthsOfRoot(comm, own, 1, root, RANK);
        A got = here ? values : kind.make().apply(length[0]);
        comm.bcast(kind.buffer().apply(got), root);
        return got;
    }

    /** The lengths that {@code root} gives, elsewhere {@code own} is null; throws on all if it gives nothing. */
    static int[] lengthsOfRoot(Comm comm, Given<?> own, int parts, int root, IntFunction<CodecException> failure) {
        int[] lengths = own != null ? own.lengths() : new int[parts];
        comm.bcast(lengths, root);
        if (lengths[0] < 0) {
            throw own != null ? own.reason() : failure.apply(root);
        }
        return lengths;
    }

    private static <A, E extends Element> MpiBuffer<E> of(ArrayKind<A, E> kind, A array) {
        return kind.buffer().apply(Arguments.present("the array", array));
    }

    /** The lengths of all; throws on all if one has none. */
    private static int[] lengths(Comm comm, Given<?> own, IntFunction<CodecException> failure) {
        int[] lengths = new int[comm.size()];
        comm.allgather(own.lengths(), lengths);
        own.requireAll(lengths, failure);
        return lengths;
    }

    static <A, E extends Element> A gather(Comm comm, ArrayKind<A, E> kind, A mine, int root) {
        Given<E> own = Given.whole(() -> of(kind, mine));
        int[] lengths = lengths(comm, own, RANK);
        int total = Given.total(lengths);
        if (comm.rank() != root) {
            comm.gatherv(own.buffer(), null, null, root);
            return kind.make().apply(0);
        }
        A all = kind.make().apply(total);
        comm.gatherv(own.buffer(), kind.buffer().apply(all), lengths, root);
        return all;
    }

    static <E extends Element> Collected<E> gather(Comm comm, MpiBuffer<E> sent, int root) {
        return gather(comm, Given.whole(() -> sent), root, RANK);
    }

    static <E extends Element> Collected<E> gather(Comm comm, Given<E> own, int root,
            IntFunction<CodecException> failure) {
        int[] lengths = lengths(comm, own, failure);
        MpiBuffer<E> sent = own.buffer();
        if (comm.rank() != root) {
            comm.gatherv(sent, null, null, root);
            return new Collected<>(MpiBuffer.room(sent.type(), 0), new int[0]);
        }
        Collected<E> all = Collected.room(sent, lengths);
        comm.gatherv(sent, all.values(), lengths, root);
        return all;
    }

    static <A, E extends Element> A allgather(Comm comm, ArrayKind<A, E> kind, A mine) {
        Given<E> own = Given.whole(() -> of(kind, mine));
        int[] lengths = lengths(comm, own, RANK);
        A all = kind.make().apply(Given.total(lengths));
        comm.allgatherv(own.buffer(), kind.buffer().apply(all), lengths);
        return all;
    }

    static <E extends Element> Collected<E> allgather(Comm comm, MpiBuffer<E> sent) {
        return allgather(comm, Given.whole(() -> sent), RANK);
    }

    static <E extends Element> Collected<E> allgather(Comm comm, Given<E> own, IntFunction<CodecException> failure) {
        int[] lengths = lengths(comm, own, failure);
        Collected<E> all = Collected.room(own.buffer(), lengths);
        comm.allgatherv(own.buffer(), all.values(), lengths);
        return all;
    }

    static <A, E extends Element> A scatter(Comm comm, ArrayKind<A, E> kind, A[] rows, int root) {
        int ranks = comm.size();
        boolean here = comm.rank() == root;
        Given<E> own = here ? Given.rows(kind, rows, ranks) : null;
        int[] lengths = lengthsOfRoot(comm, own, ranks, root, RANK);
        A mine = kind.make().apply(lengths[comm.rank()]);
        comm.scatterv(here ? own.buffer() : null, here ? lengths : null, kind.buffer().apply(mine), root);
        return mine;
    }

    static <A, E extends Element> A[] alltoall(Comm comm, ArrayKind<A, E> kind, A[] parts) {
        Given<E> own = Given.rows(kind, parts, comm.size());
        int[] got = exchanged(comm, own, RANK);
        A[] received = kind.rows(got);
        comm.alltoallv(own.buffer(), own.lengths(), kind.bufferOfRows().apply(received), got);
        return received;
    }

    static <E extends Element> Collected<E> alltoall(Comm comm, MpiBuffer<E> sent, int[] counts) {
        return alltoall(comm, Given.parts(sent, counts, comm.size()), RANK);
    }

    static <E extends Element> Collected<E> alltoall(Comm comm, Given<E> own, IntFunction<CodecException> failure) {
        int[] got = exchanged(comm, own, failure);
        Collected<E> all = Collected.room(own.buffer(), got);
        comm.alltoallv(own.buffer(), own.lengths(), all.values(), got);
        return all;
    }

    /** What each rank gives this process; throws on all if one gives nothing. */
    private static int[] exchanged(Comm comm, Given<?> own, IntFunction<CodecException> failure) {
        int[] got = new int[comm.size()];
        comm.alltoall(own.lengths(), got);
        own.requireAll(got, failure);
        return got;
    }

    static <A, E extends Element> A[] neighborAllgather(Neighborhood comm, ArrayKind<A, E> kind, A mine) {
        Given<E> own = Given.whole(() -> of(kind, mine));
        int[] lengths = gatheredLengths(comm, own);
        A[] all = kind.rows(Given.orNone(lengths));
        gatherAmongNeighbors(comm, own, kind.bufferOfRows().apply(all), lengths);
        return all;
    }

    static <E extends Element> Collected<E> neighborAllgather(Neighborhood comm, MpiBuffer<E> sent) {
        Given<E> own = Given.whole(() -> sent);
        int[] lengths = gatheredLengths(comm, own);
        Collected<E> all = Collected.room(sent, Given.orNone(lengths));
        gatherAmongNeighbors(comm, own, all.values(), lengths);
        return all;
    }

    /** The lengths of the neighbours. A process that gives nothing throws, after it has taken part in the operation. */
    private static int[] gatheredLengths(Neighborhood comm, Given<?> own) {
        int[] told = new int[2 * comm.using(comm::degrees).in()];
        comm.neighborAllgather(MpiBuffer.of(own.pairs()), MpiBuffer.of(told));
        if (own.reason() != null) {
            int[] bytes = Given.bytes(told);
            comm.neighborAllgatherv(MpiBuffer.allocate(Datatype.BYTE, 0), room(bytes), bytes);
            throw own.reason();
        }
        return Given.lengths(told);
    }

    private static MpiBuffer<Element.Bytes> room(int[] bytes) {
        return MpiBuffer.allocate(Datatype.BYTE, Given.sum(bytes));
    }

    private static <E extends Element> void gatherAmongNeighbors(Neighborhood comm, Given<E> own, MpiBuffer<E> all,
            int[] lengths) {
        comm.neighborAllgatherv(own.buffer(), all, Given.orNone(lengths));
        own.requireAll(lengths, NEIGHBOR);
    }

    static <A, E extends Element> A[] neighborAlltoall(Neighborhood comm, ArrayKind<A, E> kind, A[] parts) {
        Given<E> own = Given.rows(kind, parts, comm.using(comm::degrees).out());
        int[] lengths = exchangedLengths(comm, own);
        A[] all = kind.rows(Given.orNone(lengths));
        exchangeAmongNeighbors(comm, own, kind.bufferOfRows().apply(all), lengths);
        return all;
    }

    static <E extends Element> Collected<E> neighborAlltoall(Neighborhood comm, MpiBuffer<E> sent, int[] counts) {
        Given<E> own = Given.parts(sent, counts, comm.using(comm::degrees).out());
        int[] lengths = exchangedLengths(comm, own);
        Collected<E> all = Collected.room(sent, Given.orNone(lengths));
        exchangeAmongNeighbors(comm, own, all.values(), lengths);
        return all;
    }

    /** As {@link #gatheredLengths}, of a part for each neighbour. */
    private static int[] exchangedLengths(Neighborhood comm, Given<?> own) {
        int[] told = new int[2 * comm.using(comm::degrees).in()];
        comm.neighborAlltoall(MpiBuffer.of(own.pairs()), MpiBuffer.of(told));
        if (own.reason() != null) {
            int[] bytes = Given.bytes(told);
            comm.neighborAlltoallv(MpiBuffer.allocate(Datatype.BYTE, 0), Given.orNone(own.lengths()), room(bytes),
                    bytes);
            throw own.reason();
        }
        return Given.lengths(told);
    }

    private static <E extends Element> void exchangeAmongNeighbors(Neighborhood comm, Given<E> own, MpiBuffer<E> all,
            int[] lengths) {
        comm.neighborAlltoallv(own.buffer(), own.lengths(), all, Given.orNone(lengths));
        own.requireAll(lengths, NEIGHBOR);
    }
}

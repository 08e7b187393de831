package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.MpiConstants;
import java.lang.foreign.MemorySegment;

/**
 * The memory with which a process takes part in a collective operation, in the words of MPI. {@link Parts} tells what
 * stands for buffers that do not fit.
 */
final class Shares {

    /** What MPI is told where a process has no buffer. */
    private static final Side NONE = new Side(null, null, 0, null, null, null);
    private static final Side IN_PLACE = new Side(null, MpiConstants.IN_PLACE, 0, null, null, null);

    private final Side sent;
    private final Side received;
    private final Loan arriving;

    /**
     * One of the two buffers.
     *
     * @param count elements in one part, where all are of the same size
     * @param counts elements in each part, where they are not
     * @param at where each of those begins
     */
    private record Side(Loan loan, MemorySegment segment, long count, long[] counts, long[] at,
            DatatypeHandle type) {

        static Side of(Loan loan, long parts) {
            return new Side(loan, loan.segment(), loan.count() / parts, null, null, loan.type());
        }

        /** The one part, at no displacement, which MPICH 4.0.2 ignores: allgatherv-ignores-displacements. */
        Side fromItsPlace(long size) {
            return new Side(loan, segment.asSlice(at[0] * size), 0, counts, new long[1], type);
        }

        static Side of(Loan loan, Ranges ranges) {
            long each = loan.perElement();
            return new Side(loan, loan.segment(), 0, Amounts.times(ranges.counts, each), Amounts.times(ranges.at, each),
                    loan.type());
        }
    }

    /** Parts of a buffer, in its elements. */
    record Ranges(long[] counts, long[] at) {
    }

    private Shares(Side sent, Side received, Loan arriving) {
        this.sent = sent;
        this.received = received;
        this.arriving = arriving;
    }

    /** The one buffer of a process, which has the same size everywhere. */
    static Shares alone(Call call, MpiBuffer<?> data, int root) {
        call.from(root);
        Loan loan = call.read("data", call.with(Parts.alone("data", data)).sent());
        return new Shares(NONE, Side.of(loan, 1), call.rank() == root ? null : loan);
    }

    /** A process gives a part, and gets one from each. */
    static Shares gathered(Call call, MpiBuffer<?> sent, MpiBuffer<?> received) {
        int ranks = call.ranks();
        Parts parts = call.with(Parts.gathered(sent, received, ranks));
        return pair(call, parts, 1, ranks);
    }

    /** The root alone gets them. */
    static Shares gathered(Call call, MpiBuffer<?> sent, MpiBuffer<?> received, int root) {
        call.from(root);
        return call.rank() == root ? gathered(call, sent, received) : giving(call, sent);
    }

    /** The root gives a part to each. */
    static Shares scattered(Call call, MpiBuffer<?> sent, MpiBuffer<?> received, int root) {
        call.from(root);
        if (call.rank() != root) {
            return getting(call, received);
        }
        int ranks = call.ranks();
        Parts parts = call.with(Parts.scattered(sent, received, ranks));
        return pair(call, parts, ranks, 1);
    }

    /** A process gives a part to each, and gets one from each. */
    static Shares exchanged(Call call, MpiBuffer<?> sent, MpiBuffer<?> received) {
        int ranks = call.ranks();
        Parts parts = call.with(Parts.exchanged(sent, received, ranks));
        return pair(call, parts, ranks, ranks);
    }

    private static Shares giving(Call call, MpiBuffer<?> sent) {
        Loan out = call.read("sent", call.with(Parts.alone("sent", sent)).sent());
        return new Shares(Side.of(out, 1), NONE, null);
    }

    private static Shares getting(Call call, MpiBuffer<?> received) {
        Loan in = call.read("received", call.with(Parts.alone("received", received)).sent());
        return new Shares(NONE, Side.of(in, 1), in);
    }

    static Shares pair(Call call, Parts parts, long sentParts, long receivedParts) {
        Loan out = parts.sent().isInPlace() ? null : call.readApart(parts.sent(), parts.received());
        Loan in = parts.received().isInPlace() ? null : call.read("received", parts.received());
        Side outSide = out == null ? IN_PLACE : Side.of(out, sentParts);
        Side inSide = in == null ? IN_PLACE : Side.of(in, receivedParts);
        return new Shares(outSide, inSide, in);
    }

    /**
     * Parts of different sizes: a process gives one and gets one from each. All processes tell MPI single values: Open
     * MPI chooses the algorithm by the type that a process sends, and waits for ever where two choose otherwise:
     * allgatherv-of-mixed-types.
     */
    static Shares gathered(Call call, MpiBuffer<?> sent, MpiBuffer<?> received, int[] counts, int[] displacements) {
        return gathered(call, sent, received, counts, displacements, true);
    }

    private static Shares gathered(Call call, MpiBuffer<?> sent, MpiBuffer<?> received, int[] counts,
            int[] displacements, boolean alike) {
        long[] amounts = Amounts.of("counts", counts, call.ranks());
        long own = amounts[call.rank()];
        Ranges[] found = new Ranges[1];
        RuntimeException mistake = Parts.mistakeOf(() -> {
            found[0] = inside("received", received, amounts, displacements);
            Parts.requirePart("sent", sent, "received", received, own);
        });
        call.note(mistake);
        if (mistake == null) {
            return ranged(call, sent, null, received, found[0], alike);
        }
        Zeros zeros = Zeros.like(received, sent, mistake);
        MpiBuffer<?> part = zeros.unlessInPlace(sent, own);
        return ranged(call, part, null, zeros.of(Amounts.sum(amounts)), zeros.ranges(amounts), alike);
    }

    /** The root alone gets them. */
    static Shares gathered(Call call, MpiBuffer<?> sent, MpiBuffer<?> received, int[] counts, int[] displacements,
            int root) {
        call.from(root);
        return call.rank() == root ? gathered(call, sent, received, counts, displacements, false) : giving(call, sent);
    }

    /** Parts of different sizes: the root gives one to each. */
    static Shares scattered(Call call, MpiBuffer<?> sent, int[] counts, int[] displacements, MpiBuffer<?> received,
            int root) {
        call.from(root);
        if (call.rank() != root) {
            return getting(call, received);
        }
        long[] amounts = Amounts.of("counts", counts, call.ranks());
        long own = amounts[root];
        Ranges[] found = new Ranges[1];
        RuntimeException mistake = Parts.mistakeOf(() -> {
            found[0] = inside("sent", sent, amounts, displacements);
            Parts.requirePart("received", received, "sent", sent, own);
        });
        call.note(mistake);
        if (mistake == null) {
            return ranged(call, sent, found[0], received, null, false);
        }
        Zeros zeros = Zeros.like(sent, received, mistake);
        MpiBuffer<?> part = zeros.unlessInPlace(received, own);
        return ranged(call, zeros.of(Amounts.sum(amounts)), zeros.ranges(amounts), part, null, false);
    }

    /** Parts of different sizes: a process gives one to each and gets one from each. */
    static Shares exchanged(Call call, MpiBuffer<?> sent, int[] sentCounts, int[] sentDisplacements,
            MpiBuffer<?> received, int[] receivedCounts, int[] receivedDisplacements) {
        long[] in = Amounts.of("receivedCounts", receivedCounts, call.ranks());
        boolean apart = sent == null || !sent.isInPlace();
        long[] out = apart ? Amounts.of("sentCounts", sentCounts, call.ranks()) : null;
        int rank = call.rank();
        Ranges[] found = new Ranges[2];
        RuntimeException mistake = Parts.mistakeOf(() -> {
            found[1] = inside("received", received, in, receivedDisplacements);
            if (apart) {
                found[0] = inside("sent", sent, out, sentDisplacements);
                Parts.requireSame(sent, out[rank], received, in[rank]);
            }
        });
        call.note(mistake);
        if (mistake == null) {
            return ranged(call, sent, found[0], received, found[1], false);
        }
        Zeros zeros = Zeros.like(received, sent, mistake);
        Zeros others = Zeros.like(sent, received, mistake);
        if (apart) { // it need not give itself anything, and would wait for itself if it gave less than it took
            out[rank] = 0;
            in[rank] = 0;
        }
        return ranged(call, apart ? others.of(Amounts.sum(out)) : sent, apart ? others.ranges(out) : null,
                zeros.of(Amounts.sum(in)), zeros.ranges(in), false);
    }

    static Ranges inside(String name, MpiBuffer<?> whole, long[] counts, int[] displacements) {
        Call.withElements(name, whole).requireOpen();
        return new Ranges(counts, Amounts.places(displacements, counts, name, whole));
    }

    /** What stands for buffers of which it is known how many elements they have. */
    record Zeros(Datatype<?> type, long perElement) {

        /** Such as one of two buffers; throws the mistake if there is none. */
        static Zeros like(MpiBuffer<?> first, MpiBuffer<?> second, RuntimeException mistake) {
            MpiBuffer<?> model = first != null && !first.isInPlace() ? first : second;
            if (model == null || model.isInPlace()) {
                throw mistake;
            }
            return new Zeros(model.type(), model == first ? model.type().values() : 1);
        }

        MpiBuffer<?> of(long elements) {
            return MpiBuffer.zeros(type, Math.multiplyExact(elements, perElement));
        }

        MpiBuffer<?> unlessInPlace(MpiBuffer<?> buffer, long elements) {
            return buffer != null && buffer.isInPlace() ? buffer : of(elements);
        }

        Ranges ranges(long[] counts) {
            long[] values = Amounts.times(counts, perElement);
            return new Ranges(values, Amounts.inTurn(values));
        }
    }

    /**
     * Both buffers.
     *
     * @param given the parts in what is sent; null: it is one
     * @param got the parts in what is received; null: it is one
     * @param alike whether MPI shall see single values, whatever the types of the elements
     */
    static Shares ranged(Call call, MpiBuffer<?> sent, Ranges given, MpiBuffer<?> received, Ranges got,
            boolean alike) {
        Loan out = null;
        if (!sent.isInPlace()) {
            out = alike ? call.valuesApart(sent, received) : call.readApart(sent, received);
        }
        Loan in = null;
        if (!received.isInPlace()) {
            in = alike ? call.values(received) : call.read("received", received);
        }
        Side outSide = out == null ? IN_PLACE : given == null ? Side.of(out, 1) : Side.of(out, given);
        Side inSide = in == null ? IN_PLACE : got == null ? Side.of(in, 1) : Side.of(in, got);
        if (alike && in != null && got.at.length == 1) {
            inSide = inSide.fromItsPlace(in.elementBytes());
        }
        return new Shares(outSide, inSide, in == null || got == null ? in : in.only(got.counts, got.at));
    }

    /** Values that are reduced, and the result, which has as many. */
    static Shares reduced(Call call, MpiBuffer<?> sent, MpiBuffer<?> received, Op<?> op) {
        return reduced(call, sent, received, 1, op);
    }

    /** The same, with a result that rank 0 does not get. */
    static Shares reducedBefore(Call call, MpiBuffer<?> sent, MpiBuffer<?> received, Op<?> op) {
        boolean isFirst = call.rank() == 0;
        if (isFirst) {
            call.pinNone();
        }
        Shares all = reduced(call, sent, received, op);
        return isFirst ? new Shares(all.sent, all.received, null) : all;
    }

    /** Each process gets a part of the result, all of the same size. */
    static Shares reducedBlocks(Call call, MpiBuffer<?> sent, MpiBuffer<?> received, Op<?> op) {
        return reduced(call, sent, received, call.ranks(), op);
    }

    private static Shares reduced(Call call, MpiBuffer<?> sent, MpiBuffer<?> received, int parts, Op<?> op) {
        Reduction fits = Reduction.of(sent, received, parts);
        return reduced(call, fits, op, null);
    }

    /** Each process gets a part of the result, of different sizes. */
    static Shares reducedParts(Call call, MpiBuffer<?> sent, MpiBuffer<?> received, int[] counts, Op<?> op) {
        long[] amounts = Amounts.of("counts", counts, call.ranks());
        return reduced(call, Reduction.of(sent, received, amounts, call.rank()), op, amounts);
    }

    /** The root alone gets the result; what is in place elsewhere is what that process has. */
    static Shares reduced(Call call, MpiBuffer<?> sent, MpiBuffer<?> received, Op<?> op, int root) {
        call.from(root);
        int rank = call.rank();
        boolean both = LibraryDefects.REDUCE_NEEDS_BOTH_BUFFERS && root != 0;
        if (rank != root) {
            MpiBuffer<?> mine = sent != null && sent.isInPlace() ? received : sent;
            Loan out = call.reduce(mine, op);
            Loan apart = both && rank == 0 ? call.copyOf(out) : null;
            MemorySegment scratch = apart == null ? null : apart.segment();
            Side given = new Side(out, out.segment(), out.count(), null, null, call.number());
            return new Shares(given, new Side(null, scratch, out.count(), null, null, call.number()), null);
        }
        Shares all = reduced(call, sent, received, op);
        if (!both || all.sent != IN_PLACE) {
            return all;
        }
        MemorySegment apart = call.copyOf(all.received.loan).segment();
        Side given = new Side(null, apart, all.received.count, null, null, call.number());
        return new Shares(given, all.received, all.arriving);
    }

    private static Shares reduced(Call call, Reduction given, Op<?> op, long[] counts) {
        call.note(given.mistake());
        Reduction fits = call.operate(op, given.type()) ? given : given.ofZeros();
        long[] values = counts == null ? null : Amounts.times(counts, fits.perElement());
        boolean inPlace = fits.sent().isInPlace();
        if (fits.own() != fits.received().values()) {
            call.pinNone();
        }
        Loan out = null;
        if (!inPlace) {
            out = call.valuesApart(fits.sent(), fits.received());
        } else if (counts != null) { // which ends the job in MPICH: reduce-scatter-in-place-aborts
            out = call.valuesCopy(fits.received());
        }
        Loan in = call.values(fits.received());
        Side outSide = out == null ? IN_PLACE : new Side(out, out.segment(), fits.own(), values, null, call.number());
        Side inSide = new Side(in, in.segment(), fits.own(), values, null, call.number());
        return new Shares(outSide, inSide, in.only(fits.own() * fits.type().valueBytes()));
    }

    MemorySegment sent() {
        return sent.segment;
    }

    long sentCount() {
        return sent.count;
    }

    long[] sentCounts() {
        return sent.counts;
    }

    long[] sentAt() {
        return sent.at;
    }

    DatatypeHandle sentType() {
        return sent.type != null ? sent.type : received.type;
    }

    MemorySegment received() {
        return received.segment;
    }

    long receivedCount() {
        return received.count;
    }

    long[] receivedCounts() {
        return received.counts;
    }

    long[] receivedAt() {
        return received.at;
    }

    DatatypeHandle receivedType() {
        return received.type != null ? received.type : sent.type;
    }

    /** What the operation writes here; null: nothing. */
    Loan arriving() {
        return arriving;
    }

    /** Brings what MPI wrote into the array. */
    void arrived() {
        if (arriving != null) {
            arriving.arrived();
        }
    }
}

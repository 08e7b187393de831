package dev.mpiglot.mpi;

import java.util.function.Supplier;

/** The memory with which a process takes part in an operation among neighbours: {@link Shares} of them. */
final class Neighbors {

    private static final String SOURCES = "neighbours to receive from";
    private static final String DESTINATIONS = "neighbours to send to";

    private Neighbors() {
    }

    /** A process gives the same to all, and gets a part from each. */
    static Shares gathered(Call call, MpiBuffer<?> sent, MpiBuffer<?> received) {
        Neighborhood.Degrees degrees = call.degrees();
        int in = degrees.in();
        RuntimeException mistake = Parts.mistakeOf(() -> {
            both(sent, received);
            divide("received", received, in, SOURCES);
            if (received.bytes() != in * sent.bytes()) {
                throw new IllegalArgumentException("\"received\" has " + received.values() + " elements: " + in + " " + SOURCES
                        + " with " + sent.values() + " each make " + in * sent.values() + ".");
            }
        });
        return paired(call, sent, 1, received, in, mistake);
    }

    /** A process gives a part to each, and gets one from each. */
    static Shares exchanged(Call call, MpiBuffer<?> sent, MpiBuffer<?> received) {
        Neighborhood.Degrees degrees = call.degrees();
        int in = degrees.in();
        int out = degrees.out();
        RuntimeException mistake = Parts.mistakeOf(() -> {
            both(sent, received);
            divide("sent", sent, out, DESTINATIONS);
            divide("received", received, in, SOURCES);
            if (in > 0 && out > 0 && sent.bytes() / out != received.bytes() / in) {
                throw new IllegalArgumentException("\"sent\" has " + sent.values() / out + " elements for each of " + out + " "
                        + DESTINATIONS + ", \"received\" has " + received.values() / in + " for each of " + in + " " + SOURCES
                        + ": they must be as many.");
            }
        });
        return paired(call, sent, out, received, in, mistake);
    }

    /**
     * Both buffers in parts of the same size; zeros if there is a mistake and one of them says how many. A side without
     * neighbours has one part that nobody uses: Open MPI leaves where a count is 0: neighbor-count-without-neighbors.
     */
    private static Shares paired(Call call, MpiBuffer<?> sent, int out, MpiBuffer<?> received, int in,
            RuntimeException mistake) {
        MpiBuffer<?> given = out > 0 ? Parts.partOf(sent, out) : null;
        MpiBuffer<?> got = in > 0 ? Parts.partOf(received, in) : null;
        boolean isAlone = given == null && got == null && in == 0 && call.degrees().out() == 0;
        MpiBuffer<?> part = isAlone ? MpiBuffer.zeros(Kind.INT, 0) : Parts.told(given, got, mistake);
        int outParts = Math.max(1, out);
        int inParts = Math.max(1, in);
        MpiBuffer<?> outBuffer = mistake == null && out > 0 ? sent : MpiBuffer.zeros(part, outParts);
        MpiBuffer<?> inBuffer = mistake == null && in > 0 ? received : MpiBuffer.zeros(part, inParts);
        return Shares.pair(call, call.with(new Parts(outBuffer, inBuffer, mistake)), outParts, inParts);
    }

    /** One count for each neighbour; Open MPI refuses arrays without memory, so there is one at least. */
    private static long[] counts(String name, int[] numbers, int neighbors, String what) {
        long[] counts = Amounts.of(name, numbers, neighbors, what);
        return counts.length == 0 ? new long[1] : counts;
    }

    private static Shares.Ranges inside(String name, MpiBuffer<?> whole, long[] counts, int[] displacements) {
        boolean isForNobody = displacements != null && displacements.length == 0 && Amounts.sum(counts) == 0;
        return Shares.inside(name, whole, counts, isForNobody ? null : displacements);
    }

    /** Parts of different sizes: a process gives the same to all, and gets a part from each. */
    static Shares gathered(Call call, MpiBuffer<?> sent, MpiBuffer<?> received, int[] counts, int[] displacements) {
        long[] amounts = counts("counts", counts, call.degrees().in(), SOURCES);
        Shares.Ranges found = check(call, () -> {
            both(sent, received);
            return inside("received", received, amounts, displacements);
        });
        if (found != null) {
            return Shares.ranged(call, sent, null, received, found, false);
        }
        if (sent == null || sent.isInPlace()) {
            throw call.mistake(); // nothing says how much the neighbours wait for
        }
        Shares.Zeros zeros = Shares.Zeros.like(received, sent, call.mistake());
        MpiBuffer<?> given = MpiBuffer.zeros(sent, 1);
        return Shares.ranged(call, given, null, zeros.of(Amounts.sum(amounts)), zeros.ranges(amounts), false);
    }

    /** Parts of different sizes: a process gives one to each, and gets one from each. */
    static Shares exchanged(Call call, MpiBuffer<?> sent, int[] sentCounts, int[] sentDisplacements,
            MpiBuffer<?> received, int[] receivedCounts, int[] receivedDisplacements) {
        long[] out = counts("sentCounts", sentCounts, call.degrees().out(), DESTINATIONS);
        long[] in = counts("receivedCounts", receivedCounts, call.degrees().in(), SOURCES);
        Shares.Ranges[] found = check(call, () -> {
            both(sent, received);
            return new Shares.Ranges[] {inside("sent", sent, out, sentDisplacements),
                inside("received", received, in, receivedDisplacements)};
        });
        if (found != null) {
            return Shares.ranged(call, sent, found[0], received, found[1], false);
        }
        Shares.Zeros given = Shares.Zeros.like(sent, received, call.mistake());
        Shares.Zeros got = Shares.Zeros.like(received, sent, call.mistake());
        return Shares.ranged(call, given.of(Amounts.sum(out)), given.ranges(out), got.of(Amounts.sum(in)), got.ranges(in),
                false);
    }

    /** What fits; null after the call has noted what does not. */
    private static <T> T check(Call call, Supplier<T> checks) {
        try {
            return checks.get();
        } catch (IllegalArgumentException | IllegalStateException e) {
            call.note(e);
            return null;
        }
    }

    private static void both(MpiBuffer<?> sent, MpiBuffer<?> received) {
        Call.withElements("sent", sent).requireOpen();
        Call.withElements("received", received).requireOpen();
        Parts.sameType("sent", sent, "received", received);
    }

    private static void divide(String name, MpiBuffer<?> whole, int neighbors, String what) {
        if (neighbors == 0 ? whole.count() > 0 : whole.count() % neighbors != 0) {
            throw new IllegalArgumentException("The " + whole.count() + " elements of \"" + name + "\" cannot be divided among "
                    + neighbors + " " + what + ".");
        }
    }
}

package dev.mpiglot.mpi;

/**
 * The buffers with which a process takes part in a collective operation. If its own do not fit, the others may not see
 * that and wait in MPI. So it takes part with zeros in their place and is told the mistake afterwards. Only if no buffer
 * says how long its part is, it is told at once.
 *
 * @param sent what it sends
 * @param received what it receives into
 * @param mistake what is wrong here; null: nothing
 */
record Parts(Buffer<?> sent, Buffer<?> received, RuntimeException mistake) {

    private static RuntimeException mistakeOf(Runnable check) {
        try {
            check.run();
            return null;
        } catch (IllegalArgumentException | IllegalStateException e) {
            return e;
        }
    }

    /** The one buffer of a process; the other is null. */
    static Parts alone(String name, Buffer<?> buffer) {
        Call.withElements(name, buffer);
        RuntimeException mistake = mistakeOf(buffer.type().life()::require);
        return new Parts(mistake == null ? buffer : Buffer.zeros(buffer, 1), null, mistake);
    }

    /** For a process that gets a part from each rank. */
    static Parts gathered(Buffer<?> sent, Buffer<?> received, int ranks) {
        RuntimeException mistake = mistakeOf(() -> require("received", received, ranks, "sent", sent));
        if (mistake == null) {
            return new Parts(sent, received, null);
        }
        Buffer<?> part = isUsable(sent) ? sent : part(received, ranks, mistake);
        return new Parts(part, Buffer.zeros(part, ranks), mistake);
    }

    /** For the process that has a part for each rank. */
    static Parts scattered(Buffer<?> sent, Buffer<?> received, int ranks) {
        RuntimeException mistake = mistakeOf(() -> require("sent", sent, ranks, "received", received));
        if (mistake == null) {
            return new Parts(sent, received, null);
        }
        if (isUsable(received)) {
            return new Parts(Buffer.zeros(received, ranks), Buffer.zeros(received, 1), mistake);
        }
        return new Parts(sent, part(sent, ranks, mistake), mistake);
    }

    /** For a process that has a part for each rank and gets one from each. */
    static Parts exchanged(Buffer<?> sent, Buffer<?> received, int ranks) {
        RuntimeException mistake = mistakeOf(() -> exchange(sent, received, ranks));
        if (mistake == null) {
            return new Parts(sent, received, null);
        }
        Buffer<?> part = isDivisible(sent, ranks) ? part(sent, ranks, mistake) : part(received, ranks, mistake);
        return new Parts(isDivisible(sent, ranks) ? sent : Buffer.zeros(part, ranks), Buffer.zeros(part, ranks), mistake);
    }

    private static boolean isUsable(Buffer<?> buffer) {
        return buffer != null && !buffer.isInPlace() && mistakeOf(buffer.type().life()::require) == null;
    }

    private static boolean isDivisible(Buffer<?> whole, int ranks) {
        return isUsable(whole) && whole.count() % ranks == 0;
    }

    /** Zeros like one part of {@code whole}; throws the mistake if that cannot be divided. */
    private static Buffer<?> part(Buffer<?> whole, int ranks, RuntimeException mistake) {
        if (!isDivisible(whole, ranks)) {
            throw mistake;
        }
        return Buffer.zeros(whole.type().kind(), whole.values() / ranks);
    }

    /**
     * Throws unless one buffer has as many elements as {@code ranks} buffers like the other.
     *
     * @param wholeName the parameter that has a part for each rank
     * @param partName the parameter that has one part, or is in place
     */
    private static void require(String wholeName, Buffer<?> whole, int ranks, String partName, Buffer<?> part) {
        if (Call.present(partName, part).isInPlace()) {
            divide(wholeName, whole, ranks);
            return;
        }
        divide(wholeName, whole, 1);
        part.type().life().require();
        sameType(wholeName, whole, partName, part);
        if (whole.bytes() != ranks * part.bytes()) {
            throw new IllegalArgumentException("\"" + wholeName + "\" has " + whole.values() + " elements: " + ranks
                    + " ranks with " + part.values() + " in \"" + partName + "\" on each make " + ranks * part.values() + ".");
        }
        divide(wholeName, whole, ranks);
    }

    /** Throws unless both buffers have a part for each rank, parts of the same size. */
    private static void exchange(Buffer<?> sent, Buffer<?> received, int ranks) {
        divide("received", received, ranks);
        if (Call.present("sent", sent).isInPlace()) {
            return;
        }
        divide("sent", sent, ranks);
        sameType("sent", sent, "received", received);
        if (sent.bytes() != received.bytes()) {
            throw new IllegalArgumentException("\"sent\" has " + sent.values() + " elements and \"received\" has "
                    + received.values() + ": they must be as many.");
        }
    }

    private static void divide(String name, Buffer<?> whole, int ranks) {
        Call.withElements(name, whole);
        whole.type().life().require();
        if (whole.count() % ranks != 0) {
            throw new IllegalArgumentException("The " + whole.count() + " elements of \"" + name
                    + "\" cannot be divided among " + ranks + " ranks.");
        }
    }

    private static void sameType(String name, Buffer<?> one, String otherName, Buffer<?> other) {
        if (one.type().kind() != other.type().kind()) {
            throw new IllegalArgumentException("\"" + name + "\" has " + one.type().kind() + " elements, \"" + otherName
                    + "\" has " + other.type().kind() + " elements.");
        }
    }
}

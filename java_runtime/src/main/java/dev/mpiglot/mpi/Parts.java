package dev.mpiglot.mpi;

/**
 * The buffers with which a process takes part in a collective operation. If its own do not fit, the others may not see
 * that and wait in MPI. So it takes part with zeros in their place and is told the mistake afterwards. Only if no buffer
 * says how long its part is, it is told at once. If its buffers say different lengths, that of the one part counts, and
 * where both have parts that of what is sent. If that is the wrong one, the others may get an error or wait.
 *
 * @param sent what it sends
 * @param received what it receives into
 * @param mistake what is wrong here; null: nothing
 */
record Parts(MpiBuffer<?> sent, MpiBuffer<?> received, RuntimeException mistake) {

    static RuntimeException mistakeOf(Runnable check) {
        try {
            check.run();
            return null;
        } catch (IllegalArgumentException | IllegalStateException e) {
            return e;
        }
    }

    /** What is wrong with a buffer whose type or memory is closed. */
    static RuntimeException mistakeOf(MpiBuffer<?> buffer) {
        return buffer.isOpen() ? null : mistakeOf(buffer::requireOpen);
    }

    /** The one buffer of a process; the other is null. */
    static Parts alone(String name, MpiBuffer<?> buffer) {
        Call.withElements(name, buffer);
        RuntimeException mistake = mistakeOf(buffer);
        return new Parts(mistake == null ? buffer : MpiBuffer.zeros(buffer, 1), null, mistake);
    }

    /** For a process that gets a part from each rank. */
    static Parts gathered(MpiBuffer<?> sent, MpiBuffer<?> received, int ranks) {
        RuntimeException mistake = mistakeOf(() -> require("received", received, ranks, "sent", sent));
        if (mistake == null) {
            return new Parts(sent, received, null);
        }
        MpiBuffer<?> part = told(partOf(sent, 1), partOf(received, ranks), mistake);
        return new Parts(parts(sent, part, 1), MpiBuffer.zeros(part, ranks), mistake);
    }

    /** For the process that has a part for each rank. */
    static Parts scattered(MpiBuffer<?> sent, MpiBuffer<?> received, int ranks) {
        RuntimeException mistake = mistakeOf(() -> require("sent", sent, ranks, "received", received));
        if (mistake == null) {
            return new Parts(sent, received, null);
        }
        MpiBuffer<?> part = told(partOf(received, 1), partOf(sent, ranks), mistake);
        return new Parts(parts(sent, part, ranks), MpiBuffer.zeros(part, 1), mistake);
    }

    /** For a process that has a part for each rank and gets one from each. */
    static Parts exchanged(MpiBuffer<?> sent, MpiBuffer<?> received, int ranks) {
        RuntimeException mistake = mistakeOf(() -> exchange(sent, received, ranks));
        if (mistake == null) {
            return new Parts(sent, received, null);
        }
        MpiBuffer<?> part = told(partOf(sent, ranks), partOf(received, ranks), mistake);
        return new Parts(parts(sent, part, ranks), MpiBuffer.zeros(part, ranks), mistake);
    }

    /** Zeros like one part of {@code whole}; null if that says no length. */
    static MpiBuffer<?> partOf(MpiBuffer<?> whole, int ranks) {
        if (whole == null || whole.isInPlace() || whole.values() % ranks != 0) {
            return null;
        }
        return MpiBuffer.zeros(whole.type(), whole.values() / ranks);
    }

    /**
     * The first of two parts that says a length; throws the mistake if none does. Some libraries leave where a length is
     * 0, so that counts only if the other part says nothing else.
     */
    static MpiBuffer<?> told(MpiBuffer<?> first, MpiBuffer<?> second, RuntimeException mistake) {
        if (first == null && second == null) {
            throw mistake;
        }
        return first == null || first.bytes() == 0 && second != null ? second : first;
    }

    /** The buffer if it can be used as so many parts, zeros if not. */
    private static MpiBuffer<?> parts(MpiBuffer<?> whole, MpiBuffer<?> part, int ranks) {
        boolean fits = whole != null && !whole.isInPlace() && whole.isOpen()
                && whole.count() % ranks == 0 && whole.bytes() == ranks * part.bytes();
        return fits ? whole : MpiBuffer.zeros(part, ranks);
    }

    /**
     * Throws unless one buffer has as many elements as {@code ranks} buffers like the other.
     *
     * @param wholeName the parameter that has a part for each rank
     * @param partName the parameter that has one part, or is in place
     */
    private static void require(String wholeName, MpiBuffer<?> whole, int ranks, String partName, MpiBuffer<?> part) {
        if (Call.present(partName, part).isInPlace()) {
            divide(wholeName, whole, ranks);
            return;
        }
        divide(wholeName, whole, 1);
        part.requireOpen();
        sameType(wholeName, whole, partName, part);
        if (whole.bytes() != ranks * part.bytes()) {
            throw new IllegalArgumentException("\"" + wholeName + "\" has " + whole.values() + " elements: " + ranks
                    + " ranks with " + part.values() + " in \"" + partName + "\" on each make " + ranks * part.values() + ".");
        }
        divide(wholeName, whole, ranks);
    }

    /** Throws unless both buffers have a part for each rank, parts of the same size. */
    private static void exchange(MpiBuffer<?> sent, MpiBuffer<?> received, int ranks) {
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

    /** Throws unless a buffer has the elements that the other one counts as this process's part, or is in place. */
    static void requirePart(String partName, MpiBuffer<?> part, String wholeName, MpiBuffer<?> whole, long elements) {
        if (Call.present(partName, part).isInPlace()) {
            return;
        }
        part.requireOpen();
        sameType(wholeName, whole, partName, part);
        long values = elements * whole.type().values();
        if (part.values() != values) {
            throw new IllegalArgumentException("\"" + partName + "\" has " + part.values() + " elements: this process's count "
                    + "makes " + values + ".");
        }
    }

    /** Throws unless a process gives itself as much as it gets from itself. */
    static void requireSame(MpiBuffer<?> sent, long given, MpiBuffer<?> received, long got) {
        sameType("sent", sent, "received", received);
        if (given * sent.type().bytes() != got * received.type().bytes()) {
            throw new IllegalArgumentException("This process gives itself " + given + " elements of \"sent\" and gets " + got
                    + " elements of \"received\".");
        }
    }

    private static void divide(String name, MpiBuffer<?> whole, int ranks) {
        Call.withElements(name, whole);
        whole.requireOpen();
        if (whole.count() % ranks != 0) {
            throw new IllegalArgumentException("The " + whole.count() + " elements of \"" + name
                    + "\" cannot be divided among " + ranks + " ranks.");
        }
    }

    static void sameType(String name, MpiBuffer<?> one, String otherName, MpiBuffer<?> other) {
        if (!one.type().isLike(other.type())) {
            throw new IllegalArgumentException("\"" + name + "\" has " + one.type().valueName() + " elements, \""
                    + otherName + "\" has " + other.type().valueName() + " elements.");
        }
    }
}

package dev.mpiglot.mpi;

/**
 * The buffers of a reduction, which fit each other: zeros where the program's do not.
 *
 * @param sent what is reduced, or the word for "in place"
 * @param received where this process's part of the result goes; in place, all that is reduced
 * @param own how many values that part has
 * @param perElement single values in an element of the program's {@code received}
 * @param mistake what is wrong here; null: nothing
 */
record Reduction(MpiBuffer<?> sent, MpiBuffer<?> received, long own, long perElement, RuntimeException mistake) {

    /** For results of which each process gets one of so many parts of the same size. */
    static Reduction of(MpiBuffer<?> sent, MpiBuffer<?> received, int parts) {
        RuntimeException mistake = Parts.mistakeOf(() -> {
            require(sent, received);
            long values = received.values();
            if (sent.isInPlace() && values % parts != 0) {
                throw new IllegalArgumentException("The " + values
                        + " elements of \"received\" cannot be divided among " + parts + " ranks.");
            }
            requireAll(sent, parts * values);
        });
        if (mistake == null) {
            return new Reduction(sent, received, received.values() / (sent.isInPlace() ? parts : 1), 1, null);
        }
        boolean inPlace = sent != null && sent.isInPlace();
        long fromReceived = part(received, inPlace ? parts : 1);
        long fromSent = part(sent, parts);
        boolean whole = parts == 1 && fromSent >= 0;
        long own = whole || fromReceived < 0 ? fromSent : fromReceived;
        if (own < 0) {
            throw mistake;
        }
        Datatype<?> type = (whole || !has(received) ? sent : received).type();
        return zeros(inPlace, type, parts * own, own, 1, mistake);
    }

    /** For results of which each process gets a part of its own size. */
    static Reduction of(MpiBuffer<?> sent, MpiBuffer<?> received, long[] counts, int rank) {
        long each = has(received) ? received.type().values() : 1;
        long all = Math.multiplyExact(Amounts.sum(counts), each);
        long own = counts[rank] * each;
        RuntimeException mistake = Parts.mistakeOf(() -> {
            require(sent, received);
            long wanted = sent.isInPlace() ? all : own;
            if (received.values() != wanted) {
                throw new IllegalArgumentException("\"received\" has " + received.values()
                        + " elements: the counts make " + wanted + ".");
            }
            requireAll(sent, all);
        });
        if (mistake == null) {
            return new Reduction(sent, received, own, each, null);
        }
        if (!has(sent) && !has(received)) {
            throw mistake;
        }
        Datatype<?> type = (has(received) ? received : sent).type();
        return zeros(sent != null && sent.isInPlace(), type, all, own, each, mistake);
    }

    /** The values in one part; -1 if the buffer does not say. */
    private static long part(MpiBuffer<?> buffer, int parts) {
        return has(buffer) && buffer.values() % parts == 0 ? buffer.values() / parts : -1;
    }

    private static boolean has(MpiBuffer<?> buffer) {
        return buffer != null && !buffer.isInPlace();
    }

    private static void require(MpiBuffer<?> sent, MpiBuffer<?> received) {
        Call.withElements("received", received).requireOpen();
        if (!Call.present("sent", sent).isInPlace()) {
            sent.requireOpen();
            Parts.sameType("sent", sent, "received", received);
        }
    }

    private static void requireAll(MpiBuffer<?> sent, long values) {
        if (!sent.isInPlace() && sent.values() != values) {
            throw new IllegalArgumentException("\"sent\" has " + sent.values() + " elements instead of " + values
                    + ".");
        }
    }

    private static Reduction zeros(boolean inPlace, Datatype<?> type, long all, long own, long each,
            RuntimeException mistake) {
        MpiBuffer<?> sent = inPlace ? MpiBuffer.inPlace() : MpiBuffer.zeros(type, all);
        return new Reduction(sent, MpiBuffer.zeros(type, inPlace ? all : own), own, each, mistake);
    }

    /** The same amounts, not the program's buffers. */
    Reduction ofZeros() {
        MpiBuffer<?> given = sent.isInPlace() ? sent : MpiBuffer.zeros(sent, 1);
        return new Reduction(given, MpiBuffer.zeros(received, 1), own, perElement, mistake);
    }

    Datatype<?> type() {
        return received.type();
    }
}

package mpi;

/**
 * The bytes that a call uses on both sides of the begin of a buffer.
 *
 * @param before how many lie before the begin; more than 0 only of types with a negative stride or place
 * @param after how many lie behind it
 */
record Span(long before, long after) {

    static final Span NONE = new Span(0, 0);

    /** So many bytes from the begin on. */
    static Span of(long after) {
        return after == 0 ? NONE : new Span(0, after);
    }

    /** The same elements, so many bytes further. */
    Span moved(long bytes) {
        return bytes == 0 ? this
                : new Span(Math.max(0, Math.subtractExact(before, bytes)), Math.max(0, Math.addExact(after, bytes)));
    }

    /** What both use. */
    Span and(Span other) {
        return new Span(Math.max(before, other.before), Math.max(after, other.after));
    }

    /** The bytes from the begin on, where none may lie before it. */
    long onlyAfter() {
        if (before > 0) {
            throw new IllegalArgumentException("An element of this type begins before its place.");
        }
        return after;
    }
}

package dev.mpiglot.mpi;

/**
 * An operation did not begin, since those that began before hold too much memory outside the heap: copies of arrays that
 * nobody has received, or whose requests nobody has awaited. The limit is the system property
 * {@code mpiglot.begun.bytes}, three quarters of the largest heap unless it is set. An operation that begins at the
 * limit first waits, for 60 seconds or what {@code mpiglot.begun.seconds} says.
 */
public final class BacklogException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    /** How many operations hold them. */
    private final int operations;
    /** The bytes that operations hold. */
    private final long bytes;

    BacklogException(int operations, long bytes, long limit, double seconds) {
        super("No operation can begin: " + operations + " that are under way hold " + bytes + " bytes of copies of arrays, "
                + "the limit is " + limit + " (mpiglot.begun.bytes), and they made no room in " + seconds + " seconds.");
        this.operations = operations;
        this.bytes = bytes;
    }

    /** {@return how many operations are under way} */
    public int operations() {
        return operations;
    }

    /** {@return how many bytes of copies of arrays they hold} */
    public long bytes() {
        return bytes;
    }
}

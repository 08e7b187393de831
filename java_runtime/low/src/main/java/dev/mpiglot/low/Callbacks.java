package dev.mpiglot.low;

import dev.mpiglot.mpi.MpiException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What Java callbacks throw is thrown by the call that returns next, never through C. */
final class Callbacks {

    /** Whether a callback threw and nobody has been told yet. */
    static volatile boolean failed;

    private static final ConcurrentLinkedQueue<Throwable> FAILURES = new ConcurrentLinkedQueue<>();

    private Callbacks() {
    }

    /** The address of a C function that the program made itself: it may lead into Java, too. */
    static MemorySegment foreign(MemorySegment function) {
        if (function != null && function.address() != 0) {
            Brief.end(Brief.EVENT); // whatever it may be
        }
        return Call.segment(function);
    }

    /** Keeps what a callback threw for the call that returns next. */
    static void fail(Throwable t) {
        FAILURES.add(t);
        failed = true;
    }

    /**
     * Whether an error handler has thrown the very error that it was told, since the library hides it from the call: an
     * exception without the name of a function.
     */
    static boolean isErrorOfCall(Throwable thrown) {
        return thrown instanceof MpiException e && e.function().isEmpty();
    }

    /** The same for what was thrown first. */
    static boolean isErrorOfCall() {
        return isErrorOfCall(FAILURES.peek());
    }

    static Throwable takeFailure() {
        Throwable first = FAILURES.poll();
        Throwable next = first;
        while (next != null) {
            next = FAILURES.poll();
            if (next != null && next != first) {
                first.addSuppressed(next);
            }
        }
        failed = !FAILURES.isEmpty();
        return first;
    }

    /** The code that tells MPI that a callback failed. */
    static int failureCode() {
        return Sets.ERROR_CLASS.toNative(MpiConstants.ERR_OTHER);
    }
}

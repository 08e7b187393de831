package dev.mpiglot.low;

import java.util.concurrent.locks.LockSupport;

/**
 * Calls that do not leave Java's state: half the time, but the garbage collector waits for them, and a call into Java
 * from within one ends the JVM. So this short way is for functions only that the catalogue calls brief (local, waiting
 * for nothing, done in a moment), and only while no function of this JVM is known to MPI: an error handler would be
 * called by a brief call that fails, and any callback may run while its thread holds a lock of MPI that a brief call
 * needs. With the first callback the short way ends for good. Virtual threads, which nobody can look into, never take it.
 */
final class Brief {

    private static final long PATIENCE = 10_000_000_000L;
    private static final long PAUSE = 50_000;

    /** Whether MPI has been given a callback. */
    private static boolean ended;
    private static boolean running;

    private Brief() {
    }

    /** Says whether MPI runs, and every thread may call it. */
    static synchronized void running(boolean now) {
        running = now;
        Call.quick = running && !ended;
    }

    /** Ends the short way, and returns when no thread is on it any more. */
    static synchronized void end() {
        if (ended) {
            return;
        }
        ended = true;
        Call.quick = false;
        // To be looked at, threads stop where they are in Java, so none is within a call of the short way. One that saw
        // the way open, and has not called yet, is in one of these methods.
        long patience = System.nanoTime() + PATIENCE;
        while (somebodyIsOnTheWay() && System.nanoTime() < patience) {
            LockSupport.parkNanos(PAUSE);
        }
    }

    private static boolean somebodyIsOnTheWay() {
        for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
            for (StackTraceElement call : stack) {
                if (BriefMethods.ALL.contains(call.getClassName() + "." + call.getMethodName())) {
                    return true;
                }
            }
        }
        return false;
    }
}

package dev.mpiglot.low;

import java.lang.invoke.MethodHandle;

/**
 * The JVM's handlers of the signals that it needs itself: null checks of compiled code are faults of memory access.
 * Libraries below MPI (UCX, PSM) install their own and end the process; here the JVM gets its own back.
 */
final class Signals {

    /** SIGILL, SIGBUS, SIGFPE and SIGSEGV of Linux. */
    private static final int[] NEEDED = {4, 7, 8, 11};
    private static final int CAPACITY = 256; // of struct sigaction, which has 152 bytes or fewer
    private static final MethodHandle SIGACTION = Downcall.c("sigaction", "jjjj");

    private static long saved;

    private Signals() {
    }

    /** Remembers the handlers; called before the MPI library is loaded. */
    static void save() {
        saved = new Memory().allocate((long) NEEDED.length * CAPACITY);
        try {
            for (int i = 0; i < NEEDED.length; i++) {
                long ignored = (long) SIGACTION.invokeExact((long) NEEDED[i], 0L, saved + (long) i * CAPACITY);
            }
        } catch (Throwable t) {
            throw Call.rethrow(t);
        }
    }

    /** Puts them back where somebody has changed them. */
    static void restore() {
        Frame frame = Frame.current();
        long mark = frame.mark();
        try {
            for (int i = 0; i < NEEDED.length; i++) {
                long before = saved + (long) i * CAPACITY;
                long now = frame.allocate(CAPACITY);
                long code = (long) SIGACTION.invokeExact((long) NEEDED[i], 0L, now);
                if ((int) code == 0 && Frame.getLong(now) != Frame.getLong(before)) {
                    long ignored = (long) SIGACTION.invokeExact((long) NEEDED[i], before, 0L);
                }
            }
        } catch (Throwable t) {
            throw Call.rethrow(t);
        } finally {
            frame.release(mark);
        }
    }
}

package dev.mpiglot.low;

import java.lang.invoke.MethodHandle;

/**
 * The JVM's handlers of the signals that it needs itself: null checks of compiled code are faults of memory access.
 * Libraries below MPI (UCX, PSM) install their own and end the process; here the JVM gets its own back, also where a
 * library of the program had loaded or started MPI before.
 */
final class Signals {

    /** SIGILL, SIGBUS, SIGFPE and SIGSEGV of Linux. */
    private static final int[] NEEDED = {4, 7, 8, 11};
    /** SIGXFSZ and SIGTRAP, which those libraries leave alone. The JVM has the same handler for all that it takes. */
    private static final int[] LEFT_ALONE = {25, 5};
    private static final int CAPACITY = 256; // of struct sigaction, which has 152 bytes or fewer
    private static final MethodHandle SIGACTION = Downcall.c("sigaction", "jjjj");

    private static long saved;

    private Signals() {
    }

    /** Remembers the JVM's handlers; called before the MPI library is loaded. */
    static void save() {
        saved = new Memory().allocate((long) (NEEDED.length + LEFT_ALONE.length) * CAPACITY);
        for (int i = 0; i < NEEDED.length; i++) {
            call(NEEDED[i], 0, place(i));
        }
        for (int i = 0; i < LEFT_ALONE.length; i++) {
            call(LEFT_ALONE[i], 0, place(NEEDED.length + i));
        }
        long own = 0; // found only where it is needed: mostly, all are the same
        for (int i = 0; i < NEEDED.length; i++) {
            long handler = Frame.getLong(place(i));
            if (handler != Frame.getLong(place(NEEDED.length)) && !isWanted(handler)) {
                own = own == 0 ? own() : own;
                if (own == 0) {
                    return; // nobody knows it
                }
                for (long at = 0; at < CAPACITY; at += Long.BYTES) {
                    Frame.putLong(place(i) + at, Frame.getLong(own + at));
                }
            }
        }
    }

    private static long place(int index) {
        return saved + (long) index * CAPACITY;
    }

    /** The JVM's handler by a signal that others leave alone; 0 if it has no such handler. */
    private static long own() {
        for (int i = 0; i < LEFT_ALONE.length; i++) {
            long place = place(NEEDED.length + i);
            if (isOfJvm(Loader.ownerOf(Frame.getLong(place)))) {
                return place;
            }
        }
        return 0;
    }

    /** Whether a handler is the JVM's, or one of an agent that works with it. */
    private static boolean isWanted(long handler) {
        String owner = Loader.ownerOf(handler);
        return isOfJvm(owner) || Loader.isAgent(owner);
    }

    private static boolean isOfJvm(String file) {
        return file.endsWith("/libjvm.so");
    }

    /** Puts them back where somebody has changed them. */
    static void restore() {
        Frame frame = Frame.current();
        long mark = frame.mark();
        try {
            for (int i = 0; i < NEEDED.length; i++) {
                long now = frame.allocate(CAPACITY);
                if (call(NEEDED[i], 0, now) == 0 && Frame.getLong(now) != Frame.getLong(place(i))) {
                    call(NEEDED[i], place(i), 0);
                }
            }
        } finally {
            frame.release(mark);
        }
    }

    private static int call(int signal, long given, long found) {
        try {
            return (int) (long) SIGACTION.invokeExact((long) signal, given, found);
        } catch (Throwable t) {
            throw Call.rethrow(t);
        }
    }
}

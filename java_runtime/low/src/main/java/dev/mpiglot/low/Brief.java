package dev.mpiglot.low;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls that do not leave Java's state: half the time, but the garbage collector waits for them, and a call into Java
 * from within one ends the JVM. So this short way is for functions only that the catalogue calls brief (local, waiting
 * for nothing, done in a moment). Virtual threads, which nobody can look into, never take it.
 *
 * <p>It narrows when MPI learns of functions of this JVM. A callback may run while its thread holds a lock of MPI: who
 * waits for that lock on the short way keeps the callback from entering Java. So only questions are left then that take
 * no lock, such as Comm_rank and Type_size (all libraries were tried but MPICH 3, where Comm_rank takes one). Once an
 * error handler is a callback, a question that fails would call it: left are those about objects that live as long as
 * MPI does. Callbacks for events of the tools interface, which may come from anywhere, end it for good.
 */
final class Brief {

    /** Kinds of callbacks: those that other calls than questions call, error handlers, all others. */
    static final int CALLBACK = 1;
    static final int HANDLER = 2;
    static final int EVENT = 3;

    private static final long PATIENCE = 10_000_000_000L;
    private static final long PAUSE = 50_000;
    private static final String ON_HEAP = HeapCalls.class.getName();

    /** The greatest kind that MPI has been given, 0 for none. */
    private static volatile int given;
    private static boolean running;

    private Brief() {
    }

    /** Says whether MPI runs, and every thread may call it. */
    static synchronized void running(boolean now) {
        running = now;
        decide();
    }

    private static void decide() {
        Call.quick = running && given == 0;
        Call.asking = running && given < EVENT && !Library.load().table().startsWith("mpich-3.");
    }

    /** Whether a question about this communicator may take the short way beside callbacks. */
    static boolean knows(CommHandle comm) {
        long handle = comm.handle();
        return given < HANDLER || handle == CommHandle.WORLD.handle() || handle == CommHandle.SELF.handle();
    }

    /** The same for a datatype. */
    static boolean knows(DatatypeHandle type) {
        return given < HANDLER || Extents.of(type.handle()) != 0;
    }

    /** Narrows the short way, and returns when no thread is on it that should not be. */
    static synchronized void end(int kind) {
        if (given >= kind) {
            return;
        }
        given = kind;
        decide();
        // To be looked at, threads stop where they are in Java, so none is within a call of the short way. One that saw
        // the way open, and has not called yet, is in one of these methods; who was seen outside of them once finds
        // the way closed, however often it comes back.
        long patience = System.nanoTime() + PATIENCE;
        Set<Thread> early = onTheWay();
        while (!early.isEmpty() && System.nanoTime() < patience) {
            LockSupport.parkNanos(PAUSE);
            early.retainAll(onTheWay());
        }
    }

    private static Set<Thread> onTheWay() {
        Set<Thread> found = new HashSet<>();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            for (StackTraceElement call : stack) {
                if (call.getClassName().equals(ON_HEAP)
                        || BriefMethods.ALL.contains(call.getClassName() + "." + call.getMethodName())) {
                    found.add(thread);
                }
            }
        });
        return found;
    }
}

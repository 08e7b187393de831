package dev.mpiglot.mpi;

import dev.mpiglot.low.Inside;
import dev.mpiglot.low.KeptHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What has begun and is not known to be complete. MPI is asked about it by threads that begin more, which may call MPI
 * whatever its level of threads is: after as many new operations as were left the last time, so that each operation costs
 * few questions. At {@code ThreadLevel.MULTIPLE} the progress thread asks about what the program has dropped.
 *
 * <p>The first time, an operation only becomes a {@link Left}; it is asked about the next time. So programs that await
 * what they begin neither ask more often nor make more objects.
 */
final class Backlog {

    private static final boolean PLACES = Boolean.getBoolean("mpiglot.places");
    /** The arrays of a program have room in it; less than the memory outside the heap that the JVM allows at most. */
    private static final long LIMIT = Settings.bytes(Settings.BEGUN_BYTES, Runtime.getRuntime().maxMemory() / 4 * 3);
    private static final double WAIT = Settings.seconds(Settings.BEGUN_SECONDS, 60);
    /** So many bytes at least are taken for copies before the next question, and so many at most. */
    private static final long STEP = Math.max(1, Math.min(LIMIT / 16, 1L << 24));
    private static final long EAGER_NS = 1_000_000;
    private static final long PAUSE_NS = 200_000;
    private static final long FIRST_REST_NS = 1_000_000;
    private static final long LONGEST_REST_NS = 500_000_000;

    private static final ReentrantLock ASKING = new ReentrantLock();
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();
    private static volatile int open; // operations that were left when MPI was asked
    private static volatile long held; // bytes of their copies
    private static volatile long taken; // bytes since then, about: threads may overwrite each other's sums
    private static volatile long askAfter = STEP;
    private static volatile boolean watched; // by the progress thread
    private static volatile long rest = FIRST_REST_NS;
    private static long restUntil; // of the progress thread

    private Backlog() {
    }

    /**
     * Before an operation begins: asks about others now and then, and waits while they hold too much.
     *
     * @throws BacklogException if it waited too long
     * @throws CancelledException if the thread was interrupted while it waited
     */
    static void beforeBegin() {
        if (KeptHandle.isDue()) {
            makeRoom();
        }
    }

    private static void makeRoom() {
        ask(false);
        long begin = System.nanoTime();
        while (held >= LIMIT && !ASKING.isHeldByCurrentThread()) {
            long passed = System.nanoTime() - begin;
            if (passed > WAIT * 1e9) {
                throw new BacklogException(open, held, LIMIT, WAIT);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw CancelledException.ofWait("begin of an operation");
            }
            if (passed > EAGER_NS) {
                LockSupport.parkNanos(PAUSE_NS);
            } else {
                Thread.onSpinWait();
            }
            ask(false);
        }
    }

    /** So many bytes were taken for copies, not all of them for what begins. */
    static void took(long bytes) {
        long sum = taken + bytes;
        taken = sum;
        if (sum >= askAfter) {
            KeptHandle.makeDue();
        }
    }

    /** Asks once, unless another thread does. */
    private static void ask(boolean onlyDropped) {
        if (ASKING.isHeldByCurrentThread() || !ASKING.tryLock()) {
            return;
        }
        try {
            int count = 0;
            long bytes = 0;
            for (KeptHandle handle : KeptHandle.underWay()) {
                Left left = handle.owner() instanceof Left known ? known : null;
                if (left == null) {
                    left = aged(handle);
                } else if (!onlyDropped || left.isDropped()) {
                    left.ask();
                }
                if (left != null && !left.isOver()) {
                    count++;
                    bytes += left.copied();
                }
            }
            open = count;
            held = bytes;
            if (onlyDropped) { // those that begin ask as often as before, or more often
                KeptHandle.onlyLeft(count);
            } else {
                GeneralizedRequest.askComplete();
                taken = 0;
                askAfter = Math.max(STEP, Math.min(bytes, LIMIT - bytes));
                KeptHandle.asked();
            }
            if (bytes >= LIMIT) {
                KeptHandle.makeDue();
            }
            Stray.freeDropped();
            watch(count > 0);
        } finally {
            ASKING.unlock();
        }
    }

    /** What goes on if the program drops the operation, from now on; null if it is over. */
    private static Left aged(KeptHandle handle) {
        Object owner = handle.owner();
        Left left = owner instanceof Request request ? request.left()
                : owner instanceof Persistent prepared ? prepared.left() : null;
        if (left != null) {
            handle.ownedBy(left);
        }
        return left;
    }

    private static void watch(boolean isAny) {
        if (isAny && !watched && Progress.isPossible()) {
            rest = FIRST_REST_NS;
            watched = true;
            Progress.watch();
        }
        watched &= isAny;
    }

    /** How long the progress thread pauses between its questions about what was dropped. */
    static long pause() {
        return watched ? rest : Long.MAX_VALUE;
    }

    /** For the progress thread: asks about what was dropped, the more rarely the longer nothing completes. */
    static void askInBackground() {
        if (!watched || System.nanoTime() - restUntil < 0) {
            return;
        }
        int before = open;
        ask(true);
        rest = open < before ? FIRST_REST_NS : Math.min(2 * rest, LONGEST_REST_NS);
        restUntil = System.nanoTime() + rest;
    }

    /** For MPI's end: asks about everything, and gives what is left. */
    static List<Left> left() {
        ASKING.lock();
        try {
            List<Left> all = new ArrayList<>();
            for (KeptHandle handle : KeptHandle.underWay()) {
                Left left = handle.owner() instanceof Left known ? known : aged(handle);
                if (left != null && !left.isSettled()) {
                    all.add(left);
                }
            }
            return all;
        } finally {
            ASKING.unlock();
        }
    }

    /** Where the program is that called the package; null if nobody asks. */
    static StackTraceElement place() {
        return PLACES ? Inside.caller() : null;
    }

    static void tellDropped(Left left) {
        tell(left.what(), left.place(), " " + left.mistake());
    }

    static void tellFailed(Left left, RuntimeException failure) {
        tell(left.what(), left.place(), " failed after it was dropped: " + failure.getMessage());
    }

    /** Each sentence once. */
    static void tell(String who, StackTraceElement place, String what) {
        String article = "aeiou".indexOf(who.charAt(0)) < 0 ? "a " : "an ";
        String sentence = "mpiglot: " + article + who + (place == null ? "" : " that began at " + Inside.place(place)) + what
                + (PLACES ? "." : " (-Dmpiglot.places=true tells where it began).");
        if (TOLD.add(sentence)) {
            System.err.println(sentence);
        }
    }
}

package dev.mpiglot.mpi;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Whether an object of MPI is open, and how many calls use it: no call begins with a handle that was freed, and no
 * handle is freed while a call of another thread uses it.
 */
final class Life {

    /** Of objects that MPI provides: as long as MPI runs. */
    static final Life ENDLESS = new Life("");

    private static final int CLOSED = Integer.MIN_VALUE;

    private final String what;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile Stray stray; // of an object that is freed if it is dropped; null: it is not
    private int kept; // by persistent operations
    private Runnable more = () -> { }; // is freed with it
    private Runnable owed; // what frees the handle when none keeps it any more

    Life(String what) {
        this.what = what;
    }

    /** The life of what never was. */
    static Life none(String what) {
        Life life = new Life(what);
        life.calls.set(CLOSED);
        return life;
    }

    /**
     * Lets the object be freed if the program drops it.
     *
     * @param word the handle
     * @param named the object, in words
     * @param free frees it, without a reference to either
     */
    Life watch(Object word, String named, Runnable free) {
        stray = Stray.of(word, this, named, free);
        return this;
    }

    /** Begins a use; {@link #leave} ends it. */
    void enter() {
        if (this == ENDLESS) {
            return;
        }
        int now = calls.get();
        while (now >= 0 && !calls.compareAndSet(now, now + 1)) {
            now = calls.get();
        }
        if (now < 0) {
            throw ClosedException.of(what);
        }
    }

    void leave() {
        if (this != ENDLESS) {
            calls.decrementAndGet();
        }
    }

    /**
     * A persistent operation needs the handle until {@link #release}, even if the object is closed: Open MPI does not keep
     * it (persistent-reduction-loses-operation, persistent-collective-loses-type).
     */
    synchronized void keep() {
        kept++;
    }

    /** The end of {@link #keep}. */
    void release() {
        Runnable free = null;
        synchronized (this) {
            if (--kept == 0) {
                free = owed;
                owed = null;
            }
        }
        if (free != null) {
            free.run();
        }
    }

    /** Frees something else together with the handle. */
    void with(Runnable other) {
        more = other;
    }

    /** The package has made the object, so nobody closes it: it is freed when it is dropped, or before MPI ends. */
    void ofPackage() {
        stray.ofPackage();
    }

    boolean isOfPackage() {
        return stray != null && stray.isOfPackage();
    }

    /** Frees the handle of an object that has ended, as soon as no persistent operation keeps it. */
    void free(Runnable free) {
        Runnable all = () -> {
            free.run();
            more.run();
        };
        synchronized (this) {
            if (kept > 0) {
                owed = all;
                return;
            }
        }
        all.run();
    }

    /** Does something while the object stays open. */
    <T> T during(Supplier<T> action) {
        enter();
        try {
            return action.get();
        } finally {
            leave();
        }
    }

    boolean isOpen() {
        return calls.get() >= 0;
    }

    /** Throws if the object is closed. */
    void require() {
        if (calls.get() < 0) {
            throw ClosedException.of(what);
        }
    }

    /**
     * Ends it.
     *
     * @return whether the caller has to free the handle: not if that was done before
     */
    boolean end() {
        if (this == ENDLESS) {
            return false;
        }
        int now = calls.get();
        while (now == 0 && !calls.compareAndSet(0, CLOSED)) {
            now = calls.get();
        }
        if (now > 0) {
            throw new IllegalStateException("A call still uses what is to be closed: close it afterwards.");
        }
        if (now == 0 && stray != null) {
            stray.forget();
        }
        return now == 0;
    }
}

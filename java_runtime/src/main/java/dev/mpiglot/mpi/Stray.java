package dev.mpiglot.mpi;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A local object of MPI (a group, a datatype) that the program may drop without closing it. Its handle is freed then by a
 * thread that may call MPI: one that makes such an object, or begins an operation.
 *
 * <p>The handle is watched, not the object of the program: who has it from {@code handle()} may still use it.
 */
final class Stray extends PhantomReference<Object> {

    private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    private static final Set<Stray> ALL = ConcurrentHashMap.newKeySet();
    /** Dropped, but a call uses it still. */
    private static final Set<Stray> BUSY = ConcurrentHashMap.newKeySet();

    private final Life life;
    private final String what;
    private final Runnable free;
    private volatile boolean isOfPackage;
    private final StackTraceElement place = Backlog.place();

    private Stray(Object word, Life life, String what, Runnable free) {
        super(word, QUEUE);
        this.life = life;
        this.what = what;
        this.free = free;
    }

    /**
     * Watches an object.
     *
     * @param word the handle
     * @param what the object, in words
     * @param free frees the handle, without a reference to {@code word} or the object
     */
    static Stray of(Object word, Life life, String what, Runnable free) {
        Stray made = new Stray(word, life, what, free);
        ALL.add(made);
        return made;
    }

    /** The program has closed it. */
    void forget() {
        ALL.remove(this);
        clear();
    }

    /** Nobody closes it. */
    void ofPackage() {
        isOfPackage = true;
    }

    boolean isOfPackage() {
        return isOfPackage;
    }

    /** Before MPI ends: frees those that nobody closes. */
    static void freeOfPackage() {
        freeDropped();
        ALL.stream().filter(one -> one.isOfPackage).forEach(Stray::end);
    }

    /** How many there are that the program has not closed. */
    static int count() {
        return (int) Stream.concat(ALL.stream(), BUSY.stream()).filter(one -> !one.isOfPackage).count();
    }

    /** For a thread that may call MPI. */
    static void freeDropped() {
        for (Stray one = (Stray) QUEUE.poll(); one != null; one = (Stray) QUEUE.poll()) {
            if (ALL.remove(one)) {
                if (!one.isOfPackage) {
                    Backlog.tell(one.what, one.place, " was dropped and not closed: it is freed now");
                }
                BUSY.add(one);
            }
        }
        if (!BUSY.isEmpty()) {
            BUSY.forEach(Stray::end);
        }
    }

    private void end() {
        try {
            if (life.end()) {
                BUSY.remove(this);
                life.free(free);
            }
        } catch (ClosedException e) {
            BUSY.remove(this); // MPI has ended
        } catch (IllegalStateException e) {
            return; // a call still uses it
        } catch (RuntimeException e) {
            Backlog.tell(what, place, " could not be freed: " + e.getMessage());
        }
    }
}

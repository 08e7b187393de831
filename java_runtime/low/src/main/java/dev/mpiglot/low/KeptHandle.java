package dev.mpiglot.low;

import dev.mpiglot.mpi.MpiException;
import dev.mpiglot.mpi.ProcessFailedException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A handle of an operation that goes on after the call that started it. What MPI may still read or write (segments
 * and converted arrays) stays alive until MPI says that the operation is complete, even if the program drops this
 * object. The same holds for the functions of the program that MPI may call for it.
 */
public abstract class KeptHandle implements Handle {

    /** Of all that is kept; operations without converted arguments and callbacks begin and end without it. */
    static final Object LOCK = new Object();
    private static final Map<Long, Object[]> ABANDONED = new HashMap<>();
    private static final VarHandle PENDING = pendingField();
    /** As many handles at least are added before complete ones are taken out. */
    private static final int SWEEP = 64;
    private static volatile KeptHandle pending; // the last that was kept; complete ones stay until they are swept
    private static int added; // since the last sweep, about
    private static int sweepAfter = SWEEP;
    private static volatile boolean anyAbandoned;
    private static volatile boolean due; // to ask MPI about what is left

    private long handle;
    private Object[] kept;
    private Holders.Holder[] users;
    private Memory memory;
    private Object owner;
    private KeptHandle next;

    KeptHandle(long handle) {
        this.handle = handle;
    }

    private static VarHandle pendingField() {
        try {
            return MethodHandles.lookup().findStaticVarHandle(KeptHandle.class, "pending", KeptHandle.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public final long handle() {
        return handle;
    }

    /**
     * Says who completes the operation, which lives as long as the operation is under way.
     *
     * @param user what {@link #owner} tells
     */
    public final void ownedBy(Object user) {
        owner = user;
        if (kept == null && handle != RequestHandle.NULL.handle()) {
            keep(null); // it has no memory; it has to be completed all the same
        }
    }

    /** {@return who completes the operation; null: nobody is known} */
    public final Object owner() {
        return owner;
    }

    /** {@return the operations that are under way now and have an owner} */
    public static List<KeptHandle> underWay() {
        List<KeptHandle> all = new ArrayList<>();
        synchronized (LOCK) {
            for (KeptHandle h = pending; h != null; h = h.next) {
                if (h.kept != null && h.owner != null) {
                    all.add(h);
                }
            }
        }
        return all;
    }

    /**
     * {@return whether MPI should be asked about the operations that are under way} So it is after as many new operations
     * as were under way when it was asked, 64 at least, and after {@link #makeDue}.
     */
    public static boolean isDue() {
        return due;
    }

    /** Lets {@link #isDue} say yes. */
    public static void makeDue() {
        due = true;
    }

    /** MPI was asked: forgets what is complete, and counts new operations from here. */
    public static void asked() {
        sweep();
        due = false;
    }

    /** {@return the number of operations whose memory is kept} */
    static int pendingCount() {
        synchronized (LOCK) {
            int count = 0;
            for (KeptHandle h = pending; h != null; h = h.next) {
                count += h.kept != null ? 1 : 0;
            }
            return count;
        }
    }

    /** {@return the same with those that are complete and not swept} */
    static int listedCount() {
        synchronized (LOCK) {
            int count = 0;
            for (KeptHandle h = pending; h != null; h = h.next) {
                count++;
            }
            return count;
        }
    }

    /** Whether this is kept until the operation completes. */
    final boolean keeps(Object used) {
        return kept != null && Arrays.asList(kept).contains(used);
    }

    /**
     * Keeps everything that an operation uses until it completes. Before the call that begins it: so no arena can be
     * closed between both.
     */
    final void keep(Memory converted, Object... used) {
        memory = converted;
        kept = used;
        addBefore(this);
        if (++added >= sweepAfter) {
            sweep();
        }
    }

    /**
     * MPI was asked about some: {@link #isDue} need not wait for more new operations than are left.
     *
     * @param left how many are
     */
    public static void onlyLeft(int left) {
        synchronized (LOCK) {
            sweepAfter = Math.max(SWEEP, Math.min(sweepAfter, left));
        }
    }

    /** Puts a list that begins with {@code first}, and ends with this, before what is pending. */
    private void addBefore(KeptHandle first) {
        do {
            next = pending;
        } while (!PENDING.compareAndSet(next, first));
    }

    /** Takes complete handles out. Who looks at what is pending has the lock, too. */
    private static void sweep() {
        synchronized (LOCK) {
            KeptHandle first = null;
            KeptHandle last = null;
            int left = 0;
            KeptHandle after;
            for (KeptHandle h = (KeptHandle) PENDING.getAndSet(null); h != null; h = after) {
                after = h.next;
                h.next = null;
                if (h.kept == null) {
                    continue;
                }
                if (last == null) {
                    first = h;
                } else {
                    last.next = h;
                }
                last = h;
                left++;
            }
            if (last != null) {
                last.addBefore(first);
            }
            added = 0;
            sweepAfter = Math.max(SWEEP, left); // in the end each handle is looked at twice
            due |= left > 0;
        }
    }

    /** Says through what MPI may call functions of the program for the operation; null: through nothing. */
    final void uses(Holders.Holder[] held) {
        users = held;
    }

    /** A request of an operation that has begun, and uses no memory. */
    static RequestHandle request(long now, Holders.Holder[] held) {
        RequestHandle request = new RequestHandle(now);
        if (held != null) {
            request.uses(held);
            request.keep(null);
            request.begun(now);
        }
        return request;
    }

    /** Whether some operation is under way, or was abandoned and may be. */
    static boolean anyPending() {
        synchronized (LOCK) {
            return pendingCount() > 0 || !ABANDONED.isEmpty();
        }
    }

    /** The operation has begun. */
    final void begun(long now) {
        handle = now;
        if (anyAbandoned) {
            synchronized (LOCK) {
                drop(ABANDONED.remove(now));
                anyAbandoned = !ABANDONED.isEmpty();
                MpiArena.settle();
            }
        }
    }

    /** The operation has not begun: who called frees the converted arguments. */
    final void withdraw() {
        synchronized (LOCK) {
            Holders.end(users);
            clear();
            MpiArena.settle();
        }
    }

    private void clear() {
        memory = null;
        kept = null;
        users = null;
        owner = null;
    }

    /** What MPI left in place of the handle after a call that may have completed the operation. */
    final void update(long now, long none) {
        handle = now;
        if (now == none && kept != null) {
            Object[] used = kept;
            if (memory == null && users == null) {
                clear();
            } else {
                synchronized (LOCK) {
                    drop(new Object[] {memory, used, users});
                    clear();
                }
            }
            Keeping.check(used);
            MpiArena.settle();
        }
    }

    /** Whether MPI is known to be done with the operation. Asked before the handle is freed: it cannot be asked later. */
    final boolean isFinished() {
        try {
            return kept != null && this instanceof RequestHandle request && PointToPoint.requestGetStatus(request, null);
        } catch (MpiException e) { // MPICH: why the operation failed, or its start
            return !(e instanceof ProcessFailedException); // which a receive from anybody may outlast
        }
    }

    /** The handle was freed, but MPI may go on with the operation: keep until MPI uses the same word again. */
    final void abandon(long now, boolean finished) {
        long before = handle;
        handle = now;
        if (kept != null) {
            synchronized (LOCK) {
                Object[] content = {memory, kept, users};
                drop(finished ? content : ABANDONED.put(before, content));
                anyAbandoned = !ABANDONED.isEmpty();
                clear();
                MpiArena.settle();
            }
        }
    }

    /** Whether an operation under way uses memory of this scope. */
    static boolean uses(MemorySegment.Scope scope) {
        synchronized (LOCK) {
            for (KeptHandle h = pending; h != null; h = h.next) {
                Object[] used = h.kept;
                if (used != null && isAmong(used, scope)) {
                    return true;
                }
            }
            return ABANDONED.values().stream().anyMatch(content -> isAmong((Object[]) content[1], scope));
        }
    }

    private static boolean isAmong(Object[] used, MemorySegment.Scope scope) {
        return Arrays.stream(used).anyMatch(one -> one instanceof MemorySegment segment && segment.scope().equals(scope));
    }

    private static void drop(Object[] content) {
        if (content != null) {
            if (content[0] instanceof Memory converted) {
                converted.free();
            }
            Holders.end((Holders.Holder[]) content[2]);
        }
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "[0x" + Long.toHexString(handle) + "]";
    }
}

package dev.mpiglot.low;

import java.lang.foreign.MemorySegment;
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

    /** Of all that is kept. */
    static final Object LOCK = new Object();
    private static final Map<Long, Object[]> ABANDONED = new HashMap<>();
    private static KeptHandle pending;
    private static volatile boolean anyAbandoned;

    private long handle;
    private Object[] kept;
    private Holders.Holder[] users;
    private Memory memory;
    private Object owner;
    private KeptHandle next;
    private KeptHandle previous;

    KeptHandle(long handle) {
        this.handle = handle;
    }

    @Override
    public final long handle() {
        return handle;
    }

    /**
     * Says who completes the operation, which lives as long as the operation is under way.
     *
     * @param user what {@link #ownersUnderWay} tells
     */
    public final void ownedBy(Object user) {
        owner = user;
    }

    /** {@return who completes the operations that are under way now, as far as they have an owner} */
    public static List<Object> ownersUnderWay() {
        List<Object> owners = new ArrayList<>();
        synchronized (LOCK) {
            for (KeptHandle h = pending; h != null; h = h.next) {
                if (h.owner != null) {
                    owners.add(h.owner);
                }
            }
        }
        return owners;
    }

    /** {@return the number of operations whose memory is kept} */
    static int pendingCount() {
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
        synchronized (LOCK) {
            memory = converted;
            kept = used;
            next = pending;
            if (next != null) {
                next.previous = this;
            }
            pending = this;
        }
    }

    /** Says through what MPI may call functions of the program for the operation; null: through nothing. */
    final void uses(Holders.Holder[] held) {
        users = held;
    }

    /** A request of an operation that has begun, and uses no memory. */
    static Request request(long now, Holders.Holder[] held) {
        Request request = new Request(now);
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
            return pending != null || !ABANDONED.isEmpty();
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
            unlink();
            Holders.end(users);
            clear();
            MpiArena.settle();
        }
    }

    private void clear() {
        memory = null;
        kept = null;
        users = null;
    }

    /** What MPI left in place of the handle after a call that may have completed the operation. */
    final void update(long now, long none) {
        handle = now;
        if (now == none && kept != null) {
            synchronized (LOCK) {
                unlink();
                drop(new Object[] {memory, kept, users});
                Keeping.check(kept);
                clear();
                MpiArena.settle();
            }
        }
    }

    /** Whether MPI is done with the operation. Asked before the handle is freed, since it cannot be asked later. */
    final boolean isFinished() {
        return kept != null && this instanceof Request request && PointToPoint.requestGetStatus(request, null);
    }

    /** The handle was freed, but MPI may go on with the operation: keep until MPI uses the same word again. */
    final void abandon(long now, boolean finished) {
        long before = handle;
        handle = now;
        if (kept != null) {
            synchronized (LOCK) {
                unlink();
                Object[] content = {memory, kept, users};
                drop(finished ? content : ABANDONED.put(before, content));
                anyAbandoned = !ABANDONED.isEmpty();
                clear();
                MpiArena.settle();
            }
        }
    }

    private void unlink() {
        if (previous != null) {
            previous.next = next;
        } else if (pending == this) {
            pending = next;
        }
        if (next != null) {
            next.previous = previous;
        }
        next = null;
        previous = null;
    }

    /** Whether an operation under way uses memory of this scope. */
    static boolean uses(MemorySegment.Scope scope) {
        synchronized (LOCK) {
            for (KeptHandle h = pending; h != null; h = h.next) {
                if (isAmong(h.kept, scope)) {
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

package dev.mpiglot.low;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Through what MPI can call the functions of the program that it gives no state to: operations, error handlers, and
 * objects that have such error handlers. When none of those is left of a function, and no call or request that uses one,
 * its stub is free. In doubt it stays.
 */
final class Holders {

    /** Whether there are any: calls look no further if not. */
    static volatile boolean any;

    /** Loads the class: the compiler does not inline methods with parameters of a class that is not loaded. */
    static final Holder[] NONE = {};

    private static final Map<Key, Holder> OF = new HashMap<>(); // guarded by KeptHandle.LOCK, as all that is in it

    private Holders() {
    }

    private record Key(Class<?> type, long handle) {

        Key(Handle handle) {
            this(handle.getClass(), handle.handle());
        }
    }

    /** What one handle stands for. It outlives its handles while a call or a request uses it. */
    static final class Holder {

        private final Key key;
        private List<Stubs.Stub> stubs;
        private int users = 1; // handles, calls and requests
        private int handles = 1; // MPI counts them as well: each is freed
        private boolean late; // operations were under way when it got its error handler: they may be its own

        private Holder(Key key, List<Stubs.Stub> stubs) {
            this.key = key;
            this.stubs = stubs;
        }

        private void put() {
            OF.put(key, this); // if a C library freed what had this handle before, that keeps its stubs
            any = true;
        }

        private void remove() {
            OF.remove(key);
            any = !OF.isEmpty();
        }

        private void leave() {
            if (--users == 0) {
                stubs.forEach(Stubs.Stub::giveBack);
                stubs = List.of();
            }
        }

        /**
         * Called after a handle of it was to be freed. Operations that began on an object before it got its error
         * handler may still call it.
         *
         * @param now what MPI left of the handle
         */
        void freed(long now) {
            synchronized (KeptHandle.LOCK) {
                if (now == key.handle()) {
                    handles++;
                    put();
                } else if (!late || !KeptHandle.anyPending()) {
                    leave();
                }
            }
        }
    }

    /** Called with a handle that was made of a function. */
    static void made(Handle carrier, Stubs.Stub stub) {
        if (stub.isOurs()) {
            synchronized (KeptHandle.LOCK) {
                new Holder(new Key(carrier), List.of(stub)).put();
            }
        }
    }

    /** Begins the use of what handles stand for: {@link #end} ends it. Null if no function can be called for them. */
    static Holder[] usedBy(Handle... handles) {
        synchronized (KeptHandle.LOCK) {
            List<Holder> found = null;
            for (Handle handle : handles) {
                Holder holder = OF.get(new Key(handle));
                if (holder != null) {
                    holder.users++;
                    found = found == null ? new ArrayList<>(2) : found;
                    found.add(holder);
                }
            }
            return found == null ? null : found.toArray(Holder[]::new);
        }
    }

    static void end(Holder[] used) {
        if (used != null) {
            synchronized (KeptHandle.LOCK) {
                for (Holder holder : used) {
                    holder.leave();
                }
            }
        }
    }

    /** Called before a handle is freed, since the library may hand the same one out again: null if nothing is held. */
    static Holder letGo(Handle handle) {
        synchronized (KeptHandle.LOCK) {
            Holder holder = OF.get(new Key(handle));
            if (holder != null && --holder.handles == 0) {
                holder.remove();
            }
            return holder;
        }
    }

    /** Called when an object got an error handler, which is in use. */
    static void attached(Handle object, Holder[] handler) {
        synchronized (KeptHandle.LOCK) {
            Key key = new Key(object);
            List<Stubs.Stub> stubs = handler == null ? List.of() : again(handler[0].stubs);
            Holder holder = OF.get(key);
            if (holder == null && !stubs.isEmpty()) {
                holder = new Holder(key, List.of());
                holder.late = KeptHandle.anyPending();
                holder.put();
            }
            if (holder != null) {
                holder.stubs.forEach(Stubs.Stub::giveBack);
                holder.stubs = stubs;
                if (stubs.isEmpty()) {
                    holder.remove();
                }
            }
        }
    }

    private static List<Stubs.Stub> again(List<Stubs.Stub> stubs) {
        stubs.forEach(Stubs.Stub::lendAgain);
        return List.copyOf(stubs);
    }

    /** Called with an error handler that MPI told of an object: one more handle. */
    static void told(Handle handler, Handle object) {
        synchronized (KeptHandle.LOCK) {
            Holder holder = OF.get(new Key(handler));
            Holder of = OF.get(new Key(object));
            if (holder != null) {
                holder.handles++;
                holder.users++;
            } else if (of != null) {
                new Holder(new Key(handler), again(of.stubs)).put();
            }
        }
    }

    /** Called with an object that was made of others. A file has none but the null file. */
    static void inherited(Handle child, Handle none, Handle... parents) {
        synchronized (KeptHandle.LOCK) {
            List<Stubs.Stub> stubs = new ArrayList<>();
            for (Handle parent : parents) {
                add(stubs, parent);
            }
            add(stubs, none);
            // MPICH from 4.3 on says success where an error handler has returned, and has set nothing.
            boolean isMade = child.handle() != none.handle() && child.handle() != 0;
            if (isMade && !stubs.isEmpty()) {
                new Holder(new Key(child), again(stubs)).put();
            }
        }
    }

    private static void add(List<Stubs.Stub> stubs, Handle of) {
        Holder holder = OF.get(new Key(of));
        if (holder != null) {
            stubs.addAll(holder.stubs);
        }
    }

    /** Called where something may call the functions of these for ever, for all that is known. */
    static void keptForEver(Handle... handles) {
        synchronized (KeptHandle.LOCK) {
            for (Handle handle : handles) {
                Holder holder = OF.get(new Key(handle));
                if (holder != null) {
                    holder.users++;
                    again(holder.stubs);
                }
            }
        }
    }
}

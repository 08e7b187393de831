package dev.mpiglot.low;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Callbacks that share a state, which MPI passes around: it is the number of an entry here. MPI calls delete functions
 * and the like even after what they belong to was freed. An entry is dropped, and its stubs are free, when it is known
 * that no callback of it is called any more: after the one that is called last, or when a key of attributes was freed
 * and there are no attributes of it. Numbers are never used again.
 */
final class States {

    private static final Map<Long, State> ALL = new HashMap<>(); // guarded by KeptHandle.LOCK, as all of this
    private static final Map<Key, Long> OF_KEYS = new HashMap<>();
    private static long made;

    private States() {
    }

    private static final class State {

        private final List<Stubs.Stub> stubs;
        private int attributes;
        private boolean freed; // the key was

        private State(List<Stubs.Stub> stubs) {
            this.stubs = stubs;
        }
    }

    /** @param kind of the objects that have the attributes */
    private record Key(String kind, int number) {
    }

    /** {@return the state of callbacks; 0 if none of them is the program's} */
    static long make(Stubs.Stub... stubs) {
        List<Stubs.Stub> all = List.of(stubs);
        if (all.stream().noneMatch(Stubs.Stub::isOurs)) {
            return 0;
        }
        synchronized (KeptHandle.LOCK) {
            made++;
            ALL.put(made, new State(all));
            return made;
        }
    }

    /** Forgets callbacks that MPI never got. */
    static void drop(long number) {
        synchronized (KeptHandle.LOCK) {
            State state = ALL.remove(number);
            if (state != null) {
                state.stubs.forEach(Stubs.Stub::giveBack);
            }
        }
    }

    /** Called after the last call, with who was called: the state may be the program's own. */
    static void drop(long number, Stubs.Stub last) {
        synchronized (KeptHandle.LOCK) {
            if (isOf(number, last)) {
                drop(number);
            }
        }
    }

    private static boolean isOf(long number, Stubs.Stub stub) {
        State state = ALL.get(number);
        return state != null && state.stubs.contains(stub);
    }

    /** Called with a key that was made of callbacks. */
    static void keyMade(String kind, int key, long state) {
        synchronized (KeptHandle.LOCK) {
            if (state != 0) {
                OF_KEYS.put(new Key(kind, key), state);
            }
        }
    }

    /** Called before a key is freed, since the library may hand the same one out again. */
    static long keyGone(String kind, int key) {
        synchronized (KeptHandle.LOCK) {
            Long state = OF_KEYS.remove(new Key(kind, key));
            return state == null ? 0 : state;
        }
    }

    /** Called after that. */
    static void keyFreed(int code, String kind, int key, long number) {
        synchronized (KeptHandle.LOCK) {
            State state = ALL.get(number);
            if (code != 0) {
                keyMade(kind, key, number);
            } else if (state != null) {
                state.freed = true;
                count(number, 0);
            }
        }
    }

    /** Called before an attribute is set, since MPI deletes the one that was there. */
    static long attributeSet(String kind, int key) {
        synchronized (KeptHandle.LOCK) {
            Long state = OF_KEYS.get(new Key(kind, key));
            count(state == null ? 0 : state, 1);
            return state == null ? 0 : state;
        }
    }

    /** Called with the change of the number of attributes that a key has. */
    static void count(long number, int change) {
        synchronized (KeptHandle.LOCK) {
            State state = ALL.get(number);
            if (state != null) {
                state.attributes += change;
                if (state.freed && state.attributes == 0) {
                    drop(number);
                }
            }
        }
    }

    /** The same in a callback that was called. */
    static void count(long number, int change, Stubs.Stub called) {
        synchronized (KeptHandle.LOCK) {
            if (isOf(number, called)) {
                count(number, change);
            }
        }
    }
}

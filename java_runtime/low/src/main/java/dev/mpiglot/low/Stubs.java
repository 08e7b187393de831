package dev.mpiglot.low;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * C functions for the callbacks of one type: stubs. A callback is lent one, and a stub is lent to another callback when
 * nothing is left through which MPI could call the first one ({@link Holders}). The memory of a stub is never given
 * back: there are as many as were lent at once, and a library that calls one too late gets an exception where else the
 * JVM would end.
 */
final class Stubs {

    private static final Map<Object, Long> PREDEFINED = new IdentityHashMap<>();
    private static int made; // of all types
    private static int lent;

    private final MethodHandle enter;
    private final String[] words;
    private final String none;
    private final int kind;
    private final Map<Object, Stub> known = new IdentityHashMap<>(); // by callback
    private final Deque<Stub> free = new ArrayDeque<>();

    /**
     * Stubs that call a method {@code enter} of an adapter, which takes the stub and the C arguments, handles as
     * {@code long}.
     *
     * @param signature words for the result and the parameters: i int, j 64 bits, d double, v void, or the
     *     name of a handle type
     * @param none the constant that stands for no callback; empty where that is NULL
     * @param kind what it means for brief calls
     */
    Stubs(MethodHandles.Lookup lookup, String signature, String none, int kind) {
        this.words = signature.split(" ");
        this.none = none;
        this.kind = kind;
        Class<?>[] types = new Class<?>[words.length];
        types[0] = Stub.class;
        for (int i = 1; i < words.length; i++) {
            types[i] = switch (words[i]) {
                case "i" -> int.class;
                case "d" -> double.class;
                default -> long.class;
            };
        }
        Class<?> result = words[0].equals("v") ? void.class : int.class;
        try {
            enter = lookup.findStatic(lookup.lookupClass(), "enter", MethodType.methodType(result, types));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Makes a callback constant of MPI known, so that it is passed as what it is in the loaded library. */
    static <T> T predefined(T callback, String constant) {
        long address = Library.load().constant(constant, null);
        synchronized (KeptHandle.LOCK) {
            PREDEFINED.put(callback, address);
        }
        return callback;
    }

    /** Whether a callback is of the program. */
    static boolean isOwn(Object callback) {
        synchronized (KeptHandle.LOCK) {
            return callback != null && !PREDEFINED.containsKey(callback);
        }
    }

    /** Whether a callback stands for none. */
    boolean isNone(Object callback) {
        synchronized (KeptHandle.LOCK) {
            Long address = PREDEFINED.get(callback);
            return callback == null || address != null && address == none();
        }
    }

    /** What MPI gets for no callback. */
    private long none() {
        return none.isEmpty() ? 0 : Library.load().constant(none, null);
    }

    /** The stub of a callback: the one that it has, if it has one. */
    Stub lend(Object callback) {
        if (callback == null) {
            return new Stub(null, none());
        }
        synchronized (KeptHandle.LOCK) {
            Long address = PREDEFINED.get(callback);
            if (address != null) {
                return new Stub(null, address);
            }
        }
        Brief.end(kind);
        synchronized (KeptHandle.LOCK) {
            Stub stub = known.get(callback);
            if (stub == null) {
                stub = free.isEmpty() ? make() : free.pop();
                stub.callback = callback;
                known.put(callback, stub);
                lent++;
            }
            stub.loans++;
            return stub;
        }
    }

    private Stub make() {
        FunctionDescriptor descriptor = descriptor(words);
        Stub stub = new Stub(this, 0);
        MethodHandle target = MethodHandles.explicitCastArguments(enter.bindTo(stub), descriptor.toMethodType());
        stub.address = Linker.nativeLinker().upcallStub(target, descriptor, Arena.global()).address();
        made++;
        return stub;
    }

    /** {@return how many callbacks have a stub} */
    static int lent() {
        synchronized (KeptHandle.LOCK) {
            return lent;
        }
    }

    /** {@return how many stubs there are, lent and free} */
    static int made() {
        synchronized (KeptHandle.LOCK) {
            return made;
        }
    }

    private static FunctionDescriptor descriptor(String[] words) {
        MemoryLayout[] parameters = new MemoryLayout[words.length - 1];
        for (int i = 1; i < words.length; i++) {
            parameters[i - 1] = layout(words[i]);
        }
        return words[0].equals("v") ? FunctionDescriptor.ofVoid(parameters)
                : FunctionDescriptor.of(layout(words[0]), parameters);
    }

    private static MemoryLayout layout(String word) {
        return switch (word) {
            case "i" -> ValueLayout.JAVA_INT;
            case "d" -> ValueLayout.JAVA_DOUBLE;
            case "j" -> ValueLayout.JAVA_LONG;
            default -> Library.load().wide(word) ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT;
        };
    }

    /** A C function, and the callback that it calls now. Those of MPI itself, and of no callback, are never taken back. */
    static final class Stub {

        private final Stubs owner;
        private long address;
        private int loans;
        private volatile Object callback;

        private Stub(Stubs owner, long address) {
            this.owner = owner;
            this.address = address;
        }

        long address() {
            return address;
        }

        /** Whether it leads into Java. */
        boolean isOurs() {
            return owner != null;
        }

        /** What is to be called. */
        Object callback() {
            Object now = callback;
            if (now == null) {
                throw new IllegalStateException("MPI called a function of the program that nothing should call any more.");
            }
            return now;
        }

        /** It is for one more handle or object. */
        void lendAgain() {
            synchronized (KeptHandle.LOCK) {
                loans++;
            }
        }

        /** It is for one less. */
        void giveBack() {
            synchronized (KeptHandle.LOCK) {
                if (owner != null && --loans == 0) {
                    owner.known.remove(callback);
                    callback = null;
                    owner.free.push(this);
                    lent--;
                }
            }
        }
    }
}

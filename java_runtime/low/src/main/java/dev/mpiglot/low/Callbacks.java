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
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * C functions for Java callbacks. They live as long as the process: MPIs call operations and error handlers after the
 * program freed them. What a callback throws is thrown by the call that returns next, never through C.
 */
final class Callbacks {

    /** Whether a callback threw and nobody has been told yet. */
    static volatile boolean failed;

    private static final ConcurrentLinkedQueue<Throwable> FAILURES = new ConcurrentLinkedQueue<>();
    private static final Map<Object, Long> ADDRESSES = new IdentityHashMap<>();

    private Callbacks() {
    }

    /** Makes a callback constant of MPI known, so that it is passed as what it is in the loaded library. */
    static <T> T predefined(T callback, String constant) {
        long address = Library.load().constant(constant, null);
        synchronized (ADDRESSES) {
            ADDRESSES.put(callback, address);
        }
        return callback;
    }

    /**
     * The address of a C function that calls {@code callback}.
     *
     * @param target the adapter: takes the callback and the C arguments, handles as {@code long}
     * @param signature words for the result and the parameters: i int, j 64 bits, d double, v void, or the
     *     name of a handle type
     * @param none the constant that stands for no callback; empty where that is NULL
     * @param kind what it means for brief calls
     */
    static long address(Object callback, MethodHandle target, String signature, String none, int kind) {
        if (callback == null) {
            return none.isEmpty() ? 0 : Library.load().constant(none, null);
        }
        synchronized (ADDRESSES) {
            Long known = ADDRESSES.get(callback);
            if (known != null) {
                return known;
            }
            Brief.end(kind);
            FunctionDescriptor descriptor = descriptor(signature.split(" "));
            MethodHandle adapted = MethodHandles.explicitCastArguments(target.bindTo(callback), descriptor.toMethodType());
            MemorySegment stub = Linker.nativeLinker().upcallStub(adapted, descriptor, Arena.global());
            ADDRESSES.put(callback, stub.address());
            return stub.address();
        }
    }

    /** How many callbacks have a C function; a test for leaks, mostly. */
    static int count() {
        synchronized (ADDRESSES) {
            return ADDRESSES.size();
        }
    }

    /** The address of a C function that the program made itself: it may lead into Java, too. */
    static MemorySegment foreign(MemorySegment function) {
        if (function != null && function.address() != 0) {
            Brief.end(Brief.EVENT); // whatever it may be
        }
        return Call.segment(function);
    }

    /** The adapter of a callback type. */
    static MethodHandle adapter(MethodHandles.Lookup lookup, Class<?> adapter, Class<?> callback, String signature) {
        try {
            String[] words = signature.split(" ");
            Class<?>[] types = new Class<?>[words.length];
            types[0] = callback;
            for (int i = 1; i < words.length; i++) {
                types[i] = switch (words[i]) {
                    case "i" -> int.class;
                    case "d" -> double.class;
                    default -> long.class;
                };
            }
            Class<?> result = words[0].equals("v") ? void.class : int.class;
            return lookup.findStatic(adapter, "enter", MethodType.methodType(result, types));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
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

    /** Keeps what a callback threw for the call that returns next. */
    static void fail(Throwable t) {
        FAILURES.add(t);
        failed = true;
    }

    static Throwable takeFailure() {
        Throwable first = FAILURES.poll();
        Throwable next = first;
        while (next != null) {
            next = FAILURES.poll();
            if (next != null && next != first) {
                first.addSuppressed(next);
            }
        }
        failed = !FAILURES.isEmpty();
        return first;
    }

    /** The code that tells MPI that a callback failed. */
    static int failureCode() {
        return Sets.ERROR_CLASS.toNative(Mpi.ERR_OTHER);
    }
}

package dev.mpiglot.mpi;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;

/**
 * Binds two native methods to functions of JNI's table, {@code GetPrimitiveArrayCritical} and
 * {@code ReleasePrimitiveArrayCritical}. Both want a handle of the array, which only the JVM can make: it does so when it
 * calls a native method. So the native methods are upcall stubs, which pass the handle on.
 *
 * <p>{@code RegisterNatives} wants a handle of this class. The thread that is an object of this class asks JNI for the
 * current thread, and for its class.
 */
final class PinBinding extends Thread {

    // Places in the table of JNI, which the specification of JNI gives.
    private static final int GET_ENV = 6;
    private static final int FIND_CLASS = 6;
    private static final int EXCEPTION_CLEAR = 17;
    private static final int NEW_GLOBAL_REF = 21;
    private static final int DELETE_GLOBAL_REF = 22;
    private static final int GET_OBJECT_CLASS = 31;
    private static final int GET_STATIC_METHOD = 113;
    private static final int CALL_STATIC_OBJECT_METHOD_A = 116;
    private static final int REGISTER_NATIVES = 215;
    private static final int GET_CRITICAL = 222;
    private static final int RELEASE_CRITICAL = 223;
    private static final int EXCEPTION_CHECK = 228;
    private static final int VERSION = 0x00150000;

    private static volatile MethodHandle getCritical;
    private static volatile MethodHandle releaseCritical;

    /** Set once before the first use, so that they are constants for the compiler. */
    private static final class Bound {
        static final MethodHandle GET = getCritical;
        static final MethodHandle RELEASE = releaseCritical;
    }

    private final JvmFlags jvm;
    private boolean isBound;

    private PinBinding(JvmFlags jvm) {
        super("mpiglot-pin");
        this.jvm = jvm;
        setDaemon(true);
    }

    /** The address of the first element of an array of primitives, which does not move until {@link #unpin}; 0: no. */
    static native long pin(Object array);

    /** Ends a {@link #pin}. */
    static native void unpin(Object array, long address);

    private static long pinUp(long env, long type, long array) {
        try {
            return (long) Bound.GET.invokeExact(env, array, 0L);
        } catch (Throwable t) { // would end the JVM
            return 0;
        }
    }

    private static void unpinUp(long env, long type, long array, long address) {
        try {
            Bound.RELEASE.invokeExact(env, array, address, 0);
        } catch (Throwable t) { // would end the JVM
            return;
        }
    }

    /** Binds both methods; false if that is not possible. */
    static boolean bind(JvmFlags jvm) {
        PinBinding binding = new PinBinding(jvm);
        binding.start();
        boolean isInterrupted = false;
        while (binding.isAlive()) {
            try {
                binding.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return binding.isBound;
    }

    @Override
    public void run() {
        try {
            isBound = isRegistered() && isRight();
        } catch (Throwable t) { // arrays are copied then
            isBound = false;
        }
    }

    /** Whether an array is where the JVM says. */
    private static boolean isRight() {
        int[] array = {7, -11, 13};
        long address = pin(array);
        if (address == 0) {
            return false;
        }
        MemorySegment there = MemorySegment.ofAddress(address).reinterpret(12);
        boolean isRead = Arrays.equals(there.toArray(JAVA_INT), array);
        there.set(JAVA_INT, 4, 17);
        unpin(array, address);
        return isRead && array[1] == 17;
    }

    private static FunctionDescriptor words(int count) {
        MemoryLayout[] words = new MemoryLayout[count];
        Arrays.fill(words, JAVA_LONG);
        return FunctionDescriptor.of(JAVA_LONG, words);
    }

    private static MethodHandle function(long table, int place, FunctionDescriptor type) {
        long address = JvmFlags.ALL.get(JAVA_LONG, table + Long.BYTES * place);
        return Linker.nativeLinker().downcallHandle(MemorySegment.ofAddress(address), type);
    }

    private boolean isRegistered() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(16, 8);
            MethodHandle machines = Linker.nativeLinker().downcallHandle(jvm.find("JNI_GetCreatedJavaVMs"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
            int code = (int) machines.invokeExact(out.address(), 1, out.address() + 8);
            if (code != 0 || out.get(JAVA_INT, 8) != 1) {
                return false;
            }
            long machine = out.get(JAVA_LONG, 0);
            MethodHandle getEnv = function(JvmFlags.ALL.get(JAVA_LONG, machine), GET_ENV,
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
            code = (int) getEnv.invokeExact(machine, out.address(), VERSION);
            return code == 0 && isRegistered(arena, out.get(JAVA_LONG, 0));
        }
    }

    private boolean isRegistered(Arena arena, long env) throws Throwable {
        long table = JvmFlags.ALL.get(JAVA_LONG, env);
        getCritical = function(table, GET_CRITICAL, words(3));
        releaseCritical = function(table, RELEASE_CRITICAL,
                FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
        MethodHandle register = function(table, REGISTER_NATIVES,
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
        MethodHandle check = function(table, EXCEPTION_CHECK, FunctionDescriptor.of(JAVA_BOOLEAN, JAVA_LONG));
        MethodHandle clear = function(table, EXCEPTION_CLEAR, FunctionDescriptor.ofVoid(JAVA_LONG));
        MethodHandle delete = function(table, DELETE_GLOBAL_REF, FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
        long methods = methods(arena);
        long type = ownClass(arena, env, table);
        if (type == 0) {
            return false;
        }
        int code = (int) register.invokeExact(env, type, methods, 2);
        boolean isThrown = (boolean) check.invokeExact(env);
        if (isThrown) {
            clear.invokeExact(env);
        }
        delete.invokeExact(env, type);
        return code == 0 && !isThrown;
    }

    /** What {@code RegisterNatives} reads: name, signature and function of each method. */
    private static long methods(Arena arena) throws ReflectiveOperationException {
        MethodHandles.Lookup here = MethodHandles.lookup();
        FunctionDescriptor pin = words(3);
        FunctionDescriptor unpin = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        MemorySegment pinned = Linker.nativeLinker().upcallStub(
                here.findStatic(PinBinding.class, "pinUp", pin.toMethodType()), pin, Arena.global());
        MemorySegment unpinned = Linker.nativeLinker().upcallStub(
                here.findStatic(PinBinding.class, "unpinUp", unpin.toMethodType()), unpin, Arena.global());
        long[] words = {
            arena.allocateFrom("pin").address(), arena.allocateFrom("(Ljava/lang/Object;)J").address(), pinned.address(),
            arena.allocateFrom("unpin").address(), arena.allocateFrom("(Ljava/lang/Object;J)V").address(),
            unpinned.address()};
        return arena.allocateFrom(JAVA_LONG, words).address();
    }

    /**
     * A global handle of this class. A local handle lives only until the JVM calls any native method of this thread, which
     * linking a call does: so each is made global at once, and all of it is done three times, of which the last counts.
     */
    private static long ownClass(Arena arena, long env, long table) throws Throwable {
        MethodHandle findClass = function(table, FIND_CLASS, words(2));
        MethodHandle global = function(table, NEW_GLOBAL_REF, words(2));
        MethodHandle delete = function(table, DELETE_GLOBAL_REF, FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
        MethodHandle method = function(table, GET_STATIC_METHOD, words(4));
        MethodHandle call = function(table, CALL_STATIC_OBJECT_METHOD_A, words(4));
        MethodHandle classOf = function(table, GET_OBJECT_CLASS, words(2));
        long name = arena.allocateFrom("java/lang/Thread").address();
        long current = arena.allocateFrom("currentThread").address();
        long signature = arena.allocateFrom("()Ljava/lang/Thread;").address();
        long type = 0;
        for (int i = 0; i < 3; i++) {
            if (type != 0) {
                delete.invokeExact(env, type);
            }
            long local = (long) findClass.invokeExact(env, name);
            long threads = (long) global.invokeExact(env, local);
            long currentThread = (long) method.invokeExact(env, threads, current, signature);
            local = (long) call.invokeExact(env, threads, currentThread, 0L);
            long thread = (long) global.invokeExact(env, local);
            local = (long) classOf.invokeExact(env, thread);
            type = (long) global.invokeExact(env, local);
            delete.invokeExact(env, thread);
            delete.invokeExact(env, threads);
        }
        return type;
    }
}

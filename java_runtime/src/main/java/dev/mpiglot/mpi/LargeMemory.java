package dev.mpiglot.mpi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** C's memory, which nobody writes zeros to: an {@code Arena} does, and so touches all pages before they are used. */
final class LargeMemory {

    private static final MethodHandle MALLOC = handle("malloc",
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE = handle("free", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));

    private LargeMemory() {
    }

    private static MethodHandle handle(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), type);
    }

    /** So many bytes, until {@link #free}; an {@link OutOfMemoryError} if there are not so many. */
    static MemorySegment allocate(long bytes) {
        MemorySegment made = call(() -> (MemorySegment) MALLOC.invokeExact(bytes));
        if (made.address() == 0) {
            throw new OutOfMemoryError("There are no " + bytes + " bytes outside the heap for the copy of an array.");
        }
        return made.reinterpret(bytes);
    }

    static void free(MemorySegment memory) {
        call(() -> {
            FREE.invokeExact(memory);
            return memory;
        });
    }

    private interface Action<T> {
        T run() throws Throwable;
    }

    private static <T> T call(Action<T> action) {
        try {
            return action.run();
        } catch (Throwable e) {
            throw new AssertionError(e); // C throws nothing
        }
    }
}

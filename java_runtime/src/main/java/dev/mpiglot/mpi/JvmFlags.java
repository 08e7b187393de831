package dev.mpiglot.mpi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The loaded {@code libjvm.so}: its functions, and its flags from the tables that HotSpot exports for debuggers. No module
 * of management is needed. Another JVM has no such tables: {@link #isSet} throws then.
 */
final class JvmFlags {

    private static final int RTLD_NOW = 2;
    private static final int RTLD_NOLOAD = 4;
    static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final MemorySegment library;
    private final MethodHandle dlsym;
    private final long flags;
    private final long count;
    private final long size;
    private final long nameAt;
    private final long addressAt;

    /** Finds the JVM that runs this; throws if it is not HotSpot. */
    JvmFlags() throws Throwable {
        dlsym = c("dlsym", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
        MethodHandle dlopen = c("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            library = (MemorySegment) dlopen.invokeExact(arena.allocateFrom("libjvm.so"), RTLD_NOW | RTLD_NOLOAD);
        }
        if (library.address() == 0) {
            throw new IllegalStateException("There is no libjvm.so.");
        }
        flags = ALL.get(JAVA_LONG, field("flags", "Address"));
        count = ALL.get(JAVA_LONG, field("numFlags", "Address"));
        nameAt = field("_name", "Offset");
        addressAt = field("_addr", "Offset");
        size = size();
    }

    private static MethodHandle c(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), type);
    }

    /** The address of a function or variable of the JVM; throws if it has none of this name. */
    MemorySegment find(String name) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment found = (MemorySegment) dlsym.invokeExact(library, arena.allocateFrom(name));
            if (found.address() == 0) {
                throw new IllegalStateException("libjvm.so has no " + name + ".");
            }
            return found;
        }
    }

    private long word(String name) throws Throwable {
        return ALL.get(JAVA_LONG, find(name).address());
    }

    private static boolean isText(long address, String text) {
        return address != 0 && ALL.getString(address).equals(text);
    }

    /** What the table of fields says of one of {@code JVMFlag}. */
    private long field(String name, String what) throws Throwable {
        String entry = "gHotSpotVMStructEntry";
        long typeAt = word(entry + "TypeNameOffset");
        long fieldAt = word(entry + "FieldNameOffset");
        long whatAt = word(entry + what + "Offset");
        long stride = word(entry + "ArrayStride");
        for (long at = word("gHotSpotVMStructs"); ALL.get(JAVA_LONG, at + typeAt) != 0; at += stride) {
            if (isText(ALL.get(JAVA_LONG, at + typeAt), "JVMFlag") && isText(ALL.get(JAVA_LONG, at + fieldAt), name)) {
                return ALL.get(JAVA_LONG, at + whatAt);
            }
        }
        throw new IllegalStateException("JVMFlag has no " + name + ".");
    }

    /** The bytes of a {@code JVMFlag}. */
    private long size() throws Throwable {
        String entry = "gHotSpotVMTypeEntry";
        long typeAt = word(entry + "TypeNameOffset");
        long sizeAt = word(entry + "SizeOffset");
        long stride = word(entry + "ArrayStride");
        for (long at = word("gHotSpotVMTypes"); ALL.get(JAVA_LONG, at + typeAt) != 0; at += stride) {
            if (isText(ALL.get(JAVA_LONG, at + typeAt), "JVMFlag")) {
                return ALL.get(JAVA_LONG, at + sizeAt);
            }
        }
        throw new IllegalStateException("There is no JVMFlag.");
    }

    /** Whether a flag of the JVM is on, like {@code UseG1GC}. A JVM built without it has none: false. */
    boolean isSet(String name) {
        for (long i = 0; i < count; i++) {
            if (isText(ALL.get(JAVA_LONG, flags + i * size + nameAt), name)) {
                return ALL.get(JAVA_BYTE, ALL.get(JAVA_LONG, flags + i * size + addressAt)) != 0;
            }
        }
        return false;
    }
}

package dev.mpiglot.low;

import dev.mpiglot.mpi.LibraryException;
import dev.mpiglot.mpi.MpiException;
import dev.mpiglot.mpi.UnavailableException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;

/**
 * Makes the method handles that call C functions.
 *
 * <p>Everything that travels in an integer register is a {@code long} here: integers of 32 bits and handles of four
 * bytes sign-extended, of which C reads the lower half. So one shape of call serves many functions and every MPI,
 * and linking a function whose shape is known costs nearly nothing.
 */
final class Downcall {

    private static final Linker LINKER = Linker.nativeLinker();

    private Downcall() {
    }

    /**
     * The C function {@code name}, or one that stands in for it.
     *
     * @param signature a letter for the result and each parameter: j integer, handle or address, p segment, d double,
     *     v void; + at the end: variadic, nothing passed there
     */
    static MethodHandle function(String name, String signature, String... alternatives) {
        return link(name, signature, alternatives);
    }

    /** The same for a brief function, called without leaving Java's state: see {@link Brief}. */
    static MethodHandle brief(String name, String signature, String... alternatives) {
        return link(name, signature, alternatives, Linker.Option.critical(false));
    }

    /** The same for one that may be given segments of arrays. */
    static MethodHandle briefOnHeap(String name, String signature) {
        return link(name, signature, new String[0], Linker.Option.critical(true));
    }

    /** Says in a sentence that the JVM was told to refuse native calls, which otherwise ends a class's initialisation. */
    static void requireAccess() {
        try {
            c("free", "vj");
        } catch (IllegalCallerException e) {
            Module module = Downcall.class.getModule();
            throw new LibraryException("This JVM does not let mpiglot call native code: start it with "
                    + "--enable-native-access=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED") + ".");
        }
    }

    /** A function of the C library. */
    static MethodHandle c(String name, String signature) {
        Optional<MemorySegment> found = LINKER.defaultLookup().find(name);
        if (found.isEmpty()) {
            throw new LibraryException("The C library of this system has no " + name + ".");
        }
        return at(found.get(), signature);
    }

    /** A function at a known address. */
    static MethodHandle at(MemorySegment address, String signature) {
        return LINKER.downcallHandle(address, descriptor(signature));
    }

    /** Whether the loaded library has a function, under its own name or another. */
    static boolean has(String name, String... alternatives) {
        return find(name, alternatives).address() != 0;
    }

    private static MemorySegment find(String name, String[] alternatives) {
        Library library = Library.load();
        MemorySegment found = library.symbol(name);
        for (int i = 0; found.address() == 0 && i < alternatives.length; i++) {
            found = library.symbol(alternatives[i]);
        }
        return found;
    }

    private static MethodHandle link(String name, String signature, String[] alternatives, Linker.Option... given) {
        boolean variadic = signature.endsWith("+");
        String letters = variadic ? signature.substring(0, signature.length() - 1) : signature;
        FunctionDescriptor descriptor = descriptor(letters);
        try {
            MemorySegment address = find(name, alternatives);
            if (address.address() == 0) {
                return missing(name, descriptor.toMethodType());
            }
            return variadic ? LINKER.downcallHandle(address, descriptor, Linker.Option.firstVariadicArg(letters.length() - 1))
                    : LINKER.downcallHandle(address, descriptor, given);
        } catch (LibraryException e) {
            return thrower(descriptor.toMethodType(), MethodHandles.constant(MpiException.class, e));
        }
    }

    private static MethodHandle missing(String name, MethodType type) {
        try {
            MethodHandle make = MethodHandles.lookup().findStatic(UnavailableException.class, "of",
                    MethodType.methodType(UnavailableException.class, String.class));
            return thrower(type, MethodHandles.insertArguments(make, 0, name)
                    .asType(MethodType.methodType(MpiException.class)));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static MethodHandle thrower(MethodType type, MethodHandle make) {
        MethodHandle thrower = MethodHandles.throwException(type.returnType(), MpiException.class);
        MethodHandle fresh = MethodHandles.collectArguments(thrower, 0, make);
        return MethodHandles.dropArguments(fresh, 0, type.parameterList());
    }

    private static FunctionDescriptor descriptor(String letters) {
        MemoryLayout[] parameters = new MemoryLayout[letters.length() - 1];
        for (int i = 1; i < letters.length(); i++) {
            parameters[i - 1] = layout(letters.charAt(i));
        }
        return letters.charAt(0) == 'v' ? FunctionDescriptor.ofVoid(parameters)
                : FunctionDescriptor.of(layout(letters.charAt(0)), parameters);
    }

    private static MemoryLayout layout(char letter) {
        return switch (letter) {
            case 'd' -> ValueLayout.JAVA_DOUBLE;
            case 'p' -> ValueLayout.ADDRESS;
            default -> ValueLayout.JAVA_LONG;
        };
    }
}

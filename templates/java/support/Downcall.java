package dev.mpiglot.low;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Makes the method handles that call C functions, in the widths of the loaded library. */
final class Downcall {

    private static final Linker LINKER = Linker.nativeLinker();

    private Downcall() {
    }

    /**
     * The C function {@code name}, or one that stands in for it, with handles as {@code long}.
     *
     * @param signature result and parameters: i int, j long, d double, p segment, r raw address, v void, or the name
     *     of a handle type; ... at the end: variadic, nothing passed there
     */
    static MethodHandle function(String name, String signature, String... alternatives) {
        return link(name, signature, alternatives);
    }

    /** The same for short local calls: segments may be arrays on the heap. */
    static MethodHandle local(String name, String signature, String... alternatives) {
        return link(name, signature, alternatives, Linker.Option.critical(true));
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
        String[] parts = signature.replace(" ...", "").split(" ");
        boolean variadic = signature.endsWith("...");
        Linker.Option[] options = variadic ? new Linker.Option[] {Linker.Option.firstVariadicArg(parts.length - 1)} : given;
        MethodType type = javaType(parts);
        try {
            MemorySegment address = find(name, alternatives);
            if (address.address() == 0) {
                return missing(name, type);
            }
            MethodHandle handle = LINKER.downcallHandle(address, descriptor(parts), options);
            return handle.type().equals(type) ? handle : MethodHandles.explicitCastArguments(handle, type);
        } catch (LibraryException e) {
            return thrower(type, MethodHandles.constant(MpiException.class, e));
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

    static MethodType javaType(String[] parts) {
        Class<?>[] parameters = new Class<?>[parts.length - 1];
        for (int i = 1; i < parts.length; i++) {
            parameters[i - 1] = carrier(parts[i]);
        }
        return MethodType.methodType(carrier(parts[0]), parameters);
    }

    private static Class<?> carrier(String part) {
        return switch (part) {
            case "i" -> int.class;
            case "d" -> double.class;
            case "p" -> MemorySegment.class;
            case "v" -> void.class;
            default -> long.class;
        };
    }

    static FunctionDescriptor descriptor(String[] parts) {
        MemoryLayout[] parameters = new MemoryLayout[parts.length - 1];
        for (int i = 1; i < parts.length; i++) {
            parameters[i - 1] = layout(parts[i]);
        }
        return parts[0].equals("v") ? FunctionDescriptor.ofVoid(parameters)
                : FunctionDescriptor.of(layout(parts[0]), parameters);
    }

    private static MemoryLayout layout(String part) {
        return switch (part) {
            case "i" -> ValueLayout.JAVA_INT;
            case "j", "r" -> ValueLayout.JAVA_LONG;
            case "d" -> ValueLayout.JAVA_DOUBLE;
            case "p" -> ValueLayout.ADDRESS;
            default -> Library.load().wide(part) ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT;
        };
    }
}

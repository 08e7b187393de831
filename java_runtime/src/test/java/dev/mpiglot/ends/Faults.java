package dev.mpiglot.ends;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Library;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** A program that meets null in compiled code after somebody has started MPI. */
public final class Faults {

    private Faults() {
    }

    private static final class Box {
        private int value = 1;
    }

    /** Who starts MPI, and a library with the functions {@code start} and {@code stop}. */
    public static void main(String[] args) throws Throwable {
        switch (args[0]) {
            case "package" -> Environment.init();
            case "library" -> call(args[1], "start");
            case "late" -> { // between the loading of MPI and the first call
                Library.load();
                call(args[1], "start");
            }
            case "preloaded" -> { // MPI runs already
            }
            case "loader" -> elsewhere("start", args[1]);
            case "copy" -> elsewhere("init", args[1]); // the same package again
            default -> throw new IllegalArgumentException(args[0]);
        }
        int size = Communicators.commSize(CommHandle.WORLD);
        int thrown = 0;
        int sum = 0;
        Box box = new Box();
        for (int i = 0; i < 200_000; i++) {
            sum += read(box);
        }
        for (int i = 0; i < 100; i++) {
            try {
                sum += read(null);
            } catch (NullPointerException e) {
                thrown++;
            }
        }
        System.out.println("faults: " + sum + " " + thrown + " " + size);
        if (args[0].equals("package")) {
            Environment.finalizeMpi();
        } else {
            call(args[1], "stop");
        }
    }

    private static int read(Box box) {
        return box.value;
    }

    private static void elsewhere(String method, String library) throws Exception {
        String[] jars = System.getProperty("java.class.path").split(":");
        URL[] urls = new URL[jars.length + 1];
        urls[0] = Path.of(jars[0]).toUri().toURL();
        for (int i = 0; i < jars.length; i++) {
            urls[i + 1] = Path.of(jars[i]).resolveSibling("mpiglot.jar").toUri().toURL();
        }
        @SuppressWarnings("resource") // its classes stay in use
        ClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
        Class<?> again = loader.loadClass(Faults.class.getName());
        if (again == Faults.class) {
            throw new AssertionError("the same class");
        }
        again.getMethod(method, String.class).invoke(null, library);
    }

    /** Called in another class loader. */
    public static void start(String library) throws Throwable {
        call(library, "start");
    }

    /** Called in another class loader. */
    public static void init(String library) {
        Environment.init();
    }

    private static void call(String library, String function) throws Throwable {
        var found = SymbolLookup.libraryLookup(Path.of(library), Arena.global()).find(function).orElseThrow();
        int code = (int) Linker.nativeLinker().downcallHandle(found, FunctionDescriptor.of(ValueLayout.JAVA_INT))
                .invokeExact();
        if (code != 0) {
            throw new AssertionError(function + ": " + code);
        }
    }
}

package dev.mpiglot.junit;

import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Mpi;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.opentest4j.TestAbortedException;

/** One process of a job: runs one test method and says how it ended. */
final class Rank {

    private final Folder folder;
    private final Class<?> tests;
    private final Method method;

    private Rank(Folder folder, Class<?> tests, Method method) {
        this.folder = folder;
        this.tests = tests;
        this.method = method;
    }

    /**
     * Runs a test.
     *
     * @param args the folder, the class, the class that declares the method, the method, the types of its parameters
     */
    public static void main(String[] args) throws ReflectiveOperationException {
        Folder folder = new Folder(Path.of(args[0]));
        Watch watch = new Watch(folder);
        watch.start();
        ClassLoader loader = Rank.class.getClassLoader();
        Method method = Arrays.stream(Class.forName(args[2], false, loader).getDeclaredMethods())
                .filter(m -> m.getName().equals(args[3]) && types(m).equals(args[4])).findFirst().orElseThrow();
        Rank rank = new Rank(folder, Class.forName(args[1], true, loader), method);
        Mpi.run(mpi -> {
            watch.know(mpi.world().rank());
            rank.run(mpi);
        });
    }

    /** The types of a method's parameters, in one word. */
    static String types(Method method) {
        return Arrays.stream(method.getParameterTypes()).map(Class::getName).collect(Collectors.joining(",", "(", ")"));
    }

    private void run(Mpi mpi) throws IOException, InterruptedException {
        int rank = mpi.world().rank();
        Throwable failure = failure(mpi);
        if (failure == null) {
            folder.outcome(rank, Folder.PASSED);
        } else if (failure instanceof TestAbortedException) {
            folder.outcome(rank, Folder.ABORTED + failure.getMessage());
        } else {
            folder.outcome(rank, stack(failure));
            Thread.currentThread().join(); // the others may fail, too: Watch ends this process
        }
    }

    /** Runs the method with what comes before and after it, and gives back what was thrown first. */
    private Throwable failure(Mpi mpi) {
        Throwable failure = null;
        Object instance = null;
        try {
            callAll(BeforeAll.class, null, mpi);
            Constructor<?> constructor = tests.getDeclaredConstructor();
            constructor.setAccessible(true);
            instance = constructor.newInstance();
            callAll(BeforeEach.class, instance, mpi);
            call(method, instance, mpi);
        } catch (Throwable thrown) {
            failure = cause(thrown);
        }
        for (Class<? extends Annotation> after : List.of(AfterEach.class, AfterAll.class)) {
            try {
                callAll(after, instance, mpi);
            } catch (Throwable thrown) {
                failure = failure == null ? cause(thrown) : failure;
            }
        }
        return failure;
    }

    private static Throwable cause(Throwable thrown) {
        return thrown instanceof InvocationTargetException target ? target.getCause() : thrown;
    }

    /** Calls the methods that have an annotation: those of the superclass first before a test, last after it. */
    private void callAll(Class<? extends Annotation> annotation, Object instance, Mpi mpi)
            throws ReflectiveOperationException {
        List<Method> found = new ArrayList<>();
        for (Class<?> type = tests; type != null; type = type.getSuperclass()) {
            for (Method each : type.getDeclaredMethods()) {
                if (each.isAnnotationPresent(annotation)) {
                    found.add(each);
                }
            }
        }
        boolean before = annotation == BeforeAll.class || annotation == BeforeEach.class;
        for (Method each : before ? found.reversed() : found) {
            call(each, instance, mpi);
        }
    }

    private static void call(Method method, Object instance, Mpi mpi) throws ReflectiveOperationException {
        method.setAccessible(true);
        method.invoke(instance, Arrays.stream(method.getParameterTypes())
                .map(type -> type == Comm.class ? mpi.world() : type == Mpi.class ? mpi : null).toArray());
    }

    /** The stack of a failure down to the test class; what is below is ours. */
    private String stack(Throwable failure) {
        StackTraceElement[] frames = failure.getStackTrace();
        for (int i = frames.length - 1; i >= 0; i--) {
            if (frames[i].getClassName().equals(method.getDeclaringClass().getName())) {
                failure.setStackTrace(Arrays.copyOf(frames, i + 1));
                break;
            }
        }
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return text.toString().strip();
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Handle;
import dev.mpiglot.low.Library;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Which methods random calls leave out, which may wait, and which exceptions are right. */
final class FuzzRules {

    /** Methods that are left out, by their name alone or with the class that declares them, and the rule. */
    private static final Map<String, Set<String>> LEFT = Map.of(
            "they end the process or MPI:", Set.of("abort", "Mpi.run", "Mpi.close"),
            "they wait for another program or start one:", Set.of("accept", "connect", "spawn", "join"),
            "they may throw anything, which operations wrap:", Set.of("Codec.encode", "Codec.decode"),
            "they wait until all messages of an object are received:", Set.of("disconnect", "detachBuffer", "flushBuffer"),
            "they change how this MPI works:", Set.of("VariableHandle.set", "ControlHandle.set"));

    /** They wait for what nobody may send. */
    private static final Set<String> WAITING = Set.of("recv", "mrecv", "probe", "mprobe", "send", "ssend", "rsend", "bsend",
            "sendrecv", "sendrecvReplace", "recvBytes", "recvShorts", "recvChars", "recvInts", "recvLongs", "recvFloats",
            "recvDoubles", "recvObject", "await", "awaitAll", "awaitAny", "awaitSome");
    /** They let another thread ask MPI. */
    private static final Set<String> FOLLOWING = Set.of("completion", "iflushBuffer");
    /** Whether messages to oneself are lost while two threads ask for them. */
    static final boolean LOSES = KnownDefects.reason("waitingForAllWithholdsNone", Library.load().version(), 1) != null;

    /** Whether MPI_Comm_split_type is left out; which earlier call it needs to fail is not known. */
    private static final boolean SPLITS_WRONGLY = Library.load().version().startsWith("Open MPI v4.1");

    /** Whether nothing arrives on a communicator after a buffered send that had no room. */
    private static final boolean BUFFERED_STOP = Library.load().version().startsWith("Open MPI");

    private FuzzRules() {
    }

    /** Why a method is not called; null if it is. */
    static String rule(Executable method) {
        for (Class<?> type : method.getParameterTypes()) {
            if (Handle.class.isAssignableFrom(type)) {
                return "raw handles are not checked:";
            }
            boolean isOfAnySize = type == Codec.class
                    || type.isArray() && type.getComponentType().isPrimitive() && type != byte[].class;
            if (isMessage(method) && isOfAnySize) {
                return "messages to oneself have 8 bytes (recv-of-odd-size-from-self, truncation-to-self-writes-beside):";
            }
        }
        if (SPLITS_WRONGLY && method.getName().equals("splitType")) {
            return "after thousands of other calls Open MPI 4.1.4 once gave a communicator of 0 processes, whose calls crash:";
        }
        if (BUFFERED_STOP && method.getName().matches("i?bsend(Init)?")) {
            return "what follows waits forever if there was no room (failed-bsend-stops-messages):";
        }
        boolean isExchange = method.getName().matches("(?i).*(alltoall|neighbor).*");
        if (LOSES && (isExchange || waits(method) || FOLLOWING.contains(method.getName()))) {
            return "this MPI loses messages to oneself:";
        }
        if (method.getDeclaringClass().isEnum() && method.getName().equals("valueOf") || method.getName().equals("compareTo")) {
            return "they are Java's own:";
        }
        return LEFT.entrySet().stream().filter(rule -> rule.getValue().contains(name(method))
                || rule.getValue().contains(method.getName())).map(Map.Entry::getKey)
                .findFirst().orElse(null);
    }

    static boolean waits(Executable method) {
        return WAITING.contains(method.getName());
    }

    /** Whether a process sends to itself by it. */
    static boolean isMessage(Executable method) {
        String name = method.getName().toLowerCase(java.util.Locale.ROOT);
        return name.contains("send") || name.contains("recv") || name.contains("neighbor");
    }

    /** The class that has it, and its name. */
    static String name(Executable method) {
        Class<?> declaring = method.getDeclaringClass();
        while (isChapter(declaring)) {
            declaring = declaring.getPermittedSubclasses()[0];
        }
        return declaring.getSimpleName() + (method instanceof Method ? "." + method.getName() : "()");
    }

    /** Whether one class alone has the methods of an interface. */
    static boolean isChapter(Class<?> type) {
        Class<?>[] below = type.isInterface() ? type.getPermittedSubclasses() : null;
        return below != null && below.length == 1 && (!below[0].isInterface() || isChapter(below[0]));
    }

    /** All public classes of the package, in one order. */
    static List<Class<?>> publicClasses() {
        URI jar = URI.create("jar:" + Comm.class.getProtectionDomain().getCodeSource().getLocation());
        try (FileSystem files = FileSystems.newFileSystem(jar, Map.of());
                Stream<Path> all = Files.list(files.getPath("/dev/mpiglot/mpi"))) {
            return all.map(path -> path.getFileName().toString()).filter(name -> name.endsWith(".class")
                    && !name.equals("package-info.class")).<Class<?>>map(FuzzRules::load)
                    .filter(FuzzRules::isPublic).sorted(Comparator.comparing(Class::getName)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> load(String file) {
        try {
            return Class.forName("dev.mpiglot.mpi." + file.substring(0, file.length() - ".class".length()), false,
                    Comm.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isPublic(Class<?> one) {
        return Modifier.isPublic(one.getModifiers()) && (one.getEnclosingClass() == null || isPublic(one.getEnclosingClass()));
    }

    static boolean isClosed(Object object) {
        try {
            object.getClass().getMethod("handle").invoke(object);
            return false;
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return false;
        } catch (java.lang.reflect.InvocationTargetException e) {
            return true;
        }
    }

    /** Why a program does not expect the exception; null if it may. */
    static String suspicion(Throwable thrown) {
        boolean hasSentence = thrown.getMessage() != null && !thrown.getMessage().isBlank();
        if (thrown instanceof OutOfMemoryError) {
            return null; // so much was asked for
        }
        if (thrown instanceof Error) {
            return "an error of Java:";
        }
        boolean isTyped = List.of(MpiException.class, LibraryException.class, IllegalStateException.class,
                IllegalArgumentException.class, UnsupportedOperationException.class, CancelledException.class,
                CodecException.class, InterruptedException.class, IndexOutOfBoundsException.class).stream()
                .anyMatch(one -> one.isInstance(thrown))
                && !(thrown instanceof ArrayIndexOutOfBoundsException);
        return !isTyped ? "of another type:" : hasSentence || thrown instanceof InterruptedException ? null : "without a sentence:";
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.InfoHandle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Every public method of the package on objects that are closed, then on those that are open when MPI ends, and the static
 * ones before and after MPI. Each returns or throws a {@link ClosedException}; after MPI its sentence is one and the same.
 */
public final class UsesOfClosed {

    private static final String AFTER = "MPI is closed: close it last.";
    private static final String BEFORE = "MPI is not started: start it first.";
    /** They end the process, or start MPI or another interface of it. */
    private static final Set<String> LEFT = Set.of("Comm.abort", "Mpi.run", "Mpi.init", "Session.open", "Variables.open",
            "Intercomm.abort", "Cart.abort", "DistGraph.abort", "Graph.abort");
    /** What is not there on an object of this kind, closed or not. */
    private static final Set<String> NEVER = Set.of("Comm.disconnect", "Request.cancel");

    private static final List<String> wrong = new ArrayList<>();
    private static final Map<String, Integer> count = new TreeMap<>();

    private UsesOfClosed() {
    }

    public static void main(String[] args) throws Exception {
        Path path = Files.createTempFile("mpiglot-closed", "");
        useStatic("before", BEFORE);
        Mpi mpi = Mpi.init();
        List<Object> closed = objects(mpi.self(), path);
        for (int i = closed.size() - 1; i >= 0; i--) {
            ((AutoCloseable) closed.get(i)).close();
        }
        closed.forEach(one -> use("closed", one, null));
        List<Object> open = objects(mpi.self(), path);
        List<Object> more = List.of(mpi.world(), Op.SUM, Datatype.INT, Group.EMPTY, mpi);
        for (Object one : open) {
            if (one instanceof Persistent || one instanceof Window || one instanceof MpiFile) {
                ((AutoCloseable) one).close(); // MPI's end asks for it
            }
        }
        mpi.close();
        open.forEach(one -> use("after", one, AFTER));
        more.forEach(one -> use("after", one, AFTER));
        useStatic("after", AFTER);
        wrong.forEach(System.out::println);
        System.out.println("uses: " + count + ", " + wrong.size() + " wrong");
    }

    private static List<Object> objects(Comm self, Path path) throws Exception {
        Comm comm = self.dup();
        List<Object> all = new ArrayList<>(List.of(comm, comm.createCart(new int[] {1}, new boolean[] {true}, false),
                comm.group(), Datatype.vector(1, 1, 2, Datatype.INT), Op.ofInts(true, Integer::sum), Info.create(),
                AttributeKey.create(UnaryOperator.identity(), value -> { })));
        all.add(comm.createGraph(new int[][] {{0}}, false));
        all.add(comm.sendInit(MpiBuffer.of(new int[1]), 0, 1));
        all.add(comm.allocateWindow(Datatype.INT, 1, null));
        all.add(comm.openFile(path.toString(), FileMode.READ_WRITE));
        all.add(new MpiMemory(dev.mpiglot.low.Environment.allocMem(8, InfoHandle.NULL), 8));
        Request sent = comm.isend(MpiBuffer.of(new int[1]), 0, 7);
        comm.recv(new int[1], 0, 7);
        sent.await();
        all.add(sent);
        return all;
    }

    private static void useStatic(String when, String sentence) {
        for (Class<?> one : List.of(Mpi.class, Datatype.class, Op.class, Info.class, Group.class, Cart.class, Port.class,
                ErrorCode.class, PackedBuffer.class, AttributeKey.class, Intercomm.class, MpiFile.class, Comm.class,
                MpiBuffer.class, Persistent.class, Requests.class, GeneralizedRequest.class, ErrorHandler.class)) {
            methods(one, true).forEach(method -> call(when, method, null, sentence));
        }
    }

    private static void use(String when, Object object, String sentence) {
        methods(object.getClass(), false).forEach(method -> call(when, method, object, sentence));
    }

    private static List<Method> methods(Class<?> type, boolean isStatic) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getDeclaringClass().getPackageName().equals("dev.mpiglot.mpi"))
                .filter(method -> Modifier.isStatic(method.getModifiers()) == isStatic && !method.isBridge())
                .filter(method -> !LEFT.contains(type.getSimpleName() + "." + method.getName()))
                .filter(method -> !method.getName().equals("close"))
                .sorted(Comparator.comparing(Method::toString)).toList();
    }

    private static void call(String when, Method method, Object object, String sentence) {
        Object[] arguments = new Object[method.getParameterCount()];
        String name = when + " " + (object == null ? method.getDeclaringClass() : object.getClass()).getSimpleName() + "."
                + method.getName() + Arrays.toString(method.getParameterTypes());
        for (int i = 0; i < arguments.length; i++) {
            Optional<Object> argument = argument(method.getParameterTypes()[i], method);
            if (argument.isEmpty()) {
                count.merge(when + " without an argument", 1, Integer::sum);
                return;
            }
            arguments[i] = argument.get();
        }
        try {
            method.setAccessible(true);
            method.invoke(object, arguments);
            count.merge(when + " returned", 1, Integer::sum);
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            count.merge(when + " " + thrown.getClass().getSimpleName(), 1, Integer::sum);
            boolean isRight = thrown instanceof ClosedException && (sentence == null || thrown.getMessage().equals(sentence))
                    || thrown instanceof UnavailableException
                    || thrown instanceof UnsupportedOperationException && NEVER.contains(method.getDeclaringClass().getSimpleName()
                            + "." + method.getName());
            if (!isRight) {
                wrong.add(name + ": " + thrown + " " + Arrays.stream(thrown.getStackTrace()).limit(3).toList());
            }
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** What is right for a parameter, where that can be guessed. */
    private static Optional<Object> argument(Class<?> type, Method method) {
        if (type == int.class) {
            return Optional.of(method.getName().equals("sharedQuery") ? 0 : 1);
        }
        if (type == MpiBuffer.class && method.getName().endsWith("tach")) {
            return Optional.of(MpiBuffer.allocate(Datatype.INT, 1));
        }
        if (type == List.class && !method.toGenericString().contains("MpiBuffer")) {
            return Optional.of(method.getName().equals("struct") ? List.of(Datatype.INT) : List.of());
        }
        Map<Class<?>, Object> some = Map.ofEntries(Map.entry(long.class, 1L), Map.entry(boolean.class, true),
                Map.entry(double.class, 1.0), Map.entry(String.class, "text"), Map.entry(int[].class, new int[] {1}),
                Map.entry(long[].class, new long[] {1}), Map.entry(double[].class, new double[] {1}),
                Map.entry(float[].class, new float[] {1}), Map.entry(byte[].class, new byte[] {1}),
                Map.entry(short[].class, new short[] {1}), Map.entry(char[].class, new char[] {1}),
                Map.entry(boolean[].class, new boolean[] {true}),
                Map.entry(MpiBuffer.class, MpiBuffer.of(new int[] {1})),
                Map.entry(Duration.class, Duration.ofMillis(1)),
                Map.entry(List.class, List.of(MpiBuffer.of(new int[] {1}))),
                Map.entry(Datatype.class, Datatype.INT), Map.entry(Op.class, Op.SUM), Map.entry(SplitType.class, SplitType.SHARED),
                Map.entry(Group.class, Group.EMPTY), Map.entry(ErrorHandler.class, ErrorHandler.ERRORS_RETURN),
                Map.entry(FileMode[].class, new FileMode[] {FileMode.READ_ONLY}),
                Map.entry(UnaryOperator.class, UnaryOperator.identity()));
        return Optional.ofNullable(some.get(type));
    }
}

package dev.mpiglot.mpi;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

/** Objects in any state and values of any type for random calls. */
final class FuzzObjects {

    /** So many objects of a class are kept. */
    private static final int MOST = 12;
    /** Bytes of each message: of others to oneself MPICH ends and Open MPI writes beside the buffer. */
    private static final int MESSAGE = 8;
    private static final int LARGE = 1 << 16;
    /**
     * Most bytes of a type with gaps in a file view. Open MPI lists all pieces of such a type: 10^8 of them take 5 s, in C,
     * too, and 2^31 - 1 look like a hang.
     */
    private static final int MOST_IN_PIECES = 1 << 20;

    /** Something that a datatype is made of. */
    public record Point(int x, double y) {
    }

    private final Mpi mpi;
    private final Path folder;
    private final Random random;
    /** A communicator whose other processes make other calls; null if there are none. */
    private final Comm others;
    private final Map<Class<?>, List<Object>> kept = new LinkedHashMap<>();

    FuzzObjects(Mpi mpi, Path folder, Random random) {
        this.mpi = mpi;
        this.folder = folder;
        this.random = random;
        others = mpi.world().size() == 1 ? null : mpi.world();
        for (Class<?> one : FuzzRules.publicClasses()) {
            for (Field field : one.getFields()) {
                if (Modifier.isStatic(field.getModifiers()) && !isFatal(field.getName())) {
                    constant(field);
                }
            }
        }
    }

    /** Handlers that end the job do so, which is what a program wants that sets them. */
    private static boolean isFatal(String name) {
        return name.equals("ERRORS_ARE_FATAL") || name.equals("ERRORS_ABORT");
    }

    private void constant(Field field) {
        try {
            keep(field.get(null));
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** Makes one of each kind, as far as this library can. */
    void renew() {
        Comm self = mpi.self();
        List<Callable<Object>> makers = new ArrayList<>();
        Comm[] dup = {self};
        makers.add(() -> mpi);
        makers.add(() -> self);
        makers.add(mpi::world);
        makers.add(() -> dup[0] = self.dup());
        makers.add(() -> dup[0].createCart(new int[] {1}, new boolean[] {true}, false));
        makers.add(() -> dup[0].createGraph(new int[][] {{0}}, false));
        makers.add(() -> dup[0].createDistGraphAdjacent(List.of(new DistGraph.Neighbor(0, 1)), List.of(new DistGraph.Neighbor(0, 1)),
                Info.create(), false));
        makers.add(() -> dup[0].group());
        makers.add(() -> Datatype.vector(2, 1, 2, Datatype.INT));
        makers.add(() -> Datatype.contiguous(2, Datatype.INT));
        makers.add(() -> Op.ofInts(true, Integer::sum));
        makers.add(Info::create);
        makers.add(() -> AttributeKey.create(UnaryOperator.identity(), value -> { }));
        makers.add(() -> ErrorHandler.of(error -> { }));
        makers.add(() -> dup[0].sendInit(MpiBuffer.of(new byte[MESSAGE]), 0, 1));
        makers.add(() -> dup[0].recvInit(MpiBuffer.of(new byte[MESSAGE]), 0, 1));
        makers.add(() -> dup[0].psendInit(MpiBuffer.of(new byte[MESSAGE]), 2, 0, 3));
        makers.add(() -> dup[0].precvInit(MpiBuffer.of(new byte[MESSAGE]), 2, 0, 3));
        makers.add(() -> dup[0].isend(new byte[MESSAGE], 0, 0));
        makers.add(() -> dup[0].irecv(new byte[MESSAGE], 0, 0));
        makers.add(() -> dup[0].ibarrier());
        makers.add(() -> dup[0].irecv(new byte[MESSAGE], Comm.PROC_NULL, 0));
        makers.add(() -> dup[0].allocateWindow(Datatype.INT, 4, null));
        makers.add(() -> dup[0].createWindow(MpiBuffer.of(new int[4]), null));
        makers.add(() -> dup[0].createDynamicWindow(Datatype.INT, null));
        makers.add(() -> dup[0].openFile(folder.resolve("file").toString(), FileMode.READ_WRITE, FileMode.CREATE));
        makers.add(() -> {
            dup[0].isend(new byte[MESSAGE], 0, 5);
            return dup[0].improbe(0, 5);
        });
        makers.add(() -> PackedBuffer.allocate(self, 64));
        makers.add(() -> new ErrorCode(random.nextInt()));
        makers.add(() -> mpi.allocMem(64, null));
        makers.add(() -> Variables.open());
        makers.add(() -> new Status(0, 0, 4));
        for (Callable<Object> one : makers) {
            try {
                keep(one.call());
            } catch (Exception e) {
                // this library cannot do it, or an earlier call has changed what it needs
            }
        }
    }

    /** Keeps what random calls shall use, and ends the use of another one of its kind if there are enough. */
    void keep(Object result) {
        if (result instanceof Optional<?> maybe) {
            maybe.ifPresent(this::keep);
        } else if (result instanceof List<?> many) {
            many.stream().limit(4).forEach(this::keep);
        } else if (result != null && result != others && !(result instanceof ErrorHandler handler && isFatal(handler))
                && result.getClass().getPackageName().equals("dev.mpiglot.mpi")) {
            List<Object> same = kept.computeIfAbsent(result.getClass(), type -> new ArrayList<>());
            if (same.stream().anyMatch(one -> one == result)) {
                return;
            }
            // MPIs have few communicators, windows and files, and do not say so in time
            boolean isScarce = result instanceof Comm || result instanceof Window || result instanceof MpiFile;
            if (same.size() >= MOST && (isScarce || random.nextBoolean())) {
                end(same.remove(random.nextInt(same.size())));
            } else if (same.size() >= MOST) {
                same.remove(random.nextInt(same.size())); // dropped
            }
            same.add(result);
            requireNoFatalHandler(result);
        }
    }

    /** The program has set none, so that no error may end the job. */
    private static void requireNoFatalHandler(Object one) {
        try {
            if (one instanceof ErrorSource source && isFatal(source.errorHandler())) {
                throw new AssertionError("An error ends the job on " + one);
            }
        } catch (RuntimeException closed) {
            // nobody calls its handler
        }
    }

    private static boolean isFatal(ErrorHandler handler) {
        return handler == ErrorHandler.ERRORS_ARE_FATAL || handler == ErrorHandler.ERRORS_ABORT;
    }

    private void end(Object one) {
        if (one instanceof AutoCloseable closeable && one != mpi && one != mpi.world() && one != mpi.self()) {
            try {
                closeable.close();
            } catch (Exception e) {
                // it is in use
            }
        }
    }

    /** An object of the type; null if there is none. */
    Object any(Class<?> type) {
        List<Object> found = new ArrayList<>();
        kept.forEach((one, objects) -> {
            if (type.isAssignableFrom(one)) {
                found.addAll(objects);
            }
        });
        return found.isEmpty() ? null : found.get(random.nextInt(found.size()));
    }

    Object argument(Executable method, int index) {
        Class<?> type = method.getParameterTypes()[index];
        if (type == String.class && (method.getName().equals("openFile") || method.getName().equals("delete")
                && FuzzRules.name(method).startsWith("MpiFile."))) {
            return random.nextInt(20) == 0 ? null : folder.resolve(pick("file", "none/file", "other")).toString();
        }
        Type generic = method.getGenericParameterTypes()[index];
        if (FuzzRules.isMessage(method) && random.nextInt(20) > 0) {
            if (type == byte[].class) {
                return new byte[MESSAGE];
            }
            if (type == MpiBuffer.class) {
                return MpiBuffer.of(new byte[MESSAGE]);
            }
            if (type == List.class && generic.getTypeName().contains("MpiBuffer")) {
                return Collections.nCopies(pick(1, 1, 1, 0, 2), MpiBuffer.of(new byte[MESSAGE]));
            }
        } else if (FuzzRules.isMessage(method) && !type.isPrimitive()) {
            return null;
        }
        if (type == long.class && FuzzRules.name(method).startsWith("MpiFile.")) {
            return pick(0L, 1L, 4L, 100L, (long) LARGE, -1L, Long.MIN_VALUE); // more would fill the disk
        }
        if (type == long.class && method.getName().matches("allocate(Shared)?Window")) {
            return pick(0L, 1L, 4L, 100L, (long) LARGE, -1L, Long.MAX_VALUE, Long.MIN_VALUE); // more would fill the memory
        }
        if (type == Datatype.class && FuzzRules.name(method).startsWith("FileView")) {
            Object drawn = value(type, generic);
            return drawn instanceof Datatype<?> one && isOfManyPieces(one) ? Datatype.INT : drawn;
        }
        if (type == Datatype.class && method.getName().matches("allocate(Shared)?Window")) {
            Object drawn = value(type, generic);
            return drawn instanceof Datatype<?> one && isOfManyBytes(one) ? Datatype.INT : drawn;
        }
        return value(type, generic);
    }

    private static boolean isOfManyPieces(Datatype<?> type) {
        try {
            return type.size() > MOST_IN_PIECES && type.size() != type.trueBounds().extent();
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    /** Of {@link #LARGE} elements there is no memory, or so much that to zero it takes longer than a call may. */
    private static boolean isOfManyBytes(Datatype<?> type) {
        try {
            return type.size() > 1024;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    @SafeVarargs
    private <T> T pick(T... values) {
        return values[random.nextInt(values.length)];
    }

    private int number() {
        return random.nextInt(3) > 0 ? random.nextInt(2) : pick(-1, -2, -3, 2, 3, 4, 7, 64, LARGE, Integer.MAX_VALUE,
                Integer.MIN_VALUE, Comm.ANY_SOURCE, Comm.PROC_NULL, Comm.UNDEFINED, random.nextInt());
    }

    private Object value(Class<?> type, Type generic) {
        if (type == int.class || type == Integer.class) {
            return number();
        }
        if (type == long.class || type == Long.class) {
            return random.nextInt(8) > 0 ? (long) number() : pick(Long.MAX_VALUE, Long.MIN_VALUE, 1L << 33, random.nextLong());
        }
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        if (type == double.class || type == float.class || type == short.class || type == byte.class || type == char.class) {
            int number = number();
            return type == double.class ? (Object) (double) number : type == float.class ? (Object) (float) number
                    : type == short.class ? (Object) (short) number : type == byte.class ? (Object) (byte) number : (Object) (char) number;
        }
        if (random.nextInt(25) == 0) {
            return null;
        }
        if (type.isArray()) {
            Object array = Array.newInstance(type.getComponentType(), pick(1, 1, 1, 1, 2, 2, 0, 3, 4, 8, 100));
            for (int i = 0; i < Array.getLength(array); i++) {
                Array.set(array, i, value(type.getComponentType(), type.getComponentType()));
            }
            return array;
        }
        if (type.isEnum()) {
            return pick(type.getEnumConstants());
        }
        return object(type, generic);
    }

    private Object object(Class<?> type, Type generic) {
        if (type == String.class) {
            return pick("text", "", "a\0b", "x".repeat(5000), "true", "\u00e4\ud800", "mpi://WORLD", "mpi://SELF", "native", "external32");
        }
        if (type == Duration.class) {
            return pick(Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(-1), Duration.ofSeconds(Long.MAX_VALUE));
        }
        if (type == MpiBuffer.class) {
            return buffer();
        }
        if (type == List.class || type == Map.class) {
            return several(type, generic);
        }
        if (type == Class.class) {
            return pick(Point.class, Object.class, int.class);
        }
        if (type == StructLayout.class) {
            return MemoryLayout.structLayout(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
        }
        if (type == Record.class) {
            return new Point(number(), number());
        }
        if (type == Object.class) {
            return pick("text", 1, new int[] {1}, any(Comm.class));
        }
        if (type == RuntimeException.class || type == Throwable.class || type == Exception.class) {
            return new IllegalStateException("drawn");
        }
        Object known = any(type);
        if (known == null && type.isInterface() && !type.isSealed()) {
            return function(type);
        }
        return known;
    }

    private Object several(Class<?> type, Type generic) {
        Type[] of = generic instanceof ParameterizedType some ? some.getActualTypeArguments() : new Type[] {Object.class, Object.class};
        if (type == Map.class) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                map.put(value(raw(of[0]), of[0]), value(raw(of[1]), of[1]));
            }
            return map;
        }
        List<Object> list = new ArrayList<>();
        for (int i = pick(1, 1, 1, 0, 2, 3); i > 0; i--) {
            list.add(value(raw(of[0]), of[0]));
        }
        return list;
    }

    private static Class<?> raw(Type type) {
        return switch (type) {
            case Class<?> one -> one;
            case ParameterizedType some -> (Class<?>) some.getRawType();
            case java.lang.reflect.TypeVariable<?> any -> raw(any.getBounds()[0]);
            case java.lang.reflect.WildcardType wild -> raw(wild.getUpperBounds()[0]);
            default -> Object.class;
        };
    }

    private MpiBuffer<?> buffer() {
        int length = pick(1, 1, 1, 1, 2, 2, 4, 0, 8, 4096);
        try {
            return switch (random.nextInt(12)) {
                case 0 -> MpiBuffer.of(new double[length]);
                case 1 -> MpiBuffer.of(new byte[length]);
                case 2 -> MpiBuffer.of(new long[length]);
                case 3 -> MpiBuffer.allocate((Datatype<?>) any(Datatype.class), length);
                case 4 -> MpiBuffer.inPlace();
                case 5 -> (MpiBuffer<?>) any(MpiBuffer.class);
                case 6 -> MpiBuffer.of(new int[length]).as((Datatype<?>) any(Datatype.class), 1);
                case 7 -> MpiBuffer.allocate(Datatype.INT, length);
                default -> MpiBuffer.of(new int[length]);
            };
        } catch (RuntimeException | OutOfMemoryError e) {
            return MpiBuffer.of(new int[length]);
        }
    }

    /** A function of any type, which throws now and then. */
    private Object function(Class<?> type) {
        boolean throwing = random.nextInt(10) == 0;
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> 1;
                    default -> "a function";
                };
            }
            if (throwing) {
                throw new IllegalStateException("drawn in a function");
            }
            Class<?> result = method.getReturnType();
            return result == int.class ? (Object) 1 : result == long.class ? (Object) 1L : result == double.class ? (Object) 1.0
                    : result == boolean.class ? (Object) true : result == void.class || arguments == null ? null
                    : result.isInstance(arguments[0]) ? arguments[0] : null;
        });
    }
}

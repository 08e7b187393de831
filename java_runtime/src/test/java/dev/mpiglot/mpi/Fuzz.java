package dev.mpiglot.mpi;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Random calls of all public methods and constructors, on objects in any state, with right and wrong arguments. A call
 * returns or throws a typed exception. None ends the process, and none waits without end.
 *
 * <p>{@code Fuzz FOLDER} with the system properties {@code fuzz.seed}, {@code fuzz.calls}, {@code fuzz.seconds} (the
 * longest call) and {@code fuzz.from}: from that number on each call is printed before it is made. The file FOLDER/last names the call that was made last.
 * Calls are local or collective on communicators of one process. What is left out is printed, with the rule.
 */
public final class Fuzz {

    private static final int LONGEST_SECONDS = Integer.getInteger("fuzz.seconds", 20);
    private static final int PATIENCE_MS = 20;
    private static final long OF_NEXT_PROCESS = 1_000_000;
    private static final int LAST_BYTES = 4096;
    /** So many calls after which there are new objects. */
    private static final int ROUND = 150;

    private final long seed;
    private final Random random;
    private final int calls = Integer.getInteger("fuzz.calls", 5_000);
    private final int from = Integer.getInteger("fuzz.from", Integer.MAX_VALUE);
    private final FuzzObjects objects;
    private final MappedByteBuffer last;
    private final Map<Class<?>, List<Executable>> all = new TreeMap<>(Comparator.comparing(Class::getName));
    private final Map<String, Integer> ends = new TreeMap<>();
    private final Map<String, String> suspicious = new TreeMap<>();
    private final TreeSet<String> reached = new TreeSet<>();
    private volatile String now = "";
    private volatile long began = System.nanoTime();
    private int number;

    private Fuzz(Mpi mpi, Path folder) throws IOException {
        seed = Long.getLong("fuzz.seed", 1) + OF_NEXT_PROCESS * mpi.world().rank();
        random = new Random(seed);
        objects = new FuzzObjects(mpi, folder, random);
        try (FileChannel file = FileChannel.open(folder.resolve("last"), StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            last = file.map(FileChannel.MapMode.READ_WRITE, 0, LAST_BYTES);
        }
    }

    public static void main(String[] args) throws IOException {
        Mpi mpi = Mpi.init();
        Fuzz fuzz = new Fuzz(mpi, Files.createDirectories(Path.of(args[0], String.valueOf(mpi.world().rank()))));
        fuzz.collect();
        fuzz.watch();
        for (fuzz.number = 0; fuzz.number < fuzz.calls; fuzz.number++) {
            if (fuzz.number % ROUND == 0) {
                fuzz.remember("new objects");
                fuzz.objects.renew();
            }
            fuzz.step();
        }
        fuzz.report();
        mpi.world().barrier();
        Runtime.getRuntime().halt(0); // what random calls have left begun is not waited for
    }

    /** Finds what is called, and prints what is not. */
    private void collect() {
        Map<String, TreeSet<String>> left = new TreeMap<>();
        for (Class<?> one : FuzzRules.publicClasses()) {
            if (FuzzRules.isChapter(one)) {
                continue; // its methods are called as those of its class
            }
            Stream<Executable> found = Stream.concat(Arrays.stream(one.getMethods())
                    .filter(method -> !method.isBridge() && method.getDeclaringClass().getPackageName().equals("dev.mpiglot.mpi"))
                    .map(method -> (Executable) method), Arrays.stream(one.getConstructors()));
            for (Executable method : found.sorted(Comparator.comparing(Executable::toGenericString)).toList()) {
                String rule = FuzzRules.rule(method);
                if (rule == null) {
                    all.computeIfAbsent(one, key -> new ArrayList<>()).add(method);
                } else {
                    left.computeIfAbsent(rule, key -> new TreeSet<>()).add(FuzzRules.name(method));
                }
            }
        }
        left.forEach((rule, names) -> System.out.println("left out, " + rule + " " + String.join(", ", names)));
        System.out.println("methods: " + all.values().stream().flatMap(List::stream).map(Executable::toGenericString).distinct()
                .count() + " of " + all.size() + " types");
    }

    private void step() {
        List<Class<?>> types = new ArrayList<>(all.keySet());
        Executable method;
        Object object;
        do {
            // a communicator has most of the methods
            Class<?> type = random.nextInt(3) == 0 ? Comm.class : types.get(random.nextInt(types.size()));
            method = all.get(type).get(random.nextInt(all.get(type).size()));
            object = needsObject(method) ? objects.any(type) : null;
        } while (object == null && needsObject(method));
        Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = objects.argument(method, i);
        }
        String name = FuzzRules.name(method);
        String state = object == null ? "" : FuzzRules.isClosed(object) ? " on a closed object" : "";
        remember(name + Arrays.toString(method.getParameterTypes()) + state);
        if (number >= from) {
            System.out.println(number + " " + name + " of " + text(object) + " with "
                    + Arrays.stream(arguments).map(Fuzz::text).collect(Collectors.joining("; ")));
            System.out.flush();
        }
        reached.add(method.toGenericString());
        try {
            Object result = FuzzRules.waits(method) ? elsewhere(method, object, arguments) : invoke(method, object, arguments);
            count("returned");
            if (number >= from) {
                System.out.println(number + " gave " + text(result));
            }
            objects.keep(result);
        } catch (Throwable thrown) {
            ended(name, thrown);
        }
        now = "";
    }

    private static boolean needsObject(Executable method) {
        return method instanceof Method && !Modifier.isStatic(method.getModifiers());
    }

    private static String text(Object value) {
        if (value instanceof Object[] many) {
            return Arrays.stream(many).map(Fuzz::text).toList().toString();
        }
        if (value != null && value.getClass().isArray()) {
            int length = java.lang.reflect.Array.getLength(value);
            StringBuilder text = new StringBuilder(value.getClass().getSimpleName());
            for (int i = 0; i < Math.min(length, 8); i++) {
                text.append(' ').append(java.lang.reflect.Array.get(value, i));
            }
            return text.toString();
        }
        String text;
        try {
            text = String.valueOf(value);
        } catch (RuntimeException closed) {
            text = closed.getMessage();
        }
        return value == null ? "null" : value.getClass().getSimpleName() + " " + (text.length() > 80 ? text.substring(0, 80) : text);
    }

    private void remember(String call) {
        now = "";
        began = System.nanoTime();
        now = "call " + number + " of seed " + seed + ": " + call;
        byte[] bytes = Arrays.copyOf((now + "\n").getBytes(StandardCharsets.UTF_8), 400);
        last.put(0, bytes);
    }

    private static Object invoke(Executable method, Object object, Object[] arguments) throws Throwable {
        try {
            if (method instanceof Method one) {
                one.setAccessible(true);
                return one.invoke(object, arguments);
            }
            return ((java.lang.reflect.Constructor<?>) method).newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** What may wait for a message that nobody sends is done on a virtual thread, and interrupted. */
    private Object elsewhere(Executable method, Object object, Object[] arguments) throws Throwable {
        CompletableFuture<Object> end = new CompletableFuture<>();
        Thread thread = Thread.startVirtualThread(() -> {
            try {
                end.complete(invoke(method, object, arguments));
            } catch (Throwable t) {
                end.completeExceptionally(t);
            }
        });
        try {
            return end.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            thread.interrupt();
            count("interrupted");
            return result(end);
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private static Object result(CompletableFuture<Object> end) throws Throwable {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private void count(String what) {
        ends.merge(what, 1, Integer::sum);
    }

    private void ended(String name, Throwable thrown) {
        count(thrown.getClass().getSimpleName());
        String why = FuzzRules.suspicion(thrown);
        if (why != null) {
            StackTraceElement[] stack = thrown.getStackTrace();
            String place = stack.length == 0 ? "" : Arrays.stream(stack).filter(one -> one.getClassName().startsWith("dev.mpiglot"))
                    .findFirst().map(StackTraceElement::toString).orElse("");
            if (suspicious.putIfAbsent(thrown.getClass().getSimpleName() + " " + place, name) == null) {
                System.out.println("suspicious, " + why + " " + now + ": " + thrown + " "
                        + Arrays.stream(stack).limit(5).map(StackTraceElement::toString).toList());
            }
        }
    }

    private void watch() {
        Thread watch = new Thread(() -> {
            while (true) {
                try {
                    Thread.sleep(200);
                } catch (InterruptedException e) {
                    return;
                }
                String what = now;
                if (!what.isEmpty() && System.nanoTime() - began > TimeUnit.SECONDS.toNanos(LONGEST_SECONDS) && what.equals(now)) {
                    System.out.println("hangs: " + what);
                    Thread.getAllStackTraces().forEach((thread, stack) -> {
                        if (Arrays.stream(stack).anyMatch(one -> one.getClassName().startsWith("dev.mpiglot"))) {
                            System.out.println(thread.getName() + " " + Arrays.stream(stack).map(StackTraceElement::toString)
                                    .map(one -> one.replaceFirst("app//", "")).limit(16).toList());
                        }
                    });
                    System.out.flush();
                    Runtime.getRuntime().halt(3);
                }
            }
        }, "watch");
        watch.setDaemon(true);
        watch.start();
    }

    private void report() {
        System.out.println("ends: " + ends);
        System.out.println("fuzz: " + calls + " calls of " + reached.size() + " methods, " + suspicious.size() + " suspicious");
        System.out.flush();
    }
}

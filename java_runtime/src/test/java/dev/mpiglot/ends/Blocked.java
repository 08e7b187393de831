package dev.mpiglot.ends;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Inside;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.StatusValue;
import dev.mpiglot.low.ThreadLevel;
import dev.mpiglot.mpi.ClosedException;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Mpi;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Programs of two processes that end while threads of the last one are inside MPI. A package of its own: the sentence
 * names the first method outside of the library.
 */
public final class Blocked {

    private static final Pattern PHRASE = Pattern.compile("([A-Za-z.<>]+) in the thread \"([^\"]+)\", called by "
            + "dev\\.mpiglot\\.ends\\.(Blocking|Blocked)\\.\\S+ \\(\\3\\.java:\\d+\\)");
    private static final long PATIENCE_MS = 20_000;

    private Blocked() {
    }

    private static final class Broken extends RuntimeException {

        private static final long serialVersionUID = 1;

        Broken() {
            super("this process cannot go on");
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Threads threads = Threads.of(args[1]);
        switch (args[0]) {
            case "inside" -> inside(args[2], threads, args[3]);
            case "awaited" -> awaited(threads);
            case "polls" -> polls(threads, args[2]);
            case "lower" -> lower(threads);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** Threads of a kind. */
    private record Threads(String kind, ThreadFactory factory, ExecutorService pool) {

        static Threads of(String kind) {
            return switch (kind) {
                case "daemon" -> new Threads(kind, Thread.ofPlatform().daemon().factory(), null);
                case "platform" -> new Threads(kind, Thread.ofPlatform().factory(), null);
                case "virtual" -> new Threads(kind, Thread.ofVirtual().factory(), null);
                case "executor" -> new Threads(kind, null, Executors.newCachedThreadPool());
                default -> throw new IllegalArgumentException(kind);
            };
        }

        void start(Runnable call) {
            if (pool != null) {
                pool.execute(call);
            } else {
                factory.newThread(call).start();
            }
        }

        boolean areSeen() {
            return !kind.equals("virtual");
        }

        void end() {
            if (pool != null) {
                pool.shutdown();
            }
        }
    }

    static String path(String name) {
        return System.getProperty("mpiglot.ends") + "/" + name;
    }

    private static boolean isLast(Comm world) {
        return world.rank() == world.size() - 1;
    }

    /** Every method of some groups waits in a thread of its own when the last process ends in some way. */
    private static void inside(String groups, Threads threads, String end) {
        System.setProperty("mpiglot.close.seconds", "0.5");
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            List<Blocking> methods = Arrays.stream(groups.split(" ")).flatMap(one -> Blocking.GROUPS.get(one).stream()).toList();
            AtomicInteger returned = new AtomicInteger(); // some libraries read and write files without the others
            List<Runnable> calls = methods.stream().map(one -> one.prepare().apply(world.dup())).toList();
            if (isLast(world)) {
                for (int i = 0; i < calls.size(); i++) { // one after the other: MPIs crash where several begin at once
                    Runnable call = calls.get(i);
                    int before = returned.get();
                    threads.start(() -> {
                        call.run();
                        returned.incrementAndGet();
                    });
                    if (threads.areSeen() && methods.get(i).isSeen()) {
                        awaitInside(methods.get(i).method(), 1 + i - before, returned);
                    } else {
                        Thread.sleep(50);
                    }
                }
                System.out.println("inside: " + (calls.size() - returned.get()) + " of " + calls.size());
                end(world, end);
            } else {
                world.recv(new int[1], world.size() - 1, 0);
            }
        });
    }

    /** Waits until the stacks have shown a method among so many calls, each with the line that called it, or one returned. */
    private static void awaitInside(String method, int calls, AtomicInteger returned) throws InterruptedException {
        int before = returned.get();
        Set<String> seen = new TreeSet<>();
        long end = System.nanoTime() + PATIENCE_MS * 1_000_000;
        for (int now = 0; (now < calls || !seen.contains(method)) && returned.get() == before;) {
            now = 0;
            for (String phrase : Inside.await(Duration.ZERO)) {
                Matcher words = PHRASE.matcher(phrase);
                if (!words.matches()) {
                    throw new AssertionError(phrase);
                }
                seen.add(words.group(1));
                now++;
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("inside: " + now + " " + seen + ", not: " + calls + " " + method);
            }
            Thread.sleep(2);
        }
    }

    private static void end(Comm world, String end) throws IOException {
        switch (end) {
            case "returns" -> {
            }
            case "throws" -> throw new Broken();
            case "exit" -> System.exit(0);
            case "exit elsewhere" -> {
                Thread.ofPlatform().name("elsewhere").start(() -> System.exit(0));
                world.recv(new int[1], 0, 9);
            }
            case "halt" -> Runtime.getRuntime().halt(3);
            case "term" -> {
                new ProcessBuilder("kill", "-TERM", Long.toString(ProcessHandle.current().pid())).start();
                world.recv(new int[1], 0, 9);
            }
            default -> throw new IllegalArgumentException(end);
        }
    }

    /** A thread of the last process gets its message after the body has returned. */
    private static void awaited(Threads threads) {
        int[] got = new int[1];
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            if (isLast(world)) {
                threads.start(() -> {
                    world.recv(got, 0, 1);
                    System.out.println("received " + got[0]);
                });
                Thread.sleep(100);
            } else {
                Thread.sleep(400);
                world.send(new int[] {7}, world.size() - 1, 1);
            }
        });
        threads.end();
        System.out.println("after run");
    }

    /** A thread asks again and again; the end of MPI refuses it: it stops, dies, or goes on asking. */
    private static void polls(Threads threads, String then) throws InterruptedException {
        boolean[] refused = new boolean[1];
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            threads.start(() -> {
                while (true) {
                    try {
                        world.iprobe(Comm.ANY_SOURCE, 1);
                    } catch (ClosedException e) {
                        refused[0] = true;
                        if (then.equals("stops")) {
                            return;
                        } else if (then.equals("dies")) {
                            throw e;
                        }
                    }
                }
            });
            Thread.sleep(100);
        });
        for (long waited = 0; !refused[0] && waited < PATIENCE_MS; waited++) {
            Thread.sleep(1);
        }
        threads.end();
        System.out.println("refused: " + refused[0]);
        if (then.equals("goes on")) {
            System.out.flush();
            Thread.sleep(50);
            System.exit(0);
        }
    }

    /** MPI_Finalize of the lower package waits for a thread of the last process that is inside. */
    private static void lower(Threads threads) throws InterruptedException {
        Environment.initThread(ThreadLevel.MULTIPLE.value());
        CommHandle world = CommHandle.WORLD;
        boolean isReceiver = dev.mpiglot.low.Communicators.commRank(world) == 1;
        CountDownLatch over = new CountDownLatch(1);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment data = arena.allocate(ValueLayout.JAVA_INT);
            if (!isReceiver) {
                Thread.sleep(400);
                data.set(ValueLayout.JAVA_INT, 0, 7);
                PointToPoint.send(data, 1, DatatypeHandle.INT, 1, 1, world);
            } else {
                threads.start(() -> {
                    PointToPoint.recv(data, 1, DatatypeHandle.INT, 0, 1, world, new StatusValue());
                    System.out.println("received " + data.get(ValueLayout.JAVA_INT, 0));
                    over.countDown();
                });
                awaitInside("PointToPoint.recv", 1, new AtomicInteger());
            }
            Environment.finalizeMpi();
            if (isReceiver) {
                over.await();
            }
        }
        threads.end();
    }
}

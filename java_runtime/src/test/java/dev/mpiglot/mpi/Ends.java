package dev.mpiglot.mpi;

import dev.mpiglot.low.ThreadLevel;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Programs in which the last process does not get to the end of MPI, and some in which all do. The argument says which. */
public final class Ends {

    private static final int LARGE = 1 << 20;

    private Ends() {
    }

    private static final class Broken extends RuntimeException {

        private static final long serialVersionUID = 1;

        Broken() {
            super("this process cannot go on");
        }
    }

    private static boolean isLast(Comm world) {
        return world.rank() == world.size() - 1;
    }

    private static void waitForTheLast(Comm world) {
        world.recv(new int[1], world.size() - 1, 0);
    }

    public static void main(String[] args) throws InterruptedException {
        switch (args[0]) {
            case "body" -> Mpi.run(mpi -> {
                if (isLast(mpi.world())) {
                    throw new Broken();
                }
                waitForTheLast(mpi.world());
            });
            case "root" -> Mpi.run(mpi -> mpi.world().reduce(new int[1], Op.SUM, isLast(mpi.world()) ? 9999 : 0));
            case "operation" -> Mpi.run(mpi -> mpi.world().allreduce(new int[1], isLast(mpi.world()) ? null : Op.SUM));
            case "length" -> Mpi.run(mpi -> mpi.world().allreduce(isLast(mpi.world()) ? null : new int[1], Op.SUM));
            case "thread" -> Mpi.run(mpi -> {
                if (isLast(mpi.world())) {
                    Thread.ofPlatform().name("worker").start(() -> {
                        throw new Broken();
                    });
                }
                waitForTheLast(mpi.world());
            });
            case "virtual" -> Mpi.run(mpi -> {
                if (isLast(mpi.world())) {
                    Thread.ofVirtual().name("worker").start(() -> {
                        throw new Broken();
                    });
                }
                waitForTheLast(mpi.world());
            });
            case "funneled" -> {
                try (Mpi mpi = Mpi.init(ThreadLevel.FUNNELED)) {
                    if (isLast(mpi.world())) {
                        Thread.ofPlatform().name("worker").start(() -> {
                            throw new Broken();
                        });
                    }
                    waitForTheLast(mpi.world());
                }
            }
            case "exit" -> Mpi.run(mpi -> {
                if (isLast(mpi.world())) {
                    System.exit(0);
                }
                mpi.world().barrier();
            });
            case "block" -> {
                limit("0.5");
                try (Mpi mpi = Mpi.init()) {
                    if (isLast(mpi.world())) {
                        throw new Broken();
                    }
                    waitForTheLast(mpi.world());
                }
            }
            case "nested" -> {
                limit("0.5");
                try (Mpi mpi = Mpi.init(); Comm other = mpi.world().dup()) {
                    if (isLast(other)) {
                        throw new Broken();
                    }
                    waitForTheLast(other);
                }
            }
            case "hidden" -> {
                limit("0.5");
                Mpi mpi = Mpi.init();
                try {
                    if (isLast(mpi.world())) {
                        throw new Broken();
                    }
                    waitForTheLast(mpi.world());
                } finally {
                    closeFromElsewhere(mpi);
                }
            }
            case "caught" -> caught();
            case "forgotten" -> {
                Mpi mpi = Mpi.init();
                if (!isLast(mpi.world())) {
                    waitForTheLast(mpi.world());
                }
            }
            case "fine" -> fine();
            case "left" -> left();
            case "mistaken" -> mistaken(world -> world.allgather(new int[1], new int[0]));
            case "mistaken and late MULTIPLE" -> mistakenAndLate(ThreadLevel.MULTIPLE);
            case "mistaken and late SERIALIZED" -> mistakenAndLate(ThreadLevel.SERIALIZED);
            case "mistaken split" -> mistaken(world -> world.split(-5, 0));
            case "mistaken fence" -> mistakenFence();
            case "mistaken window" -> mistakenWindow();
            case "mistaken file" -> mistakenFile();
            case "window in an epoch" -> leftInAnEpoch();
            case "open windows" -> openWindows();
            case "session" -> session();
            case "fatal" -> Mpi.run(mpi -> {
                mpi.world().setErrorHandler(ErrorHandler.ERRORS_ARE_FATAL);
                if (isLast(mpi.world())) {
                    mpi.world().send(new int[1], 9999, 0);
                }
                waitForTheLast(mpi.world());
            });
            case "unfinished" -> unfinished();
            case "patient" -> patient();
            case "later" -> later(ThreadLevel.MULTIPLE);
            case "later funneled" -> later(ThreadLevel.FUNNELED);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /**
     * The last process has begun what will never be complete; two requests are dropped, and a thread waits for the third.
     * Nobody receives the message that it has probed, and nobody closes what it has prepared.
     */
    private static void left() {
        limit("0.5");
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            if (!isLast(world)) {
                world.send(new int[1], world.size() - 1, 4);
                waitForTheLast(world);
            }
            world.mprobe(0, 4);
            world.sendInit(MpiBuffer.of(new int[1]), 0, 5);
            world.irecv(new int[1], 0, 1);
            world.isend(new int[LARGE], 0, 2);
            Thread.startVirtualThread(() -> world.recv(new int[1], 0, 3)).join(java.time.Duration.ofMillis(100));
        });
    }

    /** The last process takes part in what the others do not come to. */
    private static void mistaken(Consumer<Comm> operation) {
        limit("0.5");
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            if (isLast(world)) {
                operation.accept(world);
            }
            waitForTheLast(world);
        });
    }

    /**
     * The others come to what the last process did wrong, after it has caught the exception and sent them a message. At a
     * level below MULTIPLE no other thread can take part for it: they come by themselves.
     */
    private static void mistakenAndLate(ThreadLevel level) throws InterruptedException {
        limit("0.5");
        try (Mpi mpi = Mpi.init(level)) {
            Comm world = mpi.world();
            int[] all = new int[world.size()];
            boolean isTold = false;
            if (isLast(world)) {
                try {
                    world.allgather(new int[1], new int[0]);
                } catch (IllegalArgumentException e) {
                    isTold = e.getSuppressed().length > 0;
                    System.out.println("caught: " + e.getMessage() + " " + java.util.Arrays.toString(e.getSuppressed()));
                }
            }
            if (level == ThreadLevel.MULTIPLE) {
                if (isLast(world)) {
                    for (int i = 0; i < world.size() - 1; i++) {
                        world.send(new int[1], i, 0);
                    }
                } else {
                    waitForTheLast(world);
                }
            } else if (!isLast(world)) {
                Thread.sleep(1000);
            }
            if (!isLast(world)) {
                world.allgather(new int[] {world.rank() + 1}, all);
            }
            int[] sum = {1};
            world.allreduce(sum, Op.SUM);
            System.out.println("late: " + sum[0] + " " + all[0] + " " + isTold);
        }
    }

    /** The others come to the beginning of the epoch only. */
    private static void mistakenFence() {
        limit("0.5");
        Mpi.run(mpi -> {
            Window<Element.Ints> window = mpi.world().allocateWindow(Datatype.INT, 1, null);
            if (isLast(mpi.world())) {
                putOutside(window);
            }
            window.fence();
            waitForTheLast(mpi.world());
        });
    }

    /** The exception leaves the block of the window, whose end waits for the others. */
    private static void mistakenWindow() {
        limit("0.5");
        Mpi.run(mpi -> {
            Window<Element.Ints> window = mpi.world().allocateWindow(Datatype.INT, 1, null);
            if (isLast(mpi.world())) {
                try (window) {
                    window.put(MpiBuffer.of(new int[1]), 0, 0);
                }
            }
            waitForTheLast(mpi.world());
        });
    }

    /** The exception leaves the epoch, whose end waits for the others. */
    @SuppressWarnings("try")
    private static void putOutside(Window<Element.Ints> window) {
        try (FenceEpoch epoch = window.fence()) {
            window.put(MpiBuffer.of(new int[1]), 0, 5);
        }
    }

    /** The last process forgets to end its epoch. */
    private static void leftInAnEpoch() {
        limit("0.5");
        Mpi.run(mpi -> {
            Window<Element.Ints> window = mpi.world().allocateWindow(Datatype.INT, 1, null);
            if (isLast(mpi.world())) {
                window.lockAll();
            }
        });
    }

    /** The exception leaves the block of the file, whose end waits for the others. */
    private static void mistakenFile() {
        limit("0.5");
        Mpi.run(mpi -> {
            String path = path(mpi.world());
            MpiFile file = mpi.world().openFile(path, FileMode.READ_WRITE, FileMode.CREATE, FileMode.DELETE_ON_CLOSE);
            mpi.world().barrier();
            if (isLast(mpi.world())) {
                new java.io.File(path).delete(); // nobody closes it
                try (file) {
                    file.writeAt(-1, MpiBuffer.of(new byte[1]));
                }
            }
            waitForTheLast(mpi.world());
        });
    }

    /** Sessions only: their communicators carry messages, from virtual threads, too, and mistakes are exceptions. */
    private static void session() throws InterruptedException {
        try (Session session = Session.open(); Group all = session.group(Session.WORLD);
                Comm comm = session.createComm(all, "alone", null)) {
            int[] sum = {1};
            comm.allreduce(sum, Op.SUM);
            if (session.threadLevel() == ThreadLevel.MULTIPLE) {
                Thread.ofVirtual().start(() -> comm.allreduce(sum, Op.SUM)).join();
            }
            try {
                comm.send(new int[1], 9999, 0);
            } catch (MpiException e) {
                System.out.println("session: " + sum[0] + " " + e.kind() + " " + session.threadLevel());
            }
        } catch (UnavailableException e) {
            System.out.println("session: " + e.function());
            return;
        }
        try {
            Session.open().close();
            System.out.println("again");
        } catch (IllegalStateException e) {
            System.out.println("once");
        }
    }

    /** The last process has an operation of its own that it never completes. */
    private static void unfinished() {
        limit("0.5");
        Mpi.run(mpi -> {
            if (isLast(mpi.world())) {
                GeneralizedRequest.start();
            }
        });
    }

    /** The path of a file that there is not yet, which all processes know. */
    private static String path(Comm world) {
        long[] number = {System.nanoTime()};
        world.bcast(number, 0);
        return System.getProperty("java.io.tmpdir") + "/mpiglot-ends-" + number[0];
    }

    /** Nobody closes the windows and the file, nor deletes the attribute. */
    private static void openWindows() {
        String[] path = new String[1];
        Mpi.run(mpi -> {
            path[0] = path(mpi.world());
            mpi.world().openFile(path[0], FileMode.READ_WRITE, FileMode.CREATE, FileMode.DELETE_ON_CLOSE);
            AttributeKey<String> key = AttributeKey.create(UnaryOperator.identity(), System.out::println);
            mpi.self().setAttribute(key, "deleted");
            mpi.world().allocateWindow(Datatype.INT, 1, null);
            mpi.world().createDynamicWindow(Datatype.INT, null);
        });
        if (new java.io.File(path[0]).exists()) {
            throw new AssertionError("the file is there");
        }
        System.out.println("open: " + Window.inEpochs());
    }

    /** The other processes receive what the last one has left under way when it closes MPI, one dropped and one closed. */
    private static void later(ThreadLevel level) throws InterruptedException {
        try (Mpi mpi = Mpi.init(level)) {
            Comm world = mpi.world();
            int[] data = new int[LARGE];
            data[LARGE - 1] = 7;
            if (isLast(world)) {
                for (int i = 0; i < world.size() - 1; i++) {
                    world.isend(data, i, 1);
                    world.isend(data, i, 2).close();
                }
                return;
            }
            Thread.sleep(500);
            int[] got = new int[LARGE];
            world.recv(got, world.size() - 1, 2);
            world.recv(data, world.size() - 1, 1);
            System.out.println("later: " + got[LARGE - 1] + " " + data[LARGE - 1]);
        }
    }

    private static void closeFromElsewhere(Mpi mpi) {
        mpi.close();
    }

    private static void limit(String seconds) {
        System.setProperty("mpiglot.close.seconds", seconds);
    }

    /** The last process ends later than the others wait after {@link Mpi#init}. */
    private static void patient() {
        limit("0.5");
        Mpi.run(mpi -> {
            if (isLast(mpi.world())) {
                Thread.sleep(1500);
            }
        });
        System.out.println("patient");
    }

    /** The exception of the block is caught outside of it, where nobody knows that others wait. */
    private static void caught() throws InterruptedException {
        limit("0.5");
        try (Mpi mpi = Mpi.init()) {
            if (isLast(mpi.world())) {
                throw new Broken();
            }
            waitForTheLast(mpi.world());
        } catch (Broken e) {
            Thread.sleep(60_000);
        }
    }

    /** Blocks that are left in every way but by an exception, inside of others that would see one. */
    private static void fine() {
        int sum = 0;
        try (java.io.StringReader outer = new java.io.StringReader("")) {
            for (int i = outer.read(); i < 0; i++) {
                try (Mpi mpi = Mpi.init()) {
                    try (Comm other = mpi.world().dup()) {
                        other.barrier();
                        throw new Broken();
                    } catch (Broken e) {
                        sum += mpi.world().size();
                    }
                    if (sum > 0) {
                        continue;
                    }
                    sum = -1;
                } finally {
                    sum++;
                }
            }
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
        System.out.println("fine: " + sum);
    }
}

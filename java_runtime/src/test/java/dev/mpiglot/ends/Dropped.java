package dev.mpiglot.ends;

import dev.mpiglot.low.KeptHandle;
import dev.mpiglot.low.ThreadLevel;
import dev.mpiglot.mpi.BacklogException;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Datatype;
import dev.mpiglot.mpi.FileMode;
import dev.mpiglot.mpi.GeneralizedRequest;
import dev.mpiglot.mpi.Mpi;
import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Op;
import dev.mpiglot.mpi.PartitionedReceive;
import dev.mpiglot.mpi.PartitionedSend;
import dev.mpiglot.mpi.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Programs of two processes that drop what they begin. In this package, as {@link Blocked}: reports name places. */
public final class Dropped {

    private static final int WORDS = 1024; // 4 KiB
    private static final int AT_ONCE = 1000;
    private static final int MANY = 100; // so that MPI is asked
    private static final int BLOCK = 1 << 14; // 64 KiB
    private static final int TAG = 3;
    private static final int LARGE = 1 << 21; // 8 MiB
    private static final int FEW = 10;
    private static final int SIGNAL = 4;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private Dropped() {
    }

    /** The way, the level of threads, and how many messages there are or which file. */
    public static void main(String[] args) throws InterruptedException, IOException {
        ThreadLevel level = ThreadLevel.valueOf(args[1]);
        try (Mpi mpi = Mpi.init(level)) {
            Comm world = mpi.world();
            switch (args[0]) {
                case "sends" -> sends(world, level, Integer.parseInt(args[2]));
                case "kinds" -> {
                    world.openFile(args[2], FileMode.CREATE, FileMode.READ_WRITE);
                    world.allocateWindow(Datatype.INT, 1, null);
                    kinds(world, level);
                }
                case "limit" -> limit(world);
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    /** All that is sent is received, and nobody awaits a send. */
    private static void sends(Comm world, ThreadLevel level, int count) throws InterruptedException, IOException {
        Runnable all = () -> {
            int[] data = new int[WORDS];
            int most = 0;
            for (int i = 0; i < count; i++) {
                if (world.rank() == 0) {
                    data[0] = i;
                    data[WORDS - 1] = ~i;
                    world.isend(data, 1, TAG);
                } else {
                    world.recv(data, 0, TAG);
                    require(data[0] == i && data[WORDS - 1] == ~i, "message " + i + " has " + data[0]);
                }
                if (i % AT_ONCE == AT_ONCE - 1) {
                    world.barrier();
                    most = Math.max(most, KeptHandle.underWay().size());
                }
            }
            System.out.println("most under way: " + most);
        };
        if (level == ThreadLevel.SERIALIZED) {
            Thread other = Thread.ofPlatform().start(all);
            other.join();
        } else {
            all.run();
        }
        tellPeak();
    }

    private static void tellPeak() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            System.out.println(lines.filter(line -> line.startsWith("VmHWM")).findFirst().orElseThrow());
        }
    }

    /** Copies of 8 MiB are no memory of the collector: they must be given back. */
    private static void large(Comm world, ThreadLevel level) {
        int[] data = new int[LARGE];
        for (int round = 0; round < 6; round++) {
            for (int i = 0; i < FEW && world.rank() == 0; i++) {
                world.issend(MpiBuffer.of(data), 1, TAG);
            }
            System.gc();
            go(world, level);
            for (int i = 0; i < FEW && world.rank() == 1; i++) {
                world.recv(data, 0, TAG);
            }
            gone(world, level, "large " + round);
        }
    }

    /** One kind of operation after the other, none of which is awaited. */
    private static void kinds(Comm world, ThreadLevel level) throws IOException {
        int peer = 1 - world.rank();
        large(world, level);
        for (int i = 0; i < MANY; i++) {
            world.irecv(new int[WORDS], peer, TAG);
        }
        seen(world, level);
        for (int i = 0; i < MANY; i++) {
            world.issend(MpiBuffer.of(new int[WORDS]), peer, TAG);
        }
        gone(world, level, "messages");
        for (int i = 0; i < MANY; i++) {
            world.recvInit(MpiBuffer.of(new int[WORDS]), peer, TAG).start();
        }
        seen(world, level);
        for (int i = 0; i < MANY; i++) {
            world.recvInit(MpiBuffer.of(new int[WORDS]), peer, TAG);
            world.ssendInit(MpiBuffer.of(new int[WORDS]), peer, TAG).start();
        }
        gone(world, level, "persistent");
        for (int i = 0; i < MANY; i++) {
            world.iallreduce(new int[WORDS], Op.SUM);
            world.ibarrier();
        }
        gone(world, level, "collective");
        try {
            for (int i = 0; i < MANY; i++) {
                PartitionedReceive receive = world.precvInit(MpiBuffer.allocate(Datatype.INT, WORDS), 2, peer, TAG);
                PartitionedSend send = world.psendInit(MpiBuffer.allocate(Datatype.INT, WORDS), 2, peer, TAG);
                receive.start();
                send.start();
                send.ready(0, 1);
            }
            gone(world, level, "partitioned");
        } catch (UnavailableException e) {
            System.out.println("partitioned: gone");
        }
        generalized(world);
        world.barrier();
        tellPeak();
    }

    /** Those that are complete end when others begin; what is not complete goes on. */
    private static void generalized(Comm world) {
        AtomicInteger freed = new AtomicInteger();
        GeneralizedRequest open = counted(freed);
        for (int i = 0; i < 3 * MANY; i++) {
            counted(freed).complete();
        }
        require(freed.get() >= MANY, "generalized: only " + freed.get() + " were freed");
        require(open.request().test().isEmpty(), "generalized: complete too early");
        open.complete();
        System.out.println("generalized: gone");
    }

    private static GeneralizedRequest counted(AtomicInteger freed) {
        return GeneralizedRequest.start(new GeneralizedRequest.Operation() {
            @Override
            public void free() {
                freed.incrementAndGet();
            }
        });
    }

    /** Waits until the program's objects of what is under way are collected: then MPI was asked, and said no. */
    private static void seen(Comm world, ThreadLevel level) {
        int before = KeptHandle.underWay().size();
        for (int round = 0; round < 3; round++) {
            System.gc();
            go(world, level);
        }
        require(KeptHandle.underWay().size() == before && before >= MANY, "completed too early: " + before);
        world.barrier();
    }

    private static void gone(Comm world, ThreadLevel level, String what) {
        long end = System.nanoTime() + PATIENCE_NS;
        while (!KeptHandle.underWay().isEmpty()) {
            require(System.nanoTime() < end, what + ": left " + KeptHandle.underWay().size());
            System.gc();
            go(world, level);
        }
        System.out.println(what + ": gone");
        world.barrier();
    }

    /** At MULTIPLE the program has nothing to do, else it begins other operations. */
    private static void go(Comm world, ThreadLevel level) {
        if (level == ThreadLevel.MULTIPLE) {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return;
        }
        for (int i = 0; i < 2 * MANY; i++) {
            world.isend(new int[0], Comm.PROC_NULL, SIGNAL).await();
        }
    }

    /** At the limit of 1 MiB a send waits for a receiver, and fails if there is none. */
    private static void limit(Comm world) throws InterruptedException {
        int count = 48;
        int[] data = new int[BLOCK];
        if (world.rank() == 1) {
            Thread.sleep(700);
            for (int i = 0; i < count; i++) {
                world.recv(data, 0, TAG);
                require(data[0] == i, "message " + i + " has " + data[0]);
            }
            int[] more = new int[1];
            world.recv(more, 0, SIGNAL);
            for (int i = 0; i <= more[0]; i++) {
                world.recv(data, 0, TAG);
            }
            return;
        }
        long begin = System.nanoTime();
        int most = 0;
        for (int i = 0; i < count; i++) {
            data[0] = i;
            world.issend(MpiBuffer.of(data), 1, TAG);
            most = Math.max(most, KeptHandle.underWay().size());
        }
        require(System.nanoTime() - begin > 300_000_000L, "no send has waited");
        System.out.println("most under way: " + most);
        int more = 0;
        try {
            while (more < count) {
                world.issend(MpiBuffer.of(data), 1, TAG);
                more++;
            }
        } catch (BacklogException e) {
            System.out.println("refused: " + more + ", " + e.operations() + " hold " + e.bytes() + ": " + e.getMessage());
        }
        world.send(new int[] {more}, 1, SIGNAL);
        world.issend(MpiBuffer.of(data), 1, TAG);
        System.out.println("goes on");
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.ErrorClass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Operations on virtual threads, which must not hold their carriers, and waits that end early. */
public final class VirtualTests {

    private static final int MANY = 1000;

    private VirtualTests() {
    }

    /** Starts a virtual thread; what it throws is what the future throws. */
    private static Future<?> start(Check.Statement statement) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                statement.run();
                end.complete(null);
            } catch (Throwable t) {
                end.completeExceptionally(t);
            }
        });
        return end;
    }

    private static void finish(Future<?> end) throws Exception {
        try {
            end.get(Check.PATIENCE, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("on a virtual thread", e.getCause());
        }
    }

    public static void filesAreReadAndWritten(Comm world) throws Exception {
        FileTests.inFolder(world, path -> finish(start(() -> {
            try (MpiFile file = world.openFile(path, FileMode.READ_WRITE, FileMode.CREATE)) {
                byte[] data = {(byte) world.rank(), 7};
                Check.equal(file.writeAtAll(2L * world.rank(), MpiBuffer.of(data)), 2L);
                FileTests.show(world, file); // another process may write what is written together
                Request begun = file.iwriteAt(2L * world.rank() + 1, MpiBuffer.of(new byte[] {8}));
                Request other = file.ireadAt(2L * world.rank(), MpiBuffer.of(data).as(Datatype.BYTE, 1));
                begun.await();
                other.await();
                FileTests.show(world, file);
                Check.equal(file.readAtAll(2L * world.rank(), MpiBuffer.of(data)), 2L);
                Check.equal(data, new byte[] {(byte) world.rank(), 8});
            }
        })));
    }

    public static void moreReceiversThanCarriersGetTheirMessages(Comm world) throws Exception {
        int[][] got = new int[MANY][1];
        List<Future<?>> ends = new ArrayList<>();
        int next = Ring.right(world);
        for (int i = 0; i < MANY; i++) {
            int own = i;
            ends.add(start(() -> Check.equal(world.recv(got[own], Comm.ANY_SOURCE, own).tag(), own)));
        }
        for (int i = MANY - 1; i >= 0; i--) {
            int own = i;
            ends.add(start(() -> world.send(new int[] {own * 3}, next, own)));
        }
        for (Future<?> end : ends) {
            finish(end);
        }
        for (int i = 0; i < MANY; i++) {
            Check.equal(got[i][0], i * 3);
        }
    }

    public static void collectiveOperationsAreWhatTheyAreOnPlatformThreads(Comm world) throws Exception {
        finish(start(() -> {
            int ranks = world.size();
            int rank = world.rank();
            world.barrier();
            int[] data = {rank};
            world.bcast(data, ranks - 1);
            Check.equal(data[0], ranks - 1);
            int[] sum = {rank + 1};
            world.allreduce(sum, Op.SUM);
            Check.equal(sum[0], ranks * (ranks + 1) / 2);
            int[] most = {rank};
            world.reduce(most, Op.MAX, 0);
            Check.equal(most[0], rank == 0 ? ranks - 1 : rank);
            int[] all = new int[ranks];
            world.allgather(new int[] {rank}, all);
            int[] collected = new int[ranks];
            world.gather(new int[] {rank}, collected, 0);
            int[] part = new int[1];
            world.scatter(all, part, 0);
            Check.equal(part[0], rank);
            int[] crossed = new int[ranks];
            world.alltoall(all, crossed);
            for (int i = 0; i < ranks; i++) {
                Check.equal(all[i], i);
                Check.equal(collected[i], rank == 0 ? i : 0);
                Check.equal(crossed[i], rank);
            }
            int[] got = new int[1];
            Status status = world.sendrecv(new int[] {rank}, (rank + 1) % ranks, got, (rank + ranks - 1) % ranks, 7);
            Check.equal(got[0], (rank + ranks - 1) % ranks);
            Check.equal(status.source(), got[0]);
            try (Comm other = world.dup(); Comm half = other.split(rank % 2, 0)) {
                half.barrier();
            }
        }));
    }

    public static void collectiveOperationsMatchThoseOfPlatformThreads(Comm world) throws Exception {
        int[] data = {world.rank() + 1};
        int[] all = new int[world.size()];
        Check.Statement action = () -> {
            world.barrier();
            world.bcast(data, 0);
            world.allgather(new int[] {world.rank()}, all);
            world.dup().close();
        };
        if (world.rank() == 0) {
            finish(start(action));
        } else {
            action.run();
        }
        Check.equal(data[0], 1);
        Check.equal(all[all.length - 1], world.size() - 1);
    }

    public static void errorsReachTheVirtualThread(Comm world) throws Exception {
        finish(start(() -> {
            Check.fails(MpiException.class, () -> world.send(new int[1], world.size(), 0));
            Check.fails(MpiException.class, () -> world.sendrecv(new int[1], world.size(), new int[1], world.rank(), 8));
        }));
    }

    public static void aWaitWithALimitLeavesTheOperationUnderWay(Comm world) throws Exception {
        int[] got = new int[1];
        Request receive = world.irecv(got, world.rank(), 11);
        Check.equal(receive.await(Duration.ofMillis(20)), Optional.empty());
        Check.equal(receive.await(Duration.ZERO), Optional.empty());
        world.send(new int[] {4}, world.rank(), 11);
        Status status = receive.await(Duration.ofSeconds(Check.PATIENCE)).orElseThrow();
        Check.equal(got[0], 4);
        Check.equal(receive.await(), status);
        Check.equal(receive.test(), Optional.of(status));
    }

    public static void anInterruptionLeavesTheOperationUnderWay(Comm world) throws Exception {
        int[] got = new int[1];
        Request receive = world.irecv(got, world.rank(), 12);
        Thread.currentThread().interrupt();
        Check.fails(InterruptedException.class, () -> receive.await(Duration.ofSeconds(Check.PATIENCE)));
        Thread waiting = Thread.currentThread();
        Thread.ofPlatform().daemon().start(waiting::interrupt);
        Check.fails(InterruptedException.class, () -> receive.await(Duration.ofSeconds(Check.PATIENCE)));
        Check.isTrue(!Thread.interrupted(), "still interrupted");
        world.send(new int[] {5}, world.rank(), 12);
        receive.await();
        Check.equal(got[0], 5);
    }

    public static void aMessageThatHasComeIsReceivedBeforeAnInterruptionCounts(Comm world) throws Exception {
        int[] got = new int[1];
        Request receive = world.irecv(got, world.rank(), 13);
        world.send(new int[] {6}, world.rank(), 13);
        while (receive.test().isEmpty()) {
            Thread.yield();
        }
        finish(start(() -> {
            Thread.currentThread().interrupt();
            receive.await();
            Check.isTrue(Thread.interrupted(), "the interruption is lost");
        }));
        Check.equal(got[0], 6);
    }

    public static void whatDependsOnAStageMayUseMpi(Comm world) throws Exception {
        int[] first = new int[1];
        int[] second = new int[1];
        CompletableFuture<Long> end = world.irecv(first, world.rank(), 14).completion().thenApply(status -> {
            world.recv(second, world.rank(), 15);
            return status.count(Datatype.INT).getAsLong() + first[0];
        }).toCompletableFuture();
        world.send(new int[] {7}, world.rank(), 14);
        world.send(new int[] {8}, world.rank(), 15);
        Check.equal(end.get(Check.PATIENCE, TimeUnit.SECONDS), 8L);
        Check.equal(second[0], 8);
    }

    public static void allKindsOfWaitersGetTheResult(Comm world) throws Exception {
        for (int round = 0; round < 20; round++) {
            int[] got = new int[1];
            Status[] told = new Status[5];
            Request receive = world.irecv(got, world.rank(), 16);
            Future<?> one = start(() -> told[0] = receive.await());
            Future<?> other = start(() -> Request.awaitAll(receive, receive));
            Check.together(() -> told[1] = receive.await(),
                    () -> told[2] = receive.await(Duration.ofSeconds(Check.PATIENCE)).orElseThrow(),
                    () -> told[3] = receive.completion().toCompletableFuture().get(Check.PATIENCE, TimeUnit.SECONDS), () -> {
                        Optional<Status> found = receive.test();
                        while (found.isEmpty()) {
                            Thread.yield();
                            found = receive.test();
                        }
                        told[4] = found.get();
                    }, () -> world.send(new int[] {9}, world.rank(), 16));
            finish(one);
            finish(other);
            Check.equal(got[0], 9);
            for (Status status : told) {
                Check.equal(status, receive.await());
            }
        }
    }

    public static void aStageEndsWithTheErrorOfItsRequestOnly(Comm world) throws Exception {
        try (Comm alone = world.split(world.rank(), 0)) {
            int[] got = new int[1];
            Request fine = alone.irecv(got, 0, 17);
            Request wrong = alone.irecv(new int[1], 0, 18);
            CompletableFuture<Status> told = wrong.completion().toCompletableFuture();
            CompletableFuture<Status> toldFine = fine.completion().toCompletableFuture();
            Request sent = alone.isend(new int[] {1, 2}, 0, 18);
            try {
                told.get(Check.PATIENCE, TimeUnit.SECONDS);
                throw new AssertionError("no error");
            } catch (ExecutionException e) {
                Check.equal(((MpiException) e.getCause()).kind(), ErrorClass.ERR_TRUNCATE);
            }
            Check.fails(CompletionException.class, () -> wrong.completion().toCompletableFuture().join());
            Check.fails(MpiException.class, wrong::await);
            try {
                sent.await();
            } catch (MpiException e) {
                Check.equal(e.kind(), ErrorClass.ERR_TRUNCATE);
            }
            alone.send(new int[] {3}, 0, 17);
            toldFine.get(Check.PATIENCE, TimeUnit.SECONDS);
            Check.equal(got[0], 3);
        }
    }
}

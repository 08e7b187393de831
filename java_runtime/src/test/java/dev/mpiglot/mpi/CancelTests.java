package dev.mpiglot.mpi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Receives that are cancelled, and waits that are interrupted. */
public final class CancelTests {

    /** More than a library sends before somebody receives it. */
    private static final int LARGE = 1 << 20;

    private CancelTests() {
    }

    /** A thread that fails as expected, with its mark of interruption afterwards. */
    private record Waiting(Thread thread, CompletableFuture<Boolean> marked) {

        static Waiting start(boolean virtual, boolean underWay, Check.Statement wait) {
            CompletableFuture<Boolean> marked = new CompletableFuture<>();
            Runnable task = () -> {
                try {
                    Check.equal(Check.fails(CancelledException.class, wait).isUnderWay(), underWay);
                    marked.complete(Thread.currentThread().isInterrupted());
                } catch (Throwable t) {
                    marked.completeExceptionally(t);
                }
            };
            return new Waiting(virtual ? Thread.startVirtualThread(task) : Thread.ofPlatform().daemon().start(task), marked);
        }

        boolean isMarked() throws Exception {
            try {
                return marked.get(Check.PATIENCE, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new AssertionError("while it waited", e.getCause());
            }
        }
    }

    /** The wait ends when its thread is interrupted, before and while it waits. */
    private static void isInterrupted(boolean virtual, boolean underWay, Check.Statement wait) throws Exception {
        for (int pause : new int[] {0, 20}) {
            Waiting waiting = Waiting.start(virtual, underWay, wait);
            Thread.sleep(pause);
            waiting.thread().interrupt();
            Check.isTrue(waiting.isMarked(), "the interruption is lost");
        }
    }

    /** The next message with the tag goes to the next receive. */
    private static void goesElsewhere(Comm world, int tag) {
        int[] got = new int[1];
        Request receive = world.irecv(got, world.rank(), tag);
        world.send(new int[] {tag + 1}, world.rank(), tag);
        receive.await();
        Check.equal(got[0], tag + 1);
    }

    public static void aCancelledReceiveChangesNothing(Comm world) {
        int[] got = {8, 9};
        for (int round = 0; round < 20; round++) {
            Request receive = world.irecv(got, world.rank(), 1);
            receive.cancel();
            CancelledException told = Check.fails(CancelledException.class, receive::await);
            Check.isTrue(!told.isUnderWay(), "goes on");
            Check.equal(Check.fails(CancelledException.class, receive::test), told);
            Check.equal(Check.fails(CancelledException.class, () -> receive.await(Duration.ZERO)), told);
            receive.cancel();
            receive.close();
            goesElsewhere(world, 1);
        }
        Check.equal(got, new int[] {8, 9});
    }

    public static void aReceiveFromAnybodyCanBeCancelled(Comm world) {
        Request receive = world.irecv(MpiBuffer.allocate(Datatype.INT, 4), Comm.ANY_SOURCE, Comm.ANY_TAG);
        receive.cancel();
        Check.fails(CancelledException.class, () -> Request.awaitAll(receive));
        world.barrier();
    }

    public static void theMemoryOfACancelledReceiveIsTakenAgain(Comm world) {
        Staging block = Staging.take(LARGE);
        block.release();
        Request receive = world.irecv(new byte[LARGE], world.rank(), 2);
        receive.cancel();
        Check.fails(CancelledException.class, receive::await);
        Staging next = Staging.take(LARGE);
        Check.equal(next.memory().address(), block.memory().address());
        next.release();
    }

    public static void aMessageThatHasComeIsNotCancelled(Comm world) {
        int[] got = new int[1];
        Request receive = world.irecv(got, world.rank(), 3);
        world.send(new int[] {5}, world.rank(), 3);
        while (receive.test().isEmpty()) {
            Thread.yield();
        }
        receive.cancel();
        Check.equal(receive.await().tag(), 3);
        Check.equal(got[0], 5);
    }

    public static void onlyReceivesCanBeCancelled(Comm world) {
        int[] got = new int[1];
        Request sent = world.isend(new int[] {1}, world.rank(), 4);
        Check.fails(UnsupportedOperationException.class, sent::cancel);
        world.recv(got, world.rank(), 4);
        sent.await();
        int[] sum = {1};
        Request reduced = world.iallreduce(sum, Op.SUM);
        Check.fails(UnsupportedOperationException.class, reduced::cancel);
        reduced.await();
        Check.equal(sum[0], world.size());
    }

    public static void allKindsOfWaitersAreToldOfTheCancelling(Comm world) throws Exception {
        for (int round = 0; round < 10; round++) {
            Request receive = world.irecv(new int[1], world.rank(), 5);
            List<Waiting> all = List.of(Waiting.start(false, false, receive::await),
                    Waiting.start(false, false, () -> Request.awaitAll(receive)),
                    Waiting.start(true, false, receive::await),
                    Waiting.start(false, false, () -> receive.await(Duration.ofSeconds(Check.PATIENCE))),
                    Waiting.start(false, false, () -> {
                        while (receive.test().isEmpty()) {
                            Thread.yield();
                        }
                    }));
            CompletableFuture<Status> stage = receive.completion().toCompletableFuture();
            Thread.sleep(round);
            receive.cancel();
            for (Waiting one : all) {
                Check.isTrue(!one.isMarked(), "marked as interrupted");
            }
            ExecutionException told = Check.fails(ExecutionException.class, () -> stage.get(Check.PATIENCE, TimeUnit.SECONDS));
            Check.equal(told.getCause(), Check.fails(CancelledException.class, receive::await));
            goesElsewhere(world, 5);
        }
    }

    public static void anInterruptionCancelsTheReceiveThatAThreadWaitsFor(Comm world) throws Exception {
        int me = world.rank();
        for (boolean virtual : new boolean[] {false, true}) {
            isInterrupted(virtual, false, () -> world.irecv(new int[1], me, 6).await());
            isInterrupted(virtual, false, () -> Request.awaitAll(world.irecv(new int[1], me, 6), world.irecv(new int[1], me, 7)));
        }
        isInterrupted(true, false, () -> world.recv(new int[1], me, 6));
        isInterrupted(true, false, () -> world.sendrecv(new int[1], Comm.PROC_NULL, new int[1], me, 6));
        goesElsewhere(world, 6);
        goesElsewhere(world, 7);
    }

    public static void anInterruptionCancelsAReceiveThatAnotherThreadAsksFor(Comm world) throws Exception {
        for (boolean virtual : new boolean[] {false, true}) {
            Request receive = world.irecv(new int[1], world.rank(), 8);
            Waiting asking = Waiting.start(virtual, false, receive::await);
            Thread.sleep(20);
            Waiting other = Waiting.start(false, false, receive::await);
            Thread.sleep(20);
            other.thread().interrupt();
            Check.isTrue(other.isMarked(), "the interruption is lost");
            Check.isTrue(!asking.isMarked(), "the other thread is marked as interrupted");
            goesElsewhere(world, 8);
        }
    }

    public static void aFutureOfAVirtualThreadCanBeCancelled(Comm world) throws Exception {
        int me = world.rank();
        ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor();
        Future<?> receive = tasks.submit(() -> world.recv(new int[1], me, 9));
        Future<?> exchange = tasks.submit(() -> world.sendrecv(new int[1], Comm.PROC_NULL, new int[1], me, 10));
        Thread.sleep(20);
        receive.cancel(true);
        exchange.cancel(true);
        tasks.shutdown();
        Check.isTrue(tasks.awaitTermination(Check.PATIENCE, TimeUnit.SECONDS), "the tasks did not end");
        goesElsewhere(world, 9);
        goesElsewhere(world, 10);
    }

    public static void anInterruptedWaitForASendLeavesItUnderWay(Comm world) throws Exception {
        for (boolean virtual : new boolean[] {false, true}) {
            int[] data = new int[LARGE];
            data[LARGE - 1] = 7;
            Request[] sent = new Request[2];
            for (int i = 0; i < 2; i++) {
                Request own = world.isend(data, world.rank(), 11 + i);
                sent[i] = own;
                Waiting waiting = Waiting.start(virtual, true, i == 0 ? own::await : () -> Request.awaitAll(own));
                Thread.sleep(20);
                waiting.thread().interrupt();
                Check.isTrue(waiting.isMarked(), "the interruption is lost");
            }
            data[LARGE - 1] = 0;
            for (int i = 0; i < 2; i++) {
                int[] got = new int[LARGE];
                world.irecv(got, world.rank(), 11 + i).await();
                Check.equal(got[LARGE - 1], 7);
                sent[i].await();
            }
        }
    }

    public static void anInterruptedSendOfAVirtualThreadArrives(Comm world) throws Exception {
        int[] data = new int[LARGE];
        data[LARGE - 1] = 7;
        Waiting sending = Waiting.start(true, true, () -> world.send(data, world.rank(), 13));
        Thread.sleep(20);
        sending.thread().interrupt();
        Check.isTrue(sending.isMarked(), "the interruption is lost");
        data[LARGE - 1] = 0;
        int[] got = new int[LARGE];
        world.irecv(got, world.rank(), 13).await();
        Check.equal(got[LARGE - 1], 7);
    }

    /** The last process joins when the others have left. */
    public static void anInterruptedCollectiveOperationGoesOnWithoutItsThread(Comm world) throws Exception {
        int last = world.size() - 1;
        if (last == 0) {
            return;
        }
        Comm other = world.dup();
        if (world.rank() == last) {
            for (int i = 0; i < last; i++) {
                world.recv(new int[1], i, 14);
            }
            int[] sum = {1};
            other.allreduce(sum, Op.SUM);
            Check.equal(sum[0], world.size());
        } else {
            int[] values = {1};
            Waiting waiting = Waiting.start(true, true, () -> other.allreduce(values, Op.SUM));
            Thread.sleep(20);
            waiting.thread().interrupt();
            Check.isTrue(waiting.isMarked(), "the interruption is lost");
            Check.fails(IllegalStateException.class, other::close);
            world.send(new int[1], last, 14);
            Check.equal(values[0], 1);
        }
        world.barrier();
        for (boolean open = true; open;) {
            try {
                other.close();
                open = false;
            } catch (IllegalStateException stillUsed) {
                Thread.sleep(1);
            }
        }
    }

    /** Runs a statement on a platform thread and on a virtual one. */
    private static void onBothKindsOfThreads(Check.Statement statement) {
        Check.together(statement);
        Check.together(() -> {
            CompletableFuture<Void> end = new CompletableFuture<>();
            Thread.startVirtualThread(() -> {
                try {
                    statement.run();
                    end.complete(null);
                } catch (Throwable t) {
                    end.completeExceptionally(t);
                }
            });
            end.get(Check.PATIENCE, TimeUnit.SECONDS);
        });
    }

    public static void closingCancelsAReceive(Comm world) {
        int[] got = {8};
        onBothKindsOfThreads(() -> {
            Request receive = world.irecv(got, world.rank(), 15);
            receive.close();
            receive.close();
            Check.isTrue(!Check.fails(CancelledException.class, receive::await).isUnderWay(), "goes on");
        });
        goesElsewhere(world, 15);
        Check.equal(got, new int[] {8});
    }

    public static void anExceptionLeavesTheBlockOfAReceive(Comm world) {
        IllegalStateException mine = new IllegalStateException("of the block");
        onBothKindsOfThreads(() -> {
            Throwable told = Check.fails(IllegalStateException.class, () -> {
                try (Request receive = world.irecv(new int[1], world.rank(), 16)) {
                    Check.equal(receive.test().isPresent(), false);
                    throw mine;
                }
            });
            Check.equal(told, mine);
            Check.equal(told.getSuppressed().length, 0);
        });
        goesElsewhere(world, 16);
    }

    public static void closingEndsTheWaitsOfOtherThreads(Comm world) throws Exception {
        for (boolean virtual : new boolean[] {false, true}) {
            Request receive = world.irecv(new int[1], world.rank(), 17);
            Waiting waiting = Waiting.start(virtual, false, receive::await);
            Thread.sleep(20);
            receive.close();
            Check.isTrue(!waiting.isMarked(), "marked as interrupted");
        }
        goesElsewhere(world, 17);
    }

    public static void aSendThatIsClosedArrives(Comm world) {
        onBothKindsOfThreads(() -> {
            int[] data = new int[LARGE];
            data[LARGE - 1] = 7;
            world.isend(data, world.rank(), 18).close();
            data[LARGE - 1] = 0;
            int[] got = new int[LARGE];
            world.irecv(got, world.rank(), 18).await();
            Check.equal(got[LARGE - 1], 7);
        });
    }

    /** The last process joins when the others have closed their requests. */
    public static void aCollectiveOperationThatIsClosedGoesOn(Comm world) {
        int last = world.size() - 1;
        int[] sum = {1};
        if (world.rank() == last) {
            for (int i = 0; i < last; i++) {
                world.recv(new int[1], i, 19);
            }
            world.iallreduce(sum, Op.SUM).await();
            Check.equal(sum[0], world.size());
        } else {
            world.iallreduce(sum, Op.SUM).close();
            world.send(new int[1], last, 19);
            world.barrier();
            Check.equal(sum[0], 1);
            return;
        }
        world.barrier();
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.ErrorClass;
import dev.mpiglot.low.KeptHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Operations that are prepared once and started many times. */
public final class PersistentTests {

    /** More than a library sends before somebody receives it. */
    private static final int LARGE = 1 << 20;

    private PersistentTests() {
    }

    /** A way to prepare a send. */
    private interface Prepare {
        Persistent prepare(MpiBuffer<?> data, int dest, int tag);
    }

    private static List<Prepare> modes(Comm world) {
        return List.of(world::sendInit, world::ssendInit, world::bsendInit, world::rsendInit);
    }

    private static void withBuffer(Runnable action) {
        AllTests.mpi().attachBuffer(1000 + 10 * Mpi.BSEND_OVERHEAD);
        try {
            action.run();
        } finally {
            AllTests.mpi().detachBuffer();
        }
    }

    private static boolean isSomethingLeft() {
        return KeptHandle.underWay().stream().map(KeptHandle::owner).anyMatch(one -> one instanceof Persistent
                || one instanceof LeftPersistent);
    }

    /** The progress thread gives back what was closed before it was complete. */
    private static void nothingIsLeft() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Check.PATIENCE);
        while (isSomethingLeft() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        Check.isTrue(!isSomethingLeft(), "an operation is left");
    }

    /** In all modes; data change between the starts. */
    private static void arriveAgain(Comm world, int tag) {
        for (Prepare mode : modes(world)) {
            int[] data = new int[2];
            int[] got = new int[3];
            try (Persistent receive = world.recvInit(MpiBuffer.of(got), Ring.left(world), tag);
                    Persistent send = mode.prepare(MpiBuffer.of(data), Ring.right(world), tag)) {
                for (int round = 0; round < 4; round++) {
                    data[0] = world.rank();
                    data[1] = round;
                    Request received = receive.start();
                    world.barrier();
                    Request sent = send.start();
                    Check.equal(received.await(), new Status(Ring.left(world), tag, 8));
                    sent.await();
                    Check.equal(got, new int[] {Ring.left(world), round, 0});
                    Check.equal(received.test(), Optional.of(new Status(Ring.left(world), tag, 8)));
                }
            }
        }
        nothingIsLeft();
    }

    public static void preparedMessagesArriveAgainAndAgain(Comm world) {
        withBuffer(() -> arriveAgain(world, 51));
    }

    public static void preparedMessagesArriveAgainFromVirtualThreads(Comm world) throws InterruptedException {
        Throwable[] thrown = new Throwable[1];
        Thread all = Thread.ofVirtual().unstarted(() -> withBuffer(() -> arriveAgain(world, 52)));
        all.setUncaughtExceptionHandler((thread, failure) -> thrown[0] = failure);
        all.start();
        all.join();
        Check.equal(thrown[0], null);
    }

    public static void memoryOutsideTheHeapAndColumnsCanBePrepared(Comm world) {
        MpiBuffer<Element.Ints> data = MpiBuffer.allocate(Datatype.INT, 3);
        int[] got = {9, 9, 9, 9, 9, 9};
        try (Datatype<Element.Ints> column = Datatype.vector(3, 1, 2, Datatype.INT);
                Persistent send = world.sendInit(data, Ring.right(world), 53);
                Persistent receive = world.recvInit(MpiBuffer.of(got).as(column, 1), Ring.left(world), 53)) {
            for (int round = 1; round < 4; round++) {
                for (int i = 0; i < 3; i++) {
                    data.setInt(i, 10 * round + i);
                }
                Request.awaitAll(Persistent.startAll(receive, send));
                Check.equal(got, new int[] {10 * round, 9, 10 * round + 1, 9, 10 * round + 2, 9});
            }
        }
    }

    public static void manyAreStartedTogether(Comm world) {
        int many = 40;
        int[][] data = new int[many][1];
        int[][] got = new int[many][1];
        Persistent[] all = new Persistent[2 * many];
        for (int i = 0; i < many; i++) {
            all[i] = world.recvInit(MpiBuffer.of(got[i]), Ring.left(world), 100 + i);
            all[many + i] = world.sendInit(MpiBuffer.of(data[i]), Ring.right(world), 100 + i);
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < many; i++) {
                data[i][0] = 1000 * round + i;
            }
            Request[] begun = Persistent.startAll(all);
            Check.equal(begun.length, 2 * many);
            Request.awaitAll(begun);
            for (int i = 0; i < many; i++) {
                Check.equal(got[i][0], 1000 * round + i);
            }
        }
        for (Persistent one : all) {
            one.close();
        }
        Check.equal(Persistent.startAll().length, 0);
        nothingIsLeft();
    }

    public static void anOperationIsCompleteBeforeItStartsAgain(Comm world) {
        int[] got = new int[1];
        try (Persistent receive = world.recvInit(MpiBuffer.of(got), world.rank(), 54);
                Persistent send = world.sendInit(MpiBuffer.of(new int[] {7}), world.rank(), 54)) {
            Request received = receive.start();
            Check.fails(IllegalStateException.class, receive::start);
            Check.fails(IllegalStateException.class, () -> Persistent.startAll(send, receive));
            Check.fails(IllegalStateException.class, () -> Persistent.startAll(send, send));
            Check.fails(IllegalArgumentException.class, () -> Persistent.startAll(send, null));
            Check.isTrue(received.test().isEmpty(), "a message was sent");
            send.start().await();
            received.await();
            Check.equal(got[0], 7);
        }
        nothingIsLeft();
    }

    public static void aClosedOperationCannotBeStarted(Comm world) {
        Persistent never = world.recvInit(MpiBuffer.of(new int[1]), 0, 55);
        Persistent open = world.sendInit(MpiBuffer.of(new int[1]), 0, 55);
        never.close();
        never.close();
        Check.fails(IllegalStateException.class, never::start);
        Check.fails(IllegalStateException.class, () -> Persistent.startAll(open, never));
        open.close();
        Comm other = world.dup();
        Persistent late = other.sendInit(MpiBuffer.of(new int[1]), other.rank(), 55);
        other.close();
        Check.fails(IllegalStateException.class, late::start);
        Check.fails(IllegalStateException.class, () -> Persistent.startAll(late));
        late.close();
        nothingIsLeft();
    }

    public static void wrongArgumentsAreRefusedWhenPrepared(Comm world) {
        MpiBuffer<?> data = MpiBuffer.of(new int[1]);
        for (Prepare mode : modes(world)) {
            Check.fails(IllegalArgumentException.class, () -> mode.prepare(null, 0, 0));
            Check.fails(IllegalArgumentException.class, () -> mode.prepare(MpiBuffer.inPlace(), 0, 0));
            Check.equal(Check.fails(MpiException.class, () -> mode.prepare(data, world.size(), 0)).kind(), ErrorClass.ERR_RANK);
            Check.equal(Check.fails(MpiException.class, () -> mode.prepare(data, 0, -5)).kind(), ErrorClass.ERR_TAG);
        }
        Check.fails(IllegalArgumentException.class, () -> world.recvInit(null, 0, 0));
        Check.equal(Check.fails(MpiException.class, () -> world.recvInit(data, world.size(), 0)).kind(), ErrorClass.ERR_RANK);
        nothingIsLeft();
    }

    public static void messagesOfNobodyAreComplete(Comm world) {
        int[] got = {5};
        try (Persistent receive = world.recvInit(MpiBuffer.of(got), Comm.PROC_NULL, 56);
                Persistent send = world.sendInit(MpiBuffer.of(got), Comm.PROC_NULL, 56)) {
            for (int round = 0; round < 3; round++) {
                Check.equal(receive.start().await(), new Status(Comm.PROC_NULL, Comm.ANY_TAG, 0));
                send.start().await();
            }
        }
        Check.equal(got[0], 5);
    }

    public static void aCutMessageFailsAndTheNextArrives(Comm world) {
        if (world.size() == 1) {
            return; // truncation-to-self-hidden and others
        }
        int[] got = {0, 8};
        try (Persistent receive = world.recvInit(MpiBuffer.of(got).as(Datatype.INT, 1), Ring.left(world), 57)) {
            for (int round = 1; round < 4; round++) {
                Request received = receive.start();
                world.barrier();
                world.send(new int[] {1, 2, 3}, Ring.right(world), 57);
                MpiException told = Check.fails(MpiException.class, received::await);
                Check.equal(told.kind(), ErrorClass.ERR_TRUNCATE);
                Check.equal(Check.fails(MpiException.class, received::test), told);
                if (KnownDefects.has("failed-persistent-is-freed")) {
                    Check.fails(IllegalStateException.class, receive::start);
                    return;
                }
                received = receive.start();
                world.barrier();
                world.send(new int[] {round}, Ring.right(world), 57);
                received.await();
                Check.equal(got, new int[] {round, 8});
            }
        }
        nothingIsLeft();
    }

    public static void aStartedReceiveCanBeCancelledAndStartedAgain(Comm world) {
        int[] got = {4};
        int self = world.rank();
        Persistent receive = world.recvInit(MpiBuffer.of(got), self, 58);
        for (int round = 0; round < 5; round++) {
            Request first = receive.start();
            first.cancel();
            Check.fails(CancelledException.class, first::await);
            Request second = receive.start();
            first.cancel();
            first.close();
            world.send(new int[] {round}, self, 58);
            second.await();
            Check.equal(got[0], round);
            receive.start().close();
        }
        Request last = receive.start();
        receive.close();
        Check.fails(CancelledException.class, last::test);
        nothingIsLeft();
        Request other = world.irecv(got, self, 58);
        world.send(new int[] {6}, self, 58);
        other.await();
        Check.equal(got[0], 6);
        Persistent prepared = world.sendInit(MpiBuffer.of(got), self, 58);
        Request sent = prepared.start();
        Check.fails(UnsupportedOperationException.class, sent::cancel);
        world.recv(new int[1], self, 58);
        sent.await();
        prepared.close();
    }

    public static void aClosedSendGoesOn(Comm world) {
        int[] data = new int[LARGE];
        data[LARGE - 1] = 3;
        Persistent send = world.ssendInit(MpiBuffer.of(data), Ring.right(world), 59);
        send.start();
        send.close();
        Check.fails(IllegalStateException.class, send::start);
        data[LARGE - 1] = 4;
        int[] got = new int[LARGE];
        world.recv(got, Ring.left(world), 59);
        Check.equal(got[LARGE - 1], 3);
        nothingIsLeft();
    }

    public static void allKindsOfWaitsHearOfAStartedOperation(Comm world) throws Exception {
        int[] got = new int[1];
        try (Persistent receive = world.recvInit(MpiBuffer.of(got), world.rank(), 60);
                Persistent send = world.sendInit(MpiBuffer.of(new int[] {2}), world.rank(), 60)) {
            Status expected = new Status(world.rank(), 60, 4);
            for (int round = 0; round < 5; round++) {
                got[0] = 0;
                Request begun = receive.start();
                Check.equal(begun.await(Duration.ofMillis(1)), Optional.empty());
                var stage = begun.completion().toCompletableFuture();
                List<Thread> waiting = new ArrayList<>();
                List<Throwable> thrown = java.util.Collections.synchronizedList(new ArrayList<>());
                for (int i = 0; i < 20; i++) {
                    Thread one = (i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform()).unstarted(
                            () -> Check.equal(begun.await(), expected));
                    one.setUncaughtExceptionHandler((thread, failure) -> thrown.add(failure));
                    one.start();
                    waiting.add(one);
                }
                send.start().await();
                Check.equal(stage.get(Check.PATIENCE, TimeUnit.SECONDS), expected);
                for (Thread one : waiting) {
                    one.join();
                }
                Check.equal(thrown, List.of());
                Check.equal(got[0], 2);
            }
        }
        nothingIsLeft();
    }

    public static void manyVirtualThreadsStartAndWait(Comm world) throws InterruptedException {
        int many = 200;
        List<Throwable> thrown = java.util.Collections.synchronizedList(new ArrayList<>());
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 2 * many; i++) {
            int tag = 200 + i % many;
            boolean receives = i < many;
            Thread one = Thread.ofVirtual().unstarted(() -> {
                int[] data = new int[1];
                try (Persistent own = receives ? world.recvInit(MpiBuffer.of(data), Ring.left(world), tag)
                        : world.sendInit(MpiBuffer.of(data), Ring.right(world), tag)) {
                    for (int round = 0; round < 3; round++) {
                        data[0] = receives ? 0 : tag + round;
                        own.start().await();
                        Check.equal(data[0], tag + round);
                    }
                }
            });
            one.setUncaughtExceptionHandler((thread, failure) -> thrown.add(failure));
            one.start();
            all.add(one);
        }
        for (Thread one : all) {
            one.join();
        }
        Check.equal(thrown, List.of());
        nothingIsLeft();
    }
}

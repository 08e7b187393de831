package dev.mpiglot.mpi;

import java.util.Arrays;

/** Messages of partitions. */
public final class PartitionTests {

    private static final int TAG = 71;
    private static final int PARTS = 8;
    private static final int EACH = 100;

    private PartitionTests() {
    }

    /** A message around the ring. */
    @FunctionalInterface
    private interface Round {
        void go(PartitionedSend send, PartitionedReceive receive, MpiBuffer<Element.Ints> given,
                MpiBuffer<Element.Ints> got) throws Exception;
    }

    private static void ring(Comm world, int receivedParts, Round round) throws Exception {
        MpiBuffer<Element.Ints> given = MpiBuffer.allocate(Datatype.INT, PARTS * EACH);
        MpiBuffer<Element.Ints> got = MpiBuffer.allocate(Datatype.INT, PARTS * EACH);
        try (PartitionedSend send = world.psendInit(given, PARTS, Ring.right(world), TAG);
                PartitionedReceive receive = world.precvInit(got, receivedParts, Ring.left(world), TAG)) {
            round.go(send, receive, given, got);
        } catch (UnavailableException e) {
            Check.isTrue(e.getMessage().contains("init"), e.getMessage());
        }
    }

    private static void fill(MpiBuffer<Element.Ints> given, int part, int value) {
        for (int i = part * EACH; i < (part + 1) * EACH; i++) {
            given.setInt(i, value + i);
        }
    }

    private static void requireAll(MpiBuffer<Element.Ints> got, int value) {
        for (int i = 0; i < got.count(); i++) {
            Check.equal(got.getInt(i), value + i);
        }
    }

    public static void partitionsAreHandedOverInEveryWay(Comm world) throws Exception {
        ring(world, PARTS, (send, receive, given, got) -> {
            for (int start = 1; start < 4; start++) {
                int value = 1000 * start;
                Request received = receive.start();
                Request sent = send.start();
                for (int part = 0; part < PARTS; part++) {
                    fill(given, part, value + world.rank());
                }
                send.ready(3);
                send.readyRange(4, 6);
                send.readyRange(2, 2);
                send.ready(0, 7, 1);
                while (!receive.hasArrived(3)) {
                    Thread.onSpinWait();
                }
                Check.equal(got.getInt(3 * EACH), value + Ring.left(world) + 3 * EACH);
                Request.awaitAll(sent, received);
                Check.isTrue(receive.hasArrived(0), "all have arrived");
                requireAll(got, value + Ring.left(world));
            }
        });
    }

    public static void threadsHandOverTheirPartitions(Comm world) throws Exception {
        for (boolean isVirtual : new boolean[] {false, true}) {
            ring(world, PARTS / 2, (send, receive, given, got) -> {
                Request received = Persistent.startAll(receive, send)[0];
                Thread[] threads = new Thread[PARTS];
                for (int part = 0; part < PARTS; part++) {
                    int own = part;
                    Runnable work = () -> {
                        fill(given, own, world.rank());
                        send.ready(own);
                    };
                    threads[part] = isVirtual ? Thread.ofVirtual().start(work) : Thread.ofPlatform().daemon().start(work);
                }
                received.await();
                for (Thread thread : threads) {
                    thread.join();
                }
                requireAll(got, Ring.left(world));
            });
        }
    }

    public static void partitionsOfNobodyAreCompleteAtOnce(Comm world) throws Exception {
        MpiBuffer<Element.Ints> data = MpiBuffer.allocate(Datatype.INT, 4);
        try (PartitionedSend send = world.psendInit(data, 2, Comm.PROC_NULL, TAG);
                PartitionedReceive receive = world.precvInit(data, 4, Comm.PROC_NULL, TAG)) {
            Request[] begun = Persistent.startAll(send, receive);
            Check.isTrue(receive.hasArrived(3), "nothing has arrived");
            Request.awaitAll(begun);
        }
    }

    public static void whatIsNoPartitionIsRefused(Comm world) throws Exception {
        MpiBuffer<Element.Ints> data = MpiBuffer.allocate(Datatype.INT, 9);
        try (Datatype<Element.Ints> gaps = Datatype.vector(2, 1, 2, Datatype.INT)) {
            for (MpiBuffer<?> wrong : Arrays.<MpiBuffer<?>>asList(null, MpiBuffer.inPlace(), MpiBuffer.of(new int[9]),
                    data.as(gaps, 3))) {
                Check.fails(IllegalArgumentException.class, () -> world.psendInit(wrong, 3, 0, TAG));
                Check.fails(IllegalArgumentException.class, () -> world.precvInit(wrong, 3, 0, TAG));
            }
        }
        for (int wrong : new int[] {-1, 0, 2, 10}) {
            Check.fails(IllegalArgumentException.class, () -> world.psendInit(data, wrong, 0, TAG));
        }
        Check.fails(IllegalArgumentException.class, () -> world.precvInit(data, 3, Comm.ANY_SOURCE, TAG));
        Check.fails(IllegalArgumentException.class, () -> world.precvInit(data, 3, 0, Comm.ANY_TAG));
        ring(world, PARTS, (send, receive, given, got) -> {
            Check.fails(IllegalStateException.class, () -> send.ready(0));
            Check.fails(IllegalStateException.class, () -> receive.hasArrived(0));
            Request[] begun = Persistent.startAll(send, receive);
            Check.fails(IllegalArgumentException.class, () -> send.ready(-1));
            Check.fails(IllegalArgumentException.class, () -> send.ready(0, PARTS));
            Check.fails(IllegalArgumentException.class, () -> send.ready(0, 0));
            Check.fails(IllegalArgumentException.class, () -> send.readyRange(3, 2));
            Check.fails(IllegalArgumentException.class, () -> send.readyRange(0, PARTS));
            Check.fails(IllegalArgumentException.class, () -> receive.hasArrived(PARTS));
            Check.fails(UnsupportedOperationException.class, begun[1]::cancel);
            Check.fails(IllegalStateException.class, send::start);
            send.ready(0);
            Check.fails(IllegalStateException.class, () -> send.ready(1, 0));
            send.readyRange(1, PARTS - 1);
            Request.awaitAll(begun);
            Check.fails(IllegalStateException.class, () -> send.ready(1));
            send.close();
            Check.fails(IllegalStateException.class, send::start);
        });
    }
}

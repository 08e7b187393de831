package dev.mpiglot.mpi;

import dev.mpiglot.low.ErrorClass;
import java.util.List;

/** Messages that are sent in other modes than the standard one, and exchanges in one call. */
public final class SendModeTests {

    private static final int LARGE = 1 << 18;

    private SendModeTests() {
    }

    /** A blocking way to send. */
    private interface Send {
        void send(MpiBuffer<?> data, int dest, int tag);
    }

    /** A way to begin to send. */
    private interface Isend {
        Request isend(MpiBuffer<?> data, int dest, int tag);
    }

    private static List<Send> sends(Comm world) {
        return List.of(world::ssend, world::rsend, world::bsend);
    }

    private static List<Isend> isends(Comm world) {
        return List.of(world::issend, world::irsend, world::ibsend);
    }

    /** Every rank sends in every mode to a receive that is there. */
    private static void arriveInAllModes(Comm world) {
        int tag = 31;
        for (Send mode : sends(world)) {
            int[] got = new int[2];
            Request received = world.irecv(got, Ring.left(world), tag);
            world.barrier();
            mode.send(MpiBuffer.of(new int[] {tag, world.rank()}), Ring.right(world), tag);
            Check.equal(received.await(), new Status(Ring.left(world), tag, 8));
            Check.equal(got, new int[] {tag++, Ring.left(world)});
        }
        for (Isend mode : isends(world)) {
            int[] got = new int[2];
            Request received = world.irecv(got, Ring.left(world), tag);
            world.barrier();
            mode.isend(MpiBuffer.of(new int[] {tag, world.rank()}), Ring.right(world), tag).await();
            received.await();
            Check.equal(got, new int[] {tag++, Ring.left(world)});
        }
    }

    private static void withBuffer(long bytes, Runnable action) {
        Mpi mpi = AllTests.mpi();
        mpi.attachBuffer(bytes);
        try {
            action.run();
        } finally {
            mpi.detachBuffer();
        }
    }

    public static void messagesOfAllModesArrive(Comm world) {
        withBuffer(1000 + 10 * Mpi.BSEND_OVERHEAD, () -> arriveInAllModes(world));
    }

    public static void messagesOfAllModesArriveFromVirtualThreads(Comm world) throws InterruptedException {
        Throwable[] thrown = new Throwable[1];
        Thread all = Thread.ofVirtual().unstarted(() -> withBuffer(1000 + 10 * Mpi.BSEND_OVERHEAD, () -> arriveInAllModes(world)));
        all.setUncaughtExceptionHandler((thread, failure) -> thrown[0] = failure);
        all.start();
        all.join();
        Check.equal(thrown[0], null);
    }

    public static void aSynchronousSendWaitsForItsReceive(Comm world) {
        Request sent = world.issend(MpiBuffer.of(new int[] {1}), Ring.right(world), 41);
        Check.isTrue(sent.test().isEmpty(), "nobody has received, and the send is complete");
        world.barrier();
        int[] got = new int[1];
        world.recv(got, Ring.left(world), 41);
        sent.await();
        Check.equal(got[0], 1);
    }

    public static void aBufferedMessageIsDeliveredWhenTheBufferIsDetached(Comm world) {
        MpiBuffer<Element.Ints> data = MpiBuffer.allocate(Datatype.INT, 100);
        int[] got = new int[100];
        withBuffer(400 + Mpi.BSEND_OVERHEAD, () -> {
            data.setInt(99, 5);
            world.bsend(data, Ring.right(world), 42);
            data.setInt(99, 6);
            world.recv(got, Ring.left(world), 42);
        });
        Check.equal(got[99], 5);
    }

    public static void aBufferedMessageNeedsRoom(Comm world) {
        MpiBuffer<?> large = MpiBuffer.of(new int[LARGE]);
        try (Comm other = world.dup()) { // on which nothing may arrive afterwards: failed-bsend-stops-messages
            refusedForWantOfRoom(other, large);
            withBuffer(1000, () -> refusedForWantOfRoom(other, large));
        }
    }

    private static void refusedForWantOfRoom(Comm world, MpiBuffer<?> data) {
        Check.equal(Check.fails(MpiException.class, () -> world.bsend(data, world.rank(), 43)).kind(), ErrorClass.ERR_BUFFER);
        Check.equal(Check.fails(MpiException.class, () -> world.ibsend(data, world.rank(), 43)).kind(), ErrorClass.ERR_BUFFER);
    }

    public static void thereIsOneBufferAtATime(Comm world) {
        Mpi mpi = AllTests.mpi();
        Check.fails(IllegalStateException.class, mpi::detachBuffer);
        Check.fails(IllegalArgumentException.class, () -> mpi.attachBuffer(0));
        mpi.attachBuffer(1000);
        Check.fails(IllegalStateException.class, () -> mpi.attachBuffer(1000));
        mpi.detachBuffer();
        Check.fails(IllegalStateException.class, mpi::detachBuffer);
    }

    public static void wrongSendsAreRefusedInAllModes(Comm world) {
        MpiBuffer<?> data = MpiBuffer.of(new int[1]);
        Comm closed = world.dup();
        closed.close();
        withBuffer(1000 + Mpi.BSEND_OVERHEAD, () -> {
            for (Send mode : sends(world)) {
                Check.fails(IllegalArgumentException.class, () -> mode.send(null, 0, 0));
                Check.fails(IllegalArgumentException.class, () -> mode.send(MpiBuffer.inPlace(), 0, 0));
                Check.equal(Check.fails(MpiException.class, () -> mode.send(data, world.size(), 0)).kind(), ErrorClass.ERR_RANK);
                mode.send(data, Comm.PROC_NULL, 0);
            }
            for (Isend mode : isends(world)) {
                Check.fails(IllegalArgumentException.class, () -> mode.isend(null, 0, 0));
                Check.equal(Check.fails(MpiException.class, () -> mode.isend(data, -77, 0)).kind(), ErrorClass.ERR_RANK);
                mode.isend(data, Comm.PROC_NULL, 0).await();
            }
            sends(closed).forEach(mode -> Check.fails(IllegalStateException.class, () -> mode.send(data, 0, 0)));
            isends(closed).forEach(mode -> Check.fails(IllegalStateException.class, () -> mode.isend(data, 0, 0)));
        });
    }

    public static void aBufferIsReplacedByWhatComes(Comm world) {
        int[] onHeap = {world.rank(), 7};
        Status status = world.sendrecvReplace(MpiBuffer.of(onHeap), Ring.right(world), 44, Ring.left(world), 44);
        Check.equal(status, new Status(Ring.left(world), 44, 8));
        Check.equal(onHeap, new int[] {Ring.left(world), 7});
        MpiBuffer<Element.Ints> outside = MpiBuffer.allocate(Datatype.INT, 1);
        outside.setInt(0, world.rank());
        world.sendrecvReplace(outside, Ring.right(world), 45, Comm.ANY_SOURCE, Comm.ANY_TAG);
        Check.equal(outside.getInt(0), Ring.left(world));
        Status nothing = world.sendrecvReplace(MpiBuffer.of(onHeap), Comm.PROC_NULL, 46, Comm.PROC_NULL, 46);
        Check.equal(nothing.source(), Comm.PROC_NULL);
        Check.equal(onHeap, new int[] {Ring.left(world), 7});
        Check.fails(IllegalArgumentException.class, () -> world.sendrecvReplace(null, 0, 0, 0, 0));
    }

    public static void aVirtualThreadReplacesItsBuffer(Comm world) throws InterruptedException {
        int[] data = {world.rank()};
        Thread.startVirtualThread(() ->
                world.sendrecvReplace(MpiBuffer.of(data), Ring.right(world), 47, Ring.left(world), 47)).join();
        Check.equal(data[0], Ring.left(world));
    }

    public static void aCommunicatorMayHaveItsOwnBuffer(Comm world) {
        int room = 1000 + 10 * Mpi.BSEND_OVERHEAD;
        Check.fails(IllegalArgumentException.class, () -> world.attachBuffer(0));
        Check.fails(IllegalStateException.class, world::detachBuffer);
        Check.fails(IllegalStateException.class, world::flushBuffer);
        Check.fails(IllegalStateException.class, world::iflushBuffer);
        Comm copy = world.dup();
        try {
            copy.attachBuffer(room);
        } catch (UnavailableException beforeMpi41) {
            Check.fails(IllegalStateException.class, copy::detachBuffer);
            copy.close();
            return;
        }
        Check.fails(IllegalStateException.class, () -> copy.attachBuffer(room));
        int[] got = new int[1];
        for (int round = 0; round < 3; round++) {
            copy.bsend(MpiBuffer.of(new int[] {round}), Ring.right(copy), 1);
            Request flushed = round == 1 ? copy.iflushBuffer() : null;
            copy.recv(got, Ring.left(copy), 1);
            Check.equal(got[0], round);
            if (flushed == null) {
                copy.flushBuffer();
            } else {
                flushed.await();
            }
        }
        copy.detachBuffer();
        Check.fails(IllegalStateException.class, copy::detachBuffer);
        copy.attachBuffer(room);
        copy.close();
        Check.fails(IllegalStateException.class, () -> copy.attachBuffer(room));
    }

    public static void theBufferOfAllIsFlushed(Comm world) {
        Mpi mpi = AllTests.mpi();
        Check.fails(IllegalStateException.class, mpi::flushBuffer);
        Check.fails(IllegalStateException.class, mpi::iflushBuffer);
        mpi.attachBuffer(1000 + 10 * Mpi.BSEND_OVERHEAD);
        try {
            world.bsend(MpiBuffer.of(new int[] {4}), Ring.right(world), 2);
            Request flushed = mpi.iflushBuffer();
            int[] got = new int[1];
            world.recv(got, Ring.left(world), 2);
            flushed.await();
            mpi.flushBuffer();
            Check.equal(got[0], 4);
        } catch (UnavailableException beforeMpi41) {
            world.recv(new int[1], Ring.left(world), 2);
        } finally {
            mpi.detachBuffer();
        }
    }

    public static void exchangesGoOnBesideOtherWork(Comm world) {
        int[] got = new int[LARGE];
        int[] sent = new int[LARGE];
        int[] replaced = {world.rank()};
        sent[LARGE - 1] = world.rank();
        Request[] both;
        try {
            both = new Request[] {
                world.isendrecv(MpiBuffer.of(sent), Ring.right(world), 48, MpiBuffer.of(got), Ring.left(world), 48),
                world.isendrecvReplace(MpiBuffer.of(replaced), Ring.right(world), 49, Ring.left(world), 49)};
        } catch (UnavailableException beforeMpi4) {
            return;
        }
        Check.fails(UnsupportedOperationException.class, both[1]::cancel);
        Request.awaitAll(both);
        Check.equal(got[LARGE - 1], Ring.left(world));
        Check.equal(replaced[0], Ring.left(world));
        if (!KnownDefects.has("isendrecv-status-empty")) {
            Check.equal(both[0].await(), new Status(Ring.left(world), 48, 4 * LARGE));
            Check.equal(both[1].await(), new Status(Ring.left(world), 49, 4));
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.GroupHandle;
import dev.mpiglot.low.RequestHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Local objects that are dropped without being closed. */
public final class StrayTests {

    private static final int COUNT = 10;

    private StrayTests() {
    }

    /** Collects, and makes objects that are closed, until so many are left that nobody closed. */
    private static void awaitCount(int wanted) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Check.PATIENCE);
        while (Stray.count() > wanted) {
            Check.isTrue(System.nanoTime() < end, Stray.count() + " objects are left, not " + wanted);
            System.gc();
            Info.create().close();
        }
    }

    /** What other tests have dropped. */
    private static int settled() {
        int last = Integer.MAX_VALUE;
        while (Stray.count() < last) {
            last = Stray.count();
            for (int i = 0; i < 3; i++) {
                System.gc();
                Thread.onSpinWait();
                Info.create().close();
            }
        }
        return last;
    }

    private static void drop(Comm world) {
        for (int i = 0; i < COUNT; i++) {
            world.group();
            Info.create();
            Op.ofInts(true, Integer::max);
            world.setErrorHandler(ErrorHandler.of(error -> { }));
            Datatype.contiguous(3, Datatype.INT);
        }
        world.setErrorHandler(ErrorHandler.ERRORS_RETURN);
    }

    public static void whatIsDroppedIsFreed(Comm world) {
        int before = settled();
        drop(world);
        Check.isTrue(Stray.count() >= before + COUNT, "nothing is watched");
        awaitCount(before);
    }

    public static void aDatatypeThatIsDroppedLosesItsAttributes(Comm world) {
        List<Integer> gone = Collections.synchronizedList(new ArrayList<>());
        try (AttributeKey<Integer> key = AttributeKey.create(UnaryOperator.identity(), gone::add)) {
            int before = settled();
            attach(key);
            awaitCount(before);
            Check.equal(gone.size(), COUNT);
        }
    }

    private static void attach(AttributeKey<Integer> key) {
        for (int i = 0; i < COUNT; i++) {
            Datatype.contiguous(2, Datatype.INT).setAttribute(key, i);
        }
    }

    /** What the layer below has got is not freed. */
    public static void aHandleThatIsHeldStays(Comm world) {
        int before = settled();
        GroupHandle group = world.group().handle();
        settled();
        Check.equal(Stray.count(), before + 1);
        Check.equal(dev.mpiglot.low.Communicators.groupSize(group), world.size());
        java.lang.ref.Reference.reachabilityFence(group);
    }

    /** A function is called as long as a communicator has the handler, and an operation works as long as it is used. */
    public static void functionsOfWhatIsDroppedAreCalled(Comm world) {
        List<Integer> told = Collections.synchronizedList(new ArrayList<>());
        try (Comm other = world.dup()) {
            int before = settled();
            other.setErrorHandler(ErrorHandler.of(error -> told.add(error.code())));
            awaitCount(before);
            Check.fails(MpiException.class, () -> other.send(new int[1], other.size(), 0));
            Check.equal(told.size(), 1);
        }
    }

    /** MPICH tells the error of the start in each MPI_Test and MPI_Request_get_status. */
    public static void aPersistentSendThatDidNotStartIsGivenBack(Comm world) {
        if (KnownDefects.has("failed-bsend-stops-messages")) {
            return; // nothing would arrive on the world afterwards
        }
        RequestHandle handle = notStarted(world);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Check.PATIENCE);
        while (handle.handle() != RequestHandle.NULL.handle()) {
            Check.isTrue(System.nanoTime() < end, "it is not given back");
            System.gc();
            Backlog.left(); // asks about what was dropped
        }
    }

    /** Nobody takes it for one that is not under way. */
    public static void aPersistentSendThatStartsAtTheSecondAttemptIsAskedAbout(Comm world) {
        if (KnownDefects.has("failed-bsend-stops-messages")) {
            return; // nothing would arrive on the world afterwards
        }
        try (Persistent send = world.bsendInit(MpiBuffer.of(new long[4]), world.rank(), 0)) {
            Check.fails(MpiException.class, send::start);
            Left left = send.left();
            Check.isTrue(left.isIdle(), "it has not started");
            AllTests.mpi().attachBuffer(1000 + Mpi.BSEND_OVERHEAD);
            Request[] begun = Persistent.startAll(send);
            Check.isTrue(!left.isIdle(), "it has started");
            world.recv(new long[4], world.rank(), 0);
            begun[0].await();
            AllTests.mpi().detachBuffer();
        }
    }

    private static RequestHandle notStarted(Comm world) {
        Persistent closed = world.bsendInit(MpiBuffer.of(new long[1 << 16]), world.rank(), 0);
        Check.fails(MpiException.class, closed::start);
        closed.close();
        Check.isTrue(closed.handle().handle() == RequestHandle.NULL.handle(), "close does not give it back");
        Persistent send = world.bsendInit(MpiBuffer.of(new long[1 << 16]), world.rank(), 0);
        Check.fails(MpiException.class, send::start); // there is no buffer
        return send.handle();
    }
}

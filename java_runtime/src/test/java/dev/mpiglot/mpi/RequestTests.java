package dev.mpiglot.mpi;

import dev.mpiglot.low.ErrorClass;
import java.util.Optional;

/** Operations that are under way. */
public final class RequestTests {

    private RequestTests() {
    }

    public static void testTellsOnlyWhenComplete(Comm world) {
        int[] got = new int[1];
        Request receive = world.irecv(got, world.rank(), 1);
        Check.equal(receive.test(), Optional.empty());
        world.isend(new int[] {5}, world.rank(), 1).await();
        Optional<Status> status = receive.test();
        while (status.isEmpty()) {
            status = receive.test();
        }
        Check.equal(got[0], 5);
        Check.equal(status.get().source(), world.rank());
        Check.equal(receive.await(), status.get());
    }

    public static void closingAfterTheResultDoesNothing(Comm world) {
        int[] got = new int[1];
        Request receive = world.irecv(got, world.rank(), 2);
        world.isend(new int[] {6}, world.rank(), 2).close();
        Check.isTrue(receive.handle().handle() != 0, "no handle");
        Status status = receive.await();
        receive.close();
        receive.close();
        Check.equal(receive.await(), status);
        Check.equal(got[0], 6);
    }

    public static void oneOfTheThreadsWaitsAndAllGetItsResult(Comm world) {
        for (int round = 0; round < 20; round++) {
            int[] got = new int[2];
            Status[] told = new Status[4];
            Request receive = world.irecv(got, world.rank(), 3);
            Check.together(() -> told[0] = receive.await(), () -> told[1] = receive.await(), () -> {
                Request.awaitAll(receive, receive);
                told[2] = receive.await();
            }, () -> {
                while (receive.test().isEmpty()) {
                    Thread.yield();
                }
                told[3] = receive.test().orElseThrow();
            }, () -> world.send(new int[] {7, 8}, world.rank(), 3));
            Check.equal(got, new int[] {7, 8});
            Check.equal(told, new Status[] {receive.await(), receive.await(), receive.await(), receive.await()});
            Check.equal(told[0].count(Datatype.INT).getAsLong(), 2L);
        }
    }

    public static void threadsMayWaitForTheSameRequestsInAnyOrder(Comm world) {
        for (int round = 0; round < 20; round++) {
            int[] got = new int[3];
            Request[] receives = new Request[3];
            for (int i = 0; i < 3; i++) {
                receives[i] = world.irecv(MpiBuffer.of(got).as(Datatype.INT, 1, i), world.rank(), i);
            }
            Check.together(() -> Request.awaitAll(receives[0], receives[1], receives[2]),
                    () -> Request.awaitAll(receives[2], receives[1], receives[0]), () -> receives[1].await(), () -> {
                        for (int i = 2; i >= 0; i--) {
                            world.send(new int[] {i + 1}, world.rank(), i);
                        }
                    });
            Check.equal(got, new int[] {1, 2, 3});
        }
    }

    /** The message that completes the last request is sent only when another thread has seen the others complete. */
    public static void waitingForAllWithholdsNone(Comm world) {
        int me = world.rank();
        for (int last = 0; last < 3; last++) {
            int[][] got = new int[3][1];
            Request[] receives = new Request[3];
            for (int i = 0; i < 3; i++) {
                receives[i] = world.irecv(got[i], me, i);
            }
            int end = last;
            Check.together(() -> Request.awaitAll(receives), () -> {
                Thread.sleep(20);
                for (int i = 0; i < 3; i++) {
                    if (i != end) {
                        world.send(new int[] {i + 1}, me, i);
                        Check.equal(receives[i].await().tag(), i);
                    }
                }
                world.send(new int[] {end + 1}, me, end);
            });
            Check.equal(got, new int[][] {{1}, {2}, {3}});
        }
    }

    /** Else an operation that takes thousands of questions waits as often for the other programs on its core. */
    public static void waitsGiveTheirCoreAwaySeldomButForEver(Comm world) {
        for (int first : new int[] {0, 1_000_000, Integer.MAX_VALUE - 5_000, Integer.MIN_VALUE}) {
            int yields = 0;
            for (int i = 0; i < 10_000; i++) {
                yields += Progress.yieldsAfter(first + i) ? 1 : 0;
            }
            Check.isTrue(yields >= 10 && yields <= 200, yields + " yields from round " + first);
        }
    }

    public static void allThreadsGetTheErrorOfARequest(Comm world) {
        try (Comm alone = world.split(world.rank(), 0)) {
            Request receive = alone.irecv(new int[1], 0, 4);
            Request sent = alone.isend(new int[] {1, 2}, 0, 4);
            MpiException[] told = new MpiException[2];
            Check.together(() -> told[0] = Check.fails(MpiException.class, receive::await),
                    () -> told[1] = Check.fails(MpiException.class, receive::await));
            Check.equal(told[0].kind(), ErrorClass.ERR_TRUNCATE);
            Check.equal(told[1], told[0]);
            Check.fails(MpiException.class, receive::test);
            receive.close();
            try {
                sent.await();
            } catch (MpiException e) {
                Check.equal(e.kind(), ErrorClass.ERR_TRUNCATE);
            }
        }
    }
}

package dev.mpiglot.mpi;

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

    public static void closingWaits(Comm world) {
        int[] got = new int[1];
        try (Request receive = world.irecv(got, world.rank(), 2)) {
            world.isend(new int[] {6}, world.rank(), 2).close();
            Check.isTrue(receive.handle().handle() != 0, "no handle");
        }
        Check.equal(got[0], 6);
    }
}

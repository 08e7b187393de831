package user;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.mpiglot.junit.MpiTest;
import dev.mpiglot.mpi.Comm;

/** Tests that fail: on one rank while the others wait for it, on two alike, by an end of the process. */
class FailTest {

    @MpiTest(ranks = 3)
    void one(Comm world) {
        assertEquals(0, world.rank() == 1 ? 7 : 0, "of one rank");
        world.barrier();
    }

    @MpiTest(ranks = 3)
    void two(Comm world) {
        assertEquals(0, Math.min(world.rank(), 1), "of two ranks");
    }

    @MpiTest(ranks = 2)
    void ends(Comm world) {
        if (world.rank() == 1) {
            Runtime.getRuntime().halt(3);
        }
        world.barrier();
    }
}

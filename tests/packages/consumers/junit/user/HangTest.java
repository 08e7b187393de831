package user;

import dev.mpiglot.junit.MpiTest;
import dev.mpiglot.mpi.Comm;

/** A test in which one rank waits for a message that nobody sends. */
class HangTest {

    @MpiTest(ranks = 2, timeout = 4)
    void waits(Comm world) {
        if (world.rank() == 0) {
            receive(world);
        }
    }

    private static void receive(Comm world) {
        world.recv(new int[1], 1, 0);
    }
}

package user;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.mpiglot.junit.MpiTest;
import dev.mpiglot.mpi.Comm;

class ParityTest {

    @MpiTest(ranks = {1, 2}, timeout = 60)
    void count(Comm world) {
        assertArrayEquals(new int[] {(world.size() + 1) / 2, world.size() / 2}, Parity.count(world));
    }
}

package user;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.mpiglot.junit.MpiTest;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Mpi;
import dev.mpiglot.mpi.Op;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that pass, or whose assumption does not hold. */
class PassTest {

    private int prepared;

    @BeforeEach
    void prepare() {
        prepared = 1;
    }

    @MpiTest(ranks = {1, 2, 4})
    void sum(Comm world, Mpi mpi) {
        int[] sum = {prepared};
        world.allreduce(sum, Op.SUM);
        assertEquals(world.size(), sum[0]);
        assertEquals(world.rank(), mpi.world().rank());
    }

    @MpiTest(ranks = 1)
    void assumed(Comm world) {
        Assumptions.assumeTrue(world.size() > 1, "needs two");
    }

    @Test
    void alone() {
        assertEquals(1, prepared);
    }
}

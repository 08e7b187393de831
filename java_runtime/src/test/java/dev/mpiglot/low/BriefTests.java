package dev.mpiglot.low;

import dev.mpiglot.mpi.Check;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.MpiException;
import dev.mpiglot.mpi.Op;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls that do not leave Java's state, until MPI has a callback. To run first: afterwards there is none of them. */
public final class BriefTests {

    private static final int THREADS = 3;
    private static final long LONG_ENOUGH = 20_000_000;

    private BriefTests() {
    }

    /** Only one thread fails: MPICH mixes up the errors of several. */
    public static void aHandlerCreatedWhileAnotherThreadFailsInBriefCallsIsCalledByIt(Comm world)
            throws InterruptedException {
        List<Object> before = answers();
        AtomicInteger told = new AtomicInteger();
        int threads = Generalized.queryThread() == MpiConstants.THREAD_MULTIPLE ? THREADS : 0;
        Caller[] callers = new Caller[threads];
        for (int i = 0; i < threads; i++) {
            callers[i] = new Caller(world.rank(), i == 0);
            callers[i].start();
        }
        pause();
        ErrhandlerHandle handler = Environment.commCreateErrhandler((comm, code) -> told.incrementAndGet());
        Check.isTrue(!Call.quick, "the short way is still open");
        set(handler);
        pause();
        for (Caller thread : callers) {
            thread.end = true;
            thread.join();
            Check.equal(thread.wrong, 0);
            Check.isTrue(thread.failed > 0 || !thread.fails, "nothing failed");
        }
        int soFar = told.get();
        fail();
        Check.equal(told.get(), soFar + 1);
        Check.equal(answers(), before);
        set(ErrhandlerHandle.ERRORS_RETURN);
        Environment.errhandlerFree(handler);
    }

    private static void set(ErrhandlerHandle handler) {
        Environment.commSetErrhandler(CommHandle.WORLD, handler);
        Environment.commSetErrhandler(CommHandle.SELF, handler);
    }

    private static void pause() {
        long end = System.nanoTime() + LONG_ENOUGH;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Whether the call failed as it must; a handler that returns may hide it. */
    private static boolean fail() {
        try {
            Communicators.commRank(CommHandle.NULL);
            return false;
        } catch (MpiException e) {
            return e.kind() == ErrorClass.ERR_COMM;
        }
    }

    private static List<Object> answers() {
        StatusValue status = new StatusValue();
        Generalized.statusSetElements(status, DatatypeHandle.INT, 7);
        CommHandle grid = Topologies.cartCreate(CommHandle.SELF, new int[] {1, 1}, new boolean[] {true, false}, false);
        int[] place = {7, 7};
        Topologies.cartCoords(grid, 0, place);
        int[] dims = new int[2];
        boolean[] periods = new boolean[2];
        Topologies.cartGet(grid, dims, periods, new int[2]);
        int rank = Topologies.cartRank(grid, new int[] {5, 0});
        Communicators.commFree(grid);
        return List.of(Communicators.commRank(CommHandle.WORLD), Communicators.commSize(CommHandle.WORLD),
                Communicators.commTestInter(CommHandle.WORLD), Datatypes.typeSize(DatatypeHandle.DOUBLE),
                Datatypes.typeGetExtent(DatatypeHandle.SHORT), Datatypes.getCount(status, DatatypeHandle.INT),
                Datatypes.getElements(status, DatatypeHandle.INT),
                Datatypes.packSize(3, DatatypeHandle.INT, CommHandle.WORLD),
                List.of(place[0], place[1], dims[0], dims[1], periods[0], periods[1], rank),
                Topologies.topoTest(CommHandle.WORLD), Collectives.opCommutative(OpHandle.SUM),
                Environment.errorClass(MpiConstants.ERR_COMM), Environment.getVersion(),
                PointToPoint.testCancelled(status));
    }

    private static final class Caller extends Thread {

        private final int rank;
        private final boolean fails;
        private volatile boolean end;
        private int failed;
        private int wrong;

        private Caller(int rank, boolean fails) {
            this.rank = rank;
            this.fails = fails;
        }

        @Override
        public void run() {
            while (!end) {
                wrong += Communicators.commRank(CommHandle.WORLD) == rank ? 0 : 1;
                failed += fails && fail() ? 1 : 0;
                int[] sum = {rank};
                Op.SUM.reduceLocal(MpiBuffer.of(new int[] {7}), MpiBuffer.of(sum)); // in the arrays at first
                wrong += sum[0] == rank + 7 ? 0 : 1;
            }
        }
    }
}

import dev.mpiglot.low.Comm;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.Datatype;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Mpi;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.Request;
import dev.mpiglot.low.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntToDoubleFunction;

/** What calls cost: a line each, name, tab, nanoseconds of the best of many blocks, as benchmarks/calls/c/calls.c. */
public final class CallCost {

    private static final int CALLS = 20_000;
    private static final int BLOCKS = 400;

    private CallCost() {
    }

    public static void main(String[] args) throws InterruptedException {
        Environment.initThread(Mpi.THREAD_MULTIPLE);
        Status status = new Status();
        Request request = new Request(Request.NULL.handle());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(8);
            PointToPoint.recv(buffer, 0, Datatype.INT, Mpi.PROC_NULL, 0, Comm.WORLD, status);
            measure("Comm_rank", CallCost::ranks);
            Thread other = new Thread(() -> measure("Comm_rank, another thread", CallCost::ranks));
            other.start();
            other.join();
            measure("Type_size", calls -> {
                long sum = 0;
                for (int i = 0; i < calls; i++) {
                    sum += Datatypes.typeSize(Datatype.INT);
                }
                return sum;
            });
            measure("Get_count", calls -> {
                long sum = 0;
                for (int i = 0; i < calls; i++) {
                    sum += Datatypes.getCount(status, Datatype.INT);
                }
                return sum;
            });
            measure("Wtime", calls -> {
                double sum = 0;
                for (int i = 0; i < calls; i++) {
                    sum += Environment.wtime();
                }
                return sum;
            });
            measure("Iprobe of nobody", calls -> {
                int sum = 0;
                for (int i = 0; i < calls; i++) {
                    sum += PointToPoint.iprobe(Mpi.PROC_NULL, 0, Comm.WORLD, null) ? 1 : 0;
                }
                return sum;
            });
            measure("Test of nothing", calls -> {
                int sum = 0;
                for (int i = 0; i < calls; i++) {
                    sum += PointToPoint.test(request, status) ? 1 : 0;
                }
                return sum;
            });
            measure("Send to nobody", calls -> {
                for (int i = 0; i < calls; i++) {
                    PointToPoint.send(buffer, 1, Datatype.INT, Mpi.PROC_NULL, 0, Comm.WORLD);
                }
                return 0;
            });
        }
        Environment.commCreateErrhandler((comm, code) -> { });
        measure("Comm_rank, once MPI has a callback", CallCost::ranks);
        Environment.finalizeMpi();
    }

    private static double ranks(int calls) {
        int sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += Communicators.commRank(Comm.WORLD);
        }
        return sum;
    }

    private static void measure(String name, IntToDoubleFunction loop) {
        double best = Double.MAX_VALUE;
        double sum = 0;
        for (int i = 0; i < BLOCKS; i++) {
            long start = System.nanoTime();
            sum += loop.applyAsDouble(CALLS);
            best = Math.min(best, (System.nanoTime() - start) / (double) CALLS);
        }
        if (sum < Double.MAX_VALUE) {
            System.out.printf("%s\t%.2f%n", name, best);
        }
    }
}

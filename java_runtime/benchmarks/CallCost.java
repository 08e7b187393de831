import dev.mpiglot.low.Comm;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.Datatype;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.Mpi;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;

/** What calls cost this thread: processor time until the first result, then nanoseconds a call, the best of several. */
public final class CallCost {

    private static final int CALLS = 3_000_000;
    private static final int ROUNDS = 7;

    private CallCost() {
    }

    private interface Loop {
        double run(int calls);
    }

    public static void main(String[] args) {
        cpu();
        long start = cpu();
        Library.load();
        long loaded = cpu();
        Environment.init();
        long initialised = cpu();
        int rank = Communicators.commRank(Comm.WORLD);
        long called = cpu();
        if (rank == 0) {
            System.out.printf("first calls, ms: load %.1f, init %.1f, rank %.1f%n", (loaded - start) / 1e6,
                    (initialised - loaded) / 1e6, (called - initialised) / 1e6);
        }
        measure("Comm_rank", calls -> {
            int sum = 0;
            for (int i = 0; i < calls; i++) {
                sum += Communicators.commRank(Comm.WORLD);
            }
            return sum;
        });
        Status status = new Status();
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
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(8);
            measure("Send to PROC_NULL", calls -> {
                for (int i = 0; i < calls; i++) {
                    PointToPoint.send(buffer, 1, Datatype.INT, Mpi.PROC_NULL, 0, Comm.WORLD);
                }
                return 0;
            });
        }
        Environment.commCreateErrhandler((comm, code) -> { });
        measure("Comm_rank, with callbacks", calls -> {
            int sum = 0;
            for (int i = 0; i < calls; i++) {
                sum += Communicators.commRank(Comm.WORLD);
            }
            return sum;
        });
        Environment.finalizeMpi();
    }

    private static void measure(String name, Loop loop) {
        double best = Double.MAX_VALUE;
        double sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            long before = cpu();
            sum += loop.run(CALLS);
            best = Math.min(best, (cpu() - before) / (double) CALLS);
        }
        if (sum < Double.MAX_VALUE) {
            System.out.printf("%-26s %6.2f ns%n", name, best);
        }
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}

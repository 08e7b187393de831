import dev.mpiglot.low.Caching;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;
import dev.mpiglot.low.StatusValue;
import dev.mpiglot.low.Topologies;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;
import java.util.function.IntToDoubleFunction;

/** What calls cost: a line each, name, tab, nanoseconds of the best of many blocks, as benchmarks/calls/c/calls.c. */
public final class CallCost {

    private static final int CALLS = 20_000;
    private static final int BLOCKS = 400;

    private CallCost() {
    }

    public static void main(String[] args) throws InterruptedException {
        Environment.initThread(MpiConstants.THREAD_MULTIPLE);
        StatusValue status = new StatusValue();
        RequestHandle request = new RequestHandle(RequestHandle.NULL.handle());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(8);
            PointToPoint.recv(buffer, 0, DatatypeHandle.INT, MpiConstants.PROC_NULL, 0, CommHandle.WORLD, status);
            measure("Comm_rank", CallCost::ranks);
            Thread other = new Thread(() -> measure("Comm_rank, another thread", CallCost::ranks));
            other.start();
            other.join();
            measure("Type_size", calls -> {
                long sum = 0;
                for (int i = 0; i < calls; i++) {
                    sum += Datatypes.typeSize(DatatypeHandle.INT);
                }
                return sum;
            });
            measure("Get_count", calls -> {
                long sum = 0;
                for (int i = 0; i < calls; i++) {
                    sum += Datatypes.getCount(status, DatatypeHandle.INT);
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
                    sum += PointToPoint.iprobe(MpiConstants.PROC_NULL, 0, CommHandle.WORLD, null) ? 1 : 0;
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
                    PointToPoint.send(buffer, 1, DatatypeHandle.INT, MpiConstants.PROC_NULL, 0, CommHandle.WORLD);
                }
                return 0;
            });
        }
        CommHandle grid = Topologies.cartCreate(CommHandle.SELF, new int[] {1, 1}, new boolean[] {true, true}, false);
        measureArrays(grid, request, status);
        Bare.measureAll(grid.handle());
        Communicators.commFree(grid);
        Environment.commCreateErrhandler((comm, code) -> { });
        measure("Comm_rank, once MPI has a callback", CallCost::ranks);
        Environment.finalizeMpi();
    }

    /** Calls with arrays and texts, which are copied to C's memory and back. */
    private static void measureArrays(CommHandle grid, RequestHandle request, StatusValue status) {
        int[] coordinates = {0, 0};
        RequestHandle[] requests = {request};
        measure("Cart_rank", calls -> {
            int sum = 0;
            for (int i = 0; i < calls; i++) {
                sum += Topologies.cartRank(grid, coordinates);
            }
            return sum;
        });
        measure("Cart_coords", calls -> {
            int sum = 0;
            for (int i = 0; i < calls; i++) {
                Topologies.cartCoords(grid, 0, coordinates);
                sum += coordinates[1];
            }
            return sum;
        });
        measure("Testany of one", calls -> {
            int sum = 0;
            for (int i = 0; i < calls; i++) {
                sum += PointToPoint.testany(requests, status).isPresent() ? 1 : 0;
            }
            return sum;
        });
        measure("Comm_get_name", calls -> {
            int sum = 0;
            for (int i = 0; i < calls; i++) {
                sum += Caching.commGetName(CommHandle.WORLD).length();
            }
            return sum;
        });
    }

    /** The least that these calls can cost: the library's own words, no checks, outputs at one address for all threads. */
    private static final class Bare {

        private static final SymbolLookup MPI = SymbolLookup.libraryLookup(Library.load().path(), Arena.global());
        private static final MethodHandle RANK = handle("MPI_Comm_rank", 2);
        private static final MethodHandle IPROBE = handle("MPI_Iprobe", 5);
        private static final MethodHandle TEST = handle("MPI_Test", 3);
        private static final MethodHandle SEND = handle("MPI_Send", 6);
        private static final MethodHandle CART_RANK = handle("MPI_Cart_rank", 3);
        private static final MethodHandle CART_COORDS = handle("MPI_Cart_coords", 4);
        private static final MethodHandle TESTANY = handle("MPI_Testany", 5);
        private static final MethodHandle NAME = handle("MPI_Comm_get_name", 3);
        private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
        private static final long AT = Arena.global().allocate(512, 64).address();
        private static final long WORLD = CommHandle.WORLD.handle();
        private static final long INT = DatatypeHandle.INT.handle();
        private static final long NULL = RequestHandle.NULL.handle();
        private static final long NOBODY = switch (Library.load().abi()) {
            case "ompi" -> -2;
            case "mpich" -> -1;
            default -> MpiConstants.PROC_NULL;
        };

        private static MethodHandle handle(String name, int parameters) {
            MemoryLayout[] words = Collections.nCopies(parameters, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new);
            return Linker.nativeLinker().downcallHandle(MPI.find(name).orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_LONG, words));
        }

        static void measureAll(long grid) {
            measure("Comm_rank, a bare downcall", calls -> repeat(calls, () -> (long) RANK.invokeExact(WORLD, AT)));
            measure("Iprobe of nobody, a bare downcall",
                    calls -> repeat(calls, () -> (long) IPROBE.invokeExact(NOBODY, 0L, WORLD, AT, AT + 16)));
            measure("Test of nothing, a bare downcall", calls -> repeat(calls, () -> {
                ALL.set(ValueLayout.JAVA_LONG, AT + 8, NULL);
                return (long) TEST.invokeExact(AT + 8, AT, AT + 16);
            }));
            measure("Send to nobody, a bare downcall",
                    calls -> repeat(calls, () -> (long) SEND.invokeExact(AT, 1L, INT, NOBODY, 0L, WORLD)));
            ALL.set(ValueLayout.JAVA_LONG, AT + 8, 0);
            measure("Cart_rank, a bare downcall", calls -> repeat(calls, () -> (long) CART_RANK.invokeExact(grid, AT + 8, AT)));
            measure("Cart_coords, a bare downcall",
                    calls -> repeat(calls, () -> (long) CART_COORDS.invokeExact(grid, 0L, 2L, AT)));
            measure("Testany of one, a bare downcall", calls -> repeat(calls, () -> {
                ALL.set(ValueLayout.JAVA_LONG, AT + 8, NULL);
                return (long) TESTANY.invokeExact(1L, AT + 8, AT, AT + 16, AT + 32);
            }));
            measure("Comm_get_name, a bare downcall", calls -> repeat(calls, () -> (long) NAME.invokeExact(WORLD, AT + 64, AT)));
        }

        private interface Once {
            long call() throws Throwable;
        }

        private static double repeat(int calls, Once once) {
            try {
                long sum = 0;
                for (int i = 0; i < calls; i++) {
                    sum += once.call() + ALL.get(ValueLayout.JAVA_INT, AT);
                }
                return sum;
            } catch (Throwable t) {
                throw new IllegalStateException(t);
            }
        }
    }

    private static double ranks(int calls) {
        int sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += Communicators.commRank(CommHandle.WORLD);
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

import com.sun.management.ThreadMXBean;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.OpHandle;
import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Element;
import dev.mpiglot.mpi.Mpi;
import dev.mpiglot.mpi.Op;
import dev.mpiglot.mpi.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;

/**
 * What messages of a process to itself cost: a line each, name, tab, nanoseconds of the best of many blocks, tab, bytes
 * allocated by a call; as benchmarks/messages/alone.c. A line is of arrays, of memory outside the heap, or of bare
 * downcalls. An argument leaves the lines only that begin with it.
 */
public final class MessageCost {

    private static final int CALLS = 20_000;
    private static final int BLOCKS = 200;
    private static final int MIB = 1 << 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static String only = "";

    private MessageCost() {
    }

    public static void main(String[] args) {
        only = args.length > 0 ? args[0] : "";
        Mpi.run(mpi -> {
            Comm self = mpi.self();
            arrays(self);
            buffers(self);
            try (Arena arena = Arena.ofShared()) {
                Bare.measure(arena.allocate(8), arena.allocate(8), "counted memory");
            }
            Bare.measure(Arena.global().allocate(8), Arena.global().allocate(8), "endless memory");
        });
    }

    private static void arrays(Comm self) {
        long[] sent = {1};
        long[] received = {0};
        double[] sum = {1};
        measure("sendrecv of 8 B, array", CALLS, () -> self.sendrecv(sent, 0, received, 0, 0));
        measure("allreduce of a double, array", CALLS, () -> self.allreduce(sum, Op.SUM));
        measure("bcast of 8 B, array", CALLS, () -> self.bcast(sent, 0));
        measure("irecv send wait of 8 B, array", CALLS, () -> {
            Request request = self.irecv(received, 0, 0);
            self.send(sent, 0, 0);
            request.await();
        });
        for (int size : new int[] {2, 8}) {
            byte[] out = new byte[size * MIB];
            byte[] in = new byte[size * MIB];
            measure("irecv send wait of " + size + " MiB, array", 5, () -> {
                Request request = self.irecv(in, 0, 0);
                self.send(out, 0, 0);
                request.await();
            });
        }
    }

    private static void buffers(Comm self) {
        MpiBuffer<Element.Longs> sent = MpiBuffer.allocate(dev.mpiglot.mpi.Datatype.LONG, 1);
        MpiBuffer<Element.Longs> received = MpiBuffer.allocate(dev.mpiglot.mpi.Datatype.LONG, 1);
        MpiBuffer<Element.Doubles> sum = MpiBuffer.allocate(dev.mpiglot.mpi.Datatype.DOUBLE, 1);
        measure("sendrecv of 8 B, off-heap", CALLS, () -> self.sendrecv(sent, 0, received, 0, 0));
        measure("allreduce of a double, off-heap", CALLS, () -> self.allreduce(sum, Op.SUM));
        measure("irecv send wait of 8 B, off-heap", CALLS, () -> {
            Request request = self.irecv(received, 0, 0);
            self.send(sent, 0, 0);
            request.await();
        });
    }

    /** The least that these calls can cost: no checks, the library's own words, outputs at one address. */
    private static final class Bare {

        private static final SymbolLookup MPI = SymbolLookup.libraryLookup(Library.load().path(), Arena.global());
        private static final MethodHandle SENDRECV = handle("MPI_Sendrecv", "pjjjjpjjjjjj");
        private static final MethodHandle ALLREDUCE = handle("MPI_Allreduce", "jpjjjj");
        private static final MethodHandle IRECV = handle("MPI_Irecv", "pjjjjjj");
        private static final MethodHandle SEND = handle("MPI_Send", "pjjjjj");
        private static final MethodHandle WAIT = handle("MPI_Wait", "jj");
        private static final MethodHandle TEST = handle("MPI_Test", "jjj");
        private static final long AT = Arena.global().allocate(64, 64).address();
        private static final long SELF = CommHandle.SELF.handle();
        private static final long BYTE = DatatypeHandle.BYTE.handle();
        private static final long DOUBLE = DatatypeHandle.DOUBLE.handle();
        private static final long SUM = OpHandle.SUM.handle();
        private static final long IN_PLACE = MpiConstants.IN_PLACE.address();

        private static MethodHandle handle(String name, String parameters) {
            MemoryLayout[] words = parameters.chars()
                    .mapToObj(p -> p == 'p' ? ValueLayout.ADDRESS : ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new);
            return Linker.nativeLinker().downcallHandle(MPI.find(name).orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_LONG, words));
        }

        static void measure(MemorySegment sent, MemorySegment received, String memory) {
            String how = ", bare, " + memory;
            MessageCost.measure("sendrecv of 8 B" + how, CALLS, () -> call(() -> (long) SENDRECV.invokeExact(
                    sent, 8L, BYTE, 0L, 0L, received, 8L, BYTE, 0L, 0L, SELF, AT)));
            MessageCost.measure("allreduce of a double" + how, CALLS,
                    () -> call(() -> (long) ALLREDUCE.invokeExact(IN_PLACE, sent, 1L, DOUBLE, SUM, SELF)));
            MessageCost.measure("irecv send wait of 8 B" + how, CALLS, () -> call(() ->
                    (long) IRECV.invokeExact(received, 8L, BYTE, 0L, 0L, SELF, AT)
                    + (long) SEND.invokeExact(sent, 8L, BYTE, 0L, 0L, SELF)
                    + (long) WAIT.invokeExact(AT, AT + 16)));
            MessageCost.measure("irecv send wait of 8 B" + how + ", by MPI_Test", CALLS, () -> call(() ->
                    (long) IRECV.invokeExact(received, 8L, BYTE, 0L, 0L, SELF, AT)
                    + (long) SEND.invokeExact(sent, 8L, BYTE, 0L, 0L, SELF)
                    + (long) TEST.invokeExact(AT, AT + 8, AT + 16)));
        }

        private interface Once {
            long call() throws Throwable;
        }

        private static void call(Once once) {
            try {
                once.call();
            } catch (Throwable t) {
                throw new IllegalStateException(t);
            }
        }
    }

    private static void measure(String name, int calls, Runnable call) {
        if (!name.startsWith(only)) {
            return;
        }
        double best = Double.MAX_VALUE;
        long bytes = 0;
        for (int i = 0; i < (calls < CALLS ? BLOCKS / 5 : BLOCKS); i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            for (int k = 0; k < calls; k++) {
                call.run();
            }
            best = Math.min(best, (System.nanoTime() - start) / (double) calls);
            bytes = (THREADS.getCurrentThreadAllocatedBytes() - before) / calls;
        }
        System.out.printf("%s\t%.2f\t%d%n", name, best, bytes);
    }
}

package costs;

import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Datatype;
import dev.mpiglot.mpi.Element;
import dev.mpiglot.mpi.Mpi;
import dev.mpiglot.mpi.Status;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What calls cost on one rank. MPI starts once in a process, so each benchmark has JVMs of its own: at least one fork. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Calls {

    /** MPI, from the start to the end of a JVM. */
    @State(Scope.Thread)
    public static class Started {

        Mpi mpi;
        Comm world;

        /** Starts MPI. */
        @Setup
        public void start() {
            mpi = Mpi.init();
            world = mpi.world();
        }

        /** Ends MPI, in the thread that started it. */
        @TearDown
        public void end() {
            mpi.close();
        }
    }

    /** Messages of some size. */
    @State(Scope.Thread)
    public static class Messages {

        /** How many elements of four bytes. */
        @Param({"2", "16384"})
        public int elements;

        int[] sent;
        int[] received;
        MpiBuffer<Element.Ints> sentOutside;
        MpiBuffer<Element.Ints> receivedOutside;

        /** Makes the memory. */
        @Setup
        public void make() {
            sent = new int[elements];
            received = new int[elements];
            sentOutside = MpiBuffer.allocate(Datatype.INT, elements);
            receivedOutside = MpiBuffer.allocate(Datatype.INT, elements);
        }
    }

    /** {@return the rank} */
    @Benchmark
    public int rank(Started started) {
        return started.world.rank();
    }

    /** {@return the status of a message to this rank, from array to array} */
    @Benchmark
    public Status sendrecvOfArrays(Started started, Messages messages) {
        return started.world.sendrecv(messages.sent, 0, messages.received, 0, 1);
    }

    /** {@return the status of a message to this rank, from buffer to buffer outside the heap} */
    @Benchmark
    public Status sendrecvOfBuffers(Started started, Messages messages) {
        return started.world.sendrecv(messages.sentOutside, 0, messages.receivedOutside, 0, 1);
    }
}

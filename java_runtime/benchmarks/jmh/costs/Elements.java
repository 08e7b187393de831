package costs;

import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Datatype;
import dev.mpiglot.mpi.Element;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What an element costs in a sum: of an array, of a bare memory segment, of a buffer outside the heap or over an array. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(Elements.COUNT)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Elements {

    static final int COUNT = 1 << 14;

    private final int[] array = new int[COUNT];
    private final MemorySegment segment = Arena.ofAuto().allocate(ValueLayout.JAVA_INT, COUNT);
    private final MpiBuffer<Element.Ints> over = MpiBuffer.of(array);
    private MpiBuffer<Element.Ints> outside;

    /** Fills all of them. */
    @Setup
    public void fill() {
        outside = MpiBuffer.allocate(Datatype.INT, COUNT);
        for (int i = 0; i < COUNT; i++) {
            array[i] = i;
            segment.setAtIndex(ValueLayout.JAVA_INT, i, i);
            outside.setInt(i, i);
        }
    }

    /** {@return the sum of an array} */
    @Benchmark
    public int ofArray() {
        int sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += array[i];
        }
        return sum;
    }

    /** {@return the sum of a bare memory segment} */
    @Benchmark
    public int ofSegment() {
        int sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += segment.getAtIndex(ValueLayout.JAVA_INT, i);
        }
        return sum;
    }

    /** {@return the sum of a buffer outside the heap} */
    @Benchmark
    public int ofBuffer() {
        int sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += outside.getInt(i);
        }
        return sum;
    }

    /** {@return the sum of a buffer over an array} */
    @Benchmark
    public int ofBufferOverArray() {
        int sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += over.getInt(i);
        }
        return sum;
    }
}

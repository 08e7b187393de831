package dev.mpiglot.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * What a process that could not start MPI says to its launcher. Those of MPICH's family do not mind how such a process
 * ends, and the others would wait in MPI_Init for ever; Open MPI's look at exit codes.
 */
final class Launcher {

    /** The open file that leads to a launcher of MPICH's family. */
    private static final String FILE = System.getenv("PMI_FD");

    private Launcher() {
    }

    /** Whether it has to be told how a process ends. */
    static boolean isTold() {
        return FILE != null && FILE.matches("\\d{1,9}");
    }

    /** Tells it that the job has failed, with the words that MPI_Abort has for it. */
    static void endJob() {
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor types = FunctionDescriptor.of(
                ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
        MethodHandle write = linker.downcallHandle(linker.defaultLookup().find("write").orElseThrow(), types);
        try (Arena arena = Arena.ofConfined()) {
            Thread.sleep(200); // it throws away what it has not read of stderr by then
            MemorySegment words = arena.allocateFrom("cmd=abort exitcode=1\n");
            long written = (long) write.invokeExact(Integer.parseInt(FILE), words, words.byteSize() - 1);
        } catch (Throwable nobodyListens) {
            // It may have gone.
        }
    }
}

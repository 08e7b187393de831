import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * What {@link StartUpper} does, by calls of C that are written by hand and check nothing but the codes: the argument is
 * the file of MPICH's or Open MPI's library.
 */
public final class StartBare {

    private static final int MULTIPLE = 3;
    private static final long MPICH_WORLD = 0x44000000;
    private static final long MPICH_DOUBLE = 0x4c00080b;
    private static final long MPICH_STATUS_IGNORE = 1;

    private StartBare() {
    }

    public static void main(String[] args) throws Throwable {
        SymbolLookup mpi = SymbolLookup.libraryLookup(args[0], Arena.global());
        boolean isOpen = mpi.find("ompi_mpi_comm_world").isPresent();
        long comm = isOpen ? mpi.find("ompi_mpi_comm_world").get().address() : MPICH_WORLD;
        long type = isOpen ? mpi.find("ompi_mpi_double").get().address() : MPICH_DOUBLE;
        long ignore = isOpen ? 0 : MPICH_STATUS_IGNORE;
        MemoryLayout address = ValueLayout.ADDRESS;
        MemoryLayout number = ValueLayout.JAVA_INT;
        MemoryLayout handle = ValueLayout.JAVA_LONG;
        MethodHandle ask = function(mpi, "MPI_Comm_rank", handle, address);
        MethodHandle askSize = function(mpi, "MPI_Comm_size", handle, address);
        MethodHandle send = function(mpi, "MPI_Send", address, number, handle, number, number, handle);
        MethodHandle recv = function(mpi, "MPI_Recv", address, number, handle, number, number, handle, handle);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_INT);
            MethodHandle start = function(mpi, "MPI_Init_thread", address, address, number, address);
            require((int) start.invokeExact(MemorySegment.NULL, MemorySegment.NULL, MULTIPLE, cell));
            require((int) ask.invokeExact(comm, cell));
            int rank = cell.get(ValueLayout.JAVA_INT, 0);
            require((int) askSize.invokeExact(comm, cell));
            int other = cell.get(ValueLayout.JAVA_INT, 0) - 1 - rank;
            double[] values = {rank, 1, 2, 3};
            MemorySegment sent = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, values);
            MemorySegment received = arena.allocate(ValueLayout.JAVA_DOUBLE, values.length);
            if (rank < other) {
                require((int) send.invokeExact(sent, values.length, type, other, 0, comm));
                require((int) recv.invokeExact(received, values.length, type, other, 0, comm, ignore));
            } else if (rank > other) {
                require((int) recv.invokeExact(received, values.length, type, other, 0, comm, ignore));
                require((int) send.invokeExact(sent, values.length, type, other, 0, comm));
            }
            MemorySegment.copy(received, ValueLayout.JAVA_DOUBLE, 0, values, 0, values.length);
            if (rank != other && values[0] != other) {
                throw new IllegalStateException("Another message came.");
            }
        }
        require((int) function(mpi, "MPI_Finalize").invokeExact());
    }

    private static MethodHandle function(SymbolLookup mpi, String name, MemoryLayout... parameters) {
        return Linker.nativeLinker().downcallHandle(mpi.find(name).orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
    }

    private static void require(int code) {
        if (code != 0) {
            throw new IllegalStateException("MPI tells the error " + code + ".");
        }
    }
}

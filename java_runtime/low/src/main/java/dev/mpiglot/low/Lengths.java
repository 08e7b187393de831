package dev.mpiglot.low;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/** How many elements MPI reads or writes where no argument says so: a shorter array would be a wrong access. */
final class Lengths {

    private static final MethodHandle TEST_INTER = Downcall.function("MPI_Comm_test_inter", "jjj");
    private static final MethodHandle SIZE = Downcall.function("MPI_Comm_size", "jjj");
    private static final MethodHandle REMOTE_SIZE = Downcall.function("MPI_Comm_remote_size", "jjj");

    private static final MethodHandle TOPOLOGY = Downcall.function("MPI_Topo_test", "jjj");
    private static final MethodHandle DIMENSIONS = Downcall.function("MPI_Cartdim_get", "jjj");
    private static final MethodHandle RANK = Downcall.function("MPI_Comm_rank", "jjj");

    /** The length of an array that does not count. */
    static final long ABSENT = -1;

    private static final Grid NONE = new Grid(0, Integer.MAX_VALUE);
    /** The grid last asked about: the question takes half as long as a whole call of MPI_Cart_rank. */
    private static Grid last = NONE;

    private Lengths() {
    }

    /** Of an array that may be null. */
    static long ofIfAny(Object[] array) {
        return array == null ? ABSENT : array.length;
    }

    /** Of an array that may be empty. */
    static long ofIfAny(int[] array) {
        return array == null || array.length == 0 ? ABSENT : array.length;
    }

    /** Of weights: without any are only graphs that say so. */
    static long ofWeights(int[] array) {
        return array == MpiConstants.UNWEIGHTED ? ABSENT : Call.length(array);
    }

    /** Of an array that may be absent but at the root. */
    static long ofAtRoot(long length, CommHandle comm, int root) {
        return length > 0 || isRoot(comm, root) ? length : ABSENT;
    }

    /** Between two groups the root says so itself, and ranks are others'. */
    private static boolean isRoot(CommHandle comm, int root) {
        return number(TEST_INTER, comm) == 0 ? number(RANK, comm) == root : root == MpiConstants.ROOT;
    }

    /** Refuses a null buffer of which MPI uses elements: libraries follow the null pointer. Derived datatypes may have addresses. */
    static void elements(String name, MemorySegment buffer, long count, DatatypeHandle datatype) {
        if (buffer == null) {
            absent(name, count > 0 && Extents.of(datatype.handle()) != 0);
        }
    }

    /** The same where the root of another group needs no buffer. */
    static void elements(String name, MemorySegment buffer, long count, DatatypeHandle datatype, int root) {
        if (buffer == null && root != MpiConstants.ROOT && root != MpiConstants.PROC_NULL) {
            elements(name, null, count, datatype);
        }
    }

    /** The same where only the root needs one. */
    static void elements(String name, MemorySegment buffer, long count, DatatypeHandle datatype, CommHandle comm,
            int root) {
        if (buffer == null && isRoot(comm, root)) {
            elements(name, null, count, datatype);
        }
    }

    /** The same for a buffer that has elements of several processes. */
    static void elements(String name, MemorySegment buffer, int[] counts) {
        if (buffer == null) {
            absent(name, counts != null && Arrays.stream(counts).anyMatch(count -> count != 0));
        }
    }

    /** The same with counts of 64 bits. */
    static void elements(String name, MemorySegment buffer, long[] counts) {
        if (buffer == null) {
            absent(name, counts != null && Arrays.stream(counts).anyMatch(count -> count != 0));
        }
    }

    /** The same where each process gets its own part. */
    static void elements(String name, MemorySegment buffer, int[] counts, CommHandle comm) {
        if (buffer == null) {
            int rank = number(RANK, comm);
            absent(name, counts != null && rank < counts.length && counts[rank] != 0);
        }
    }

    /** The same with counts of 64 bits. */
    static void elements(String name, MemorySegment buffer, long[] counts, CommHandle comm) {
        if (buffer == null) {
            int rank = number(RANK, comm);
            absent(name, counts != null && rank < counts.length && counts[rank] != 0);
        }
    }

    /** The same where only the root needs the buffer. */
    static void elements(String name, MemorySegment buffer, int[] counts, CommHandle comm, int root) {
        if (buffer == null && isRoot(comm, root)) {
            elements(name, null, counts);
        }
    }

    /** The same with counts of 64 bits. */
    static void elements(String name, MemorySegment buffer, long[] counts, CommHandle comm, int root) {
        if (buffer == null && isRoot(comm, root)) {
            elements(name, null, counts);
        }
    }

    private static void absent(String name, boolean needed) {
        if (needed) {
            throw new IllegalArgumentException(name + " is null, but elements are counted in it");
        }
    }

    /** Of an array that may be absent where what is sent lies in the other buffer. */
    static long ofUnlessInPlace(long length, MemorySegment sendbuf) {
        return length > 0 || sendbuf != MpiConstants.IN_PLACE ? length : ABSENT;
    }

    /** Refuses an array that is shorter than the group that a collective operation is about. */
    static void commSize(String name, long length, CommHandle comm) {
        if (length != ABSENT) {
            check(name, length, number(number(TEST_INTER, comm) != 0 ? REMOTE_SIZE : SIZE, comm));
        }
    }

    /** Refuses an array that is shorter than the own group. */
    static void localSize(String name, long length, CommHandle comm) {
        if (length != ABSENT) {
            check(name, length, number(SIZE, comm));
        }
    }

    /** Refuses an array that is shorter than the number of neighbours that send to this process. */
    static void indegree(String name, long length, CommHandle comm) {
        if (length != ABSENT) {
            check(name, length, degree(comm, 0));
        }
    }

    /** Refuses an array that is shorter than the number of neighbours that this process sends to. */
    static void outdegree(String name, long length, CommHandle comm) {
        if (length != ABSENT) {
            check(name, length, degree(comm, 1));
        }
    }

    /** Refuses an array that is shorter than the number of dimensions. */
    static void cartdim(String name, long length, CommHandle comm) {
        if (length == ABSENT) {
            return;
        }
        Grid grid = last;
        if (grid.comm != comm.handle() || length < grid.dimensions) {
            int dimensions = number(DIMENSIONS, comm);
            check(name, length, dimensions);
            last = dimensions > 0 ? new Grid(comm.handle(), dimensions) : NONE;
        }
    }

    /** Before a communicator is freed: MPI may give its word to another grid. */
    static void forget() {
        last = NONE;
    }

    private record Grid(long comm, int dimensions) {
    }

    /** Refuses an array that is shorter than a number that another argument gives. */
    static void atLeast(String name, long length, long needed) {
        if (length != ABSENT) {
            check(name, length, needed);
        }
    }

    /** Refuses an array that is shorter than the numbers of another one add up to. */
    static void sum(String name, long length, int[] numbers) {
        if (length != ABSENT && numbers != null) {
            check(name, length, Arrays.stream(numbers).asLongStream().sum());
        }
    }

    /** Refuses an array that is shorter than the last number of another one says. */
    static void last(String name, long length, int[] numbers) {
        if (length != ABSENT && numbers != null && numbers.length > 0) {
            check(name, length, numbers[numbers.length - 1]);
        }
    }

    private static void check(String name, long length, long needed) {
        if (length < needed) {
            throw new IllegalArgumentException(name + " has " + length + " elements, but MPI uses " + needed);
        }
    }

    /** Neighbours by the communicator's topology; {@code which} is 0 for those that send, 1 for those that receive. */
    private static int degree(CommHandle comm, int which) {
        return switch (Sets.TOPOLOGY.toJava(number(TOPOLOGY, comm))) {
            case MpiConstants.CART -> 2 * number(DIMENSIONS, comm);
            case MpiConstants.GRAPH -> neighbours(Downcall.function("MPI_Graph_neighbors_count", "jjjj"), comm);
            case MpiConstants.DIST_GRAPH ->
                    degrees(Downcall.function("MPI_Dist_graph_neighbors_count", "jjjjj"), comm, which);
            default -> 0;
        };
    }

    private static int neighbours(MethodHandle question, CommHandle comm) {
        Frame frame = Frame.current();
        long mark = frame.mark();
        try {
            long cell = frame.cell();
            long code = (long) question.invokeExact(comm.handle(), (long) number(RANK, comm), cell);
            return answer(code, cell);
        } catch (Throwable t) {
            throw Call.rethrow(t);
        } finally {
            frame.release(mark);
        }
    }

    private static int degrees(MethodHandle question, CommHandle comm, int which) {
        Frame frame = Frame.current();
        long mark = frame.mark();
        try {
            long cells = frame.allocate(16);
            long code = (long) question.invokeExact(comm.handle(), cells, cells + 4, cells + 8);
            return answer(code, cells + 4L * which);
        } catch (Throwable t) {
            throw Call.rethrow(t);
        } finally {
            frame.release(mark);
        }
    }

    /** What a question about a communicator answers; 0 if it fails, since then the call itself will say why. */
    private static int answer(long code, long cell) {
        if ((int) code == 0) {
            return Frame.getInt(cell);
        }
        Callbacks.takeFailure();
        return 0;
    }

    private static int number(MethodHandle question, CommHandle comm) {
        Frame frame = Frame.current();
        long mark = frame.mark();
        try {
            long cell = frame.cell();
            long code = (long) question.invokeExact(comm.handle(), cell);
            return answer(code, cell);
        } catch (Throwable t) {
            throw Call.rethrow(t);
        } finally {
            frame.release(mark);
        }
    }
}

package dev.mpiglot.low;

import java.lang.invoke.MethodHandle;

/** How many elements MPI reads or writes where no argument says so: a shorter array would be a wrong access. */
final class Lengths {

    private static final MethodHandle TEST_INTER = Downcall.function("MPI_Comm_test_inter", "jjj");
    private static final MethodHandle SIZE = Downcall.function("MPI_Comm_size", "jjj");
    private static final MethodHandle REMOTE_SIZE = Downcall.function("MPI_Comm_remote_size", "jjj");

    private Lengths() {
    }

    /** Refuses an array that is shorter than the group that a collective operation is about. */
    static void commSize(String name, long length, Comm comm) {
        if (length > 0) {
            check(name, length, number(number(TEST_INTER, comm) != 0 ? REMOTE_SIZE : SIZE, comm));
        }
    }

    /** Refuses an array that is shorter than the own group. */
    static void localSize(String name, long length, Comm comm) {
        if (length > 0) {
            check(name, length, number(SIZE, comm));
        }
    }

    /** Refuses an array that is shorter than a number that another argument gives. */
    static void atLeast(String name, long length, long needed) {
        if (length > 0) {
            check(name, length, needed);
        }
    }

    private static void check(String name, long length, long needed) {
        if (length < needed) {
            throw new IllegalArgumentException(name + " has " + length + " elements, but MPI uses " + needed);
        }
    }

    /** What a question about a communicator answers; 0 if it fails, since then the call itself will say why. */
    private static int number(MethodHandle question, Comm comm) {
        Frame frame = Frame.current();
        long mark = frame.mark();
        try {
            long cell = frame.cell();
            long code = (long) question.invokeExact(comm.handle(), cell);
            return (int) code == 0 ? Frame.getInt(cell) : 0;
        } catch (Throwable t) {
            throw Call.rethrow(t);
        } finally {
            frame.release(mark);
        }
    }
}

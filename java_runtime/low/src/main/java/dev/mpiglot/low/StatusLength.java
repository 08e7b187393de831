package dev.mpiglot.low;

import java.lang.invoke.MethodHandle;

/**
 * Where the library keeps the length of a message in its status. MPI does not tell, so statuses of known lengths do.
 * MPICH, Open MPI and Intel MPI keep it in one word as long as it fits into 31 bits; MPICH and Intel MPI have a bit for
 * cancelled operations above, so a word with other bits is no length.
 */
final class StatusLength {

    /** The word of the status, counted from 0; -1: not known. */
    static final int WORD = find();

    private StatusLength() {
    }

    private static int find() {
        for (int word = 0; Downcall.has("MPI_Status_set_elements") && 8 * word + 8 <= StatusValue.SIZE; word++) {
            if (holds(word, 0x12345678) && holds(word, 1) && holds(word, 0) && holds(word, Integer.MAX_VALUE)) {
                return word;
            }
        }
        return -1;
    }

    private static boolean holds(int word, long length) {
        MethodHandle set = Downcall.function("MPI_Status_set_elements", "jjjj");
        Frame frame = Frame.current();
        long mark = frame.mark();
        try {
            long status = frame.allocate(StatusValue.CAPACITY);
            long code = (long) set.invokeExact(status, DatatypeHandle.BYTE.handle(), length);
            return (int) code == 0 && Frame.getLong(status + 8L * word) == length;
        } catch (Throwable t) {
            throw Call.rethrow(t);
        } finally {
            frame.release(mark);
        }
    }
}

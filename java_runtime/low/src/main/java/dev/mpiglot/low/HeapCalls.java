package dev.mpiglot.low;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls of MPI that use arrays where they are. They do not leave Java's state, so no array moves meanwhile, whatever the
 * collector, which waits for them: they take the short way of {@link Brief} under its rules, and few bytes only. Nothing
 * but operations, datatypes and memory of which MPI cannot be wrong may come here.
 */
public final class HeapCalls {

    /** So many bytes at most: the JVM itself lets no collector in while it copies as many. */
    public static final long MOST_BYTES = 1 << 20;

    /** How many calls were made, for tests: exact if one thread makes them. */
    static int made;

    private HeapCalls() {
    }

    /**
     * {@code MPI_Reduce_local} of an operation and a datatype that MPI provides.
     *
     * @param in the left elements, in an array or outside the heap, to their end
     * @param inout the right elements, replaced by the result
     * @param count how many elements
     * @param datatype their datatype
     * @param op the operation
     * @return false: nothing was done, since the short way is closed or this is a virtual thread
     */
    public static boolean reduceLocal(MemorySegment in, MemorySegment inout, long count, DatatypeHandle datatype,
            OpHandle op) {
        if (!Call.quick || Frame.mine() == null) {
            return false;
        }
        made++;
        try {
            int code = (int) (long) ReduceLocal.CALL.invokeExact(in, inout, count, datatype.handle(), op.handle());
            if (code != 0) {
                throw Call.failure(code, "MPI_Reduce_local");
            }
            return true;
        } catch (Throwable t) {
            throw Call.rethrow(t);
        }
    }

    /**
     * {@code MPI_Pack} of a datatype that MPI provides.
     *
     * @param in the elements, in an array
     * @param count how many
     * @param datatype their datatype
     * @param out memory outside the heap
     * @param position the byte of it where they go
     * @param comm the communicator
     * @return the byte behind them; -1: nothing was done, since the short way is closed or this is a virtual thread
     */
    public static long pack(MemorySegment in, long count, DatatypeHandle datatype, MemorySegment out, long position,
            CommHandle comm) {
        Frame frame = Call.quick && Call.fits(out.byteSize()) ? Frame.mine() : null;
        if (frame == null) {
            return -1;
        }
        made++;
        try {
            long positionAt = Frame.cell(frame.cells());
            Frame.putLong(positionAt, position);
            int code = (int) (long) Pack.CALL.invokeExact(in, count, datatype.handle(), out, out.byteSize(), positionAt,
                    comm.handle());
            if (code != 0) {
                throw Call.failure(code, "MPI_Pack");
            }
            return Frame.getInt(positionAt);
        } catch (Throwable t) {
            throw Call.rethrow(t);
        }
    }

    /**
     * {@code MPI_Unpack} of a datatype that MPI provides.
     *
     * @param in memory outside the heap
     * @param position the byte of it where the elements begin
     * @param out where they go, in an array
     * @param count how many
     * @param datatype their datatype
     * @param comm the communicator
     * @return the byte behind them; -1: nothing was done, since the short way is closed or this is a virtual thread
     */
    public static long unpack(MemorySegment in, long position, MemorySegment out, long count, DatatypeHandle datatype,
            CommHandle comm) {
        Frame frame = Call.quick && Call.fits(in.byteSize()) ? Frame.mine() : null;
        if (frame == null) {
            return -1;
        }
        made++;
        try {
            long positionAt = Frame.cell(frame.cells());
            Frame.putLong(positionAt, position);
            int code = (int) (long) Unpack.CALL.invokeExact(in, in.byteSize(), positionAt, out, count, datatype.handle(),
                    comm.handle());
            if (code != 0) {
                throw Call.failure(code, "MPI_Unpack");
            }
            return Frame.getInt(positionAt);
        } catch (Throwable t) {
            throw Call.rethrow(t);
        }
    }

    private static final class ReduceLocal {
        static final MethodHandle CALL = Downcall.briefOnHeap("MPI_Reduce_local", "jppjjj");
    }

    private static final class Pack {
        static final MethodHandle CALL = Downcall.briefOnHeap("MPI_Pack", "jpjjpjjj");
    }

    private static final class Unpack {
        static final MethodHandle CALL = Downcall.briefOnHeap("MPI_Unpack", "jpjjpjjj");
    }
}

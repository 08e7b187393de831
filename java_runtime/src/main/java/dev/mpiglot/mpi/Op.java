package dev.mpiglot.mpi;

import dev.mpiglot.low.Collectives;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/** How values of several processes become one. */
public final class Op implements AutoCloseable {

    /** The sum. */
    public static final Op SUM = new Op(dev.mpiglot.low.Op.SUM, false);
    /** The product. */
    public static final Op PROD = new Op(dev.mpiglot.low.Op.PROD, false);
    /** The largest. */
    public static final Op MAX = new Op(dev.mpiglot.low.Op.MAX, false);
    /** The smallest. */
    public static final Op MIN = new Op(dev.mpiglot.low.Op.MIN, false);
    /** Bits set in all. */
    public static final Op BAND = new Op(dev.mpiglot.low.Op.BAND, false);
    /** Bits set in any. */
    public static final Op BOR = new Op(dev.mpiglot.low.Op.BOR, false);

    private final dev.mpiglot.low.Op handle;
    private final boolean owned;

    private Op(dev.mpiglot.low.Op handle, boolean owned) {
        this.handle = handle;
        this.owned = owned;
    }

    /**
     * An operation on {@code int} elements.
     *
     * @param commutative whether the order of the values does not matter
     * @param operator makes one value of two, the left one from the lower rank; what it throws comes out of the call
     *     that reduces
     * @return the operation
     */
    public static Op ofInts(boolean commutative, IntBinaryOperator operator) {
        return create(commutative, (in, inout, count) -> {
            for (long i = 0; i < count; i++) {
                inout.setAtIndex(ValueLayout.JAVA_INT, i, operator.applyAsInt(
                        in.getAtIndex(ValueLayout.JAVA_INT, i), inout.getAtIndex(ValueLayout.JAVA_INT, i)));
            }
        });
    }

    /**
     * An operation on {@code long} elements.
     *
     * @param commutative whether the order of the values does not matter
     * @param operator makes one value of two, the left one from the lower rank; what it throws comes out of the call
     *     that reduces
     * @return the operation
     */
    public static Op ofLongs(boolean commutative, LongBinaryOperator operator) {
        return create(commutative, (in, inout, count) -> {
            for (long i = 0; i < count; i++) {
                inout.setAtIndex(ValueLayout.JAVA_LONG, i, operator.applyAsLong(
                        in.getAtIndex(ValueLayout.JAVA_LONG, i), inout.getAtIndex(ValueLayout.JAVA_LONG, i)));
            }
        });
    }

    /**
     * An operation on {@code double} elements.
     *
     * @param commutative whether the order of the values does not matter
     * @param operator makes one value of two, the left one from the lower rank; what it throws comes out of the call
     *     that reduces
     * @return the operation
     */
    public static Op ofDoubles(boolean commutative, DoubleBinaryOperator operator) {
        return create(commutative, (in, inout, count) -> {
            for (long i = 0; i < count; i++) {
                inout.setAtIndex(ValueLayout.JAVA_DOUBLE, i, operator.applyAsDouble(
                        in.getAtIndex(ValueLayout.JAVA_DOUBLE, i), inout.getAtIndex(ValueLayout.JAVA_DOUBLE, i)));
            }
        });
    }

    private interface Loop {
        void run(MemorySegment in, MemorySegment inout, long count);
    }

    private static Op create(boolean commutative, Loop loop) {
        return new Op(Collectives.opCreate((in, inout, count, type) -> loop.run(in, inout, count), commutative), true);
    }

    /** {@return the handle for {@link dev.mpiglot.low}} */
    public dev.mpiglot.low.Op handle() {
        return handle;
    }

    /** Gives the operation back; reductions that are under way still use it. Operations that MPI provides stay. */
    @Override
    public void close() {
        if (owned) {
            Collectives.opFree(handle);
        }
    }
}

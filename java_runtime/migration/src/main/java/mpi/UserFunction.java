package mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Combines elements in a reduction: a subclass has one of the two methods. */
public abstract class UserFunction {

    /** A function. */
    public UserFunction() {
        // has no state
    }

    /**
     * Combines elements in arrays of the base type.
     *
     * @param inVec the first elements
     * @param inOutVec the second elements, then the results
     * @param count how many elements
     * @param datatype their type
     * @throws MPIException if the function fails
     */
    public void call(Object inVec, Object inOutVec, int count, Datatype datatype) throws MPIException {
        throw new UnsupportedOperationException("This function has none of the two methods.");
    }

    /**
     * Combines elements in direct buffers. Without a method of the subclass it calls the other one.
     *
     * @param in the first elements
     * @param inOut the second elements, then the results
     * @param count how many elements
     * @param datatype their type
     * @throws MPIException if the function fails
     */
    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) throws MPIException {
        inArrays(MemorySegment.ofBuffer(in.duplicate().clear()), MemorySegment.ofBuffer(inOut.duplicate().clear()),
                count, datatype);
    }

    /** What MPI asks for. */
    final void combine(MemorySegment in, MemorySegment inOut, int count, Datatype type) throws MPIException {
        if (type.base() == MPI.BOOLEAN) {
            inArrays(in, inOut, count, type);
        } else {
            call(in.asByteBuffer().order(ByteOrder.nativeOrder()), inOut.asByteBuffer().order(ByteOrder.nativeOrder()),
                    count, type);
        }
    }

    private void inArrays(MemorySegment in, MemorySegment inOut, int count, Datatype type) throws MPIException {
        Object first = array(in, type.base());
        Object second = array(inOut, type.base());
        call(first, second, count, type);
        try (Staged results = Staged.of(second, Span.of(inOut.byteSize()))) {
            inOut.copyFrom(results.segment());
        }
    }

    private static Object array(MemorySegment memory, Datatype base) {
        if (base == MPI.BOOLEAN) {
            boolean[] all = new boolean[Math.toIntExact(memory.byteSize())];
            for (int i = 0; i < all.length; i++) {
                all[i] = memory.get(ValueLayout.JAVA_BYTE, i) != 0;
            }
            return all;
        }
        return base == MPI.CHAR ? memory.toArray(ValueLayout.JAVA_CHAR_UNALIGNED)
                : base == MPI.SHORT ? memory.toArray(ValueLayout.JAVA_SHORT_UNALIGNED)
                : base == MPI.INT ? memory.toArray(ValueLayout.JAVA_INT_UNALIGNED)
                : base == MPI.LONG ? memory.toArray(ValueLayout.JAVA_LONG_UNALIGNED)
                : base == MPI.FLOAT ? memory.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED)
                : base == MPI.DOUBLE ? memory.toArray(ValueLayout.JAVA_DOUBLE_UNALIGNED)
                : memory.toArray(ValueLayout.JAVA_BYTE);
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Datatypes;

/** The type and the layout of the elements of a message. */
public final class Datatype implements AutoCloseable {

    /** Bytes. */
    public static final Datatype BYTE = new Datatype(dev.mpiglot.low.Datatype.BYTE, false);
    /** Java's {@code short}. */
    public static final Datatype SHORT = new Datatype(dev.mpiglot.low.Datatype.INT16_T, false);
    /** Java's {@code char}. */
    public static final Datatype CHAR = new Datatype(dev.mpiglot.low.Datatype.UINT16_T, false);
    /** Java's {@code int}. */
    public static final Datatype INT = new Datatype(dev.mpiglot.low.Datatype.INT32_T, false);
    /** Java's {@code long}. */
    public static final Datatype LONG = new Datatype(dev.mpiglot.low.Datatype.INT64_T, false);
    /** Java's {@code float}. */
    public static final Datatype FLOAT = new Datatype(dev.mpiglot.low.Datatype.FLOAT, false);
    /** Java's {@code double}. */
    public static final Datatype DOUBLE = new Datatype(dev.mpiglot.low.Datatype.DOUBLE, false);

    private final dev.mpiglot.low.Datatype handle;
    private final boolean owned;

    private Datatype(dev.mpiglot.low.Datatype handle, boolean owned) {
        this.handle = handle;
        this.owned = owned;
    }

    /**
     * Blocks of elements at equal distances: a column of a matrix, for example.
     *
     * @param count how many blocks
     * @param blockLength elements in each block
     * @param stride elements from the start of one block to the start of the next
     * @param element the type of the elements
     * @return the type, ready for use; close it when no message needs it
     */
    public static Datatype vector(int count, int blockLength, int stride, Datatype element) {
        return committed(Datatypes.typeVector(count, blockLength, stride, element.handle));
    }

    /**
     * Elements side by side.
     *
     * @param count how many
     * @param element their type
     * @return the type, ready for use; close it when no message needs it
     */
    public static Datatype contiguous(int count, Datatype element) {
        return committed(Datatypes.typeContiguous(count, element.handle));
    }

    /**
     * The same elements, but another distance from one to the next.
     *
     * @param extentBytes the distance in bytes
     * @return the type, ready for use; close it when no message needs it
     */
    public Datatype resized(long extentBytes) {
        return committed(Datatypes.typeCreateResized(handle, 0, extentBytes));
    }

    private static Datatype committed(dev.mpiglot.low.Datatype type) {
        Datatypes.typeCommit(type);
        return new Datatype(type, true);
    }

    /** {@return the bytes of data in one element, gaps not counted} */
    public long size() {
        return Datatypes.typeSize(handle);
    }

    /** Bytes from the start of the first to the end of the last of {@code count} elements. */
    long span(long count) {
        Datatypes.TypeGetTrueExtentResult all = Datatypes.typeGetTrueExtent(handle);
        return (count - 1) * Datatypes.typeGetExtent(handle).extent() + all.trueLb() + all.trueExtent();
    }

    /** {@return the handle for {@link dev.mpiglot.low}} */
    public dev.mpiglot.low.Datatype handle() {
        return handle;
    }

    /** Gives the type back; messages that are under way are not touched. Types that MPI provides stay. */
    @Override
    public void close() {
        if (owned) {
            Datatypes.typeFree(handle);
        }
    }
}

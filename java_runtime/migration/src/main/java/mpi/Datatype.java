package mpi;

import dev.mpiglot.low.Datatypes;
import java.util.Arrays;

/** The type of the elements of a message. */
public final class Datatype implements Freeable {

    final int bytes; // of one value of its base type, which displacements of blocks count
    private dev.mpiglot.low.Datatype handle;

    Datatype(dev.mpiglot.low.Datatype handle, int bytes) {
        this.handle = handle;
        this.bytes = bytes;
    }

    dev.mpiglot.low.Datatype handle() {
        return handle;
    }

    /** How many bytes of memory so many elements reach over. */
    long span(long count) {
        if (count == 0) {
            return 0;
        }
        var bounds = Datatypes.typeGetExtent(handle);
        var inner = Datatypes.typeGetTrueExtent(handle);
        if (inner.trueLb() < 0 || bounds.extent() < 0) {
            throw new IllegalArgumentException("An element of this type begins before its place.");
        }
        return Math.addExact(Math.multiplyExact(count - 1, bounds.extent()), inner.trueLb() + inner.trueExtent());
    }

    /**
     * {@return the first byte of an element}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getLb() throws MPIException {
        return MPIException.of(() -> (int) Datatypes.typeGetExtent(handle).lb());
    }

    /**
     * {@return the bytes from one element to the next}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getExtent() throws MPIException {
        return MPIException.of(() -> (int) Datatypes.typeGetExtent(handle).extent());
    }

    /**
     * {@return the first byte of the data of an element}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getTrueLb() throws MPIException {
        return MPIException.of(() -> (int) Datatypes.typeGetTrueExtent(handle).trueLb());
    }

    /**
     * {@return the bytes over which the data of an element reach}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getTrueExtent() throws MPIException {
        return MPIException.of(() -> (int) Datatypes.typeGetTrueExtent(handle).trueExtent());
    }

    /**
     * {@return the bytes of data of an element}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getSize() throws MPIException {
        return MPIException.of(() -> (int) Datatypes.typeSize(handle));
    }

    /**
     * Makes the type ready for use in messages.
     *
     * @throws MPIException if MPI reports an error
     */
    public void commit() throws MPIException {
        MPIException.run(() -> Datatypes.typeCommit(handle));
    }

    @Override
    public void free() throws MPIException {
        MPIException.run(() -> Datatypes.typeFree(handle));
        handle = dev.mpiglot.low.Datatype.NULL;
    }

    /** {@return whether the type has been freed} */
    public boolean isNull() {
        return handle.equals(dev.mpiglot.low.Datatype.NULL);
    }

    /**
     * {@return another handle of the same type}
     *
     * @throws MPIException if MPI reports an error
     */
    public Datatype dup() throws MPIException {
        return MPIException.of(() -> new Datatype(Datatypes.typeDup(handle), bytes));
    }

    /**
     * {@return a type of elements side by side}
     *
     * @param count how many elements
     * @param oldType the type of the elements
     * @throws MPIException if MPI reports an error
     */
    public static Datatype createContiguous(int count, Datatype oldType) throws MPIException {
        return MPIException.of(() -> new Datatype(Datatypes.typeContiguous(count, oldType.handle), oldType.bytes));
    }

    /**
     * {@return a type of blocks at equal distances in elements}
     *
     * @param count how many elements
     * @param blockLength how many elements a block has
     * @param stride from the begin of a block to that of the next
     * @param oldType the type of the elements
     * @throws MPIException if MPI reports an error
     */
    public static Datatype createVector(int count, int blockLength, int stride, Datatype oldType) throws MPIException {
        return MPIException.of(() -> new Datatype(
                Datatypes.typeVector(count, blockLength, stride, oldType.handle), oldType.bytes));
    }

    /**
     * {@return a type of blocks at equal distances in bytes}
     *
     * @param count how many elements
     * @param blockLength how many elements a block has
     * @param stride from the begin of a block to that of the next
     * @param oldType the type of the elements
     * @throws MPIException if MPI reports an error
     */
    public static Datatype createHVector(int count, int blockLength, int stride, Datatype oldType) throws MPIException {
        return MPIException.of(() -> new Datatype(
                Datatypes.typeCreateHvector(count, blockLength, stride, oldType.handle), oldType.bytes));
    }

    /**
     * {@return a type of blocks that begin at elements}
     *
     * @param blockLengths how many elements the blocks have
     * @param displacements where the blocks begin
     * @param oldType the type of the elements
     * @throws MPIException if MPI reports an error
     */
    public static Datatype createIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
            throws MPIException {
        return MPIException.of(() -> new Datatype(
                Datatypes.typeIndexed(blockLengths, displacements, oldType.handle), oldType.bytes));
    }

    /**
     * {@return a type of blocks that begin at bytes}
     *
     * @param blockLengths how many elements the blocks have
     * @param displacements where the blocks begin
     * @param oldType the type of the elements
     * @throws MPIException if MPI reports an error
     */
    public static Datatype createHIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
            throws MPIException {
        long[] at = Arrays.stream(displacements).asLongStream().toArray();
        return MPIException.of(() -> new Datatype(
                Datatypes.typeCreateHindexed(blockLengths, at, oldType.handle), oldType.bytes));
    }

    /**
     * {@return a type of blocks of several types that begin at bytes}
     *
     * @param blockLengths how many elements the blocks have
     * @param displacements where the blocks begin
     * @param types their types
     * @throws MPIException if MPI reports an error
     */
    public static Datatype createStruct(int[] blockLengths, int[] displacements, Datatype[] types) throws MPIException {
        long[] at = Arrays.stream(displacements).asLongStream().toArray();
        var parts = Arrays.stream(types).map(Datatype::handle).toArray(dev.mpiglot.low.Datatype[]::new);
        return MPIException.of(() -> new Datatype(Datatypes.typeCreateStruct(blockLengths, at, parts), 1));
    }

    /**
     * {@return the same type with other bounds}
     *
     * @param oldType the type of the elements
     * @param lb the first byte of an element
     * @param extent the bytes from one element to the next
     * @throws MPIException if MPI reports an error
     */
    public static Datatype createResized(Datatype oldType, int lb, int extent) throws MPIException {
        return MPIException.of(() -> new Datatype(
                Datatypes.typeCreateResized(oldType.handle, lb, extent), oldType.bytes));
    }
}

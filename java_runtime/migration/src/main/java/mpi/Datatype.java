package mpi;

import dev.mpiglot.low.Caching;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import java.util.Arrays;

/** The type of the elements of a message. */
public final class Datatype implements Freeable, Cloneable {

    private final Datatype base; // null: this is one
    private final int bytes; // of one value of its base type, which bounds and sizes count
    private DatatypeHandle handle;

    /** A type that is its own base. */
    Datatype(DatatypeHandle handle, int bytes) {
        this.handle = handle;
        this.bytes = bytes;
        base = null;
    }

    /** A type made of another. */
    Datatype(DatatypeHandle handle, Datatype of) {
        this.handle = handle;
        base = of.base();
        bytes = of.bytes;
    }

    /** How many values of the base type so many bytes are. */
    int values(long size) {
        return (int) (size / bytes);
    }

    /** The bytes from one element to the next. */
    long extent() throws MPIException {
        return MPIException.of(() -> Datatypes.typeGetExtent(handle).extent());
    }

    /** The predefined type of whose values this is made; of several: bytes. */
    Datatype base() {
        return base == null ? this : base;
    }

    static DatatypeHandle[] handles(Datatype[] types) {
        return Arrays.stream(types).map(Datatype::handle).toArray(DatatypeHandle[]::new);
    }

    DatatypeHandle handle() {
        return handle;
    }

    /** The bytes of memory that so many elements reach over. */
    Span span(long count) {
        if (count <= 0) {
            if (count < 0) {
                throw new IndexOutOfBoundsException("The count " + count + " is negative.");
            }
            return Span.NONE;
        }
        var bounds = Datatypes.typeGetExtent(handle);
        var inner = Datatypes.typeGetTrueExtent(handle);
        long last = Math.multiplyExact(count - 1, bounds.extent());
        return new Span(Math.max(0, -Math.addExact(Math.min(0, last), inner.trueLb())),
                Math.max(0, Math.addExact(Math.max(0, last), inner.trueLb() + inner.trueExtent())));
    }

    /**
     * {@return where an element begins, in values of the base type}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getLb() throws MPIException {
        return MPIException.of(() -> (int) Datatypes.typeGetExtent(handle).lb() / bytes);
    }

    /**
     * {@return the distance of one element from the next, in values of the base type}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getExtent() throws MPIException {
        return MPIException.of(() -> (int) Datatypes.typeGetExtent(handle).extent() / bytes);
    }

    /**
     * {@return where the data of an element begin, in values of the base type}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getTrueLb() throws MPIException {
        return MPIException.of(() -> (int) Datatypes.typeGetTrueExtent(handle).trueLb() / bytes);
    }

    /**
     * {@return over how many values of the base type the data of an element reach}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getTrueExtent() throws MPIException {
        return MPIException.of(() -> (int) Datatypes.typeGetTrueExtent(handle).trueExtent() / bytes);
    }

    /**
     * {@return how many values of the base type an element has}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getSize() throws MPIException {
        return MPIException.of(() -> (int) Datatypes.typeSize(handle) / bytes);
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
        handle = DatatypeHandle.NULL;
    }

    /** {@return whether the type has been freed} */
    public boolean isNull() {
        return handle.equals(DatatypeHandle.NULL);
    }

    /**
     * {@return another handle of the same type}
     *
     * @throws MPIException if MPI reports an error
     */
    public Datatype dup() throws MPIException {
        return MPIException.of(() -> new Datatype(Datatypes.typeDup(handle), this));
    }

    /**
     * {@return a type of elements side by side}
     *
     * @param count how many elements
     * @param oldType the type of the elements
     * @throws MPIException if MPI reports an error
     */
    public static Datatype createContiguous(int count, Datatype oldType) throws MPIException {
        return MPIException.of(() -> new Datatype(Datatypes.typeContiguous(count, oldType.handle), oldType));
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
                Datatypes.typeVector(count, blockLength, stride, oldType.handle), oldType));
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
                Datatypes.typeCreateHvector(count, blockLength, stride, oldType.handle), oldType));
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
                Datatypes.typeIndexed(blockLengths, displacements, oldType.handle), oldType));
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
                Datatypes.typeCreateHindexed(blockLengths, at, oldType.handle), oldType));
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
        var parts = handles(types);
        return MPIException.of(() -> new Datatype(
                Datatypes.typeCreateStruct(blockLengths, at, parts), MPI.BYTE));
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
                Datatypes.typeCreateResized(oldType.handle, lb, extent), oldType));
    }

    @Override
    public Datatype clone() {
        return CommBase.unchecked(this::dup);
    }

    /**
     * Names the type.
     *
     * @param name the name
     * @throws MPIException if MPI reports an error
     */
    public void setName(String name) throws MPIException {
        MPIException.run(() -> Caching.typeSetName(handle, name));
    }

    /**
     * {@return the name of the type}
     *
     * @throws MPIException if MPI reports an error
     */
    public String getName() throws MPIException {
        return MPIException.of(() -> Caching.typeGetName(handle));
    }

    /**
     * {@return a key for attributes of types}
     *
     * @throws MPIException if MPI reports an error
     */
    public static int createKeyval() throws MPIException {
        return MPIException.of(() -> Caching.typeCreateKeyval(
            (type, keyval, in, out, flag) -> Held.copy(in, out, flag), (type, keyval, value) -> Held.drop(value)));
    }

    /**
     * Gives a key back.
     *
     * @param keyval the key
     * @throws MPIException if MPI reports an error
     */
    public static void freeKeyval(int keyval) throws MPIException {
        MPIException.run(() -> Caching.typeFreeKeyval(new int[] {keyval}));
    }

    /**
     * Sets an attribute; copies of the type have it too.
     *
     * @param keyval the key
     * @param value the value
     * @throws MPIException if MPI reports an error
     */
    public void setAttr(int keyval, Object value) throws MPIException {
        MPIException.run(() -> Held.set(value, held -> Caching.typeSetAttr(handle, keyval, held)));
    }

    /**
     * {@return the value of an attribute, or null}
     *
     * @param keyval the key
     * @throws MPIException if MPI reports an error
     */
    public Object getAttr(int keyval) throws MPIException {
        return MPIException.of(() -> Caching.typeGetAttr(handle, keyval).map(Held::value).orElse(null));
    }

    /**
     * Takes an attribute away.
     *
     * @param keyval the key
     * @throws MPIException if MPI reports an error
     */
    public void deleteAttr(int keyval) throws MPIException {
        MPIException.run(() -> Caching.typeDeleteAttr(handle, keyval));
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Datatypes;
import java.util.List;
import java.util.function.Supplier;

/**
 * The type and the layout of the elements of a message.
 *
 * @param <E> the type of the single values in it
 */
public final class Datatype<E extends Element> extends Attributed implements AutoCloseable {

    /** Bytes. */
    public static final Datatype<Element.Bytes> BYTE = new Datatype<>(Kind.BYTE);
    /** Java's {@code short}. */
    public static final Datatype<Element.Shorts> SHORT = new Datatype<>(Kind.SHORT);
    /** Java's {@code char}. */
    public static final Datatype<Element.Chars> CHAR = new Datatype<>(Kind.CHAR);
    /** Java's {@code int}. */
    public static final Datatype<Element.Ints> INT = new Datatype<>(Kind.INT);
    /** Java's {@code long}. */
    public static final Datatype<Element.Longs> LONG = new Datatype<>(Kind.LONG);
    /** Java's {@code float}. */
    public static final Datatype<Element.Floats> FLOAT = new Datatype<>(Kind.FLOAT);
    /** Java's {@code double}. */
    public static final Datatype<Element.Doubles> DOUBLE = new Datatype<>(Kind.DOUBLE);
    private static final List<Datatype<?>> OF_KINDS = List.of(BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE);

    private final dev.mpiglot.low.Datatype handle;
    private final Kind kind;
    private final Layout layout;
    private final long values;
    private final Life life;

    private Datatype(Kind kind) {
        this.handle = kind.datatype();
        this.kind = kind;
        this.layout = Layout.run(kind.size());
        this.values = 1;
        this.life = Life.ENDLESS;
    }

    private Datatype(dev.mpiglot.low.Datatype handle, Kind kind, Layout layout) {
        this.handle = handle;
        this.kind = kind;
        this.layout = layout;
        this.values = layout.size() / kind.size();
        this.life = new Life("The datatype is closed: close it when no call needs it any more.");
    }

    /**
     * Blocks of elements at equal distances: a column of a matrix, for example.
     *
     * @param <E> the type of the single values
     * @param count how many blocks
     * @param blockLength elements in each block
     * @param stride elements from the start of one block to the start of the next
     * @param element the type of the elements
     * @return the type, ready for use; close it when no message needs it
     */
    public static <E extends Element> Datatype<E> vector(int count, int blockLength, int stride, Datatype<E> element) {
        element.life.enter();
        try {
            Layout inner = element.layout;
            return committed(Datatypes.typeVector(count, blockLength, stride, element.handle), element.kind,
                    Layout.repeat(count, Math.multiplyExact(stride, inner.extent()), inner.times(blockLength)));
        } finally {
            element.life.leave();
        }
    }

    /**
     * Elements side by side.
     *
     * @param <E> the type of the single values
     * @param count how many
     * @param element their type
     * @return the type, ready for use; close it when no message needs it
     */
    public static <E extends Element> Datatype<E> contiguous(int count, Datatype<E> element) {
        element.life.enter();
        try {
            return committed(Datatypes.typeContiguous(count, element.handle), element.kind, element.layout.times(count));
        } finally {
            element.life.leave();
        }
    }

    /**
     * The same elements, but another distance from one to the next.
     *
     * @param extentBytes the distance in bytes
     * @return the type, ready for use; close it when no message needs it
     */
    public Datatype<E> resized(long extentBytes) {
        life.enter();
        try {
            return committed(Datatypes.typeCreateResized(handle, 0, extentBytes), kind, layout.resized(extentBytes));
        } finally {
            life.leave();
        }
    }

    private static <E extends Element> Datatype<E> committed(dev.mpiglot.low.Datatype type, Kind kind, Layout layout) {
        Datatypes.typeCommit(type);
        return new Datatype<>(type, kind, layout);
    }

    /** {@return the bytes of data in one element, gaps not counted} */
    public long size() {
        return layout.size();
    }

    /** {@return the bytes from one element to the next} */
    public long extent() {
        return layout.extent();
    }

    /** Single values in one element. */
    long values() {
        return values;
    }

    Kind kind() {
        return kind;
    }

    Layout layout() {
        return layout;
    }

    static Datatype<?> of(Kind kind) {
        return OF_KINDS.get(kind.ordinal());
    }

    @Override
    ObjectKind objectKind() {
        return ObjectKind.TYPE;
    }

    @Override
    dev.mpiglot.low.Datatype word() {
        return handle;
    }

    @Override
    <T> T using(Supplier<T> action) {
        return life.during(action);
    }

    Life life() {
        return life;
    }

    /**
     * {@return the handle for {@link dev.mpiglot.low}, which must not free it}
     *
     * @throws IllegalStateException if the type is closed
     */
    public dev.mpiglot.low.Datatype handle() {
        life.require();
        return handle;
    }

    /**
     * Gives the type back; messages that are under way are not touched. Types that MPI provides stay. Closing again does
     * nothing.
     *
     * @throws IllegalStateException if a call still uses it
     */
    @Override
    public void close() {
        if (life.end()) {
            life.free(() -> AttributeKey.during(() -> Datatypes.typeFree(handle)));
        }
    }

    @Override
    public String toString() {
        return life == Life.ENDLESS ? kind.toString() : kind + "[" + values + "]";
    }
}

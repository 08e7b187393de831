package dev.mpiglot.mpi;

import dev.mpiglot.low.Combiner;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The type and the layout of the elements of a message: {@link MpiBuffer#as} makes elements of a type of the memory of
 * a buffer.
 *
 * @param <E> the type of the single values in it
 */
public final class Datatype<E extends Element> extends DerivedTypes implements AutoCloseable {

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
    /** Java's {@code boolean}, a byte that is 0 or 1. */
    public static final Datatype<Element.Booleans> BOOLEAN = new Datatype<>(Kind.BOOLEAN);
    /** Bytes of a {@link PackedBuffer}. */
    static final Datatype<Element.Records> PACKED = new Datatype<>(DatatypeHandle.PACKED, Kind.RECORD,
            Layout.run(1), List.of(), Life.ENDLESS);
    static final List<Datatype<?>> OF_KINDS = List.of(BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE, BOOLEAN);
    private static final String CLOSED = "The datatype is closed: close it when no call needs it any more.";

    private final DatatypeHandle handle;
    private final Kind kind;
    private final Layout layout;
    private final long values;
    private final List<Datatype<?>> elements; // what it is made of, which may be closed
    private final Life life;
    private final DatatypeHandle combined; // what operations of the program reduce
    private final RecordForm<?> form; // of records of a class; null: the elements are others

    private Datatype(Kind kind) {
        this(kind.datatype(), kind, Layout.run(kind.size()), List.of(), Life.ENDLESS);
    }

    private Datatype(DatatypeHandle handle, Kind kind, Layout layout, List<Datatype<?>> elements, Life life) {
        this(handle, kind, layout, elements, life, null);
    }

    private Datatype(DatatypeHandle handle, Kind kind, Layout layout, List<Datatype<?>> elements, Life life,
            RecordForm<?> form) {
        this.handle = handle;
        this.kind = kind;
        this.layout = layout;
        this.values = form != null ? 1 : layout.size() / kind.size();
        this.elements = elements;
        this.life = life;
        this.form = form;
        this.combined = form == null || layout.upper() == layout.extent() ? handle : bytes(layout.extent());
    }

    /** The same type as that of records. */
    <R extends Record> Datatype<Element.Of<R>> of(RecordForm<R> records) {
        return new Datatype<>(handle, kind, layout, elements, life, records);
    }

    /** The same records, or other elements. */
    private Datatype<E> as(RecordForm<?> records) {
        return records == null ? this : new Datatype<>(handle, kind, layout, elements, life, records);
    }

    /** So many bytes, to be freed with this type. */
    private DatatypeHandle bytes(long count) {
        DatatypeHandle made = Datatypes.typeContiguous(count, BYTE.handle);
        life.with(() -> AttributeKey.during(() -> Datatypes.typeFree(made)));
        Datatypes.typeCommit(made);
        return made;
    }

    /** A type that MPI has made; frees it if it cannot be used. */
    static <E extends Element> Datatype<E> made(DatatypeHandle handle, Kind kind, Layout layout,
            List<? extends Datatype<?>> elements) {
        try {
            Datatypes.typeCommit(handle);
            return new Datatype<>(handle, kind, told(handle, layout), List.copyOf(elements), lifeOf(handle));
        } catch (RuntimeException e) {
            Datatypes.typeFree(handle);
            throw e;
        }
    }

    private static Life lifeOf(DatatypeHandle handle) {
        Stray.freeDropped();
        long word = handle.handle();
        return new Life(CLOSED).watch(handle, "datatype",
                () -> AttributeKey.during(() -> Datatypes.typeFree(new DatatypeHandle(word))));
    }

    /** A type of MPI's own, whose bytes are moved as they are. */
    static Datatype<Element.Records> provided(DatatypeHandle handle, Layout layout) {
        Layout known = layout == null ? Layout.run(Datatypes.typeSize(handle)) : layout;
        return new Datatype<>(handle, Kind.RECORD, told(handle, known), List.of(), Life.ENDLESS);
    }

    /** The layout with MPI's bounds; throws if MPI would reach other bytes, for which nobody has looked. */
    private static Layout told(DatatypeHandle handle, Layout layout) {
        Datatypes.TypeGetExtentResult all = Datatypes.typeGetExtent(handle);
        Datatypes.TypeGetTrueExtentResult data = Datatypes.typeGetTrueExtent(handle);
        boolean same = Datatypes.typeSize(handle) == layout.size() && (layout.size() == 0
                || data.trueLb() == layout.lower() && data.trueLb() + data.trueExtent() == layout.upper());
        if (!same) {
            throw new UnsupportedOperationException("The library makes another datatype than MPI's standard says: of "
                    + Datatypes.typeSize(handle) + " bytes from " + data.trueLb() + " on instead of " + layout.size()
                    + " bytes from " + layout.lower() + " on.");
        }
        return layout.bounded(all.lb(), all.extent());
    }

    /**
     * The same elements, but another distance from one to the next.
     *
     * @param extentBytes the distance in bytes
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public Datatype<E> resized(long extentBytes) {
        return resized(0, extentBytes);
    }

    /**
     * The same elements with other bounds. {@code MPI_Type_create_resized} Local.
     *
     * @param lowerBytes where an element begins; counts where others are made of this type
     * @param extentBytes the distance from one element to the next in bytes
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public Datatype<E> resized(long lowerBytes, long extentBytes) {
        return of(this, inner -> inner.bounded(lowerBytes, extentBytes),
                () -> Datatypes.typeCreateResized(handle, lowerBytes, extentBytes));
    }

    /**
     * Makes the same type again, with its attributes. {@code MPI_Type_dup} Local.
     *
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public Datatype<E> dup() {
        List<Datatype<E>> made = new ArrayList<>(1);
        AttributeKey.during(() -> made.add(of(this, inner -> inner, () -> Datatypes.typeDup(handle))));
        Datatype<E> same = made.getFirst();
        return same.as(form);
    }

    /**
     * Tells how many bytes of data one element has, gaps not counted. {@code MPI_Type_size} Local.
     *
     * @return the bytes
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public long size() {
        return using(() -> Datatypes.typeSize(handle));
    }

    /** The same without a call of MPI. */
    long bytes() {
        return layout.size();
    }

    /** {@return the bytes from one element to the next} */
    public long extent() {
        return layout.extent();
    }

    /**
     * Bytes that an element covers.
     *
     * @param lower where they begin, from the place of the element in the buffer on
     * @param extent how many there are
     */
    public record Bounds(long lower, long extent) {
    }

    /**
     * Tells which bytes an element covers for others that are made of it. {@code MPI_Type_get_extent} Local.
     *
     * @return the bytes from its lower bound to its upper bound
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public Bounds bounds() {
        return using(() -> {
            Datatypes.TypeGetExtentResult told = Datatypes.typeGetExtent(handle);
            return new Bounds(told.lb(), told.extent());
        });
    }

    /**
     * Tells which bytes an element reaches. {@code MPI_Type_get_true_extent} Local.
     *
     * @return the bytes from its first byte of data to its last
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public Bounds trueBounds() {
        return using(() -> {
            Datatypes.TypeGetTrueExtentResult told = Datatypes.typeGetTrueExtent(handle);
            return new Bounds(told.trueLb(), told.trueExtent());
        });
    }

    /**
     * How a type was made.
     *
     * @param combiner which function made it; {@link Combiner#NAMED} for types that MPI provides
     * @param integers how many of its arguments are integers
     * @param addresses how many are in bytes
     * @param counts how many are numbers of 64 bits
     * @param types how many are types
     */
    public record Envelope(Combiner combiner, int integers, int addresses, long counts, int types) {
    }

    /**
     * Tells how this type was made. {@code MPI_Type_get_envelope_c}, in its absence {@code MPI_Type_get_envelope} Local.
     *
     * @return which function made it, and of how many arguments
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public Envelope envelope() {
        return using(() -> {
            try {
                Datatypes.TypeGetEnvelopeCResult told = Datatypes.typeGetEnvelopeC(handle);
                return new Envelope(Combiner.of(told.combiner()), (int) told.numIntegers(), (int) told.numAddresses(),
                        told.numLargeCounts(), (int) told.numDatatypes());
            } catch (UnavailableException e) {
                Datatypes.TypeGetEnvelopeResult told = Datatypes.typeGetEnvelope(handle);
                return new Envelope(Combiner.of(told.combiner()), told.numIntegers(), told.numAddresses(), 0,
                        told.numDatatypes());
            }
        });
    }

    /**
     * Tells the arguments with which this type was made. {@code MPI_Type_get_contents_c}, in its absence
     * {@code MPI_Type_get_contents} Local.
     *
     * @return the arguments, to be closed
     * @throws IllegalStateException if the type is closed, or MPI provides it
     * @throws MpiException if MPI reports an error
     */
    public TypeContents contents() {
        return using(() -> {
            Envelope told = envelope();
            if (life == Life.ENDLESS || told.combiner == Combiner.NAMED) {
                throw new IllegalStateException("The type " + this + " is MPI's own: nobody has made it.");
            }
            int[] integers = new int[told.integers];
            long[] addresses = new long[told.addresses];
            long[] counts = new long[Math.toIntExact(told.counts)];
            DatatypeHandle[] words = new DatatypeHandle[told.types];
            java.util.Arrays.fill(words, DatatypeHandle.NULL);
            try {
                Datatypes.typeGetContentsC(handle, integers, addresses, counts, words);
            } catch (UnavailableException e) {
                Datatypes.typeGetContents(handle, integers, addresses, words);
            }
            List<Datatype<?>> types = new ArrayList<>();
            for (int i = 0; i < words.length; i++) {
                types.add(elements.get(i).again(words[i]));
            }
            return new TypeContents(told.combiner, IntStream.of(integers).boxed().toList(),
                    LongStream.of(addresses).boxed().toList(), LongStream.of(counts).boxed().toList(), List.copyOf(types));
        });
    }

    /** The same type under another handle, which MPI has given to the caller. */
    private Datatype<E> again(DatatypeHandle word) {
        return life == Life.ENDLESS ? this : new Datatype<>(word, kind, layout, elements, lifeOf(word), form);
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

    /** The records that the elements are; null: they are others. */
    RecordForm<?> form() {
        return form;
    }

    /** Bytes of data in a single value, which a record of a class is. */
    long valueBytes() {
        return form != null ? layout.size() : kind.size();
    }

    /**
     * What a reduction takes. An operation of the program combines whole records, whatever the type says; for one with
     * a gap at its end MPICH writes beyond memory (reduce-scatter-of-gaps).
     */
    DatatypeHandle number(Op<?> op) {
        return form == null ? kind.number() : op.isProvided() ? form.pair() : combined;
    }

    /** Whether single values are of the same type. */
    boolean isLike(Datatype<?> other) {
        return kind == other.kind && (form == null ? other.form == null : form.isLike(other.form));
    }

    /** The type of a single value, in words. */
    String valueName() {
        return form != null ? form.name() : kind.toString();
    }

    /** What stands for elements of a kind. */
    static Datatype<?> of(Kind kind) {
        return kind == Kind.RECORD ? BYTE : OF_KINDS.get(kind.ordinal());
    }

    @Override
    ObjectKind objectKind() {
        return ObjectKind.TYPE;
    }

    @Override
    DatatypeHandle word() {
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
    public DatatypeHandle handle() {
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
        if (!life.isOfPackage() && life.end()) {
            life.free(() -> AttributeKey.during(() -> Datatypes.typeFree(handle)));
        }
    }

    @Override
    public String toString() {
        if (form != null) {
            return form.name();
        }
        return life == Life.ENDLESS && this != PACKED ? kind.toString() : kind + "[" + values + "]";
    }
}

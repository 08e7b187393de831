package dev.mpiglot.mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.HeapCalls;
import dev.mpiglot.low.OpHandle;
import dev.mpiglot.low.UserFunction;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * How values of several processes become one.
 *
 * @param <E> the type of the values
 */
public final class Op<E extends Element> implements AutoCloseable {

    /** The sum. */
    public static final Op<Element.Numeric> SUM = ofNumbers("SUM", OpHandle.SUM);
    /** The product. */
    public static final Op<Element.Numeric> PROD = ofNumbers("PROD", OpHandle.PROD);
    /** The largest. */
    public static final Op<Element.Numeric> MAX = ofNumbers("MAX", OpHandle.MAX);
    /** The smallest. */
    public static final Op<Element.Numeric> MIN = ofNumbers("MIN", OpHandle.MIN);
    /** Bits set in all. */
    public static final Op<Element.Integral> BAND = ofBits("BAND", OpHandle.BAND);
    /** Bits set in any. */
    public static final Op<Element.Integral> BOR = ofBits("BOR", OpHandle.BOR);
    /** Bits set in an odd number of them. */
    public static final Op<Element.Integral> BXOR = ofBits("BXOR", OpHandle.BXOR);
    /** True where all are. */
    public static final Op<Element.Booleans> LAND = ofLogic("LAND", OpHandle.LAND);
    /** True where any is. */
    public static final Op<Element.Booleans> LOR = ofLogic("LOR", OpHandle.LOR);
    /** True where an odd number of them is. */
    public static final Op<Element.Booleans> LXOR = ofLogic("LXOR", OpHandle.LXOR);

    /** The largest value and where it is, with the smallest index of equal ones. */
    public static final Op<Element.Of<? extends Located>> MAXLOC = ofPlaces("MAXLOC", OpHandle.MAXLOC);
    /** The smallest value and where it is, with the smallest index of equal ones. */
    public static final Op<Element.Of<? extends Located>> MINLOC = ofPlaces("MINLOC", OpHandle.MINLOC);

    /** Of two values the new one: only for accesses to windows. */
    public static final Op<Element> REPLACE = ofWindows("REPLACE", OpHandle.REPLACE);
    /** Of two values the old one: only for accesses to windows that fetch values. */
    public static final Op<Element> NO_OP = ofWindows("NO_OP", OpHandle.NO_OP);

    private static final UserFunction NOTHING = (in, inout, count, type) -> {
    };
    private static final Map<Kind, Map<Object, Combined>> COMBINED = new EnumMap<>(Kind.class);

    private final String name;
    private final OpHandle handle;
    private final Set<Kind> kinds;
    private final Life life;
    /** The bits of the kinds that MPI reduces with it, if nobody can close it; 0: it is of the program. */
    final int direct;
    private Class<?> records; // what they are; null: no records are reduced
    private RecordForm<?> form; // of records of one class; null: of others
    private boolean commutative = true;
    private Runnable forget = () -> {
    };

    private Op(String name, OpHandle handle, Set<Kind> kinds, Life life) {
        this.name = name;
        this.handle = handle;
        this.kinds = kinds;
        this.life = life;
        this.direct = life == Life.ENDLESS ? Direct.bits(kinds) : 0;
    }

    /** Whether MPI provides it, and reduces the elements of a buffer where they are. */
    static boolean isDirect(Op<?> op, MpiBuffer<?> data) {
        return data != null && op != null && data.direct != null && (data.direct.bit() & op.direct) != 0;
    }

    /** The handle of an operation that cannot be closed. */
    OpHandle word() {
        return handle;
    }

    private static Op<Element.Numeric> ofNumbers(String name, OpHandle handle) {
        return new Op<>(name, handle, EnumSet.copyOf(Kind.NUMBERS), Life.ENDLESS);
    }

    private static Op<Element.Integral> ofBits(String name, OpHandle handle) {
        EnumSet<Kind> kinds = EnumSet.copyOf(Kind.NUMBERS);
        kinds.removeIf(kind -> !kind.isIntegral());
        return new Op<>(name, handle, kinds, Life.ENDLESS);
    }

    private static Op<Element.Booleans> ofLogic(String name, OpHandle handle) {
        return new Op<>(name, handle, EnumSet.of(Kind.BOOLEAN), Life.ENDLESS);
    }

    private static Op<Element.Of<? extends Located>> ofPlaces(String name, OpHandle handle) {
        Op<Element.Of<? extends Located>> made = new Op<>(name, handle, EnumSet.of(Kind.RECORD), Life.ENDLESS);
        made.records = Located.class;
        return made;
    }

    private static Op<Element> ofWindows(String name, OpHandle handle) {
        return new Op<>(name, handle, EnumSet.noneOf(Kind.class), Life.ENDLESS);
    }

    /**
     * An operation on {@code int} elements.
     *
     * @param commutative whether the order of the values does not matter
     * @param operator makes one value of two, the left one from the lower rank; what it throws comes out of the call
     *     that reduces
     * @return the operation
     */
    public static Op<Element.Ints> ofInts(boolean commutative, IntBinaryOperator operator) {
        return create(Kind.INT, commutative, operator, (in, inout, count) -> {
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
    public static Op<Element.Longs> ofLongs(boolean commutative, LongBinaryOperator operator) {
        return create(Kind.LONG, commutative, operator, (in, inout, count) -> {
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
    public static Op<Element.Doubles> ofDoubles(boolean commutative, DoubleBinaryOperator operator) {
        return create(Kind.DOUBLE, commutative, operator, (in, inout, count) -> {
            for (long i = 0; i < count; i++) {
                inout.setAtIndex(ValueLayout.JAVA_DOUBLE, i, operator.applyAsDouble(
                        in.getAtIndex(ValueLayout.JAVA_DOUBLE, i), inout.getAtIndex(ValueLayout.JAVA_DOUBLE, i)));
            }
        });
    }

    /**
     * An operation on {@code byte} elements.
     *
     * @param commutative whether the order of the values does not matter
     * @param operator makes one value of two, the left one from the lower rank; its result is cut to a {@code byte}; what it throws comes out of the
     *     call that reduces
     * @return the operation
     */
    public static Op<Element.Bytes> ofBytes(boolean commutative, IntBinaryOperator operator) {
        return create(Kind.BYTE, commutative, operator, (in, inout, count) -> {
            for (long i = 0; i < count; i++) {
                inout.set(ValueLayout.JAVA_BYTE, i, (byte) operator.applyAsInt(
                        in.get(ValueLayout.JAVA_BYTE, i), inout.get(ValueLayout.JAVA_BYTE, i)));
            }
        });
    }

    /**
     * An operation on {@code short} elements.
     *
     * @param commutative whether the order of the values does not matter
     * @param operator makes one value of two, the left one from the lower rank; its result is cut to a {@code short}; what it throws comes out of the
     *     call that reduces
     * @return the operation
     */
    public static Op<Element.Shorts> ofShorts(boolean commutative, IntBinaryOperator operator) {
        return create(Kind.SHORT, commutative, operator, (in, inout, count) -> {
            for (long i = 0; i < count; i++) {
                inout.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) operator.applyAsInt(
                        in.getAtIndex(ValueLayout.JAVA_SHORT, i), inout.getAtIndex(ValueLayout.JAVA_SHORT, i)));
            }
        });
    }

    /**
     * An operation on {@code char} elements.
     *
     * @param commutative whether the order of the values does not matter
     * @param operator makes one value of two, the left one from the lower rank; its result is cut to a {@code char}; what it throws comes out of the
     *     call that reduces
     * @return the operation
     */
    public static Op<Element.Chars> ofChars(boolean commutative, IntBinaryOperator operator) {
        return create(Kind.CHAR, commutative, operator, (in, inout, count) -> {
            for (long i = 0; i < count; i++) {
                inout.setAtIndex(ValueLayout.JAVA_CHAR, i, (char) operator.applyAsInt(
                        in.getAtIndex(ValueLayout.JAVA_CHAR, i), inout.getAtIndex(ValueLayout.JAVA_CHAR, i)));
            }
        });
    }

    /**
     * An operation on {@code float} elements.
     *
     * @param commutative whether the order of the values does not matter
     * @param operator makes one value of two, the left one from the lower rank; what it throws comes out of the
     *     call that reduces
     * @return the operation
     */
    public static Op<Element.Floats> ofFloats(boolean commutative, FloatBinaryOperator operator) {
        return create(Kind.FLOAT, commutative, operator, (in, inout, count) -> {
            for (long i = 0; i < count; i++) {
                inout.setAtIndex(ValueLayout.JAVA_FLOAT, i, operator.applyAsFloat(
                        in.getAtIndex(ValueLayout.JAVA_FLOAT, i), inout.getAtIndex(ValueLayout.JAVA_FLOAT, i)));
            }
        });
    }

    /** Makes one {@code float} of two: {@code java.util.function} has none for them. */
    @FunctionalInterface
    public interface FloatBinaryOperator {

        /**
         * {@return one value for two}
         *
         * @param left the one from the lower rank
         * @param right the other one
         */
        float applyAsFloat(float left, float right);
    }

    /**
     * An operation on records of a class, such as the one with the largest value: {@code Op.of(Best.class, true, (a, b) ->
     * a.value() >= b.value() ? a : b)}. {@link Comm#allreduce(Record, Op)} and its like take it, and every reduction of
     * the buffer of a {@link RecordArray}.
     *
     * @param <R> the class
     * @param type the class: its components are primitive, or such records
     * @param commutative whether the order of the values does not matter
     * @param operator makes one record of two, the left one from the lower rank; what it throws comes out of the call
     *     that reduces
     * @return the operation, to be closed
     * @throws IllegalArgumentException if an argument is null, or the class has a component of another kind, or none, or
     *     this library cannot reach it
     * @throws MpiException if MPI reports an error
     */
    public static <R extends Record> Op<Element.Of<R>> of(Class<R> type, boolean commutative,
            BinaryOperator<R> operator) {
        RecordForm<R> form = RecordForm.of(type);
        Arguments.present("operator", operator);
        long each = form.layout().byteSize();
        Loop loop = (in, inout, count) -> {
            for (long at = 0; at < count * each; at += each) {
                R one = operator.apply(form.read(in, at), form.read(inout, at));
                form.write(Arguments.present("the result of the operator", one), inout, at);
            }
        };
        Op<Element.Of<R>> made = create(Kind.RECORD, commutative, loop, loop);
        made.records = type;
        made.form = form;
        return made;
    }

    /** The form of the records that are reduced; null: they are of several classes, or others. */
    RecordForm<?> form() {
        return form;
    }

    private static <E extends Element> Op<E> create(Kind kind, boolean commutative, Object operator, Loop loop) {
        Stray.freeDropped();
        synchronized (COMBINED) {
            Map<Object, Combined> known = COMBINED.computeIfAbsent(kind, none -> new IdentityHashMap<>());
            Combined combined = known.getOrDefault(operator,
                    new Combined((in, inout, count, type) -> loop.run(in, inout, count), 0));
            Runnable forget = () -> known.computeIfPresent(operator, (o, now) -> now.less());
            OpHandle handle = Collectives.opCreate(combined.function, commutative);
            long word = handle.handle();
            Op<E> made = new Op<>("an operation on " + kind + " elements", handle, EnumSet.of(kind),
                    new Life("The operation is closed: close it when no reduction needs it any more.").watch(handle,
                            "operation of the program", () -> free(new OpHandle(word), forget)));
            made.commutative = commutative;
            made.forget = forget;
            known.put(operator, combined.more());
            return made;
        }
    }

    /** Combines so many elements. */
    interface Loop {
        void run(MemorySegment in, MemorySegment inout, long count);
    }

    /** What MPI calls for an operator: the same for all operations that are made of it, as long as there are any. */
    private record Combined(UserFunction function, int operations) {

        Combined more() {
            return new Combined(function, operations + 1);
        }

        Combined less() {
            return operations == 1 ? null : new Combined(function, operations - 1);
        }
    }

    /**
     * Tells whether the order of the values does not matter. {@code MPI_Op_commutative} Local.
     *
     * @return what was said when the operation was made; true for those that MPI provides
     * @throws IllegalStateException if the operation is closed
     */
    public boolean isCommutative() {
        return life.during(() -> Collectives.opCommutative(handle));
    }

    /**
     * Combines two buffers of this process, element by element: {@code second} becomes {@code first op second}.
     * {@code MPI_Reduce_local} Local.
     *
     * @param <T> the type of the values
     * @param first the left values
     * @param second the right values, as many; replaced by the result
     * @throws IllegalArgumentException if a buffer is missing or in place, if their values are not as many or of another
     *     type, or if the operation cannot reduce them
     * @throws IllegalStateException if the operation or the type of a buffer is closed
     * @throws MpiException if MPI reports an error
     */
    public <T extends E> void reduceLocal(MpiBuffer<T> first, MpiBuffer<T> second) {
        Call.withElements("first", first);
        Datatype<?> type = Call.withElements("second", second).type();
        Parts.sameType("first", first, "second", second);
        require(type);
        if (first.values() != second.values()) {
            throw new IllegalArgumentException("\"first\" has " + first.values() + " elements and \"second\" has "
                    + second.values() + ": they must be as many.");
        }
        life.during(() -> first.type().life().during(() -> second.type().life().during(() -> {
            reduceApart(first, second);
            return null;
        })));
    }

    /** Does it in the arrays themselves; false: they are too long for that, or not apart, or it cannot be done now. */
    private boolean reduceOnHeap(MpiBuffer<?> first, MpiBuffer<?> second) {
        MemorySegment given = isProvided() ? first.onHeap() : null;
        MemorySegment result = given == null ? null : second.onHeap();
        return result != null && given.asOverlappingSlice(result).isEmpty()
                && HeapCalls.reduceLocal(given, result, second.values(), second.type().number(this), handle);
    }

    private void reduceApart(MpiBuffer<?> first, MpiBuffer<?> second) {
        if (reduceOnHeap(first, second)) {
            return;
        }
        Staging pinned = isProvided() ? second.pinned(null) : null;
        Loan result = Loan.toReduce(second, pinned);
        Loan given = null;
        try {
            given = first.overlaps(second) ? Loan.copyOf(first)
                    : Loan.toReduce(first, isProvided() ? first.pinned(pinned) : null);
            DatatypeHandle type = second.type().number(this);
            Collectives.reduceLocal(given.segment(), result.segment(), result.count(), type, handle);
            result.arrived();
        } finally {
            if (given != null) {
                given.end();
            }
            result.end();
        }
    }

    /** Throws if a window cannot combine elements of this type with this operation. */
    void requireOfWindows(Kind kind, boolean fetches) {
        if (!isProvided()) {
            throw new IllegalArgumentException("A window takes no " + name + ", only operations that MPI provides.");
        }
        if (this == NO_OP && !fetches) {
            throw new IllegalArgumentException("NO_OP is only for accesses that fetch values.");
        }
        if (!kinds.isEmpty()) {
            require(Datatype.of(kind));
        }
    }

    /** Throws if elements of this type cannot be reduced with this operation. */
    void require(Datatype<?> type) {
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException(name + " cannot reduce: it is for accesses to windows.");
        }
        if (!reduces(type)) {
            throw new IllegalArgumentException(name + " cannot reduce " + type.valueName() + " elements, only "
                    + (records != null ? records.getSimpleName() : kinds) + ".");
        }
    }

    private boolean reduces(Datatype<?> type) {
        boolean isOfClass = type.form() != null && records != null && records.isAssignableFrom(type.form().type());
        return type.kind() == Kind.RECORD ? isOfClass : kinds.contains(type.kind());
    }

    /**
     * Stands for this operation where it is closed or cannot reduce elements of this type. Libraries choose the algorithm
     * by whether MPI provides the operation and whether it is commutative, so this one is of the same sort.
     */
    Op<?> standIn(Datatype<?> type) {
        if (isProvided() && reduces(type)) {
            return this;
        }
        if (isProvided() && (type.form() == null || MAXLOC.reduces(type))) {
            return type.form() != null ? MAXLOC : type.kind() == Kind.BOOLEAN ? LAND : SUM;
        }
        return new Op<>("nothing", Collectives.opCreate(NOTHING, commutative), EnumSet.allOf(Kind.class),
                new Life("The operation is closed."));
    }

    Life life() {
        return life;
    }

    boolean isProvided() {
        return life == Life.ENDLESS;
    }

    /**
     * {@return the handle for {@link dev.mpiglot.low}, which must not free it}
     *
     * @throws IllegalStateException if the operation is closed
     */
    public OpHandle handle() {
        life.require();
        return handle;
    }

    /**
     * Gives the operation back; reductions that are under way still use it. Operations that MPI provides stay. Closing
     * again does nothing.
     *
     * @throws IllegalStateException if a call still uses it
     */
    @Override
    public void close() {
        if (life.end()) {
            life.free(() -> free(handle, forget));
        }
    }

    private static void free(OpHandle handle, Runnable forget) {
        Collectives.opFree(handle);
        synchronized (COMBINED) {
            forget.run();
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.Typeclass;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** The methods of {@link Datatype} that make types of parts of several types, and those of Fortran's numbers. */
abstract sealed class RecordTypes extends Attributed permits DerivedTypes {

    /**
     * Blocks of elements of several types: a structure. MPI rounds its extent up to a multiple of what its elements need;
     * {@link Datatype#resized} says another. {@code MPI_Type_create_struct} Local.
     *
     * @param blockLengths elements in each block
     * @param displacementsBytes where each block begins, in bytes
     * @param types the type of the elements of each block
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalArgumentException if an argument is null, a length is negative, or there are not as many of each
     * @throws IllegalStateException if a type is closed
     * @throws MpiException if MPI reports an error
     */
    public static Datatype<Element.Records> struct(int[] blockLengths, long[] displacementsBytes, List<Datatype<?>> types) {
        Arguments.present("displacementsBytes", displacementsBytes);
        requireBlocks(blockLengths, displacementsBytes.length);
        Arguments.present("types", types);
        Arguments.length("types", types.size(), blockLengths.length, "block");
        return using(types, 0, () -> {
            List<Layout.Part> parts = new ArrayList<>();
            Layout layout = within(() -> {
                for (int i = 0; i < blockLengths.length; i++) {
                    parts.add(new Layout.Part(displacementsBytes[i], types.get(i).layout().times(blockLengths[i])));
                }
                return Layout.sequence(parts);
            });
            DatatypeHandle[] words = types.stream().map(Datatype::word).toArray(DatatypeHandle[]::new);
            return Datatype.made(Datatypes.typeCreateStruct(blockLengths, displacementsBytes, words), Kind.RECORD, layout,
                    types);
        });
    }

    /** Keeps types open from one of them on. */
    private static <T> T using(List<Datatype<?>> types, int first, Supplier<T> action) {
        if (first == types.size()) {
            return action.get();
        }
        Life life = Arguments.present("types[" + first + "]", types.get(first)).life();
        return life.during(() -> using(types, first + 1, action));
    }

    /**
     * A structure as {@link java.lang.foreign} describes it: padding is not sent, and the extent is the layout's size.
     * {@code MPI_Type_create_struct} Local.
     *
     * @param layout the layout; its members are numbers of this machine's byte order, sequences and structures
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalArgumentException if the layout is null or has a member of another kind
     * @throws MpiException if MPI reports an error
     */
    public static Datatype<Element.Records> struct(StructLayout layout) {
        List<Datatype<?>> types = new ArrayList<>();
        List<Long> places = new ArrayList<>();
        collect(Arguments.present("layout", layout), 0, types, places);
        int[] ones = new int[types.size()];
        Arrays.fill(ones, 1);
        try (Datatype<Element.Records> members = struct(ones, places.stream().mapToLong(Long::longValue).toArray(), types)) {
            return members.resized(layout.byteSize());
        }
    }

    /**
     * Records of a class, as C would put a structure of their components.
     * {@code MPI_Type_create_struct} Local.
     *
     * @param <R> the class
     * @param type the class: its components are primitive, or such records
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalArgumentException if the class is null, has a component of another kind or none, or this library
     *     cannot reach it
     * @throws UnsupportedOperationException if the library puts the components elsewhere
     * @throws MpiException if MPI reports an error
     */
    public static <R extends Record> Datatype<Element.Of<R>> struct(Class<R> type) {
        return RecordForm.of(type).datatype();
    }

    private static void collect(MemoryLayout member, long at, List<Datatype<?>> types, List<Long> places) {
        switch (member) {
            case PaddingLayout padding -> {
            }
            case StructLayout struct -> {
                long next = at;
                for (MemoryLayout one : struct.memberLayouts()) {
                    collect(one, next, types, places);
                    next += one.byteSize();
                }
            }
            case SequenceLayout sequence -> {
                for (long i = 0; i < sequence.elementCount(); i++) {
                    collect(sequence.elementLayout(), at + i * sequence.elementLayout().byteSize(), types, places);
                }
            }
            case ValueLayout value -> {
                types.add(of(value));
                places.add(at);
            }
            case GroupLayout union -> throw new IllegalArgumentException("MPI has no type for the union " + union + ".");
        }
    }

    private static Datatype<?> of(ValueLayout value) {
        if (value.byteSize() > 1 && value.order() != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException("The member " + value + " has another byte order than this machine.");
        }
        Class<?> carrier = value.carrier();
        for (Datatype<?> type : Datatype.OF_KINDS) {
            if (type.kind().name().equalsIgnoreCase(carrier.getName())) {
                return type;
            }
        }
        throw new IllegalArgumentException("MPI has no type for the member " + value + ".");
    }

    /**
     * A value and its index, as MPI's operations for the place of the largest and smallest value take them.
     * {@code MPI_Type_get_value_index} Local.
     *
     * @param value the type of the value, one of MPI's own
     * @param index the type of the index, one of MPI's own; it stands behind the value, where C would put it
     * @return the type, which MPI provides
     * @throws IllegalArgumentException if a type is null
     * @throws UnsupportedOperationException if the library has no such pair
     * @throws MpiException if MPI reports an error; a {@link UnavailableException} before
     *     MPI 4.1
     */
    public static Datatype<Element.Records> valueIndex(Datatype<?> value, Datatype<?> index) {
        Life first = Arguments.present("value", value).life();
        Life second = Arguments.present("index", index).life();
        return first.during(() -> second.during(() -> {
            DatatypeHandle pair = Datatypes.typeGetValueIndex(value.word(), index.word());
            if (pair.equals(DatatypeHandle.NULL)) {
                throw new UnsupportedOperationException("The library has no pair of " + value + " and " + index + ".");
            }
            long after = -Math.floorDiv(-value.layout().size(), index.layout().size()) * index.layout().size();
            return Datatype.provided(pair, Layout.sequence(List.of(new Layout.Part(0, value.layout()),
                    new Layout.Part(after, index.layout()))));
        }));
    }

    /**
     * Fortran's type of numbers of a size. {@code MPI_Type_match_size} Local.
     *
     * @param typeclass which numbers
     * @param size bytes of a number
     * @return the type, which MPI provides
     * @throws IllegalArgumentException if the class is null
     * @throws MpiException if there is none, or the library was built without Fortran
     */
    public static Datatype<Element.Records> matching(Typeclass typeclass, int size) {
        Arguments.present("typeclass", typeclass);
        return Datatype.provided(Datatypes.typeMatchSize(typeclass.value(), size), null);
    }

    /**
     * Fortran's {@code selected_real_kind(precision, range)}. {@code MPI_Type_create_f90_real} Local.
     *
     * @param precision decimal digits, or {@link Comm#UNDEFINED}
     * @param range decimal exponent, or {@link Comm#UNDEFINED}
     * @return the type, which MPI provides
     * @throws MpiException if there is none, or the library was built without Fortran
     */
    public static Datatype<Element.Records> f90Real(int precision, int range) {
        return Datatype.provided(Datatypes.typeCreateF90Real(precision, range), null);
    }

    /**
     * Fortran's complex numbers of {@code selected_real_kind(precision, range)}. {@code MPI_Type_create_f90_complex} Local.
     *
     * @param precision decimal digits, or {@link Comm#UNDEFINED}
     * @param range decimal exponent, or {@link Comm#UNDEFINED}
     * @return the type, which MPI provides
     * @throws MpiException if there is none, or the library was built without Fortran
     */
    public static Datatype<Element.Records> f90Complex(int precision, int range) {
        return Datatype.provided(Datatypes.typeCreateF90Complex(precision, range), null);
    }

    /**
     * Fortran's {@code selected_int_kind(range)}. {@code MPI_Type_create_f90_integer} Local.
     *
     * @param range decimal exponent
     * @return the type, which MPI provides
     * @throws MpiException if there is none, or the library was built without Fortran
     */
    public static Datatype<Element.Records> f90Integer(int range) {
        return Datatype.provided(Datatypes.typeCreateF90Integer(range), null);
    }

    /** Lengths of a layout that no long holds are mistakes of the program. */
    static Layout within(Supplier<Layout> layout) {
        try {
            return layout.get();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("The datatype is longer than 2^63 bytes.", e);
        }
    }

    static void requireCount(String name, long count) {
        if (count < 0) {
            throw new IllegalArgumentException("The argument \"" + name + "\" is " + count + ": it must be 0 or more.");
        }
    }

    static void requireBlocks(int[] blockLengths, int displacements) {
        Arguments.length("blockLengths", Arguments.present("blockLengths", blockLengths).length, displacements,
                "displacement");
        for (int i = 0; i < blockLengths.length; i++) {
            requireCount("blockLengths[" + i + "]", blockLengths[i]);
        }
    }
}

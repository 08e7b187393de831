package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The methods of {@link Datatype} that make types of elements of one type. Each type is ready for use and is closed when
 * no message needs it; the types that it is made of may be closed before.
 */
abstract sealed class DerivedTypes extends RecordTypes permits Datatype {

    /**
     * Elements side by side. {@code MPI_Type_contiguous}, {@code MPI_Type_commit} Local.
     *
     * @param <E> the type of the single values
     * @param count how many
     * @param element their type
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalArgumentException if the number is negative or the type is null
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public static <E extends Element> Datatype<E> contiguous(long count, Datatype<E> element) {
        requireCount("count", count);
        return of(element, inner -> inner.times(count), () -> Datatypes.typeContiguous(count, element.word()));
    }

    /**
     * Blocks of elements at equal distances: a column of a matrix, for example. {@code MPI_Type_vector} Local.
     *
     * @param <E> the type of the single values
     * @param count how many blocks
     * @param blockLength elements in each block
     * @param stride elements from the start of one block to the start of the next
     * @param element the type of the elements
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalArgumentException if a number is negative or the type is null
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public static <E extends Element> Datatype<E> vector(long count, long blockLength, long stride, Datatype<E> element) {
        requireCount("count", count);
        requireCount("blockLength", blockLength);
        return of(element, inner -> blocks(count, blockLength, Math.multiplyExact(stride, inner.extent()), inner),
                () -> Datatypes.typeVector(count, blockLength, stride, element.word()));
    }

    /**
     * The same with the distance in bytes. {@code MPI_Type_create_hvector} Local.
     *
     * @param <E> the type of the single values
     * @param count how many blocks
     * @param blockLength elements in each block
     * @param strideBytes bytes from the start of one block to the start of the next
     * @param element the type of the elements
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalArgumentException if a number is negative or the type is null
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public static <E extends Element> Datatype<E> hvector(long count, long blockLength, long strideBytes,
            Datatype<E> element) {
        requireCount("count", count);
        requireCount("blockLength", blockLength);
        return of(element, inner -> blocks(count, blockLength, strideBytes, inner),
                () -> Datatypes.typeCreateHvector(count, blockLength, strideBytes, element.word()));
    }

    private static Layout blocks(long count, long blockLength, long stride, Layout inner) {
        return Layout.repeat(count, stride, inner.times(blockLength));
    }

    /**
     * Blocks of different lengths at any places. {@code MPI_Type_indexed} Local.
     *
     * @param <E> the type of the single values
     * @param blockLengths elements in each block
     * @param displacements where each block begins, in elements
     * @param element the type of the elements
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalArgumentException if an argument is null, a length is negative, or the arrays differ in length
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public static <E extends Element> Datatype<E> indexed(int[] blockLengths, int[] displacements, Datatype<E> element) {
        Arguments.present("displacements", displacements);
        requireBlocks(blockLengths, displacements.length);
        return of(element, inner -> at(blockLengths, inner, i -> Math.multiplyExact(displacements[i], inner.extent())),
                () -> Datatypes.typeIndexed(blockLengths, displacements, element.word()));
    }

    /**
     * The same with places in bytes. {@code MPI_Type_create_hindexed} Local.
     *
     * @param <E> the type of the single values
     * @param blockLengths elements in each block
     * @param displacementsBytes where each block begins, in bytes
     * @param element the type of the elements
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalArgumentException if an argument is null, a length is negative, or the arrays differ in length
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public static <E extends Element> Datatype<E> hindexed(int[] blockLengths, long[] displacementsBytes,
            Datatype<E> element) {
        Arguments.present("displacementsBytes", displacementsBytes);
        requireBlocks(blockLengths, displacementsBytes.length);
        return of(element, inner -> at(blockLengths, inner, i -> displacementsBytes[i]),
                () -> Datatypes.typeCreateHindexed(blockLengths, displacementsBytes, element.word()));
    }

    /**
     * Blocks of the same length at any places. {@code MPI_Type_create_indexed_block} Local.
     *
     * @param <E> the type of the single values
     * @param blockLength elements in each block
     * @param displacements where each block begins, in elements
     * @param element the type of the elements
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalArgumentException if an argument is null or the length is negative
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public static <E extends Element> Datatype<E> indexedBlock(int blockLength, int[] displacements, Datatype<E> element) {
        int[] lengths = same(blockLength, Arguments.present("displacements", displacements).length);
        return of(element, inner -> at(lengths, inner, i -> Math.multiplyExact(displacements[i], inner.extent())),
                () -> Datatypes.typeCreateIndexedBlock(blockLength, displacements, element.word()));
    }

    /**
     * The same with places in bytes. {@code MPI_Type_create_hindexed_block} Local.
     *
     * @param <E> the type of the single values
     * @param blockLength elements in each block
     * @param displacementsBytes where each block begins, in bytes
     * @param element the type of the elements
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalArgumentException if an argument is null or the length is negative
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public static <E extends Element> Datatype<E> hindexedBlock(int blockLength, long[] displacementsBytes,
            Datatype<E> element) {
        int[] lengths = same(blockLength, Arguments.present("displacementsBytes", displacementsBytes).length);
        return of(element, inner -> at(lengths, inner, i -> displacementsBytes[i]),
                () -> Datatypes.typeCreateHindexedBlock(blockLength, displacementsBytes, element.word()));
    }

    /**
     * A part of an array of several dimensions: a face of a cube, for example. Its extent is that of the whole array.
     * {@code MPI_Type_create_subarray} Local.
     *
     * @param <E> the type of the single values
     * @param sizes elements of the whole array in each dimension
     * @param subsizes elements of the part in each dimension
     * @param starts where the part begins in each dimension, from 0
     * @param order {@link Order#C} if elements of the last dimension are side by side, as Java's programs have them;
     *     {@link Order#FORTRAN} if those of the first are
     * @param element the type of the elements
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalArgumentException if an argument is null, the arrays are empty or differ in length, or the part is
     *     not inside the array
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public static <E extends Element> Datatype<E> subarray(int[] sizes, int[] subsizes, int[] starts, Order order,
            Datatype<E> element) {
        Dimensions.requirePart(sizes, subsizes, starts);
        Arguments.present("order", order);
        return of(element, inner -> Dimensions.part(sizes, subsizes, starts, order, inner),
                () -> Datatypes.typeCreateSubarray(sizes, subsizes, starts, order.value(), element.word()));
    }

    /**
     * The part of this process of an array that is distributed among processes in a grid, whose last dimension counts
     * fastest. Its extent is that of the whole array. {@code MPI_Type_create_darray} Local.
     *
     * @param <E> the type of the single values
     * @param rank the process whose part it is, in the grid
     * @param dimensions how each dimension is distributed
     * @param order see {@link #subarray}
     * @param element the type of the elements
     * @return the type, ready for use; close it when no message needs it
     * @throws IllegalArgumentException if an argument is null, there is no dimension, or the grid has no such process
     * @throws IllegalStateException if the type is closed
     * @throws UnsupportedOperationException if the library puts the elements in wrong places
     * @throws MpiException if MPI reports an error
     */
    public static <E extends Element> Datatype<E> darray(int rank, List<Distributed> dimensions, Order order,
            Datatype<E> element) {
        Arguments.present("dimensions", dimensions);
        Arguments.present("order", order);
        int processes = Dimensions.processes(dimensions, rank);
        Dimensions.requireRight(dimensions, order);
        return of(element, inner -> Dimensions.distributed(rank, dimensions, order, inner),
                () -> Datatypes.typeCreateDarray(processes, rank, Dimensions.each(dimensions, Distributed::size),
                        Dimensions.each(dimensions, one -> one.distribution().value()),
                        Dimensions.each(dimensions, Distributed::argument), Dimensions.each(dimensions, Distributed::processes),
                        order.value(), element.word()));
    }

    /** How a type is made of the elements' layout. */
    @FunctionalInterface
    interface Derivation {
        Layout layout(Layout inner);
    }

    /** A type of elements of one other type. The layout is made first: it tells what does not fit a long. */
    static <E extends Element> Datatype<E> of(Datatype<E> element, Derivation derivation,
            Supplier<DatatypeHandle> maker) {
        Arguments.present("element", element);
        return element.using(() -> {
            Layout layout = within(() -> derivation.layout(element.layout()));
            return Datatype.made(maker.get(), element.kind(), layout, List.of(element));
        });
    }

    /** Where a block begins, in bytes. */
    @FunctionalInterface
    interface Place {
        long of(int block);
    }

    static Layout at(int[] blockLengths, Layout inner, Place place) {
        List<Layout.Part> parts = new ArrayList<>(blockLengths.length);
        for (int i = 0; i < blockLengths.length; i++) {
            parts.add(new Layout.Part(place.of(i), inner.times(blockLengths[i])));
        }
        return Layout.sequence(parts);
    }

    private static int[] same(int blockLength, int blocks) {
        requireCount("blockLength", blockLength);
        int[] lengths = new int[blocks];
        java.util.Arrays.fill(lengths, blockLength);
        return lengths;
    }
}

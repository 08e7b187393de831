package dev.mpiglot.mpi;

/**
 * What an operation has collected that learns how much each process gives: {@link Comm#allgatherv(MpiBuffer)} and its
 * like.
 *
 * @param values new memory of {@link MpiBuffer#allocate}'s kind with all elements, in the order of ranks or neighbours
 * @param counts the elements of each of them; where nothing was collected, none
 * @param <E> the type of the single values
 */
public record Collected<E extends Element>(MpiBuffer<E> values, int[] counts) {

    /** Memory for elements like those that this process gives. */
    static <E extends Element> Collected<E> room(MpiBuffer<E> sent, int[] counts) {
        return new Collected<>(MpiBuffer.room(sent.type(), Given.sum(counts)), counts);
    }
}

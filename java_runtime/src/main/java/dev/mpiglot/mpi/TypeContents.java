package dev.mpiglot.mpi;

import dev.mpiglot.low.Combiner;
import java.util.List;

/**
 * The arguments with which a type was made, in the order of MPI's standard ({@link Datatype#contents}). Closing it closes
 * the types that MPI has made for it; those that it provides stay.
 *
 * @param combiner which function made the type
 * @param integers its arguments that are integers
 * @param addresses its arguments in bytes
 * @param counts its arguments that are numbers of 64 bits, of functions that take such; else none
 * @param types the types that it was made of
 */
public record TypeContents(Combiner combiner, List<Integer> integers, List<Long> addresses, List<Long> counts,
        List<Datatype<?>> types) implements AutoCloseable {

    /** {@throws IllegalArgumentException if an argument is null} */
    public TypeContents {
        Arguments.present("combiner", combiner);
        Arguments.present("integers", integers);
        Arguments.present("addresses", addresses);
        Arguments.present("counts", counts);
        Arguments.present("types", types).forEach(type -> Arguments.present("types", type));
    }

    /** Closes the types. Closing again does nothing. */
    @Override
    public void close() {
        types.forEach(Datatype::close);
    }
}

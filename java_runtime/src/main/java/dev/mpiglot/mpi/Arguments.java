package dev.mpiglot.mpi;

import dev.mpiglot.low.MpiConstants;
import java.util.List;
import java.util.OptionalInt;

/** What is asked of arguments before MPI is called, and what MPI's integers mean. */
final class Arguments {

    private Arguments() {
    }

    /** The same object; throws if there is none. */
    static <T> T present(String name, T object) {
        if (object == null) {
            throw new IllegalArgumentException("The argument \"" + name + "\" is null.");
        }
        return object;
    }

    /** A list without nulls. */
    static <T> List<T> all(String name, List<T> objects) {
        present(name, objects).forEach(one -> present("an element of " + name, one));
        return objects;
    }

    /** Throws if there is no process with this rank. */
    static void rank(String name, int rank, int size) {
        if (rank < 0 || rank >= size) {
            throw new IllegalArgumentException("The argument \"" + name + "\" is " + rank + ", which is no rank: "
                    + (size == 0 ? "there is none." : "ranks are 0 to " + (size - 1) + "."));
        }
    }

    /** Throws unless all are ranks. */
    static void ranks(String name, int[] ranks, int size) {
        present(name, ranks);
        for (int i = 0; i < ranks.length; i++) {
            rank(name + "[" + i + "]", ranks[i], size);
        }
    }

    /** Throws if an array has another length than it must have. */
    static void length(String name, int length, int expected, String what) {
        if (length != expected) {
            throw new IllegalArgumentException("The array \"" + name + "\" has " + length + " elements and must have "
                    + expected + ", one for each " + what + ".");
        }
    }

    /** A rank as MPI tells it: {@code MPI_UNDEFINED} is none. */
    static OptionalInt rank(int told) {
        return told == MpiConstants.UNDEFINED ? OptionalInt.empty() : OptionalInt.of(told);
    }
}

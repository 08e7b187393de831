package dev.mpiglot.low;

/** An MPI object, by the word that the loaded library knows it by. */
public interface Handle {

    /** {@return the library's own word for the object; no meaning beyond that} */
    long handle();
}

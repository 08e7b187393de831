package dev.mpiglot.low;

/** Where converted arguments go: for one call, or until an operation completes. */
interface Place {

    /** Address of {@code bytes} zeroed bytes, aligned to 8. */
    long allocate(long bytes);

    /** The same for what is written at once: not zeroed where that takes time. */
    long room(long bytes);
}

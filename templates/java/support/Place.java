package dev.mpiglot.low;

/** Where converted arguments go: for one call, or until an operation completes. */
interface Place {

    /** Address of {@code bytes} zeroed bytes, aligned to 8. */
    long allocate(long bytes);
}

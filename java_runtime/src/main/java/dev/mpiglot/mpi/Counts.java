package dev.mpiglot.mpi;

import dev.mpiglot.low.Datatypes;

/** Lengths of messages. */
final class Counts {

    private Counts() {
    }

    static long bytes(dev.mpiglot.low.Status status) {
        return Datatypes.getCount(status, dev.mpiglot.low.Datatype.BYTE);
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.OpHandle;

/** An operation of a reduction. */
public record Op(OpHandle low) {

    public static final Op SUM = new Op(OpHandle.SUM);
}

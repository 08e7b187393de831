package dev.mpiglot.mpi;

import mpi.MPI;

/** An operation of a reduction. */
public record Op(mpi.Op open) {

    public static final Op SUM = new Op(MPI.SUM);
}

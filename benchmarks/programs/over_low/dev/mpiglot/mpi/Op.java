package dev.mpiglot.mpi;

/** An operation of a reduction. */
public record Op(dev.mpiglot.low.Op low) {

    public static final Op SUM = new Op(dev.mpiglot.low.Op.SUM);
}

package mpi;

/** What combines the values of a reduction. */
public final class Op {

    final dev.mpiglot.low.Op handle;

    Op(dev.mpiglot.low.Op handle) {
        this.handle = handle;
    }

    /** {@return whether the order of the values does not matter, as of all predefined operations} */
    public boolean isCommutative() {
        return true;
    }
}

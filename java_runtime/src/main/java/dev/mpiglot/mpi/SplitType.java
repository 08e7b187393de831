package dev.mpiglot.mpi;

import dev.mpiglot.low.MpiConstants;

/** What processes have in common that {@link Comm#splitType} puts together. */
public enum SplitType {

    /** Memory that they can share. */
    SHARED(MpiConstants.COMM_TYPE_SHARED),
    /** Hardware of the kind that the hint {@code mpi_hw_resource_type} names. Since MPI 4.0. */
    HW_GUIDED(MpiConstants.COMM_TYPE_HW_GUIDED),
    /** The next smaller part of the hardware that the library sees. Since MPI 4.0. */
    HW_UNGUIDED(MpiConstants.COMM_TYPE_HW_UNGUIDED),
    /** What the hints {@code mpi_hw_resource_type} or {@code mpi_pset_name} name. Since MPI 4.1. */
    RESOURCE_GUIDED(MpiConstants.COMM_TYPE_RESOURCE_GUIDED),
    /** Nothing: the process takes part and gets no communicator. */
    UNDEFINED(MpiConstants.UNDEFINED);

    private final int value;

    SplitType(int value) {
        this.value = value;
    }

    /** {@return the integer that stands for it in {@link MpiConstants}} */
    public int value() {
        return value;
    }
}

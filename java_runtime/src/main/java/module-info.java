/** MPI for Java: one jar for every MPI library. */
module dev.mpiglot.mpi {
    exports dev.mpiglot.mpi;
    exports dev.mpiglot.low;
}

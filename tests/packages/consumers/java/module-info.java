/** A program as a module. */
module user {
    requires dev.mpiglot.mpi;
}

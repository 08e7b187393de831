/**
 * Open MPI's Java bindings, over {@link dev.mpiglot.low}: programs written for them
 * run on any MPI without a changed line. docs/reference/java-openmpi.md says which methods there are.
 */
package mpi;

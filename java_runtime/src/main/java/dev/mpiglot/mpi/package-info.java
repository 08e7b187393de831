/**
 * MPI as a Java program would like it: communicators with methods, arrays in and out, requests that can be awaited,
 * operations from lambdas, errors as exceptions.
 *
 * <pre>{@code
 * Mpi.run(mpi -> {
 *     Comm world = mpi.world();
 *     int[] sum = {world.rank()};
 *     world.allreduce(sum, Op.SUM);
 *     System.out.println(world.rank() + ": " + sum[0]);
 * });
 * }</pre>
 *
 * <p>Everything else that MPI has is in {@link dev.mpiglot.low}; every object here gives its handle for it.
 */
package dev.mpiglot.mpi;

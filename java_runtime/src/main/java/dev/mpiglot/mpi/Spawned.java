package dev.mpiglot.mpi;

import java.util.List;

/**
 * Processes that were started ({@link Comm#spawn}).
 *
 * @param comm the intercommunicator to them, to be disconnected or closed
 * @param errors what MPI says of each process, in the order of the programs: 0 if it runs, else an error code
 */
public record Spawned(Intercomm comm, List<Integer> errors) {
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.Processes;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The methods of {@link Comm} that start processes and connect to those of other jobs. What only the root knows is checked
 * there, and all throw if it is wrong.
 */
public sealed interface ProcessCreation permits Comm {

    private Comm comm() {
        return (Comm) this;
    }

    /**
     * Starts processes of a program, which find this job with {@link Intercomm#parent}. {@code MPI_Comm_spawn} Collective.
     *
     * @param program what to start; used at the root only and may be null elsewhere
     * @param root the rank that knows it
     * @return the processes, whose communicator is to be disconnected
     * @throws IllegalArgumentException if the root is no rank or has no program: on all
     * @throws IllegalStateException if the hints are closed there
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error: some libraries cannot start processes
     */
    default Spawned spawn(@Nullable Spawn program, int root) {
        try (Call call = comm().within()) {
            int[] errors = new int[agreed(root, () -> Arguments.present("program", program).require().processes())];
            boolean isRoot = comm().rank() == root;
            String command = isRoot ? program.command() : "";
            String[] arguments = isRoot ? program.arguments().toArray(new String[0]) : null;
            InfoHandle info = isRoot ? program.info() : InfoHandle.NULL;
            return spawned(call, errors,
                    () -> Processes.commSpawn(command, arguments, errors.length, info, root, comm().word(), errors));
        }
    }

    /**
     * Starts processes of several programs, which are one job. {@code MPI_Comm_spawn_multiple} Collective.
     *
     * @param programs what to start; used at the root only and may be null elsewhere
     * @param root the rank that knows them
     * @return the processes, whose communicator is to be disconnected
     * @throws IllegalArgumentException if the root is no rank or has no programs: on all
     * @throws IllegalStateException if hints are closed there
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error: some libraries cannot start processes
     */
    default Spawned spawn(@Nullable List<Spawn> programs, int root) {
        try (Call call = comm().within()) {
            int[] errors = new int[agreed(root, () -> processesOf(programs))];
            List<Spawn> known = comm().rank() == root ? programs : List.of();
            String[] commands = known.stream().map(Spawn::command).toArray(String[]::new);
            String[][] arguments = known.stream().map(one -> one.arguments().toArray(new String[0])).toArray(String[][]::new);
            int[] processes = known.stream().mapToInt(Spawn::processes).toArray();
            InfoHandle[] infos = known.stream().map(Spawn::info).toArray(InfoHandle[]::new);
            return spawned(call, errors,
                    () -> Processes.commSpawnMultiple(commands, arguments, processes, infos, root, comm().word(), errors));
        }
    }

    private static int processesOf(List<Spawn> programs) {
        if (Arguments.present("programs", programs).isEmpty()) {
            throw new IllegalArgumentException("There is no program to start.");
        }
        programs.forEach(one -> Arguments.present("programs", one).require());
        return Math.toIntExact(programs.stream().mapToLong(Spawn::processes).sum());
    }

    private static Spawned spawned(Call call, int[] errors, Supplier<CommHandle> action) {
        Intercomm made = (Intercomm) Comm.make(call, action);
        return new Spawned(made, Arrays.stream(errors).boxed().toList());
    }

    /**
     * Tells all the number that the root knows, and throws on all if it is wrong. All must know how many errors there will
     * be: MPICH mixes up messages where not all take them (spawn-errors-of-one-rank).
     */
    private int agreed(int root, IntSupplier known) {
        Arguments.rank("root", root, comm().size());
        int[] number = {0};
        RuntimeException mistake = comm().rank() != root ? null : Parts.mistakeOf(() -> number[0] = known.getAsInt());
        if (mistake != null) {
            number[0] = -1;
        }
        comm().bcast(number, root);
        if (mistake != null) {
            throw mistake;
        }
        if (number[0] < 0) {
            throw new IllegalArgumentException("Rank " + root + ", the root, could not take part.");
        }
        return number[0];
    }

    /**
     * Waits until a job connects to a port. {@code MPI_Comm_accept} Collective.
     *
     * @param port the port; used at the root only and may be null elsewhere
     * @param root the rank that has opened it
     * @return the intercommunicator to the processes that have connected, to be disconnected
     * @throws IllegalArgumentException if the root is no rank or has no port: on all
     * @throws IllegalStateException if the port is closed there
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default Intercomm accept(@Nullable Port port, int root) {
        try (Call call = comm().within()) {
            agreed(root, () -> Arguments.present("port", port).using(() -> 0));
            if (comm().rank() != root) {
                return (Intercomm) Comm.make(call, () -> Processes.commAccept("", InfoHandle.NULL, root, comm().word()));
            }
            return port.using(() -> (Intercomm) Comm.make(call,
                    () -> Processes.commAccept(port.name(), InfoHandle.NULL, root, comm().word())));
        }
    }

    /**
     * Connects to a job that accepts at a port. {@code MPI_Comm_connect} Collective.
     *
     * @param port the name of the port ({@link Port#name}, {@link Port#lookup}); used at the root only and may be null
     *     elsewhere
     * @param root the rank that knows it
     * @return the intercommunicator to the processes that have accepted, to be disconnected
     * @throws IllegalArgumentException if the root is no rank or has no name: on all
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error: nobody has opened the port, for example
     */
    default Intercomm connect(@Nullable String port, int root) {
        try (Call call = comm().within()) {
            agreed(root, () -> Arguments.present("port", port).length());
            String name = comm().rank() == root ? port : "";
            return (Intercomm) Comm.make(call, () -> Processes.commConnect(name, InfoHandle.NULL, root, comm().word()));
        }
    }
}

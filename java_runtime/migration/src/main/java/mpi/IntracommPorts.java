package mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.Processes;

/** Connects processes with those of other jobs, and starts some. */
abstract class IntracommPorts extends IntracommMakes {

    IntracommPorts(CommHandle handle) {
        super(handle);
    }

    private static int[] codes(int[] codes) {
        return codes == null ? MpiConstants.ERRCODES_IGNORE : codes;
    }

    /**
     * {@return the name of a port that others can connect to}
     *
     * @throws MPIException if MPI reports an error
     */
    public static String openPort() throws MPIException {
        return openPort(MPI.INFO_NULL);
    }

    /**
     * {@return the name of a port that others can connect to}
     *
     * @param info hints, or {@code MPI.INFO_NULL}
     * @throws MPIException if MPI reports an error
     */
    public static String openPort(Info info) throws MPIException {
        return MPIException.of(() -> Processes.openPort(info.handle()));
    }

    /**
     * Closes a port.
     *
     * @param name the name of a port
     * @throws MPIException if MPI reports an error
     */
    public static void closePort(String name) throws MPIException {
        MPIException.run(() -> Processes.closePort(name));
    }

    /**
     * {@return the communicator with processes that connect to a port}
     *
     * @param port the name of a port
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Intercomm accept(String port, int root) throws MPIException {
        return accept(port, MPI.INFO_NULL, root);
    }

    /**
     * {@return the communicator with processes that connect to a port}
     *
     * @param port the name of a port
     * @param info hints, or {@code MPI.INFO_NULL}
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Intercomm accept(String port, Info info, int root) throws MPIException {
        return MPIException.of(() -> new Intercomm(Processes.commAccept(port, info.handle(), root, handle())));
    }

    /**
     * {@return the communicator with the processes that accept at a port}
     *
     * @param port the name of a port
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Intercomm connect(String port, int root) throws MPIException {
        return connect(port, MPI.INFO_NULL, root);
    }

    /**
     * {@return the communicator with the processes that accept at a port}
     *
     * @param port the name of a port
     * @param info hints, or {@code MPI.INFO_NULL}
     * @param root the rank of the root
     * @throws MPIException if MPI reports an error
     */
    public final Intercomm connect(String port, Info info, int root) throws MPIException {
        return MPIException.of(() -> new Intercomm(Processes.commConnect(port, info.handle(), root, handle())));
    }

    /**
     * Publishes a port under the name of a service.
     *
     * @param service the name of a service
     * @param port the name of a port
     * @throws MPIException if MPI reports an error
     */
    public static void publishName(String service, String port) throws MPIException {
        publishName(service, MPI.INFO_NULL, port);
    }

    /**
     * Publishes a port under the name of a service.
     *
     * @param service the name of a service
     * @param info hints, or {@code MPI.INFO_NULL}
     * @param port the name of a port
     * @throws MPIException if MPI reports an error
     */
    public static void publishName(String service, Info info, String port) throws MPIException {
        MPIException.run(() -> Processes.publishName(service, info.handle(), port));
    }

    /**
     * Takes the name of a service back.
     *
     * @param service the name of a service
     * @param port the name of a port
     * @throws MPIException if MPI reports an error
     */
    public static void unpublishName(String service, String port) throws MPIException {
        unpublishName(service, MPI.INFO_NULL, port);
    }

    /**
     * Takes the name of a service back.
     *
     * @param service the name of a service
     * @param info hints, or {@code MPI.INFO_NULL}
     * @param port the name of a port
     * @throws MPIException if MPI reports an error
     */
    public static void unpublishName(String service, Info info, String port) throws MPIException {
        MPIException.run(() -> Processes.unpublishName(service, info.handle(), port));
    }

    /**
     * {@return the port that was published under a name}
     *
     * @param service the name of a service
     * @throws MPIException if MPI reports an error
     */
    public static String lookupName(String service) throws MPIException {
        return lookupName(service, MPI.INFO_NULL);
    }

    /**
     * {@return the port that was published under a name}
     *
     * @param service the name of a service
     * @param info hints, or {@code MPI.INFO_NULL}
     * @throws MPIException if MPI reports an error
     */
    public static String lookupName(String service, Info info) throws MPIException {
        return MPIException.of(() -> Processes.lookupName(service, info.handle()));
    }

    /**
     * {@return the communicator with processes that it starts}
     *
     * @param command the program
     * @param argv its arguments
     * @param maxprocs how many processes at most
     * @param info hints, or {@code MPI.INFO_NULL}
     * @param root the rank of the root
     * @param errcodes room for the error of each process, or null
     * @throws MPIException if MPI reports an error
     */
    public final Intercomm spawn(String command, String[] argv, int maxprocs, Info info, int root, int[] errcodes)
            throws MPIException {
        return MPIException.of(() -> new Intercomm(Processes.commSpawn(
            command, argv, maxprocs, info.handle(), root, handle(), codes(errcodes))));
    }

    /**
     * {@return the communicator with processes of several programs that it starts}
     *
     * @param commands the programs
     * @param argv their arguments
     * @param maxprocs how many processes of each at most
     * @param info hints for each
     * @param root the rank of the root
     * @param errcodes room for the error of each process, or null
     * @throws MPIException if MPI reports an error
     */
    public final Intercomm spawnMultiple(String[] commands, String[][] argv, int[] maxprocs, Info[] info, int root,
            int[] errcodes) throws MPIException {
        return MPIException.of(() -> new Intercomm(Processes.commSpawnMultiple(
            commands, argv, maxprocs, Info.handles(info), root, handle(), codes(errcodes))));
    }
}

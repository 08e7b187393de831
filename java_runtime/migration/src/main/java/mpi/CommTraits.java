package mpi;

import dev.mpiglot.low.Caching;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Processes;
import dev.mpiglot.low.Topologies;

/** What a communicator has: processes, attributes, hints, and what happens at an error. */
abstract class CommTraits extends CommKept {

    CommTraits(CommHandle handle) {
        super(handle);
    }

    /** {@return the operation that {@link Comm#iDup} began, or null} */
    public final Request getRequest() {
        return request();
    }

    /**
     * Gives the communicator hints.
     *
     * @param info hints, or {@code MPI.INFO_NULL}
     * @throws MPIException if MPI reports an error
     */
    public final void setInfo(Info info) throws MPIException {
        MPIException.run(() -> Communicators.commSetInfo(handle(), info.handle()));
    }

    /**
     * {@return the hints of the communicator}
     *
     * @throws MPIException if MPI reports an error
     */
    public final Info getInfo() throws MPIException {
        return MPIException.of(() -> new Info(Communicators.commGetInfo(handle())));
    }

    /**
     * Waits for messages and gives the communicator back.
     *
     * @throws MPIException if MPI reports an error
     */
    public final void disconnect() throws MPIException {
        MPIException.run(() -> Processes.commDisconnect(handle()));
        hasGone();
    }

    /**
     * {@return the processes of the communicator}
     *
     * @throws MPIException if MPI reports an error
     */
    public final Group getGroup() throws MPIException {
        return MPIException.of(() -> new Group(Communicators.commGroup(handle())));
    }

    /**
     * {@return a communicator between two groups, whose leaders know each other in this one}
     *
     * @param localComm the communicator of the own group
     * @param localLeader the rank of its leader there
     * @param remoteLeader the rank of the leader of the other group in this communicator
     * @param tag the tag of the messages between the leaders
     * @throws MPIException if MPI reports an error
     */
    public final Intercomm createIntercomm(Comm localComm, int localLeader, int remoteLeader, int tag)
            throws MPIException {
        return MPIException.of(() -> new Intercomm(
            Communicators.intercommCreate(localComm.handle(), localLeader, handle(), remoteLeader, tag)));
    }

    /**
     * {@return a key for attributes of communicators}
     *
     * @throws MPIException if MPI reports an error
     */
    public static int createKeyval() throws MPIException {
        return MPIException.of(() -> Caching.commCreateKeyval(
            (comm, keyval, in, out, flag) -> Held.copy(in, out, flag), (comm, keyval, value) -> Held.drop(value)));
    }

    /**
     * Gives a key back.
     *
     * @param keyval the key
     * @throws MPIException if MPI reports an error
     */
    public static void freeKeyval(int keyval) throws MPIException {
        MPIException.run(() -> Caching.commFreeKeyval(new int[] {keyval}));
    }

    /**
     * Sets an attribute; copies of the communicator have it too.
     *
     * @param keyval the key
     * @param value the value
     * @throws MPIException if MPI reports an error
     */
    public final void setAttr(int keyval, Object value) throws MPIException {
        MPIException.run(() -> Held.set(value, held -> Caching.commSetAttr(handle(), keyval, held)));
    }

    /**
     * {@return the value of an attribute, or null; those of MPI are integers}
     *
     * @param keyval the key
     * @throws MPIException if MPI reports an error
     */
    public final Object getAttr(int keyval) throws MPIException {
        return MPIException.of(() -> Caching.commGetAttr(handle(), keyval).map(held ->
            Held.isPredefined(keyval) ? (Object) Held.integer(held) : Held.value(held)).orElse(null));
    }

    /**
     * Takes an attribute away.
     *
     * @param keyval the key
     * @throws MPIException if MPI reports an error
     */
    public final void deleteAttr(int keyval) throws MPIException {
        MPIException.run(() -> Caching.commDeleteAttr(handle(), keyval));
    }

    /**
     * {@return {@code MPI.GRAPH}, {@code CART}, {@code DIST_GRAPH} or {@code UNDEFINED}}
     *
     * @throws MPIException if MPI reports an error
     */
    public final int getTopology() throws MPIException {
        return MPIException.of(() -> Topologies.topoTest(handle()));
    }

    /**
     * Says what happens at an error.
     *
     * @param errhandler what happens at an error
     * @throws MPIException if MPI reports an error
     */
    public final void setErrhandler(Errhandler errhandler) throws MPIException {
        MPIException.run(() -> Environment.commSetErrhandler(handle(), errhandler.handle));
    }

    /**
     * {@return what happens at an error}
     *
     * @throws MPIException if MPI reports an error
     */
    public final Errhandler getErrhandler() throws MPIException {
        return MPIException.of(() -> new Errhandler(Environment.commGetErrhandler(handle())));
    }

    /**
     * Does what happens at an error.
     *
     * @param errorCode the code of an error
     * @throws MPIException if MPI reports an error
     */
    public void callErrhandler(int errorCode) throws MPIException {
        MPIException.run(() -> Environment.commCallErrhandler(handle(), errorCode));
    }
}

package mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import java.nio.Buffer;

/** One group of processes that exchange messages. */
public class Intracomm extends IntracommPorts {

    Intracomm(CommHandle handle) {
        super(handle);
    }

    @Override
    public Intracomm dup() throws MPIException {
        return MPIException.of(() -> new Intracomm(Communicators.commDup(handle())));
    }

    @Override
    public Intracomm clone() {
        return unchecked(this::dup);
    }

    @Override
    public Intracomm iDup() throws MPIException {
        return beginCopy(Intracomm::new);
    }

    @Override
    public Intracomm dupWithInfo(Info info) throws MPIException {
        return MPIException.of(() -> new Intracomm(Communicators.commDupWithInfo(handle(), info.handle())));
    }

    /**
     * {@return the communicator of the processes of the same color, in the order of their keys}
     *
     * @param colour which communicator, or {@code MPI.UNDEFINED} for none
     * @param key the place in it
     * @throws MPIException if MPI reports an error
     */
    public final Intracomm split(int colour, int key) throws MPIException {
        return MPIException.of(() -> new Intracomm(Communicators.commSplit(handle(), colour, key)));
    }

    /**
     * Combines the elements of the processes up to this one.
     *
     * @param sendbuf the elements that are sent
     * @param recvbuf where elements go
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final void scan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        combine(Collectives::scan, sendbuf, recvbuf, count, type, op);
    }

    /**
     * The same in the place of the own elements.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final void scan(Object buf, int count, Datatype type, Op op) throws MPIException {
        combineInPlace(Collectives::scan, buf, count, type, op);
    }

    /**
     * Combines the elements of the processes before this one.
     *
     * @param sendbuf the elements that are sent
     * @param recvbuf where elements go
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final void exScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        combine(Collectives::exscan, sendbuf, recvbuf, count, type, op);
    }

    /**
     * The same in the place of the own elements.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final void exScan(Object buf, int count, Datatype type, Op op) throws MPIException {
        combineInPlace(Collectives::exscan, buf, count, type, op);
    }

    /**
     * {@return the operation of {@link #scan}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param recvbuf where elements go, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final Request iScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) throws MPIException {
        return beginCombining(Collectives::iscan, sendbuf, recvbuf, count, type, op);
    }

    /**
     * {@return the same operation in the place of the own elements}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final Request iScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return beginInPlace(Collectives::iscan, buf, count, type, op);
    }

    /**
     * {@return the operation of {@link #exScan}, which goes on}
     *
     * @param sendbuf the elements that are sent, a direct buffer
     * @param recvbuf where elements go, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final Request iExScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) throws MPIException {
        return beginCombining(Collectives::iexscan, sendbuf, recvbuf, count, type, op);
    }

    /**
     * {@return the same operation in the place of the own elements}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public final Request iExScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return beginInPlace(Collectives::iexscan, buf, count, type, op);
    }
}

package mpi;

import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.Generalized;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.StatusValue;

/** What is known of a received message. */
public final class Status {

    final StatusValue data;
    private final int index;

    Status(StatusValue data, int index) {
        this.data = data;
        this.index = index;
    }

    /**
     * {@return how many elements arrived, or {@code MPI.UNDEFINED}}
     *
     * @param datatype the type of the elements
     * @throws MPIException if MPI reports an error
     */
    public int getCount(Datatype datatype) throws MPIException {
        return MPIException.of(() -> (int) Datatypes.getCount(data, datatype.handle()));
    }

    /**
     * {@return how many values of predefined types arrived, or {@code MPI.UNDEFINED}}
     *
     * @param datatype the type of the elements
     * @throws MPIException if MPI reports an error
     */
    public int getElements(Datatype datatype) throws MPIException {
        return MPIException.of(() -> (int) Datatypes.getElements(data, datatype.handle()));
    }

    /**
     * {@return whether the operation was cancelled}
     *
     * @throws MPIException if MPI reports an error
     */
    public boolean isCancelled() throws MPIException {
        return MPIException.of(() -> PointToPoint.testCancelled(data));
    }

    /** {@return the rank that sent the message} */
    public int getSource() {
        return data.source();
    }

    /** {@return the tag of the message} */
    public int getTag() {
        return data.tag();
    }

    /** {@return the error of the operation} */
    public int getError() {
        return data.error();
    }

    /** {@return the index of the request in the array that was given, or {@code MPI.UNDEFINED}} */
    public int getIndex() {
        return index;
    }

    /**
     * {@return the same with {@link #getElements}, for more than an {@code int} has room for}
     *
     * @param datatype the type of the elements
     * @throws MPIException if MPI reports an error
     */
    public Count getElementsX(Datatype datatype) throws MPIException {
        return MPIException.of(() -> new Count(Datatypes.getElements(data, datatype.handle())));
    }

    /**
     * Says how many values arrived.
     *
     * @param datatype the type of the elements
     * @param count how many elements
     * @throws MPIException if MPI reports an error
     */
    public void setElements(Datatype datatype, int count) throws MPIException {
        MPIException.run(() -> tell(datatype, count));
    }

    /**
     * Says how many values arrived.
     *
     * @param datatype the type of the elements
     * @param count how many elements
     * @throws MPIException if MPI reports an error
     */
    public void setElementsX(Datatype datatype, Count count) throws MPIException {
        MPIException.run(() -> tell(datatype, count.getCount()));
    }

    /** Sets a length, unless MPICH might end the job: large-count-in-status-aborts. */
    private void tell(Datatype datatype, long count) {
        long size = Datatypes.typeSize(datatype.handle());
        if (count < 0 || size < 0 || size > 0 && count > (Long.MAX_VALUE - 1) / size) {
            throw new IllegalArgumentException("No message has " + count + " elements of " + size + " bytes.");
        }
        Generalized.statusSetElements(data, datatype.handle(), count);
    }

    /**
     * Says whether the operation was cancelled.
     *
     * @param flag whether it was
     * @throws MPIException if MPI reports an error
     */
    public void setCancelled(boolean flag) throws MPIException {
        MPIException.run(() -> Generalized.statusSetCancelled(data, flag));
    }
}

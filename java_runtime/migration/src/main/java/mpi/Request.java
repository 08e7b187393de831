package mpi;

import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;
import dev.mpiglot.low.StatusValue;
import java.util.Arrays;

/** An operation that has begun. */
public class Request implements Freeable {

    final RequestHandle handle;
    private Object[] used; // stays reachable until the operation is complete

    Request(RequestHandle handle, Object... used) {
        this.handle = handle;
        this.used = used;
    }

    void hasEnded() {
        used = null;
    }

    /**
     * Gives the request back. A request that is null stays so: its operation is complete, or it was given back before.
     *
     * @throws MPIException if MPI reports an error
     */
    @Override
    public void free() throws MPIException {
        if (!isNull()) {
            MPIException.run(() -> PointToPoint.requestFree(handle));
        }
    }

    /**
     * Asks MPI to cancel the operation.
     *
     * @throws MPIException if MPI reports an error
     */
    public final void cancel() throws MPIException {
        MPIException.run(() -> PointToPoint.cancel(handle));
    }

    /** {@return whether the operation is complete, and that was seen} */
    public final boolean isNull() {
        return handle.handle() == RequestHandle.NULL.handle();
    }

    /**
     * {@return the status of the operation, when it is complete}
     *
     * @throws MPIException if MPI reports an error
     */
    public final Status waitStatus() throws MPIException {
        var status = new StatusValue();
        MPIException.run(() -> PointToPoint.wait(handle, status));
        hasEnded();
        return new Status(status, MPI.UNDEFINED);
    }

    /**
     * Waits until the operation is complete.
     *
     * @throws MPIException if MPI reports an error
     */
    public final void waitFor() throws MPIException {
        MPIException.run(() -> PointToPoint.wait(handle, null));
        hasEnded();
    }

    /**
     * {@return the status of the operation if it is complete, else null}
     *
     * @throws MPIException if MPI reports an error
     */
    public final Status testStatus() throws MPIException {
        var status = new StatusValue();
        if (!MPIException.of(() -> PointToPoint.test(handle, status))) {
            return null;
        }
        hasEnded();
        return new Status(status, MPI.UNDEFINED);
    }

    /**
     * {@return whether the operation is complete}
     *
     * @throws MPIException if MPI reports an error
     */
    public final boolean test() throws MPIException {
        return testStatus() != null;
    }

    static RequestHandle[] handles(Request[] requests) {
        return Arrays.stream(requests).map(one -> one.handle).toArray(RequestHandle[]::new);
    }

    private static StatusValue[] statuses(Request[] requests) {
        var statuses = new StatusValue[requests.length];
        Arrays.setAll(statuses, i -> new StatusValue());
        return statuses;
    }

    private static Status[] all(Request[] requests, StatusValue[] statuses) {
        Status[] all = new Status[requests.length];
        for (int i = 0; i < all.length; i++) {
            requests[i].hasEnded();
            all[i] = new Status(statuses[i], i);
        }
        return all;
    }

    /**
     * {@return the status of one operation that is complete, with its index}
     *
     * @param requests the operations
     * @throws MPIException if MPI reports an error
     */
    public static Status waitAnyStatus(Request[] requests) throws MPIException {
        var status = new StatusValue();
        int index = MPIException.of(() -> PointToPoint.waitany(handles(requests), status));
        if (index != MPI.UNDEFINED) {
            requests[index].hasEnded();
        }
        return new Status(status, index);
    }

    /**
     * {@return the index of one operation that is complete}
     *
     * @param requests the operations
     * @throws MPIException if MPI reports an error
     */
    public static int waitAny(Request[] requests) throws MPIException {
        return waitAnyStatus(requests).getIndex();
    }

    /**
     * {@return the statuses of all operations, when they are complete}
     *
     * @param requests the operations
     * @throws MPIException if MPI reports an error
     */
    public static Status[] waitAllStatus(Request[] requests) throws MPIException {
        return MPIException.of(() -> {
            var statuses = statuses(requests);
            PointToPoint.waitall(handles(requests), statuses);
            return all(requests, statuses);
        });
    }

    /**
     * Waits until all operations are complete.
     *
     * @param requests the operations
     * @throws MPIException if MPI reports an error
     */
    public static void waitAll(Request[] requests) throws MPIException {
        waitAllStatus(requests);
    }

    /**
     * {@return the statuses of all operations if they are complete, else null}
     *
     * @param requests the operations
     * @throws MPIException if MPI reports an error
     */
    public static Status[] testAllStatus(Request[] requests) throws MPIException {
        return MPIException.of(() -> {
            var statuses = statuses(requests);
            return PointToPoint.testall(handles(requests), statuses) ? all(requests, statuses) : null;
        });
    }

    /**
     * {@return whether all operations are complete}
     *
     * @param requests the operations
     * @throws MPIException if MPI reports an error
     */
    public static boolean testAll(Request[] requests) throws MPIException {
        return testAllStatus(requests) != null;
    }

    /** A question for some operations that are complete, whose indices and statuses MPI writes. */
    private interface Asking {
        int ask(RequestHandle[] requests, int[] indices, StatusValue[] statuses);
    }

    private static Status[] some(Asking how, Request[] requests) throws MPIException {
        return MPIException.of(() -> {
            int[] indices = new int[requests.length];
            var statuses = statuses(requests);
            int count = how.ask(handles(requests), indices, statuses);
            if (count == MPI.UNDEFINED) {
                return null;
            }
            Status[] some = new Status[count];
            for (int i = 0; i < count; i++) {
                requests[indices[i]].hasEnded();
                some[i] = new Status(statuses[i], indices[i]);
            }
            return some;
        });
    }

    private static int[] indices(Status[] statuses) {
        return statuses == null ? null : Arrays.stream(statuses).mapToInt(Status::getIndex).toArray();
    }

    /**
     * {@return the status of the operation if it is complete, else null; the request stays as it is}
     *
     * @throws MPIException if MPI reports an error
     */
    public final Status getStatus() throws MPIException {
        return MPIException.of(() -> {
            var status = new StatusValue();
            return PointToPoint.requestGetStatus(handle, status) ? new Status(status, MPI.UNDEFINED) : null;
        });
    }

    /**
     * {@return the status of one operation that is complete, with its index, else null}
     *
     * @param requests the operations
     * @throws MPIException if MPI reports an error
     */
    public static Status testAnyStatus(Request[] requests) throws MPIException {
        return MPIException.of(() -> {
            var status = new StatusValue();
            return PointToPoint.testany(handles(requests), status).map(index -> {
                if (index != MPI.UNDEFINED) {
                    requests[index].hasEnded();
                }
                return new Status(status, index);
            }).orElse(null);
        });
    }

    /**
     * {@return the index of one operation that is complete, or {@code MPI.UNDEFINED}}
     *
     * @param requests the operations
     * @throws MPIException if MPI reports an error
     */
    public static int testAny(Request[] requests) throws MPIException {
        Status status = testAnyStatus(requests);
        return status == null ? MPI.UNDEFINED : status.getIndex();
    }

    /**
     * {@return the statuses of all operations that are complete, when there is at least one; with their indices; null
     * without any operation}
     *
     * @param requests the operations
     * @throws MPIException if MPI reports an error
     */
    public static Status[] waitSomeStatus(Request[] requests) throws MPIException {
        return some(PointToPoint::waitsome, requests);
    }

    /**
     * {@return the indices of the same operations}
     *
     * @param requests the operations
     * @throws MPIException if MPI reports an error
     */
    public static int[] waitSome(Request[] requests) throws MPIException {
        return indices(waitSomeStatus(requests));
    }

    /**
     * {@return the statuses of all operations that are complete, with their indices; null without any operation}
     *
     * @param requests the operations
     * @throws MPIException if MPI reports an error
     */
    public static Status[] testSomeStatus(Request[] requests) throws MPIException {
        return some(PointToPoint::testsome, requests);
    }

    /**
     * {@return the indices of the same operations}
     *
     * @param requests the operations
     * @throws MPIException if MPI reports an error
     */
    public static int[] testSome(Request[] requests) throws MPIException {
        return indices(testSomeStatus(requests));
    }
}

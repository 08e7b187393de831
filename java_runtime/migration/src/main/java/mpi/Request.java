package mpi;

import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;
import dev.mpiglot.low.StatusValue;
import dev.mpiglot.mpi.AvoidedDefects;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An operation that has begun. */
public class Request implements Freeable {

    final RequestHandle handle;
    private StatusValue known; // of an operation that was complete when it began, until that is told; else null
    private Object[] used; // stays reachable until the operation is complete
    private boolean ofFile;

    Request(RequestHandle handle, Object... used) {
        this.handle = handle;
        this.used = used;
    }

    /** An operation that was complete when it began. */
    static Request over(StatusValue found) {
        Request over = new Request(new RequestHandle(RequestHandle.NULL.handle()));
        over.known = found;
        return over;
    }

    /** An access to a file. */
    static Request ofFile(Request begun) {
        begun.ofFile = true;
        return begun;
    }

    /** An access to a window, which is complete already where MPI_Test may crash: MPI_Testall of it alone does not. */
    static Request access(Request begun) {
        if (!AvoidedDefects.accessesCrashInTest()) {
            return begun;
        }
        var status = new StatusValue();
        while (!PointToPoint.testall(new RequestHandle[] {begun.handle}, new StatusValue[] {status})) {
            Thread.onSpinWait();
        }
        begun.hasEnded();
        begun.known = status;
        return begun;
    }

    void hasEnded() {
        used = null;
    }

    /** What was known when it began, once; else null. */
    private StatusValue told() {
        StatusValue found = known;
        known = null;
        return found;
    }

    /** The same of the first of several. */
    private static Status told(Request[] requests) {
        for (int i = 0; i < requests.length; i++) {
            StatusValue found = requests[i].told();
            if (found != null) {
                return new Status(found, i);
            }
        }
        return null;
    }

    /**
     * Gives the request back. A request that is null stays so: its operation is complete, or it was given back before.
     *
     * @throws MPIException if MPI reports an error
     */
    @Override
    public void free() throws MPIException {
        if (told() == null && !isNull()) {
            MPIException.run(() -> PointToPoint.requestFree(handle));
        }
    }

    /**
     * Asks MPI to cancel the operation.
     *
     * @throws MPIException if MPI reports an error
     */
    public final void cancel() throws MPIException {
        if (known == null) {
            MPIException.run(() -> PointToPoint.cancel(handle));
        }
    }

    /** {@return whether the operation is complete, and that was seen} */
    public final boolean isNull() {
        return known == null && handle.handle() == RequestHandle.NULL.handle();
    }

    /**
     * {@return the status of the operation, when it is complete}
     *
     * @throws MPIException if MPI reports an error
     */
    public final Status waitStatus() throws MPIException {
        StatusValue found = told();
        if (found != null) {
            return new Status(found, MPI.UNDEFINED);
        }
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
        if (told() == null) {
            MPIException.run(() -> PointToPoint.wait(handle, null));
            hasEnded();
        }
    }

    /**
     * {@return the status of the operation if it is complete, else null}
     *
     * @throws MPIException if MPI reports an error
     */
    public final Status testStatus() throws MPIException {
        StatusValue found = told();
        if (found != null) {
            return new Status(found, MPI.UNDEFINED);
        }
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
            StatusValue found = requests[i].told();
            all[i] = new Status(found == null ? statuses[i] : found, i);
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
        Status known = told(requests);
        if (known != null) {
            return known;
        }
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
            List<Status> some = new ArrayList<>();
            for (Status known = told(requests); known != null; known = told(requests)) {
                some.add(known);
            }
            int[] indices = new int[requests.length];
            var statuses = statuses(requests);
            Asking asking = some.isEmpty() ? how : PointToPoint::testsome;
            int count = asking.ask(handles(requests), indices, statuses);
            if (count == MPI.UNDEFINED && some.isEmpty()) {
                return null;
            }
            for (int i = 0; i < count; i++) {
                requests[indices[i]].hasEnded();
                some.add(new Status(statuses[i], indices[i]));
            }
            return some.toArray(Status[]::new);
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
            if (known != null) {
                return new Status(known, MPI.UNDEFINED);
            }
            var status = new StatusValue();
            if (ofFile && !isNull()) { // status-of-file-requests: MPI_Test ends it, and what it tells is kept
                if (!PointToPoint.test(handle, status)) {
                    return null;
                }
                hasEnded();
                known = status;
                return new Status(status, MPI.UNDEFINED);
            }
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
            Status known = told(requests);
            if (known != null) {
                return known;
            }
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

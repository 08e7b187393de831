package mpi;

import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;
import dev.mpiglot.low.StatusValue;
import dev.mpiglot.mpi.AvoidedDefects;
import dev.mpiglot.mpi.ReadPlace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An operation that has begun. */
public class Request implements Freeable {

    final RequestHandle handle;
    private StatusValue known; // of an operation that was complete when it began, until that is told; else null
    private Object[] used; // stays reachable until the operation is complete
    private boolean ofFile;
    private ReadPlace place; // of a read that is not complete; null: MPI tells how much it has read

    Request(RequestHandle handle, Object... used) {
        this.handle = handle;
        this.used = used;
    }

    /** An operation that was complete when it began. */
    static Request over(StatusValue found) {
        Request over = new Request(none());
        over.known = found;
        return over;
    }

    /** An access to a file. */
    static Request ofFile(Request begun, ReadPlace place) {
        begun.ofFile = true;
        begun.place = place;
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

    /** The same of one whose status may tell more than was read. */
    private void hasEnded(StatusValue found) {
        hasEnded();
        ReadPlace from = place;
        place = null;
        if (from != null) {
            from.mend(found);
        }
    }

    /**
     * Asks for an access to a file, with no others: file-requests-in-testall; and by MPI_Test: status-of-file-requests.
     * What MPI tells is kept. Returns whether the access is under way.
     */
    private boolean isFileLeft() {
        if (!ofFile || known != null || isNull()) {
            return false;
        }
        var status = new StatusValue();
        if (!PointToPoint.test(handle, status)) {
            return true;
        }
        hasEnded(status);
        known = status;
        return false;
    }

    /** Asks so for each access to a file. Returns whether one is under way. */
    private static boolean areFilesLeft(Request[] requests) {
        boolean left = false;
        for (Request one : requests) {
            left |= one.isFileLeft();
        }
        return left;
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
        MPIException.run(() -> {
            PointToPoint.wait(handle, status);
            hasEnded(status);
        });
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
        return MPIException.of(() -> {
            if (!PointToPoint.test(handle, status)) {
                return null;
            }
            hasEnded(status);
            return new Status(status, MPI.UNDEFINED);
        });
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
        return Arrays.stream(requests).map(one -> one.ofFile ? none() : one.handle).toArray(RequestHandle[]::new);
    }

    private static RequestHandle none() {
        return new RequestHandle(RequestHandle.NULL.handle());
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
        return MPIException.of(() -> {
            while (areFilesLeft(requests)) {
                Status found = any(requests, true);
                if (found != null) {
                    return found;
                }
                Thread.yield();
            }
            Status known = told(requests);
            if (known != null) {
                return known;
            }
            var status = new StatusValue();
            int index = PointToPoint.waitany(handles(requests), status);
            if (index != MPI.UNDEFINED) {
                requests[index].hasEnded();
            }
            return new Status(status, index);
        });
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
            while (areFilesLeft(requests)) {
                Thread.yield();
            }
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
            if (areFilesLeft(requests)) {
                return null;
            }
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

    /** One that is complete, else null. Without any operation its index is {@code MPI.UNDEFINED}. */
    private static Status any(Request[] requests, boolean areFilesLeft) {
        Status known = told(requests);
        if (known != null) {
            return known;
        }
        var status = new StatusValue();
        var index = PointToPoint.testany(handles(requests), status);
        if (index.isEmpty() || areFilesLeft && index.get() == MPI.UNDEFINED) {
            return null;
        }
        if (index.get() != MPI.UNDEFINED) {
            requests[index.get()].hasEnded();
        }
        return new Status(status, index.get());
    }

    /** A question for some operations that are complete, whose indices and statuses MPI writes. */
    private interface Asking {
        int ask(RequestHandle[] requests, int[] indices, StatusValue[] statuses);
    }

    private static Status[] some(boolean isWaiting, Request[] requests) throws MPIException {
        return MPIException.of(() -> {
            while (true) {
                boolean filesLeft = areFilesLeft(requests);
                List<Status> some = new ArrayList<>();
                for (Status known = told(requests); known != null; known = told(requests)) {
                    some.add(known);
                }
                int[] indices = new int[requests.length];
                var statuses = statuses(requests);
                Asking asking = isWaiting && some.isEmpty() && !filesLeft ? PointToPoint::waitsome : PointToPoint::testsome;
                int count = asking.ask(handles(requests), indices, statuses);
                if (count == MPI.UNDEFINED && some.isEmpty() && !filesLeft) {
                    return null;
                }
                for (int i = 0; i < count; i++) {
                    requests[indices[i]].hasEnded();
                    some.add(new Status(statuses[i], indices[i]));
                }
                if (!some.isEmpty() || !isWaiting || !filesLeft) {
                    return some.toArray(Status[]::new);
                }
                Thread.yield();
            }
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
            if (isFileLeft()) {
                return null;
            }
            if (known != null) {
                return new Status(known, MPI.UNDEFINED);
            }
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
        return MPIException.of(() -> any(requests, areFilesLeft(requests)));
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
        return some(true, requests);
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
        return some(false, requests);
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

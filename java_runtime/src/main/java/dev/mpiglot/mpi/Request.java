package dev.mpiglot.mpi;

import dev.mpiglot.low.Environment;
import dev.mpiglot.low.ErrorClass;
import dev.mpiglot.low.Mpi;
import dev.mpiglot.low.MpiException;
import dev.mpiglot.low.PointToPoint;
import java.lang.foreign.Arena;
import java.util.Optional;

/**
 * An operation that is under way. Its memory stays alive until it is complete, even if this object is dropped. An
 * array that is received into has its elements once {@link #await} or {@link #test} says that the operation is
 * complete.
 */
public final class Request implements AutoCloseable {

    private final dev.mpiglot.low.Request handle;
    private final Buffer.Loan receives;
    private Status status;

    Request(dev.mpiglot.low.Request handle, Buffer.Loan receives) {
        this.handle = handle;
        this.receives = receives;
    }

    /** Memory for the copies of arrays: alive as long as anything refers to it. */
    static Arena arena() {
        return Arena.ofAuto();
    }

    /**
     * Waits until the operation is complete.
     *
     * @return what is known of the message
     * @throws dev.mpiglot.low.MpiException if the operation failed
     */
    public Status await() {
        if (status == null) {
            dev.mpiglot.low.Status found = new dev.mpiglot.low.Status();
            PointToPoint.wait(handle, found);
            complete(found);
        }
        return status;
    }

    /**
     * Asks whether the operation is complete.
     *
     * @return what is known of the message, if it is
     * @throws dev.mpiglot.low.MpiException if the operation failed
     */
    public Optional<Status> test() {
        if (status == null) {
            dev.mpiglot.low.Status found = new dev.mpiglot.low.Status();
            if (PointToPoint.test(handle, found)) {
                complete(found);
            }
        }
        return Optional.ofNullable(status);
    }

    /**
     * Waits until all operations are complete.
     *
     * @param requests the operations
     * @throws dev.mpiglot.low.MpiException if one of them failed
     */
    public static void awaitAll(Request... requests) {
        dev.mpiglot.low.Request[] handles = new dev.mpiglot.low.Request[requests.length];
        dev.mpiglot.low.Status[] found = new dev.mpiglot.low.Status[requests.length];
        for (int i = 0; i < requests.length; i++) {
            handles[i] = requests[i].handle;
        }
        MpiException failure = null;
        try {
            PointToPoint.waitall(handles, found);
        } catch (MpiException e) {
            if (e.kind() != ErrorClass.ERR_IN_STATUS) {
                throw e;
            }
            failure = e;
        }
        for (int i = 0; i < requests.length; i++) {
            int error = failure == null ? Mpi.SUCCESS : found[i].error();
            if (error != Mpi.SUCCESS && failure.kind() == ErrorClass.ERR_IN_STATUS) {
                failure = of(error, failure);
            }
            if (requests[i].status == null && found[i] != null) {
                requests[i].complete(found[i]);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The error of one operation among several. */
    private static MpiException of(int code, MpiException whole) {
        return new MpiException(code, Environment.errorClass(code), whole.function(),
                whole.function() + ": " + Environment.errorString(code));
    }

    private void complete(dev.mpiglot.low.Status found) {
        status = Status.of(found);
        if (receives != null) {
            receives.giveBack();
        }
    }

    /** {@return the handle for {@link dev.mpiglot.low}} */
    public dev.mpiglot.low.Request handle() {
        return handle;
    }

    /** Waits until the operation is complete. */
    @Override
    public void close() {
        await();
    }
}

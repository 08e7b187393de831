package dev.mpiglot.mpi;

import dev.mpiglot.low.Generalized;
import dev.mpiglot.low.KeptHandle;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.RequestHandle;
import dev.mpiglot.low.StatusValue;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An operation that the program carries out itself, and whose end is waited for as that of MPI's operations: by its
 * {@link #request}, also together with others ({@link Requests}). {@link #complete} and its like end it, once, on any
 * thread.
 *
 * <p>If the program completes it and drops it without asking for the request, MPI is asked when other operations begin.
 *
 * <p>What the functions of its {@link Operation} throw does not pass through MPI: it is the error of the request, which
 * all that wait for it get.
 */
public final class GeneralizedRequest implements AutoCloseable {

    /** What nobody has been told the end of, so that it is awaited when MPI is closed. */
    private static final Set<GeneralizedRequest> OPEN = ConcurrentHashMap.newKeySet();
    /** What the functions have completed that MPI calls on this thread now (completion-in-callback-crashes). */
    private static final ThreadLocal<Queue<RequestHandle>> LATE = ThreadLocal.withInitial(ArrayDeque::new);
    private static final ThreadLocal<Boolean> IN_FUNCTION = ThreadLocal.withInitial(() -> false);
    private static final boolean SETS_ALL = Library.load().has("MPI_Status_set_source");
    private static final Status NOTHING = new Status(Comm.ANY_SOURCE, Comm.ANY_TAG, 0);

    private static final int LEAST = 64;
    /** MPI is asked about those that are complete when there are so many. */
    private static volatile int askAt = LEAST;

    private final Operation operation;
    private final AtomicBoolean completed = new AtomicBoolean();
    private volatile Request request;
    private volatile boolean cancelled;
    private boolean seenComplete; // by the thread that asks about all
    private volatile Status status;
    private volatile RuntimeException failure;

    /** What MPI asks of the operation. MPI calls each function on the thread that asks for the request. */
    public interface Operation {

        /**
         * Tells what is known of the operation, after it is complete.
         *
         * @param given what {@link GeneralizedRequest#complete(Status)} was given
         * @return what those get that wait for the request
         */
        default Status query(Status given) {
            return given;
        }

        /** Ends what belongs to the operation, when it is complete and has been asked for: once. */
        default void free() {
        }

        /**
         * Somebody has called {@link Request#cancel}. If the operation can be cancelled, it calls
         * {@link GeneralizedRequest#completeCancelled} here or later.
         *
         * @param isComplete whether the operation is complete, and cannot be cancelled any more
         */
        default void cancel(boolean isComplete) {
        }
    }

    private GeneralizedRequest(Operation operation) {
        this.operation = operation;
    }

    /**
     * Begins an operation without functions. {@code MPI_Grequest_start} Local.
     *
     * @return the operation, to be completed
     * @throws MpiException if MPI reports an error
     */
    public static GeneralizedRequest start() {
        return start(new Operation() {
        });
    }

    /**
     * Begins an operation. {@code MPI_Grequest_start} Local.
     *
     * @param operation its functions
     * @return the operation, to be completed
     * @throws IllegalArgumentException if the operation is null
     * @throws MpiException if MPI reports an error
     */
    public static GeneralizedRequest start(Operation operation) {
        GeneralizedRequest made = new GeneralizedRequest(Arguments.present("operation", operation));
        if (OPEN.size() >= askAt) {
            KeptHandle.makeDue();
        }
        Backlog.beforeBegin();
        RequestHandle handle = Generalized.grequestStart(made::query, made::free, made::cancel);
        made.request = new Request(handle, made);
        OPEN.add(made);
        return made;
    }

    /** {@return what waits for the operation; the same each time} */
    public Request request() {
        return request;
    }

    /**
     * The operation is complete. {@code MPI_Grequest_complete} Local.
     *
     * @throws IllegalStateException if it was complete before
     * @throws MpiException if MPI reports an error
     */
    public void complete() {
        complete(NOTHING);
    }

    /**
     * The same with what is known of it. {@code MPI_Grequest_complete} Local.
     *
     * @param result what those get that wait for the request, unless {@link Operation#query} says something else
     * @throws IllegalArgumentException if it is null
     * @throws IllegalStateException if the operation was complete before
     * @throws MpiException if MPI reports an error
     */
    public void complete(Status result) {
        Arguments.present("result", result);
        end(result, false, null);
    }

    /**
     * The operation has failed. {@code MPI_Grequest_complete} Local.
     *
     * @param reason what all get that wait for the request
     * @throws IllegalArgumentException if it is null
     * @throws IllegalStateException if the operation was complete before
     * @throws MpiException if MPI reports an error
     */
    public void completeExceptionally(RuntimeException reason) {
        Arguments.present("reason", reason);
        end(NOTHING, false, reason);
    }

    /**
     * The operation was cancelled: all that wait for the request get a {@link CancelledException}.
     * {@code MPI_Grequest_complete} Local.
     *
     * @throws IllegalStateException if the operation was complete before
     * @throws MpiException if MPI reports an error
     */
    public void completeCancelled() {
        end(NOTHING, true, null);
    }

    private void end(Status result, boolean isCancelled, RuntimeException reason) {
        if (!completed.compareAndSet(false, true)) {
            throw new IllegalStateException("The operation is complete: complete it once.");
        }
        status = result;
        cancelled = isCancelled;
        if (reason != null) {
            keep(reason);
        }
        LATE.get().add(request.handle());
        if (!IN_FUNCTION.get()) {
            completeLate();
        }
    }

    /** MPICH 4.0 crashes when a function completes a request while MPI calls it: it is done when that call is over. */
    static void completeLate() {
        Queue<RequestHandle> late = LATE.get();
        for (RequestHandle one = late.poll(); one != null; one = late.poll()) {
            Generalized.grequestComplete(one);
        }
    }

    /** Called by MPI. */
    private void query(StatusValue told) {
        guarded(() -> {
            status = operation.query(status);
            fill(told, status == null ? NOTHING : status);
        });
    }

    private void fill(StatusValue told, Status known) {
        Status.tell(told, known.bytes());
        Generalized.statusSetCancelled(told, cancelled);
        if (SETS_ALL) {
            Generalized.statusSetSource(told, known.source());
            Generalized.statusSetTag(told, known.tag());
        }
    }

    /** Called by MPI. */
    private void free() {
        guarded(operation::free);
    }

    /** Called by MPI. */
    private void cancel(boolean isComplete) {
        guarded(() -> operation.cancel(isComplete));
    }

    private void guarded(Runnable function) {
        IN_FUNCTION.set(true);
        try {
            function.run();
        } catch (Throwable t) { // an Error, too: nothing passes through MPI
            keep(Progress.ownOf(t));
        } finally {
            IN_FUNCTION.remove();
        }
    }

    private synchronized void keep(RuntimeException e) {
        if (failure == null) {
            failure = e;
        } else if (failure != e) {
            failure.addSuppressed(e);
        }
    }

    /** What those get that wait: MPI has completed the request. */
    Status outcome() {
        OPEN.remove(this);
        completeLate();
        if (failure != null) {
            throw failure;
        }
        if (cancelled) {
            throw CancelledException.ofOperation();
        }
        return status == null ? NOTHING : status;
    }

    /** Asks about those that are complete and that nobody has asked for since the last time. By one thread at a time. */
    static void askComplete() {
        for (GeneralizedRequest one : OPEN) {
            if (one.seenComplete) {
                one.request.askBetween();
            } else {
                one.seenComplete = one.completed.get();
            }
        }
        askAt = Math.max(LEAST, 2 * OPEN.size());
    }

    /** The requests that nobody has been told the end of. */
    static List<Request> open() {
        return OPEN.stream().map(one -> one.request).toList();
    }

    /**
     * Ends an operation that is not complete, as {@link #completeCancelled}: nobody waits for it for ever. Else it does
     * nothing.
     *
     * @throws MpiException if MPI reports an error
     */
    @Override
    public void close() {
        if (!completed.get()) {
            completeCancelled();
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.ErrhandlerHandle;
import dev.mpiglot.low.GivenCodes;
import dev.mpiglot.low.Output;
import java.lang.ref.WeakReference;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * What MPI does when a call on a communicator, window, file or session fails ({@link ErrorSource#setErrorHandler}). From
 * the beginning all have {@link #ERRORS_RETURN}: the call throws an exception, and that is all. One handler serves any
 * number of objects of all four kinds. Local.
 *
 * <p>A function of the program ({@link #of}) is called before the exception is thrown, on the thread of the call. What it
 * throws itself does not pass through MPI: the call ends with a {@link CallbackException}, of which it
 * is the cause.
 */
public final class ErrorHandler implements AutoCloseable {

    /** Errors are exceptions, which the program may catch and go on. */
    public static final ErrorHandler ERRORS_RETURN = new ErrorHandler(ErrhandlerHandle.ERRORS_RETURN);
    /** Errors end the job. */
    public static final ErrorHandler ERRORS_ARE_FATAL = new ErrorHandler(ErrhandlerHandle.ERRORS_ARE_FATAL);
    /** Errors end the processes of the object; all processes of the job, if it has none. Since MPI 4.0. */
    public static final ErrorHandler ERRORS_ABORT = new ErrorHandler(ErrhandlerHandle.ERRORS_ABORT);

    /** Those with functions, by what MPI calls them. A function is there as long as MPI can call it. */
    private static final Map<Long, WeakReference<ErrorHandler>> MADE = new ConcurrentHashMap<>();
    /** Whether this thread is in a call that only calls the handler. */
    private static final ThreadLocal<Boolean> CALLED = ThreadLocal.withInitial(() -> false);

    private final Consumer<ErrorCode> action;
    private final ErrhandlerHandle fixed; // null: of a function
    private final Map<ErrorSourceKind, ErrhandlerHandle> handles = new EnumMap<>(ErrorSourceKind.class);
    private final Life life; // nobody enters it: it says whether this is closed

    private ErrorHandler(ErrhandlerHandle fixed) {
        this(ErrorHandler::end, fixed, Life.ENDLESS);
    }

    private ErrorHandler(Consumer<ErrorCode> action, ErrhandlerHandle fixed, Life life) {
        this.action = action;
        this.fixed = fixed;
        this.life = life;
    }

    /** One that is freed when it is closed or dropped. */
    private static ErrorHandler made(Consumer<ErrorCode> action, ErrhandlerHandle fixed) {
        Stray.freeDropped();
        ErrorHandler made = new ErrorHandler(action, fixed,
                new Life("The error handler is closed: close it when no object gets it any more."));
        Map<ErrorSourceKind, ErrhandlerHandle> handles = made.handles;
        made.life.watch(made, "error handler", () -> free(fixed, handles));
        return made;
    }

    /**
     * Makes a handler of a function. {@code MPI_Comm_create_errhandler}, {@code MPI_Win_create_errhandler},
     * {@code MPI_File_create_errhandler}, {@code MPI_Session_create_errhandler} Local.
     *
     * @param action gets the error, in the thread of the call that has failed, before the call throws; it may be called by
     *     several threads at the same time, and after the handler was closed
     * @return the handler, to be closed
     * @throws IllegalArgumentException if the function is null
     */
    public static ErrorHandler of(Consumer<ErrorCode> action) {
        return made(Arguments.present("action", action), null);
    }

    /** MPI's word for it. */
    synchronized ErrhandlerHandle word(ErrorSourceKind kind) {
        life.require();
        if (fixed != null && !endsHere()) {
            if (fixed.equals(ErrhandlerHandle.NULL)) {
                throw new UnsupportedOperationException("This MPI has no ERRORS_ABORT, which came with MPI 4.0.");
            }
            return fixed;
        }
        return handles.computeIfAbsent(kind, one -> {
            Consumer<ErrorCode> function = action; // MPI keeps it, and not this
            ErrhandlerHandle made = one.create(code -> failed(function, code));
            MADE.put(made.handle(), new WeakReference<>(this));
            return made;
        });
    }

    /** Whether a function of this class ends the job, since the library would crash. */
    private boolean endsHere() {
        return LibraryDefects.FATAL_CRASHES && (this == ERRORS_ARE_FATAL || this == ERRORS_ABORT);
    }

    private static void end(ErrorCode error) {
        System.err.println("An error ends the job: " + error.text());
        Output.arrive();
        Environment.abort(CommHandle.WORLD, 1);
        Runtime.getRuntime().halt(1);
    }

    /** Called by MPI. */
    private static void failed(Consumer<ErrorCode> function, int code) {
        if (!CALLED.get()) { // else the program has given it
            GivenCodes.add(code);
        }
        ErrorCode error = new ErrorCode(code);
        function.accept(error);
        if (LibraryDefects.HIDES_CODES && !CALLED.get()) {
            throw error.exception(""); // becomes the exception of the call
        }
    }

    /** Does a call that only calls the handler. */
    static void calling(Runnable call) {
        CALLED.set(true);
        try {
            call.run();
        } finally {
            CALLED.remove();
        }
    }

    /** Gives a communicator the handler of another one. */
    static void inherit(CommHandle from, CommHandle to) {
        ErrhandlerHandle handler = Environment.commGetErrhandler(from);
        Environment.commSetErrhandler(to, handler);
        if (provided(handler) == null) {
            Environment.errhandlerFree(handler); // MPI has counted it once more
        }
    }

    private static ErrorHandler provided(ErrhandlerHandle handle) {
        for (ErrorHandler one : new ErrorHandler[] {ERRORS_RETURN, ERRORS_ARE_FATAL, ERRORS_ABORT}) {
            if (one.fixed.equals(handle)) {
                return one;
            }
        }
        return null;
    }

    /** The handler that MPI has told, and counted once more. */
    static ErrorHandler told(ErrhandlerHandle handle) {
        ErrorHandler provided = provided(handle);
        if (provided != null) {
            return provided;
        }
        WeakReference<ErrorHandler> made = MADE.get(handle.handle());
        ErrorHandler known = made == null ? null : made.get();
        if (known == null) {
            return made(ErrorHandler::end, handle);
        }
        Environment.errhandlerFree(handle);
        return known;
    }

    /**
     * Ends the use of this object: no other communicator or the like gets it. Those that have the handler keep it. The three of MPI stay. Closing
     * again does nothing. {@code MPI_Errhandler_free} Local.
     *
     * @throws MpiException if MPI reports an error
     */
    @Override
    public synchronized void close() {
        if (life.end()) {
            free(fixed, handles);
        }
    }

    private static void free(ErrhandlerHandle fixed, Map<ErrorSourceKind, ErrhandlerHandle> handles) {
        if (fixed != null) {
            Environment.errhandlerFree(fixed);
        }
        handles.values().forEach(one -> {
            MADE.remove(one.handle()); // MPI may use the word again
            Environment.errhandlerFree(one);
        });
        handles.clear();
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Handle;
import java.util.function.BiFunction;

/** What has an error handler: communicators, windows, files and sessions. */
public sealed interface ErrorSource permits Comm, Window, MpiFile, Session {

    /**
     * Tells what MPI does when a call on this object fails. {@code MPI_Comm_get_errhandler},
     * {@code MPI_Win_get_errhandler}, {@code MPI_File_get_errhandler}, {@code MPI_Session_get_errhandler} Local.
     *
     * @return the handler that was set; {@link ErrorHandler#ERRORS_RETURN} from the beginning. If the one that was set is
     *     closed, or {@link dev.mpiglot.low} has set it, another object for the same, to be closed; it is only for objects
     *     of the same kind
     * @throws IllegalStateException if the object is closed
     * @throws MpiException if MPI reports an error
     */
    default ErrorHandler errorHandler() {
        return during((kind, word) -> ErrorHandler.told(kind.get(word)));
    }

    /**
     * Says what MPI does when a call on this object fails. Duplicates of a communicator inherit it.
     * {@code MPI_Comm_set_errhandler}, {@code MPI_Win_set_errhandler}, {@code MPI_File_set_errhandler},
     * {@code MPI_Session_set_errhandler} Local.
     *
     * @param handler the handler, which may be closed afterwards
     * @throws IllegalArgumentException if it is null
     * @throws IllegalStateException if the object or the handler is closed
     * @throws UnsupportedOperationException if it is {@link ErrorHandler#ERRORS_ABORT} and the library has none
     * @throws MpiException if MPI reports an error
     */
    default void setErrorHandler(ErrorHandler handler) {
        Arguments.present("handler", handler);
        during((kind, word) -> {
            kind.set(word, handler.word(kind));
            java.lang.ref.Reference.reachabilityFence(handler); // nobody frees it meanwhile
            return handler;
        });
    }

    /**
     * Calls the handler of this object as for a call that has failed. {@code MPI_Comm_call_errhandler},
     * {@code MPI_Win_call_errhandler}, {@code MPI_File_call_errhandler}, {@code MPI_Session_call_errhandler} Local.
     *
     * @param error the error
     * @throws IllegalArgumentException if it is null
     * @throws IllegalStateException if the object is closed
     * @throws MpiException with the code of the error if the handler is
     *     {@link ErrorHandler#ERRORS_RETURN}; a {@link CallbackException} if it is a function that throws
     */
    default void callErrorHandler(ErrorCode error) {
        Arguments.present("error", error);
        error.errorClass(); // throws if MPI does not know it
        boolean isThrown = errorHandler() == ErrorHandler.ERRORS_RETURN;
        during((kind, word) -> {
            ErrorHandler.calling(() -> kind.call(word, error.code()));
            if (isThrown) {
                throw error.exception("");
            }
            return kind;
        });
    }

    private <T> T during(BiFunction<ErrorSourceKind, Handle, T> action) {
        return switch (this) {
            case Comm comm -> comm.using(() -> action.apply(ErrorSourceKind.COMM, comm.word()));
            case Window<?> window -> window.using(() -> action.apply(ErrorSourceKind.WINDOW, window.word()));
            case MpiFile file -> file.using(() -> action.apply(ErrorSourceKind.FILE, file.word()));
            case Session session -> session.using(() -> action.apply(ErrorSourceKind.SESSION, session.word()));
        };
    }
}

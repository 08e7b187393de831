package mpi;

import dev.mpiglot.low.ClosedException;
import dev.mpiglot.low.MpiException;
import java.util.function.Supplier;

/** An error of MPI. */
public final class MPIException extends Exception {

    private static final long serialVersionUID = 1;

    /** The code of the library. */
    private final int errorCode;
    /** The class of the code. */
    private final int errorClass;

    /**
     * An error with a text.
     *
     * @param message what went wrong
     */
    public MPIException(String message) {
        super(message);
        errorCode = 0;
        errorClass = 0;
    }

    /**
     * An error with a cause.
     *
     * @param cause what went wrong
     */
    public MPIException(Throwable cause) {
        super(cause.getMessage(), cause);
        errorCode = cause instanceof MpiException error ? error.code() : 0;
        errorClass = cause instanceof MpiException error ? error.errorClass() : 0;
    }

    /** {@return the code of the library} */
    public int getErrorCode() {
        return errorCode;
    }

    /** {@return the class of the code, as in the standard ABI} */
    public int getErrorClass() {
        return errorClass;
    }

    static <T> T of(Supplier<T> call) throws MPIException {
        try {
            return call.get();
        } catch (MpiException | ClosedException | IllegalArgumentException e) {
            throw new MPIException(e);
        } catch (NullPointerException e) {
            throw (MPIException) new MPIException("An argument is null.").initCause(e);
        }
    }

    static void run(Runnable call) throws MPIException {
        of(() -> {
            call.run();
            return null;
        });
    }
}

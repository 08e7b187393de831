package mpi;

import dev.mpiglot.mpi.ClosedException;
import dev.mpiglot.mpi.MpiException;
import java.util.function.Supplier;

/** An error of MPI. */
public final class MPIException extends Exception {

    private static final long serialVersionUID = 1;

    /** The class of the error, which is its code, too. */
    private final int errorClass;

    /**
     * An error with a text.
     *
     * @param message what went wrong
     */
    public MPIException(String message) {
        super(message);
        errorClass = 0;
    }

    /**
     * An error with a cause.
     *
     * @param cause what went wrong
     */
    public MPIException(Throwable cause) {
        super(cause.getMessage(), cause);
        errorClass = cause instanceof MpiException error ? error.errorClass() : 0;
    }

    /** {@return the class of the error: programs compare the code with {@code MPI.ERR_RANK} and its like} */
    public int getErrorCode() {
        return errorClass;
    }

    /** {@return the class of the error, as in the standard ABI} */
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

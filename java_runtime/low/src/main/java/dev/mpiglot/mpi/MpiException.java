package dev.mpiglot.mpi;

import dev.mpiglot.low.ErrorClass;
import dev.mpiglot.low.MpiConstants;

/**
 * An MPI call that failed: what MPI said, in terms that mean the same on every MPI. Classes of errors that programs
 * catch by themselves have exceptions of their own: {@link TruncatedException}, {@link RankException},
 * {@link MissingFileException} and others. Of any other class it is this one.
 */
public class MpiException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The error code as this MPI gave it. */
    private final int code;
    /** The error's class, one of {@code MpiConstants.ERR_...}. */
    private final int errorClass;
    /** The C name of the function that failed. */
    private final String function;

    MpiException(int code, int errorClass, String function, String message) {
        super(message);
        this.code = code;
        this.errorClass = errorClass;
        this.function = function;
    }

    /**
     * An error that MPI reported, as the exception of its class.
     *
     * @param code the error code
     * @param errorClass its class, one of {@code MpiConstants.ERR_...}
     * @param function the C name of the function that failed
     * @param message what MPI says of the error
     * @return the exception
     */
    public static MpiException of(int code, int errorClass, String function, String message) {
        return switch (errorClass) {
            case MpiConstants.ERR_TRUNCATE -> new TruncatedException(code, errorClass, function, message);
            case MpiConstants.ERR_RANK -> new RankException(code, errorClass, function, message);
            case MpiConstants.ERR_ROOT -> new RootException(code, errorClass, function, message);
            case MpiConstants.ERR_TAG -> new TagException(code, errorClass, function, message);
            case MpiConstants.ERR_COUNT -> new CountException(code, errorClass, function, message);
            case MpiConstants.ERR_TYPE -> new DatatypeException(code, errorClass, function, message);
            case MpiConstants.ERR_COMM -> new CommException(code, errorClass, function, message);
            case MpiConstants.ERR_NO_MEM -> new NoMemoryException(code, errorClass, function, message);
            case MpiConstants.ERR_NO_SPACE -> new NoSpaceException(code, errorClass, function, message);
            case MpiConstants.ERR_QUOTA -> new QuotaException(code, errorClass, function, message);
            case MpiConstants.ERR_NO_SUCH_FILE -> new MissingFileException(code, errorClass, function, message);
            case MpiConstants.ERR_FILE_EXISTS -> new FileExistsException(code, errorClass, function, message);
            case MpiConstants.ERR_ACCESS -> new FileAccessException(code, errorClass, function, message);
            case MpiConstants.ERR_FILE_IN_USE -> new FileInUseException(code, errorClass, function, message);
            case MpiConstants.ERR_READ_ONLY -> new ReadOnlyFileException(code, errorClass, function, message);
            case MpiConstants.ERR_SPAWN -> new SpawnException(code, errorClass, function, message);
            case MpiConstants.ERR_PROC_FAILED, MpiConstants.ERR_PROC_FAILED_PENDING ->
                    new ProcessFailedException(code, errorClass, function, message);
            case MpiConstants.ERR_PROC_ABORTED -> new ProcessAbortedException(code, errorClass, function, message);
            case MpiConstants.ERR_REVOKED -> new RevokedException(code, errorClass, function, message);
            default -> new MpiException(code, errorClass, function, message);
        };
    }

    /** {@return the error code, for the functions that take one; it differs from MPI to MPI unless it is a class} */
    public int code() {
        return code;
    }

    /** {@return the error's class, one of {@code MpiConstants.ERR_...}, the same on every MPI} */
    public int errorClass() {
        return errorClass;
    }

    /** {@return the error's class as an enumeration; {@code ERR_UNKNOWN} for classes that programs add} */
    public ErrorClass kind() {
        try {
            return ErrorClass.of(errorClass);
        } catch (IllegalArgumentException e) {
            return ErrorClass.ERR_UNKNOWN;
        }
    }

    /** {@return the C name of the function that failed} */
    public String function() {
        return function;
    }
}

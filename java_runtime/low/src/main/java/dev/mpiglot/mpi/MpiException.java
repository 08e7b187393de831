package dev.mpiglot.low;

/** An MPI call that failed: what MPI said, in terms that mean the same on every MPI. */
public class MpiException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The error code as this MPI gave it. */
    private final int code;
    /** The error's class, one of {@code MpiConstants.ERR_...}. */
    private final int errorClass;
    /** The C name of the function that failed. */
    private final String function;

    /**
     * An error that MPI reported.
     *
     * @param code the error code
     * @param errorClass its class, one of {@code MpiConstants.ERR_...}
     * @param function the C name of the function that failed
     * @param message what MPI says of the error
     */
    public MpiException(int code, int errorClass, String function, String message) {
        super(message);
        this.code = code;
        this.errorClass = errorClass;
        this.function = function;
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

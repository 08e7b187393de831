package dev.mpiglot.mpi;

/**
 * What an operation must send along with its length is missing or cannot be sent: an object that cannot be made bytes, or
 * bytes that make no object or array; here, which the cause tells, or on another process.
 */
public final class CodecException extends RuntimeException {

    private static final long serialVersionUID = 1;

    CodecException(String message, Throwable cause) {
        super(cause == null ? message : message + ": " + cause, cause);
    }
}

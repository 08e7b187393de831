package dev.mpiglot.mpi;

/** An object could not be made bytes, or bytes no object: here, which the cause tells, or on another process. */
public final class CodecException extends RuntimeException {

    private static final long serialVersionUID = 1;

    CodecException(String message, Throwable cause) {
        super(cause == null ? message : message + ": " + cause, cause);
    }
}

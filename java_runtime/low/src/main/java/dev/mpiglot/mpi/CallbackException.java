package dev.mpiglot.mpi;

/** A Java callback threw while MPI was calling it; the call that returned next throws this, with the cause. */
public final class CallbackException extends MpiException {

    private static final long serialVersionUID = 1;

    /**
     * What a callback threw.
     *
     * @param code the error code of the call of MPI
     * @param errorClass its class, one of {@code MpiConstants.ERR_...}
     * @param function the C name of the function
     * @param cause what the callback threw
     */
    public CallbackException(int code, int errorClass, String function, Throwable cause) {
        super(code, errorClass, function, "A callback that MPI called threw " + cause);
        initCause(cause);
    }
}

package dev.mpiglot.low;

/** A Java callback threw while MPI was calling it; the call that returned next throws this, with the cause. */
public final class CallbackException extends MpiException {

    private static final long serialVersionUID = 1;

    CallbackException(int code, int errorClass, String function, Throwable cause) {
        super(code, errorClass, function, "A callback that MPI called threw " + cause);
        initCause(cause);
    }
}

package dev.mpiglot.mpi;

/** The communicator was revoked by a process. {@code MPIX_ERR_REVOKED}. */
public final class RevokedException extends MpiException {

    private static final long serialVersionUID = 1;

    RevokedException(int code, int errorClass, String function, String message) {
        super(code, errorClass, function, message);
    }
}

package dev.mpiglot.low;

/** MPI cannot be used as asked: no library, an unknown one, the wrong launcher, or a call at the wrong time. */
public final class LibraryException extends MpiException {

    private static final long serialVersionUID = 1;

    LibraryException(String message) {
        super(MpiConstants.ERR_OTHER, MpiConstants.ERR_OTHER, "", message);
    }
}

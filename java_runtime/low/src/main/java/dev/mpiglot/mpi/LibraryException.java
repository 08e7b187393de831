package dev.mpiglot.mpi;

import dev.mpiglot.low.MpiConstants;

/** MPI cannot be used as asked: no library, an unknown one, the wrong launcher, or a call at the wrong time. */
public final class LibraryException extends MpiException {

    private static final long serialVersionUID = 1;

    /**
     * MPI cannot be used.
     *
     * @param message why
     */
    public LibraryException(String message) {
        super(MpiConstants.ERR_OTHER, MpiConstants.ERR_OTHER, "", message);
    }
}

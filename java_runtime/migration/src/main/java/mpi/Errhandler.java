package mpi;

import dev.mpiglot.low.ErrhandlerHandle;

/** What happens at an error. */
public final class Errhandler {

    final ErrhandlerHandle handle;

    Errhandler(ErrhandlerHandle handle) {
        this.handle = handle;
    }
}

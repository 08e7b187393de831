package mpi;

/** What happens at an error. */
public final class Errhandler {

    final dev.mpiglot.low.Errhandler handle;

    Errhandler(dev.mpiglot.low.Errhandler handle) {
        this.handle = handle;
    }
}

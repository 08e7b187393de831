package dev.mpiglot.mpi;

import dev.mpiglot.low.Scope;
import dev.mpiglot.low.Tools;

/** What the MPI library is set to: a limit or an algorithm, for example. {@link #open} makes what reads and sets it. */
public final class ControlVariable extends Variable {

    private final Scope scope;

    ControlVariable(Variables found, int index, Tools.TCvarGetInfoResult told) {
        super(found, index, new Texts(told.name(), told.desc(), told.verbosity(), told.bind()), told.datatype(),
                told.enumtype());
        this.scope = Scope.of(told.scope());
    }

    /** {@return on which processes it can be set, and has to be} */
    public Scope scope() {
        return scope;
    }

    /**
     * Opens the variable of the process. {@code MPI_T_cvar_handle_alloc} Local.
     *
     * @return what reads and sets it, to be closed
     * @throws IllegalArgumentException if each value belongs to an object ({@link #bind})
     * @throws IllegalStateException if the {@link Variables} are closed
     * @throws MpiException if MPI reports an error
     */
    public ControlHandle open() {
        return new ControlHandle(this, Owner.NONE);
    }

    /**
     * Opens the variable of a communicator, which cannot be closed before. {@code MPI_T_cvar_handle_alloc} Local.
     *
     * @param comm the communicator
     * @return what reads and sets it, to be closed
     * @throws IllegalArgumentException if values do not belong to communicators ({@link #bind})
     * @throws IllegalStateException if the {@link Variables} or the communicator are closed
     * @throws MpiException if MPI reports an error
     */
    public ControlHandle open(Comm comm) {
        return new ControlHandle(this, Owner.of(comm));
    }

    /**
     * Opens the variable of a window, which cannot be closed before. {@code MPI_T_cvar_handle_alloc} Local.
     *
     * @param window the window
     * @return what reads and sets it, to be closed
     * @throws IllegalArgumentException if values do not belong to windows ({@link #bind})
     * @throws IllegalStateException if the {@link Variables} or the window are closed
     * @throws MpiException if MPI reports an error
     */
    public ControlHandle open(Window<?> window) {
        return new ControlHandle(this, Owner.of(window));
    }

    /**
     * Opens the variable of a file, which cannot be closed before. {@code MPI_T_cvar_handle_alloc} Local.
     *
     * @param file the file
     * @return what reads and sets it, to be closed
     * @throws IllegalArgumentException if values do not belong to files ({@link #bind})
     * @throws IllegalStateException if the {@link Variables} or the file are closed
     * @throws MpiException if MPI reports an error
     */
    public ControlHandle open(MpiFile file) {
        return new ControlHandle(this, Owner.of(file));
    }
}

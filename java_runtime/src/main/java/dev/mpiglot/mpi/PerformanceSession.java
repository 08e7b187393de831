package dev.mpiglot.mpi;

import dev.mpiglot.low.ToolPvarHandle;
import dev.mpiglot.low.ToolPvarSessionHandle;
import dev.mpiglot.low.Tools;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A part of a program that watches {@link PerformanceVariable}s: what it starts, stops and resets is so for no other
 * part. All methods are local, and throw an {@link IllegalStateException} once this or the {@link Variables} are closed.
 */
public final class PerformanceSession implements AutoCloseable {

    private final Variables variables;
    private final ToolPvarSessionHandle handle;
    private final Life life = new Life("The session is closed: close it when no call needs it any more.");
    private final Set<PerformanceHandle> handles = ConcurrentHashMap.newKeySet();

    PerformanceSession(Variables variables) {
        this.variables = variables;
        this.handle = variables.using(() -> {
            ToolPvarSessionHandle made = Tools.tPvarSessionCreate();
            variables.sessions().add(this);
            return made;
        });
    }

    /** The open handles, which end with this. */
    Set<PerformanceHandle> handles() {
        return handles;
    }

    ToolPvarSessionHandle handle() {
        return handle;
    }

    <T> T using(Supplier<T> action) {
        return variables.using(() -> life.during(action));
    }

    /**
     * Opens a variable of the process. {@code MPI_T_pvar_handle_alloc}
     *
     * @param variable the variable
     * @return what reads it, to be closed
     * @throws IllegalArgumentException if each value belongs to an object ({@link PerformanceVariable#bind})
     * @throws MpiException if MPI reports an error
     */
    public PerformanceHandle open(PerformanceVariable variable) {
        return open(variable, Owner.NONE);
    }

    /**
     * Opens a variable of a communicator, which cannot be closed before. {@code MPI_T_pvar_handle_alloc}
     *
     * @param variable the variable
     * @param comm the communicator
     * @return what reads it, to be closed
     * @throws IllegalArgumentException if values do not belong to communicators ({@link PerformanceVariable#bind})
     * @throws MpiException if MPI reports an error
     */
    public PerformanceHandle open(PerformanceVariable variable, Comm comm) {
        return open(variable, Owner.of(comm));
    }

    /**
     * Opens a variable of a window, which cannot be closed before. {@code MPI_T_pvar_handle_alloc}
     *
     * @param variable the variable
     * @param window the window
     * @return what reads it, to be closed
     * @throws IllegalArgumentException if values do not belong to windows ({@link PerformanceVariable#bind})
     * @throws MpiException if MPI reports an error
     */
    public PerformanceHandle open(PerformanceVariable variable, Window<?> window) {
        return open(variable, Owner.of(window));
    }

    /**
     * Opens a variable of a file, which cannot be closed before. {@code MPI_T_pvar_handle_alloc}
     *
     * @param variable the variable
     * @param file the file
     * @return what reads it, to be closed
     * @throws IllegalArgumentException if values do not belong to files ({@link PerformanceVariable#bind})
     * @throws MpiException if MPI reports an error
     */
    public PerformanceHandle open(PerformanceVariable variable, MpiFile file) {
        return open(variable, Owner.of(file));
    }

    private PerformanceHandle open(PerformanceVariable variable, Owner owner) {
        return new PerformanceHandle(this, Arguments.present("variable", variable), owner);
    }

    private void all(Consumer<ToolPvarHandle> call) {
        using(() -> {
            call.accept(ToolPvarHandle.T_PVAR_ALL_HANDLES);
            return null;
        });
    }

    /**
     * Starts all open variables that do not count all the time. {@code MPI_T_pvar_start}
     *
     * @throws MpiException if MPI reports an error
     */
    public void startAll() {
        all(handles -> Tools.tPvarStart(handle, handles));
    }

    /**
     * Stops all open variables that do not count all the time. {@code MPI_T_pvar_stop}
     *
     * @throws MpiException if MPI reports an error
     */
    public void stopAll() {
        all(handles -> Tools.tPvarStop(handle, handles));
    }

    /**
     * Resets all open variables that can be. {@code MPI_T_pvar_reset}
     *
     * @throws MpiException if MPI reports an error
     */
    public void resetAll() {
        all(handles -> Tools.tPvarReset(handle, handles));
    }

    /**
     * Ends the session and what it has opened. {@code MPI_T_pvar_session_free} Closing again does nothing.
     *
     * @throws IllegalStateException if a call still uses it
     * @throws MpiException if MPI reports an error
     */
    @Override
    public void close() {
        handles.forEach(PerformanceHandle::close);
        if (life.end()) {
            variables.using(() -> {
                variables.sessions().remove(this);
                Tools.tPvarSessionFree(handle);
                return null;
            });
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.ToolPvarHandle;
import dev.mpiglot.low.Tools;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/** An open {@link PerformanceVariable} of a {@link PerformanceSession}, to be closed; its session ends it, too. */
public final class PerformanceHandle extends VariableHandle {

    private final PerformanceSession session;
    private ToolPvarHandle handle;

    PerformanceHandle(PerformanceSession session, PerformanceVariable variable, Owner owner) {
        super(variable, owner);
        this.session = session;
        open(() -> inParents(() -> owner.pass(object -> {
            Tools.TPvarHandleAllocResult made = Tools.tPvarHandleAlloc(session.handle(), variable.index(), object);
            handle = made.handle();
            opened(made.count());
            return session.handles().add(this);
        })));
    }

    @Override
    <T> T inParents(Supplier<T> action) {
        return session.using(action);
    }

    @Override
    void readTo(MemorySegment place) {
        Tools.tPvarRead(session.handle(), handle, place);
    }

    @Override
    void writeFrom(MemorySegment place) {
        Tools.tPvarWrite(session.handle(), handle, place);
    }

    @Override
    void free() {
        session.handles().remove(this);
        Tools.tPvarHandleFree(session.handle(), handle);
    }

    private void readAndReset(MemorySegment place) {
        Tools.tPvarReadreset(session.handle(), handle, place);
    }

    private void tell(Runnable call) {
        using(() -> {
            call.run();
            return null;
        });
    }

    /**
     * Lets it count. {@code MPI_T_pvar_start}
     *
     * @throws MpiException if MPI reports an error: it counts all the time, for example
     */
    public void start() {
        tell(() -> Tools.tPvarStart(session.handle(), handle));
    }

    /**
     * Lets it count no more. {@code MPI_T_pvar_stop}
     *
     * @throws MpiException if MPI reports an error: it counts all the time, for example
     */
    public void stop() {
        tell(() -> Tools.tPvarStop(session.handle(), handle));
    }

    /**
     * Gives it the value that it begins with. {@code MPI_T_pvar_reset}
     *
     * @throws MpiException if MPI reports an error: it can only be read, for example
     */
    public void reset() {
        tell(() -> Tools.tPvarReset(session.handle(), handle));
    }

    /**
     * Reads whole numbers and resets them in one step. {@code MPI_T_pvar_readreset}
     *
     * @return the values before, as {@link #longs()} tells them
     * @throws IllegalStateException if the variable has no whole numbers
     * @throws MpiException if MPI reports an error: it is not atomic, for example
     */
    public long[] longsAndReset() {
        return longs(this::readAndReset);
    }

    /**
     * Reads floating-point numbers and resets them in one step. {@code MPI_T_pvar_readreset}
     *
     * @return the values before
     * @throws IllegalStateException if the variable has no floating-point numbers
     * @throws MpiException if MPI reports an error: it is not atomic, for example
     */
    public double[] doublesAndReset() {
        return doubles(this::readAndReset);
    }
}

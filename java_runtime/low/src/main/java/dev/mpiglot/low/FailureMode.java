package dev.mpiglot.low;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.util.Map;

/** Whether the job goes on after a process has failed (User Level Failure Mitigation), as its launcher says. */
public final class FailureMode {

    /** Which {@code mpiexec --with-ft ulfm} of Open MPI sets for the processes that it starts. */
    private static final String ENABLED = "OMPI_MCA_mpi_ft_enable";
    private static final Map<String, String> SETTINGS = Map.of("OMPI_MCA_async_mpi_finalize", "1",
            "OMPI_MCA_mpi_preconnect_mpi", "1", "OMPI_MCA_coll_han_priority", "-1");

    private FailureMode() {
    }

    /**
     * Before MPI starts, sets variables of Open MPI, unless they are set, if failures of processes are survived.
     * MPI_Finalize agrees with the processes that are left, and then waits once more, which after two failures may never
     * end, in plain C: the second wait is switched off. The first message to a process of another host that has died may
     * wait for its address for ever: all connect before. Hierarchical collectives make communicators at the first
     * call, which crash if a process dies: they are not taken.
     */
    static void prepare() {
        String enabled = System.getenv(ENABLED);
        if (enabled == null || !enabled.startsWith("1") && !enabled.startsWith("t")) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle set = Downcall.c("setenv", "jjjj");
            for (Map.Entry<String, String> setting : SETTINGS.entrySet()) {
                long code = (long) set.invokeExact(arena.allocateFrom(setting.getKey()).address(),
                        arena.allocateFrom(setting.getValue()).address(), 0L);
                assert (int) code == 0 : "setenv fails where there is no memory only";
            }
        } catch (Throwable t) {
            throw Call.rethrow(t);
        }
    }

    /**
     * Tells whether the launcher has started the job so that it survives failures. For use while MPI runs, not in a
     * session alone.
     *
     * @return true also if the library has no such mode
     */
    public static boolean isEnabled() {
        Long key = Library.load().integer("MPIX_FT");
        if (key == null) {
            return true;
        }
        MethodHandle get = Downcall.function("MPI_Comm_get_attr", "jjjjj");
        Frame frame = Frame.current();
        long mark = frame.mark();
        try {
            long value = frame.cell();
            long found = frame.cell();
            long code = (long) get.invokeExact(CommHandle.WORLD.handle(), (long) key, value, found);
            long at = Frame.getLong(value);
            return (int) code == 0 && Frame.getInt(found) != 0 && at != 0 && Frame.getInt(at) != 0;
        } catch (Throwable t) {
            throw Call.rethrow(t);
        } finally {
            frame.release(mark);
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.ThreadLevel;

/**
 * MPI between its start and its end. Start and end it on the same thread.
 *
 * <p>{@link #run} is the safe way: a process that fails ends the whole job instead of leaving the others waiting.
 */
public final class Mpi implements AutoCloseable {

    private final ThreadLevel provided;
    private final Comm world = new Comm(dev.mpiglot.low.Comm.WORLD);
    private final Comm self = new Comm(dev.mpiglot.low.Comm.SELF);

    private Mpi(ThreadLevel provided) {
        this.provided = provided;
    }

    /** What a program does between the start and the end of MPI. */
    @FunctionalInterface
    public interface Body {

        /**
         * Runs with MPI started.
         *
         * @param mpi MPI
         * @throws Exception anything; it ends the job
         */
        void run(Mpi mpi) throws Exception;
    }

    /**
     * Starts MPI for use by any number of threads.
     *
     * @return MPI, to be closed by the same thread
     * @throws dev.mpiglot.low.LibraryException if there is no MPI library, or the launcher belongs to another one
     */
    public static Mpi init() {
        return init(ThreadLevel.MULTIPLE);
    }

    /**
     * Starts MPI.
     *
     * @param required how threads will use MPI
     * @return MPI, to be closed by the same thread
     * @throws dev.mpiglot.low.LibraryException if there is no MPI library, or the launcher belongs to another one
     */
    public static Mpi init(ThreadLevel required) {
        Library.load();
        return new Mpi(ThreadLevel.of(Environment.initThread(required.value())));
    }

    /**
     * Starts MPI, runs {@code body} and ends MPI. If MPI cannot be started or {@code body} throws, all processes of the
     * job are ended.
     *
     * @param body what to do
     */
    public static void run(Body body) {
        Mpi mpi = started();
        try {
            body.run(mpi);
        } catch (Throwable failure) {
            System.err.println("Process " + mpi.world.rank() + " failed and ends the job:");
            failure.printStackTrace();
            mpi.world.abort(1);
        }
        mpi.close();
    }

    private static Mpi started() {
        try {
            return init();
        } catch (Throwable failure) {
            if (Launcher.isTold()) {
                failure.printStackTrace();
                Launcher.endJob();
                System.exit(1);
            }
            throw failure;
        }
    }

    /** {@return the communicator of all processes of the job} */
    public Comm world() {
        return world;
    }

    /** {@return the communicator of this process alone} */
    public Comm self() {
        return self;
    }

    /** {@return how threads may use MPI} */
    public ThreadLevel threadLevel() {
        return provided;
    }

    /** {@return what the MPI library says of itself; the first line names it} */
    public String libraryVersion() {
        return Library.load().version();
    }

    /** {@return seconds since some time in the past} */
    public double wtime() {
        return Environment.wtime();
    }

    /** Ends MPI. All processes of the job do so; no MPI call may follow. */
    @Override
    public void close() {
        Environment.finalizeMpi();
    }
}

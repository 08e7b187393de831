package dev.mpiglot.mpi;

import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.ThreadLevel;
import java.time.Duration;

/**
 * MPI between its start and its end. Start and end it on the same thread.
 *
 * <p>A process that cannot go on ends the whole job, with a failure as its exit code, instead of leaving the others
 * waiting: if an exception reaches {@link #run}, leaves the block of {@code try (Mpi mpi = Mpi.init())} or ends any
 * thread, and if the program ends, by {@link System#exit} too, before MPI is closed. This holds for threads as long as
 * the program sets no {@link Thread#setDefaultUncaughtExceptionHandler handler} of its own.
 */
public final class Mpi implements AutoCloseable {

    private final ThreadLevel provided;
    private final Comm world = new Comm(dev.mpiglot.low.Comm.WORLD);
    private final Comm self = new Comm(dev.mpiglot.low.Comm.SELF);
    private final Ending ending;
    private final Duration limit;
    private volatile boolean closed;

    private Mpi(ThreadLevel provided, Duration limit) {
        this.provided = provided;
        this.limit = limit;
        this.ending = new Ending(world.rank());
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
        Duration limit = Pending.limit();
        Library.load();
        return new Mpi(ThreadLevel.of(Environment.initThread(required.value())), limit);
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
            mpi.ending.fail(Thread.currentThread(), failure);
        }
        mpi.end();
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
        require();
        return world;
    }

    /** {@return the communicator of this process alone} */
    public Comm self() {
        require();
        return self;
    }

    private void require() {
        if (closed) {
            throw new IllegalStateException("MPI is closed: close it last.");
        }
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
        require();
        return Environment.wtime();
    }

    /**
     * Ends MPI. All processes of the job do so; no MPI call may follow. Closing again does nothing.
     *
     * <p>Before, it waits for the operations of this package that are still under way, but no longer than 10 seconds or
     * what the system property {@code mpiglot.close.seconds} says when MPI starts. Then it ends the job with a sentence
     * that says what is left: a receive that nobody cancelled, or a message that nobody receives. Called because an
     * exception leaves the block that closes it, it does not wait for the others: the exception ends the job.
     */
    @Override
    public void close() {
        if (!closed && Unwinding.isUnderWay()) {
            ending.failLater(Thread.currentThread());
        } else {
            end();
        }
    }

    private synchronized void end() {
        if (!closed) {
            String left = Pending.waitFor(limit);
            if (left != null) {
                ending.leave(left, limit);
            }
            Progress.end();
            Environment.finalizeMpi();
            closed = true;
            ending.over();
        }
    }
}

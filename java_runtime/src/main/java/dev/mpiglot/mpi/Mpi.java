package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Generalized;
import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.Inside;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.ThreadLevel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/**
 * MPI between its start and its end. Start and end it on the same thread.
 *
 * <p>A process that cannot go on ends the whole job, with a failure as its exit code, instead of leaving the others
 * waiting: if an exception reaches {@link #run} or ends any thread, and if the program ends, by {@link System#exit} too,
 * before MPI is closed. This holds for threads as long as the program sets no
 * {@link Thread#setDefaultUncaughtExceptionHandler handler} of its own. An exception that leaves
 * {@code try (Mpi mpi = Mpi.init())} is not seen before {@link #close}: prefer {@link #run}.
 */
public final class Mpi implements AutoCloseable {

    /** Bytes that a message in the memory of {@link #attachBuffer} takes beside its own. */
    public static final int BSEND_OVERHEAD = MpiConstants.BSEND_OVERHEAD;

    private static final long LEAST_ADDRESS = 4096; // of memory; MPICH gives 16 if there is none (no-memory-at-16)
    private static final long ALIGNMENT = 16; // of what any message begins with

    private static volatile boolean running;

    private final ThreadLevel provided;
    private final Comm world = new Comm(CommHandle.WORLD);
    private final Comm self = new Comm(CommHandle.SELF);
    private final Ending ending;
    private final Duration limit;
    private final Duration othersLimit;
    private final MessageMemory messages = new MessageMemory();
    private volatile boolean closed;

    private Mpi(ThreadLevel provided, Duration limit, Duration othersLimit) {
        this.provided = provided;
        this.limit = limit;
        this.othersLimit = othersLimit;
        this.ending = new Ending(world.rank(), othersLimit);
        running = true;
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
     * Starts MPI for use by any number of threads. {@link #run} does that too, and tells exceptions at once.
     *
     * @return MPI, to be closed by the same thread
     * @throws LibraryException if there is no MPI library, or the launcher belongs to another one
     */
    public static Mpi init() {
        return init(ThreadLevel.MULTIPLE);
    }

    /**
     * Starts MPI.
     *
     * @param required how threads will use MPI
     * @return MPI, to be closed by the same thread
     * @throws LibraryException if there is no MPI library, or the launcher belongs to another one
     */
    public static Mpi init(ThreadLevel required) {
        Arguments.present("required", required);
        Settings.check();
        Duration limit = Pending.limit();
        Duration othersLimit = Pending.othersLimit();
        Library.load();
        return new Mpi(ThreadLevel.of(Environment.initThread(required.value())), limit, othersLimit);
    }

    /**
     * Starts MPI, runs {@code body} and ends MPI. If MPI cannot be started or {@code body} throws, all processes of the
     * job are ended at once. After {@code body}, this process waits for the others without a limit, once its own
     * operations are complete (see {@link #close}).
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
        mpi.end(null);
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

    /** Whether MPI was started by this class and not ended. */
    static boolean isRunning() {
        return running;
    }

    private void require() {
        if (closed) {
            throw ClosedException.afterMpi();
        }
    }

    /**
     * Gives MPI memory for the messages of {@link Comm#bsend} and {@link Comm#ibsend}, which stay there until they are
     * delivered. A message takes its own length and {@link #BSEND_OVERHEAD} bytes.
     *
     * @param bytes how much
     * @throws IllegalStateException if there is such memory: detach it first
     * @throws MpiException if MPI reports an error
     */
    public void attachBuffer(long bytes) {
        require();
        messages.attach(bytes, memory -> PointToPoint.bufferAttach(memory, bytes));
    }

    /**
     * Waits until the messages in the memory of {@link #attachBuffer} are delivered, and takes it back.
     *
     * @throws IllegalStateException if there is no such memory
     * @throws MpiException if MPI reports an error
     */
    public void detachBuffer() {
        require();
        messages.detach(() -> PointToPoint.bufferDetach());
    }

    /**
     * Waits until the messages in the memory of {@link #attachBuffer} are delivered. {@code MPI_Buffer_flush} Since MPI
     * 4.1; not in every library.
     *
     * @throws IllegalStateException if there is no such memory
     * @throws MpiException if MPI reports an error
     */
    public void flushBuffer() {
        requireBuffer();
        Progress.finishOnPlatform(() -> PointToPoint.bufferFlush());
    }

    /**
     * Begins {@link #flushBuffer}. {@code MPI_Buffer_iflush} Since MPI 4.1; not in every library.
     *
     * @return the operation, to be awaited
     * @throws IllegalStateException if there is no such memory
     * @throws MpiException if MPI reports an error
     */
    public Request iflushBuffer() {
        requireBuffer();
        return new Request(PointToPoint.bufferIflush(), Loan.ofNothing(), null, Request.Work.FLUSH);
    }

    private void requireBuffer() {
        require();
        messages.require();
    }

    /** Memory that MPI may have for messages. */
    static MemorySegment memoryForMessages(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("A buffer for messages must have at least one byte, not " + bytes + ".");
        }
        return Arena.ofAuto().allocate(bytes, ALIGNMENT);
    }

    /** {@return how threads may use MPI} */
    public ThreadLevel threadLevel() {
        return provided;
    }

    /** {@return what the MPI library says of itself; the first line names it} {@code MPI_Get_library_version} Local. */
    public String libraryVersion() {
        return Environment.getLibraryVersion().strip();
    }

    /**
     * The version of the standard of MPI that a library has.
     *
     * @param major its first number
     * @param minor its second number
     */
    public record Version(int major, int minor) implements Comparable<Version> {

        @Override
        public int compareTo(Version other) {
            return major == other.major ? Integer.compare(minor, other.minor) : Integer.compare(major, other.major);
        }

        @Override
        public String toString() {
            return major + "." + minor;
        }
    }

    /**
     * {@return the version of the standard that the library has} {@code MPI_Get_version} Local; at any time.
     *
     * @throws LibraryException if there is no MPI library
     */
    public static Version version() {
        Environment.GetVersionResult found = Environment.getVersion();
        return new Version(found.version(), found.subversion());
    }

    /**
     * {@return whether MPI was started, by this package or something else in the process} {@code MPI_Initialized} Local;
     * at any time.
     *
     * @throws LibraryException if there is no MPI library
     */
    public static boolean isStarted() {
        return Environment.initialized();
    }

    /**
     * {@return whether MPI was ended} {@code MPI_Finalized} Local; at any time.
     *
     * @throws LibraryException if there is no MPI library
     */
    public static boolean isEnded() {
        return Environment.finalized();
    }

    /**
     * {@return whether this thread has started MPI, and must end it} {@code MPI_Is_thread_main} Local.
     *
     * @throws IllegalStateException if MPI is closed
     */
    public boolean isMainThread() {
        require();
        return Generalized.isThreadMain();
    }

    /**
     * {@return the name of the computer that this process runs on} {@code MPI_Get_processor_name} Local.
     *
     * @throws IllegalStateException if MPI is closed
     */
    public String processorName() {
        require();
        return Environment.getProcessorName();
    }

    /**
     * Tells the hardware that this process runs on. {@code MPI_Get_hw_resource_info} Local. Since MPI 4.1; not in every
     * library.
     *
     * @return types of resources, as {@code hwloc://Core}, and whether the process is restricted to one such ("true" or
     *     "false"); to be closed
     * @throws IllegalStateException if MPI is closed
     * @throws MpiException if MPI reports an error; a {@link UnavailableException} if the
     *     library lacks the function
     */
    public Info hardwareInfo() {
        require();
        return Info.adopt(Environment.getHwResourceInfo());
    }

    /**
     * Allocates memory that networks and windows may access faster than other memory. {@code MPI_Alloc_mem} Local.
     *
     * @param bytes how much
     * @param hints hints for MPI; null: none
     * @return the memory, to be closed; MPI's end gives it back otherwise
     * @throws IllegalArgumentException if {@code bytes} is negative
     * @throws IllegalStateException if MPI or the hints are closed
     * @throws MpiException if MPI reports an error: its {@code kind()} is {@code ErrorClass.ERR_NO_MEM} if
     *     there is not so much
     */
    public MpiMemory allocMem(long bytes, @Nullable Info hints) {
        require();
        if (bytes < 0) {
            throw new IllegalArgumentException("There is no memory of " + bytes + " bytes.");
        }
        long least = Math.max(bytes, 1);
        MemorySegment start = hints == null ? memory(least, InfoHandle.NULL) : hints.using(() -> memory(least, hints.word()));
        return new MpiMemory(start, bytes);
    }

    /** Memory of MPI; throws if there is not so much, which some libraries tell by a low address. */
    static MemorySegment memory(long bytes, InfoHandle hints) {
        MemorySegment start = Environment.allocMem(bytes, hints);
        if (start.address() < LEAST_ADDRESS) {
            throw MpiException.of(MpiConstants.ERR_NO_MEM, MpiConstants.ERR_NO_MEM, "MPI_Alloc_mem",
                    "MPI_Alloc_mem: MPI_ERR_NO_MEM: there are no " + bytes + " bytes.");
        }
        return start;
    }

    /**
     * {@return seconds since some time in the past} {@code MPI_Wtime} Local.
     *
     * @throws IllegalStateException if MPI is closed
     */
    public double wtime() {
        require();
        return Environment.wtime();
    }

    /**
     * {@return seconds between two readings of {@link #wtime} that differ at least} {@code MPI_Wtick} Local.
     *
     * @throws IllegalStateException if MPI is closed
     */
    public double wtick() {
        require();
        return Environment.wtick();
    }

    /**
     * Ends MPI. All processes of the job do so; no MPI call may follow. Closing again does nothing.
     *
     * <p>Before, it waits for the operations of this package that are still under way, but no longer than 10 seconds or
     * what the system property {@code mpiglot.close.seconds} says when MPI starts. Then it ends the job with a sentence
     * that says what is left: a receive that nobody cancelled, a message that nobody receives, or an open epoch of a window.
     * It waits for platform threads that are inside a call of MPI, too; the sentence names the method and where it was
     * called. Then the calls of other threads throw a {@link ClosedException}, and MPI ends when none is
     * inside it. While a {@link Session} is open, which goes on, it does not look for such threads.
     * Files and windows that are open still are closed, which is collective, and told on the standard error output.
     *
     * <p>Nobody tells {@code close} whether an exception leaves the block that closes MPI, and then the others may wait for
     * this process for ever. So it waits for the end of MPI, which libraries make all processes wait for, no longer than 60
     * seconds or what that property says, and then ends the job with a sentence. Processes that end at more different times
     * use {@link #run}, which does know.
     */
    @Override
    public void close() {
        end(othersLimit);
    }

    /** With the time that the others have, null if any. */
    private synchronized void end(Duration forOthers) {
        if (!closed) {
            String left = Pending.waitFor(limit);
            if (left != null) {
                ending.leave(left, limit);
            }
            Progress.end();
            ending.begins();
            List<String> inside = Inside.seal(limit);
            if (!inside.isEmpty()) {
                ending.leave(Inside.list(inside), limit);
            }
            Thread guard = forOthers == null ? null : ending.leaveAfter(forOthers);
            MpiFile.closeAll();
            Window.closeAll();
            MpiMemory.closeAll();
            if (!Session.isAnyOpen()) {
                Stray.freeOfPackage();
            }
            Environment.finalizeMpi();
            closed = true;
            running = false;
            ending.over();
            if (guard != null) {
                guard.interrupt();
            }
        }
    }
}

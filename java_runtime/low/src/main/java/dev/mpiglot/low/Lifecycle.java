package dev.mpiglot.low;

import dev.mpiglot.mpi.ClosedException;
import dev.mpiglot.mpi.LibraryException;
import java.lang.invoke.MethodHandle;

/** When MPI may be called, and the checks at its start. {@code MPIGLOT_GUARD=off} turns the guards off. */
final class Lifecycle {

    private static final boolean GUARD = !"off".equals(System.getenv("MPIGLOT_GUARD"));

    /** Variables in which launchers say how many processes a job has, and which this is: Open MPI's, all others'. */
    private static final String[] SIZES = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    private static final String[] RANKS = {"OMPI_COMM_WORLD_RANK", "PMI_RANK"};

    /** Whether MPI is initialised and not finalized, or nobody wants to know. */
    private static boolean active = !GUARD;
    private static boolean finalized;
    private static int sessions;
    private static Thread starter;
    private static int level = MpiConstants.THREAD_MULTIPLE;
    /** The only thread that may call, if MPI was started without support for others. */
    private static Thread alone;
    /** Whether {@link #alone} ends MPI. */
    private static boolean sealed;

    private Lifecycle() {
    }

    /** Throws if MPI cannot be called now. */
    static void require(String function) {
        if (!active && alone != Thread.currentThread()) {
            refuse(function);
        }
    }

    /** Throws if MPI cannot be called now and the library does not know MPI 4, which allows this call nevertheless. */
    static void requireEarly(String function) {
        if (!active && alone != Thread.currentThread() && !Library.load().has("MPI_Info_create_env")) {
            refuse(function);
        }
    }

    private static void refuse(String function) {
        Library.load();
        if (isSealed()) {
            if (function.equals("MPI_Abort")) {
                return; // the end takes too long
            }
            throw ClosedException.afterMpi(); // another thread ends it
        }
        if (alone != null) {
            throw new LibraryException(function + " was called by the thread \"" + Thread.currentThread().getName()
                    + "\", but MPI was started without support for other threads than \"" + alone.getName()
                    + "\": ask initThread for MpiConstants.THREAD_MULTIPLE.");
        }
        if (flag("MPI_Initialized") && !flag("MPI_Finalized") && adopt()) {
            return;
        }
        throw finalized || flag("MPI_Finalized") ? ClosedException.afterMpi() : ClosedException.beforeMpi();
    }

    /** MPI was started by other code in this process. */
    private static synchronized boolean adopt() {
        if (!sealed) {
            Signals.restore();
            activate(true);
        }
        return !sealed;
    }

    private static synchronized boolean isSealed() {
        return sealed;
    }

    /** Whether MPI has ended and no session goes on. */
    static synchronized boolean hasEnded() {
        return finalized && sessions == 0;
    }

    static synchronized boolean hasSessions() {
        return sessions > 0;
    }

    /**
     * Lets this thread alone call MPI, which it ends. Without the guards, all go on.
     *
     * @return whether it did; not if it had, nor if sessions go on
     */
    static synchronized boolean seal() {
        requireStarter();
        if (sealed || hasSessions()) {
            return false;
        }
        sealed = true;
        alone = GUARD ? Thread.currentThread() : null;
        activate(true);
        return true;
    }

    /** The end of MPI failed. */
    static synchronized void unseal() {
        sealed = false;
        alone = level < MpiConstants.THREAD_SERIALIZED ? alone : null;
        activate(true);
    }

    /** Before a function that may start or end MPI. */
    static void before(String function) {
        Library.load();
        switch (function) {
            case "MPI_Init", "MPI_Init_thread" -> {
                beforeInit(function);
                FailureMode.prepare();
            }
            case "MPI_Finalize" -> Inside.beforeFinalize();
            case "MPI_Session_init" -> {
                beforeSession(function);
                FailureMode.prepare();
            }
            default -> {
            }
        }
    }

    /** After it succeeded. */
    static synchronized void after(String function) {
        Signals.restore();
        switch (function) {
            case "MPI_Init", "MPI_Init_thread" -> afterInit();
            case "MPI_Finalize" -> {
                finalized = true;
                sealed = false;
                alone = null;
                activate(sessions > 0);
            }
            case "MPI_Session_init" -> {
                sessions++;
                activate(true);
            }
            case "MPI_Session_finalize" -> {
                sessions--;
                activate(sessions > 0 || starter != null && !finalized);
            }
            default -> {
            }
        }
    }

    private static void activate(boolean runs) {
        active = !GUARD || runs && alone == null;
        Brief.running(runs && !sealed);
    }

    private static void beforeInit(String function) {
        if (!GUARD) {
            return;
        }
        if (flag("MPI_Finalized")) {
            throw new LibraryException(function + " was called after MPI_Finalize: MPI can be started only once in a "
                    + "process.");
        }
        if (flag("MPI_Initialized")) {
            throw new LibraryException(function + " was called a second time: MPI is initialised already.");
        }
        if (Thread.currentThread().isVirtual()) {
            throw new LibraryException(function + " was called from a virtual thread: MPI must be started and ended by "
                    + "one and the same thread of the operating system.");
        }
        checkReach();
    }

    /** Libraries that know MPI 5 allow it or report an error; those of MPI 4 end the process. */
    private static void beforeSession(String function) {
        if (isSealed() && alone != Thread.currentThread()) {
            refuse(function);
        }
        if (GUARD && finalized && !Library.load().has("MPI_Abi_get_version")) {
            throw new LibraryException(function + " was called after MPI_Finalize, at which this library would end the "
                    + "process: begin the session before, or use sessions only.");
        }
    }

    private static void requireStarter() {
        if (GUARD && starter != null && starter != Thread.currentThread()) {
            throw new LibraryException("MPI_Finalize was called by the thread \"" + Thread.currentThread().getName()
                    + "\", but MPI was initialised by \"" + starter.getName() + "\": both must be the same.");
        }
    }

    private static void afterInit() {
        starter = Thread.currentThread();
        level = Sets.THREAD_LEVEL.toJava(Start.ask("MPI_Query_thread", "jj", 0, false));
        alone = GUARD && level < MpiConstants.THREAD_SERIALIZED ? starter : null;
        Frame.only(alone);
        activate(true);
        Library.load().measure(Start::isLastCode);
        Start.returnErrors();
        Start.checkTable();
        if (GUARD) {
            Start.learnExtents();
        }
        int size = Start.number("MPI_Comm_size");
        if (GUARD && size == 1) {
            checkLauncher();
        }
        if (Start.number("MPI_Comm_rank") == 0) {
            Library.load().remarks().forEach(System.err::println);
        }
    }

    /** Refuses what some releases of MPICH end the process for: the launcher speaks PMIx only, the library does not. */
    private static void checkReach() {
        if (own() == 1 && said(1) == 0 && System.getenv("PMI_FD") == null && System.getenv("PMI_PORT") == null
                && !Library.load().has("PMIx_Init")) {
            refuseForeign("would see");
        }
    }

    private static void checkLauncher() {
        int own = own();
        if (said(own) == 0) {
            refuseForeign("sees");
        } else if (said(own) > 1 && "0".equals(System.getenv(RANKS[own]))) {
            System.err.println("mpiglot: " + SIZES[own] + " says that this job has " + said(own) + " processes, but to "
                    + Library.load().path() + " each of them is alone; was it started by the launcher of another "
                    + "release?");
        } // else its own launcher counted it, perhaps in a job of another one
    }

    /** Throws if a launcher of the other family says that this process is one of several. */
    private static void refuseForeign(String sees) {
        int other = 1 - own();
        if (said(other) > 1) {
            throw new LibraryException("The launcher started " + said(other) + " processes (" + SIZES[other] + "), but "
                    + Library.load().path() + " " + sees + " only one: the launcher belongs to another MPI. Start the "
                    + "program with this library's own mpiexec, set MPIGLOT_MPI to the launcher's library, or set "
                    + "MPIGLOT_GUARD=off if it is meant to be alone.");
        }
    }

    /** The family of launchers that the library belongs to. One of the standard ABI may belong to any: its text tells. */
    private static int own() {
        Library library = Library.load();
        boolean says = library.abi().equals("abi") && library.version().startsWith("Open MPI");
        return library.abi().equals("ompi") || says ? 0 : 1;
    }

    /** The number of processes that a family's launcher says there are; 0 if it says nothing. */
    private static int said(int family) {
        String value = System.getenv(SIZES[family]);
        return value != null && Release.isNumber(value) ? Integer.parseInt(value) : 0;
    }

    private static boolean flag(String function) {
        return Start.ask(function, "jj", 0, false) != 0;
    }

    /** The first calls after MPI has started. */
    private static final class Start {

        private Start() {
        }

        /** Makes errors come back as exceptions instead of ending the job. */
        static void returnErrors() {
            MethodHandle set = Downcall.function("MPI_Comm_set_errhandler", "jjj");
            try {
                for (CommHandle comm : new CommHandle[] {CommHandle.WORLD, CommHandle.SELF}) {
                    long code = (long) set.invokeExact(comm.handle(), ErrhandlerHandle.ERRORS_RETURN.handle());
                    Call.done((int) code, "MPI_Comm_set_errhandler");
                }
            } catch (Throwable t) {
                throw Call.rethrow(t);
            }
        }

        /** Whether the library keeps the last error code under a key of attributes. */
        static boolean isLastCode(long key) {
            MethodHandle call = Downcall.function("MPI_Comm_get_attr", "jjjjj");
            Frame frame = Frame.current();
            long mark = frame.mark();
            try {
                long value = frame.cell();
                long found = frame.cell();
                long code = (long) call.invokeExact(CommHandle.WORLD.handle(), key, value, found);
                long at = Frame.getLong(value);
                return (int) code == 0 && Frame.getInt(found) != 0 && at != 0
                        && Frame.getInt(at) >= MpiConstants.ERR_LASTCODE;
            } catch (Throwable t) {
                throw Call.rethrow(t);
            } finally {
                frame.release(mark);
            }
        }

        /** The library must know the constants of its table. */
        static void checkTable() {
            DatatypeHandle[] types = {DatatypeHandle.BYTE, DatatypeHandle.INT, DatatypeHandle.DOUBLE};
            int[] sizes = {1, 4, 8};
            for (int i = 0; i < types.length; i++) {
                if (ask("MPI_Type_size", "jjj", types[i].handle(), true) != sizes[i]) {
                    throw new LibraryException(Library.load().path() + " does not know the constants of "
                            + Library.load().table() + ": it cannot be served.");
                }
            }
        }

        /** Asks past preloaded tools, which shall see the program's calls only. */
        static void learnExtents() {
            for (DatatypeHandle type : DatatypeHandle.predefined()) {
                if (type.handle() != DatatypeHandle.NULL.handle()) {
                    Extents.put(type.handle(), ask("PMPI_Type_size", "jjj", type.handle(), true));
                }
            }
        }

        static int number(String function) {
            return ask(function, "jjj", CommHandle.WORLD.handle(), true);
        }

        /** The integer that a function gives, for a handle or without arguments; -1 if the call failed. */
        static int ask(String function, String signature, long handle, boolean ofHandle) {
            MethodHandle call = Downcall.function(function, signature);
            Frame frame = Frame.current();
            long mark = frame.mark();
            try {
                long cell = frame.cell();
                long code = ofHandle ? (long) call.invokeExact(handle, cell) : (long) call.invokeExact(cell);
                return (int) code == 0 ? Frame.getInt(cell) : -1;
            } catch (Throwable t) {
                throw Call.rethrow(t);
            } finally {
                frame.release(mark);
            }
        }
    }
}

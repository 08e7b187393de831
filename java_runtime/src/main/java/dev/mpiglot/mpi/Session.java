package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.ErrhandlerHandle;
import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.SessionHandle;
import dev.mpiglot.low.Sessions;
import dev.mpiglot.low.ThreadLevel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A use of MPI by a part of a program, beside {@link Mpi#run} or without it: several parts need not know of each other.
 * It has sets of processes with names, of which groups and communicators are made. Since MPI 4.0; libraries before throw
 * a {@link UnavailableException} in {@link #open}.
 *
 * <p>Every method throws an {@link IllegalStateException} once the session is closed. Without {@link Mpi#run} nobody ends
 * the job when this process fails, and buffers of {@link dev.mpiglot.low} are not checked.
 */
public final class Session implements ErrorSource, AutoCloseable {

    /** The set of all processes of the job. */
    public static final String WORLD = "mpi://WORLD";
    /** The set of this process alone. */
    public static final String SELF = "mpi://SELF";

    private static final String LEVEL = "thread_level";
    private static final String LEVELS = "MPI_THREAD_";
    /** How many sessions are open, and were opened; whether MPI was started otherwise before the first one. */
    private static int open;
    private static int opened;
    private static boolean startedBefore;

    private final SessionHandle handle;
    private final Life life = new Life("The session is closed: close it when no call needs it any more.");
    private final MessageMemory messages = new MessageMemory();
    private final Deque<Comm> made = new ArrayDeque<>();

    private Session(SessionHandle handle) {
        this.handle = handle;
    }

    /**
     * Opens a session for use by any number of threads, as far as the library can. {@code MPI_Session_init} Local.
     *
     * @return the session, to be closed
     * @throws UnavailableException if the library has no sessions
     * @throws IllegalStateException if the library cannot begin again: see {@link #open(Info)}
     * @throws MpiException if MPI reports an error
     */
    public static Session open() {
        if (!Library.load().has("MPI_Session_init")) {
            return begin(InfoHandle.NULL); // throws with a sentence
        }
        try (Info hints = Info.ofMap(Map.of(LEVEL, LEVELS + ThreadLevel.MULTIPLE))) {
            return open(hints);
        }
    }

    /**
     * Opens a session. {@code MPI_Session_init} Local.
     *
     * @param hints hints for MPI, as {@code thread_level}, which is {@code MPI_THREAD_MULTIPLE} or a lower one; null: none
     * @return the session, to be closed
     * @throws UnavailableException if the library has no sessions
     * @throws IllegalStateException if the hints are closed; or if all sessions of a program without {@link Mpi#run} were
     *     closed before and the library would crash in the next one, as MPICH before 4.3 and Open MPI 5.0
     * @throws LibraryException if MPI was closed and the library cannot go on
     * @throws MpiException if MPI reports an error
     */
    public static Session open(@Nullable Info hints) {
        return hints == null ? begin(InfoHandle.NULL) : hints.using(() -> begin(hints.word()));
    }

    private static synchronized Session begin(InfoHandle hints) {
        if (opened == 0) { // later, sessions count for some libraries
            startedBefore = Environment.initialized() && !Environment.finalized();
        }
        boolean isAlone = !startedBefore && !Mpi.isRunning();
        if (isAlone && open == 0 && opened > 0 && LibraryDefects.ENDS_WITH_SESSION) {
            throw new IllegalStateException("All sessions were closed, and this library would crash in another one: keep "
                    + "one open as long as the program needs MPI, or use Mpi.run.");
        }
        Session session = new Session(Sessions.sessionInit(hints, ErrhandlerHandle.ERRORS_RETURN));
        Environment.sessionSetErrhandler(session.handle, ErrhandlerHandle.ERRORS_RETURN); // session-forgets-handler
        open++;
        opened++;
        if (isAlone) {
            Progress.provide(session.threadLevel());
        }
        return session;
    }

    static synchronized boolean isAnyOpen() {
        return open > 0;
    }

    SessionHandle word() {
        return handle;
    }

    <T> T using(Supplier<T> action) {
        return life.during(action);
    }

    /**
     * Tells how threads may use MPI with this session. {@code MPI_Session_get_info} Local.
     *
     * @return what the library says; {@code SINGLE} if it says nothing
     * @throws MpiException if MPI reports an error
     */
    public ThreadLevel threadLevel() {
        try (Info used = info()) {
            String level = used.get(LEVEL).orElse("").replace(LEVELS, "");
            for (ThreadLevel one : ThreadLevel.values()) {
                if (one.name().equals(level)) {
                    return one;
                }
            }
            return ThreadLevel.SINGLE;
        }
    }

    /**
     * Tells the sets of processes that there are now. {@code MPI_Session_get_num_psets},
     * {@code MPI_Session_get_nth_pset} Local.
     *
     * @return their names, {@link #WORLD} and {@link #SELF} among them
     * @throws MpiException if MPI reports an error
     */
    public List<String> processSets() {
        return using(() -> {
            int count = Sessions.sessionGetNumPsets(handle, InfoHandle.NULL);
            List<String> names = new ArrayList<>(count);
            for (int n = 0; n < count; n++) {
                names.add(Sessions.sessionGetNthPset(handle, InfoHandle.NULL, n));
            }
            return names;
        });
    }

    /**
     * Tells what is known of a set of processes. {@code MPI_Session_get_pset_info} Local.
     *
     * @param name its name
     * @return {@code mpi_size}, the number of processes, and what else the library tells; to be closed
     * @throws IllegalArgumentException if there is no such set
     * @throws MpiException if MPI reports an error
     */
    public Info processSetInfo(String name) {
        return ofSet(name, known -> Info.adopt(Sessions.sessionGetPsetInfo(handle, known)));
    }

    /**
     * Makes a group of the processes of a set. {@code MPI_Group_from_session_pset} Local.
     *
     * @param name the name of the set
     * @return the group, to be closed
     * @throws IllegalArgumentException if there is no such set
     * @throws MpiException if MPI reports an error
     */
    public Group group(String name) {
        return ofSet(name, known -> Group.adopt(Sessions.groupFromSessionPset(handle, known)));
    }

    private <T> T ofSet(String name, Function<String, T> action) {
        Arguments.present("name", name);
        return using(() -> {
            List<String> names = processSets();
            return action.apply(names.stream().filter(name::equalsIgnoreCase).findFirst().orElseThrow(
                    () -> new IllegalArgumentException("There is no set of processes \"" + name + "\", only " + names + ".")));
        });
    }

    /**
     * Tells the hints that the library uses. {@code MPI_Session_get_info} Local.
     *
     * @return the hints, to be closed
     * @throws MpiException if MPI reports an error
     */
    public Info info() {
        return using(() -> Info.adopt(Sessions.sessionGetInfo(handle)));
    }

    /**
     * Makes a communicator of a group of this session. {@code MPI_Comm_create_from_group} Collective over the group.
     *
     * @param group the processes, this one among them; the same on all of them
     * @param tag a text that tells calls apart that are made at the same time; the same on all processes
     * @param hints hints for MPI; null: none
     * @return the communicator, to be closed; the session closes it otherwise
     * @throws UnavailableException if the job has one process, nobody called {@code MPI_Init}, and the
     *     library would crash, as MPICH before 4.3
     * @throws IllegalArgumentException if the group or the tag is null, or this process is not in the group: at once, and
     *     others wait
     * @throws IllegalStateException if the group or the hints are closed: at once, and others wait
     * @throws MpiException if MPI reports an error
     */
    public Comm createComm(Group group, String tag, @Nullable Info hints) {
        requireOwn("group", group, tag);
        requireOthers("MPI_Comm_create_from_group");
        return make(hints, info -> group.using(
                () -> Communicators.commCreateFromGroup(group.word(), tag, info, ErrhandlerHandle.ERRORS_RETURN)));
    }

    /**
     * Joins two groups of this session. {@code MPI_Intercomm_create_from_groups} Collective over both groups.
     *
     * @param local the processes of the own group, this one among them; the same on all of them
     * @param localLeader a rank in it, the same on all of its processes
     * @param remote the other group, which has no process of the own one
     * @param remoteLeader the rank in the other group that its processes give as {@code localLeader}
     * @param tag a text that tells calls apart that are made at the same time; the same on all processes
     * @param hints hints for MPI; null: none
     * @return the intercommunicator, to be closed; the session closes it otherwise
     * @throws IllegalArgumentException if a group or the tag is null, a leader is no rank, or this process is not in the
     *     own group: at once, and others wait
     * @throws IllegalStateException if a group or the hints are closed: at once, and others wait
     * @throws MpiException if MPI reports an error
     */
    public Intercomm createIntercomm(Group local, int localLeader, Group remote, int remoteLeader, String tag,
            @Nullable Info hints) {
        requireOwn("local", local, tag);
        Arguments.rank("localLeader", localLeader, local.size());
        Arguments.rank("remoteLeader", remoteLeader, Arguments.present("remote", remote).size());
        return (Intercomm) make(hints, info -> local.using(() -> remote.using(
                () -> Communicators.intercommCreateFromGroups(local.word(), localLeader, remote.word(), remoteLeader, tag,
                        info, ErrhandlerHandle.ERRORS_RETURN))));
    }

    private static void requireOwn(String name, Group group, String tag) {
        Arguments.present("tag", tag);
        if (Arguments.present(name, group).rank().isEmpty()) {
            throw new IllegalArgumentException("This process is not in the group: only its processes make the call.");
        }
    }

    /** Throws where a process that is alone would crash: session-alone-crashes. */
    private void requireOthers(String function) {
        if (LibraryDefects.SESSIONS_NEED_OTHERS != null && !startedBefore && !Mpi.isRunning()) {
            try (Group all = group(WORLD)) {
                if (all.size() == 1) {
                    LibraryDefects.refuse(LibraryDefects.SESSIONS_NEED_OTHERS, function);
                }
            }
        }
    }

    private Comm make(Info hints, Function<InfoHandle, CommHandle> action) {
        CommHandle[] found = new CommHandle[1];
        Comm comm = using(() -> {
            InfoHandle info = hints == null ? InfoHandle.NULL : hints.handle();
            Progress.finishOnPlatform(() -> found[0] = action.apply(info));
            return Comm.adopt(found[0]);
        });
        synchronized (made) {
            made.removeIf(one -> !one.isOpen());
            made.push(comm);
        }
        return comm;
    }

    /**
     * Gives MPI memory for the messages of {@link Comm#bsend} and {@link Comm#ibsend} on communicators of this session,
     * which stay there until they are delivered; see {@link Mpi#attachBuffer}. {@code MPI_Session_attach_buffer} Local.
     * Since MPI 4.1; not in every library.
     *
     * @param bytes how much
     * @throws IllegalArgumentException if it is not positive
     * @throws IllegalStateException if the session has such memory: detach it first
     * @throws MpiException if MPI reports an error, or the library lacks the function
     */
    public void attachBuffer(long bytes) {
        using(() -> {
            messages.attach(bytes, memory -> PointToPoint.sessionAttachBuffer(handle, memory, bytes));
            return null;
        });
    }

    /**
     * Waits until the messages in the memory of {@link #attachBuffer} are delivered, and takes it back.
     * {@code MPI_Session_detach_buffer}
     *
     * @throws IllegalStateException if there is no such memory
     * @throws MpiException if MPI reports an error
     */
    public void detachBuffer() {
        using(() -> {
            messages.detach(() -> PointToPoint.sessionDetachBuffer(handle));
            return null;
        });
    }

    /**
     * Waits until the messages in the memory of {@link #attachBuffer} are delivered. {@code MPI_Session_flush_buffer}
     *
     * @throws IllegalStateException if there is no such memory
     * @throws MpiException if MPI reports an error
     */
    public void flushBuffer() {
        using(() -> {
            messages.require();
            Progress.finishOnPlatform(() -> PointToPoint.sessionFlushBuffer(handle));
            return null;
        });
    }

    /**
     * Begins {@link #flushBuffer}. {@code MPI_Session_iflush_buffer}
     *
     * @return the operation, to be awaited
     * @throws IllegalStateException if there is no such memory
     * @throws MpiException if MPI reports an error
     */
    public Request iflushBuffer() {
        return using(() -> {
            messages.require();
            return new Request(PointToPoint.sessionIflushBuffer(handle), Loan.ofNothing(), null, Request.Work.FLUSH);
        });
    }

    /**
     * {@return the handle for {@link dev.mpiglot.low}, which must not end it}
     *
     * @throws IllegalStateException if the session is closed
     */
    public SessionHandle handle() {
        life.require();
        return handle;
    }

    /**
     * Ends the session, after its communicators that are open, the last one first: collective over their groups. Close
     * windows and files of these communicators, and what was duplicated of them, before. Closing again does nothing.
     * {@code MPI_Session_finalize}
     *
     * @throws IllegalStateException if a call still uses it or one of its communicators; it stays open then
     * @throws MpiException if MPI reports an error
     */
    @Override
    public void close() {
        synchronized (made) {
            for (Comm last = made.peek(); last != null; last = made.peek()) {
                last.close();
                made.remove(last);
            }
        }
        if (!life.end()) {
            return;
        }
        if (messages.isThere()) {
            messages.detach(() -> PointToPoint.sessionDetachBuffer(handle));
        }
        synchronized (Session.class) {
            if (open == 1 && !startedBefore && !Mpi.isRunning()) {
                Stray.freeOfPackage();
            }
            Progress.finishOnPlatform(() -> Sessions.sessionFinalize(handle));
            open--;
        }
    }
}

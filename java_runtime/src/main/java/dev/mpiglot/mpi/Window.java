package dev.mpiglot.mpi;

import dev.mpiglot.low.OneSided;
import dev.mpiglot.low.WinHandle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Memory of all processes of a communicator that each of them accesses, without a call of the process that has it.
 * {@link Comm#allocateWindow} and its like make it.
 *
 * <p>A displacement counts values of type {@code E} from the start of the target's memory; in a window of
 * {@link Comm#createDynamicWindow} it is what {@link #attach} gave, plus bytes. Values are side by side at the target,
 * also where a buffer here has gaps between them.
 *
 * <p>Every access needs an {@link Epoch} and is complete at its end, or when it is flushed: the values that it gives
 * are at the target, and the values that it fetches are in its buffer. The values of an array are copied by the call,
 * so it may be changed at once, and an array that values are fetched into has them when the access is complete. Other
 * buffers belong to MPI until then.
 *
 * <p>Every method throws an {@link IllegalStateException} once the window is closed. Closing is collective, after
 * exceptions, too. Windows that are open when MPI is closed are freed then, the last one first.
 *
 * @param <E> the type of the values
 */
public final class Window<E extends Element> extends WindowEpochs
        implements WindowAccesses<E>, WindowQueries, ErrorSource, AutoCloseable {

    /**
     * MPICH 4.0 rounds the address of a window down to such a multiple (window-not-at-16-bytes), and goes wrong with
     * sizes that are none (small-shared-allocation).
     */
    static final int ALIGNMENT = 16;
    static final int KINDS = Kind.values().length;

    static void requireNumbers(Datatype<?> type) {
        if (type.kind() == Kind.RECORD) {
            throw new IllegalArgumentException("The elements of a window are numbers, not of type " + type + ".");
        }
    }

    /** Throws unless other processes can access this memory. */
    static void requireMemory(MpiBuffer<?> memory) {
        requireNumbers(Call.withElements("memory", memory).type());
        if (Call.withElements("memory", memory).isCopied()) {
            throw new IllegalArgumentException("A window cannot have an array, or other memory that is copied for MPI: take "
                    + "MpiBuffer.allocate.");
        }
        if (!memory.isDense()) {
            throw new IllegalArgumentException("The elements of a window must be side by side, not of type "
                    + memory.type() + " with gaps.");
        }
        if (LibraryDefects.ROUNDS_WINDOWS && memory.bytes() > 0
                && (memory.memory().address() + memory.offset()) % ALIGNMENT != 0) {
            throw new IllegalArgumentException("MPICH 4.0 reaches beside the memory of a window that does not begin at "
                    + "a multiple of " + ALIGNMENT + " bytes: take it from the start of a buffer.");
        }
    }

    /** What a function of MPI makes. */
    record Made(MemorySegment memory, WinHandle window) {
    }

    /** The last one first. */
    private static final Deque<Window<?>> OPEN = new ArrayDeque<>();

    private final WinHandle handle;
    private final Datatype<E> type;
    private final MpiBuffer<E> memory; // null: a dynamic window
    private final long[] sizes; // values, by rank; null: a dynamic window
    private final int ranks;
    private final Arena arena; // of memory of MPI; null: there is none
    private final boolean shared;
    private final StackTraceElement place = Backlog.place(); // where it was made, if that is asked for
    private final Life life = new Life("The window is closed: close it when no call needs it any more.");
    private final Map<Long, MpiBuffer<E>> attached = new HashMap<>();

    /**
     * What a window has from its beginning: {@code sizes} is null for dynamic ones, {@code arena} without memory of
     * MPI.
     */
    record Parts<E extends Element>(Datatype<E> type, MpiBuffer<E> memory, long[] sizes, int ranks, Arena arena,
            boolean shared) {
    }

    Window(WinHandle handle, Parts<E> parts) {
        this.handle = handle;
        this.type = parts.type;
        this.memory = parts.memory;
        this.sizes = parts.sizes;
        this.ranks = parts.ranks;
        this.arena = parts.arena;
        this.shared = parts.shared;
        synchronized (OPEN) {
            OPEN.push(this);
        }
    }

    @Override
    WinHandle word() {
        return handle;
    }

    @Override
    <T> T using(Supplier<T> action) {
        return life.during(action);
    }

    Access access(int target, long displacement) {
        return new Access(this, target, displacement);
    }

    @Override
    int ranks() {
        return ranks;
    }

    @Override
    void enter() {
        life.enter();
    }

    @Override
    Life life() {
        return life;
    }

    @Override
    void leave() {
        life.leave();
    }

    Kind kind() {
        return type.kind();
    }

    boolean isAlone() {
        return ranks == 1;
    }

    /** Throws if an access reaches no memory of the target, or there is no epoch for it. */
    void requireAccess(int target, long displacement, long values, boolean locked) {
        if (target != Comm.PROC_NULL) {
            Arguments.rank("target", target, ranks);
            if (displacement < 0 || sizes != null && displacement > sizes[target] - values) {
                throw new IllegalArgumentException(values + " values from displacement " + displacement
                        + " on are not in the " + (sizes == null ? "memory" : sizes[target] + " values")
                        + " of rank " + target + ".");
            }
        }
        if (locked) {
            epochs().requireLock(target);
        } else {
            epochs().require(target);
        }
    }

    /**
     * {@return the memory of this process} Once the window is closed, memory of {@link Comm#allocateWindow} and its
     * like throws an {@link IllegalStateException}.
     *
     * @throws UnsupportedOperationException if this is a window of {@link Comm#createDynamicWindow}
     */
    public MpiBuffer<E> memory() {
        life.require();
        if (memory == null) {
            throw new UnsupportedOperationException("A dynamic window has no memory but what is attached.");
        }
        return memory;
    }

    /**
     * Tells where the memory of a process is for this one. {@code MPI_Win_shared_query} Local.
     *
     * @param rank whose memory
     * @return that memory; once the window is closed it throws an {@link IllegalStateException}
     * @throws IllegalArgumentException if there is no such rank
     * @throws UnsupportedOperationException if this is no window of {@link Comm#allocateSharedWindow}
     * @throws MpiException if MPI reports an error
     */
    public MpiBuffer<E> sharedQuery(int rank) {
        Arguments.rank("rank", rank, ranks);
        return using(() -> {
            if (!shared) {
                throw new UnsupportedOperationException("Only windows of allocateSharedWindow share memory.");
            }
            OneSided.WinSharedQueryResult found = OneSided.winSharedQuery(handle, rank);
            return over(found.baseptr(), type, sizes[rank], arena);
        });
    }

    /** Memory of MPI that ends with an arena. */
    static <E extends Element> MpiBuffer<E> over(MemorySegment start, Datatype<E> type, long count, Arena arena) {
        return MpiBuffer.over(start.reinterpret(count * type.bytes(), arena, null), type, count);
    }

    /**
     * Lets other processes access memory, which stays reachable until it is detached or the window is closed.
     * {@code MPI_Win_attach} Local.
     *
     * @param added the memory, see {@link Comm#createWindow}
     * @return the displacement of its first value in bytes, for the other processes
     * @throws IllegalArgumentException if the memory is an array, has gaps, or is attached
     * @throws UnsupportedOperationException if this is no window of {@link Comm#createDynamicWindow}
     * @throws MpiException if MPI reports an error
     */
    public long attach(MpiBuffer<E> added) {
        requireMemory(added);
        return using(() -> {
            requireDynamic();
            MemorySegment segment = added.memory().asSlice(added.offset());
            synchronized (attached) {
                if (attached.values().stream().anyMatch(added::overlaps)) {
                    throw new IllegalArgumentException("A part of this memory is attached to the window.");
                }
                OneSided.winAttach(handle, segment, added.bytes());
                attached.put(segment.address(), added);
            }
            return dev.mpiglot.low.Datatypes.getAddress(segment);
        });
    }

    /**
     * Ends what {@link #attach} began. No access to the memory may be under way. {@code MPI_Win_detach} Local.
     *
     * @param removed the memory
     * @throws IllegalArgumentException if it is not attached
     * @throws UnsupportedOperationException if this is no window of {@link Comm#createDynamicWindow}
     * @throws MpiException if MPI reports an error
     */
    public void detach(MpiBuffer<E> removed) {
        requireMemory(removed);
        using(() -> {
            requireDynamic();
            MemorySegment segment = removed.memory().asSlice(removed.offset());
            synchronized (attached) {
                if (!attached.containsKey(segment.address())) {
                    throw new IllegalArgumentException("This memory is not attached to the window.");
                }
                OneSided.winDetach(handle, segment);
                return attached.remove(segment.address());
            }
        });
    }

    private void requireDynamic() {
        if (memory != null) {
            throw new UnsupportedOperationException("Only windows of createDynamicWindow take more memory.");
        }
    }

    /**
     * Gives the window hints. {@code MPI_Win_set_info} Collective.
     *
     * @param hints the hints
     * @throws IllegalArgumentException if the hints are null: at once, and others may wait
     * @throws IllegalStateException if the hints are closed: at once, and others may wait
     * @throws MpiException if MPI reports an error
     */
    public void setInfo(Info hints) {
        Arguments.present("hints", hints);
        using(() -> hints.using(() -> {
            together(() -> OneSided.winSetInfo(handle, hints.word()));
            return hints;
        }));
    }

    /**
     * {@return the handle for {@link dev.mpiglot.low}, which must not free it}
     *
     * @throws IllegalStateException if the window is closed
     */
    public WinHandle handle() {
        life.require();
        return handle;
    }

    /** How many windows have an open epoch. */
    static int inEpochs() {
        synchronized (OPEN) {
            return (int) OPEN.stream().filter(one -> !one.epochs().isEmpty()).count();
        }
    }

    /** MPI is about to end: some libraries crash with windows that are there still (window-outlives-finalize). */
    static void closeAll() {
        for (Window<?> last = last(); last != null; last = last()) {
            Backlog.tell("window", last.place, " was not closed: MPI's end closes it");
            last.close();
        }
    }

    private static Window<?> last() {
        synchronized (OPEN) {
            return OPEN.peek();
        }
    }

    /**
     * Frees the window and the memory that MPI allocated for it; collective: all its processes close it. Closing again
     * does nothing. {@code MPI_Win_free}
     *
     * @throws IllegalStateException if an epoch is open or a call still uses the window, which stays open then; if a call
     *     on this window has failed and the others do not come in the time that {@link dev.mpiglot.mpi.Mpi#close} says
     * @throws MpiException if MPI reports an error
     */
    @Override
    public void close() {
        if (!epochs().isEmpty()) {
            RuntimeException early = new IllegalStateException("The window has an open epoch: end it before the window "
                    + "is closed.");
            note(early);
            throw early;
        }
        if (!life.end()) {
            return;
        }
        synchronized (OPEN) {
            OPEN.remove(this);
        }
        if (arena != null) {
            arena.close();
        }
        together(() -> AttributeKey.during(() -> OneSided.winFree(handle)));
        complete(EVERY_TARGET, () -> {
        });
    }
}

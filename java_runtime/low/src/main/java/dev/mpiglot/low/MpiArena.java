package dev.mpiglot.low;

import dev.mpiglot.mpi.ClosedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * An arena that may be closed while operations of MPI use its memory. Closing ends what the program sees of the memory,
 * in all threads; the memory itself stays until the last operation that uses it is complete (the request is waited for
 * or freed, the epoch of the window or the window itself ended), and is given back then. What arrives after closing is
 * lost.
 *
 * <p>Memory of other arenas is given back when they are closed: MPI then reads and writes memory that belongs to
 * something else by now, or to nobody, which ends the JVM.
 */
public final class MpiArena implements Arena {

    /** Closed, but in use. */
    private static final List<MpiArena> WAITING = new ArrayList<>();
    private static volatile boolean anyWaits;

    private final Arena access = Arena.ofShared();
    private final Memory memory = new Memory();

    /** An arena whose memory any thread may use. */
    public MpiArena() {
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        if (byteSize < 0 || Long.bitCount(byteAlignment) != 1 || byteAlignment < 0) {
            throw new IllegalArgumentException(byteSize + " bytes at a multiple of " + byteAlignment + " cannot be allocated");
        }
        synchronized (KeptHandle.LOCK) {
            if (!access.scope().isAlive()) {
                throw ClosedException.of("The arena is closed.");
            }
            long first = memory.allocate(Math.addExact(byteSize, byteAlignment));
            long aligned = first + byteAlignment - 1 & -byteAlignment;
            return MemorySegment.ofAddress(aligned).reinterpret(byteSize, access, null);
        }
    }

    @Override
    public MemorySegment.Scope scope() {
        return access.scope();
    }

    /**
     * Ends the use of the memory by the program. Closing again does nothing.
     *
     * @throws IllegalStateException if a call of another thread uses the memory
     */
    @Override
    public void close() {
        synchronized (KeptHandle.LOCK) {
            if (!access.scope().isAlive()) {
                return;
            }
            access.close();
            if (isUsed()) {
                WAITING.add(this);
                anyWaits = true;
                settle(); // an operation may have ended meanwhile, and not have seen that an arena waits
            } else {
                memory.free();
            }
        }
    }

    private boolean isUsed() {
        return isUsed(access.scope());
    }

    /**
     * Tells whether MPI may use memory of an arena.
     *
     * @param scope of the arena
     * @return whether an operation that is under way, a window or an attached buffer uses memory of it
     */
    public static boolean isUsed(MemorySegment.Scope scope) {
        synchronized (KeptHandle.LOCK) {
            return KeptHandle.uses(scope) || Keeping.uses(scope);
        }
    }

    /** Whether the memory of this scope is there although it is closed. */
    static boolean holds(MemorySegment.Scope scope) {
        if (!anyWaits) {
            return false;
        }
        synchronized (KeptHandle.LOCK) {
            return WAITING.stream().anyMatch(arena -> arena.access.scope().equals(scope));
        }
    }

    /** Gives the memory back that no operation uses any more. */
    static void settle() {
        if (anyWaits) {
            synchronized (KeptHandle.LOCK) {
                WAITING.removeIf(arena -> {
                    boolean free = !arena.isUsed();
                    if (free) {
                        arena.memory.free();
                    }
                    return free;
                });
                anyWaits = !WAITING.isEmpty();
            }
        }
    }

    /** {@return how many closed arenas wait for operations} */
    static int waiting() {
        synchronized (KeptHandle.LOCK) {
            return WAITING.size();
        }
    }
}

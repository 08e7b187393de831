package dev.mpiglot.mpi;

import dev.mpiglot.low.Environment;
import dev.mpiglot.low.MpiArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Memory of MPI, which networks and windows may access faster ({@link Mpi#allocMem}). Any thread may use it until it is
 * closed; then its buffers throw an {@link IllegalStateException}.
 */
public final class MpiMemory implements AutoCloseable {

    private static final Set<MpiMemory> OPEN = ConcurrentHashMap.newKeySet();

    private final MemorySegment start; // for MPI
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final Life life = new Life("The memory is closed: close it when no operation needs it any more.");

    MpiMemory(MemorySegment start, long bytes) {
        this.start = start;
        this.memory = start.reinterpret(bytes, arena, null);
        OPEN.add(this);
    }

    /** {@return how long it is, in bytes} */
    public long bytes() {
        return memory.byteSize();
    }

    /**
     * All of it as elements, without a copy. What they are at first nobody knows.
     *
     * @param <E> the type of the values
     * @param type the type of the elements, without gaps
     * @return as many elements as fit
     * @throws IllegalArgumentException if the type is null, has gaps or no data
     * @throws IllegalStateException if the memory or the type is closed
     */
    public <E extends Element> MpiBuffer<E> buffer(Datatype<E> type) {
        life.require();
        if (!Arguments.present("type", type).layout().isDense() || type.bytes() == 0) {
            throw new IllegalArgumentException("The elements of memory of MPI must be side by side, not of type " + type
                    + " with gaps or without data.");
        }
        return MpiBuffer.over(memory, type, bytes() / type.bytes());
    }

    /** MPI is about to end. */
    static void closeAll() {
        for (MpiMemory one : OPEN) {
            if (!MpiArena.isUsed(one.arena.scope())) {
                one.close();
            }
        }
    }

    /**
     * Gives the memory back. Local. Closing again does nothing. {@code MPI_Free_mem}
     *
     * @throws IllegalStateException if an operation, a window or a call still uses it: it stays then
     * @throws MpiException if MPI reports an error
     */
    @Override
    public synchronized void close() {
        if (!OPEN.contains(this)) {
            return;
        }
        if (MpiArena.isUsed(arena.scope())) {
            throw new IllegalStateException("An operation or a window still uses the memory: close it afterwards.");
        }
        arena.close();
        life.end();
        OPEN.remove(this);
        Environment.freeMem(start);
    }
}

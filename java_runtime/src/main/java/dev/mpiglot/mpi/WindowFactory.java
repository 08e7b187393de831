package dev.mpiglot.mpi;

import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.OneSided;
import dev.mpiglot.low.WinHandle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The methods of {@link Comm} that make windows. All processes tell each other before how much memory they give: if one
 * cannot take part, all throw.
 */
abstract sealed class WindowFactory extends CommFactory permits FileFactory {

    /**
     * MPICH 4.0 rounds the address of a window down to such a multiple (window-not-at-16-bytes), and goes wrong with
     * sizes that are none (small-shared-allocation).
     */
    private static final int ALIGNMENT = 16;
    private static final int KINDS = Kind.values().length;

    private static void requireNumbers(Datatype<?> type) {
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

    private static void requireSize(Datatype<?> type, long count) {
        if (count < 0) {
            throw new IllegalArgumentException("A window cannot have " + count + " elements.");
        }
        requireNumbers(Arguments.present("type", type));
        if (!type.layout().isDense()) {
            throw new IllegalArgumentException("The elements of a window must be side by side, not of type " + type
                    + " with gaps.");
        }
        Math.multiplyExact(KINDS, Math.multiplyExact(count, type.bytes()));
    }

    /** Tells all how many values each process gives; throws on all if one cannot, or gives others. */
    private long[] agree(Info hints, Runnable check, Supplier<Datatype<?>> type, long elements) {
        RuntimeException mistake = Parts.mistakeOf(() -> {
            check.run();
            if (hints != null) {
                hints.handle();
            }
        });
        Datatype<?> own = mistake == null ? type.get() : null;
        long told = mistake == null ? elements * own.values() * KINDS + own.kind().ordinal() : -1;
        long[] all = new long[size()];
        ((Comm) this).allgather(new long[] {told}, all);
        if (mistake != null) {
            throw mistake;
        }
        for (int rank = 0; rank < all.length; rank++) {
            if (all[rank] < 0) {
                throw new IllegalArgumentException("Rank " + rank + " could not take part in making the window.");
            }
            if (all[rank] % KINDS != all[0] % KINDS) {
                throw new IllegalArgumentException("Rank " + rank + " gives " + Kind.values()[(int) (all[rank] % KINDS)]
                        + " elements and rank 0 " + Kind.values()[(int) (all[0] % KINDS)]
                        + " elements: a window has one type.");
            }
        }
        for (int rank = 0; rank < all.length; rank++) {
            all[rank] /= KINDS;
        }
        return all;
    }

    /** What a function of MPI makes. */
    private record Made(MemorySegment memory, WinHandle window) {
    }

    private static Made make(Call call, Info hints, Function<InfoHandle, Made> action) {
        Made[] made = new Made[1];
        call.takePart(() -> made[0] = Info.during(call, hints, action));
        return made[0];
    }

    /**
     * Makes a window over memory of the program, which stays reachable until the window is closed.
     * {@code MPI_Win_create} Collective.
     *
     * @param <E> the type of the values, the same on all processes
     * @param memory what other processes access: memory of {@link MpiBuffer#allocate}, no array; of any size, also 0
     * @param hints hints for MPI; null: none
     * @return the window, to be closed by all processes
     * @throws IllegalArgumentException if the memory is null, an array, or has gaps, or if it is on another process: on
     *     all
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    public <E extends Element> Window<E> createWindow(MpiBuffer<E> memory, @Nullable Info hints) {
        try (Call call = within()) {
            long[] sizes = agree(hints, () -> requireMemory(memory), () -> memory.type(),
                    memory == null ? 0 : memory.count());
            MemorySegment start = memory.memory().asSlice(memory.offset());
            Made made = make(call, hints, info -> new Made(start, OneSided.winCreate(start, memory.bytes(),
                    memory.type().kind().size(), info, word())));
            return new Window<>(made.window,
                    new Window.Parts<>(memory.type(), memory, sizes, sizes.length, null, false));
        }
    }

    /**
     * The same without hints. {@code MPI_Win_create} Collective.
     *
     * @param <E> the type of the values, the same on all processes
     * @param memory what other processes access: memory of {@link MpiBuffer#allocate}, no array; of any size, also 0
     * @return the window, to be closed by all processes
     * @throws IllegalArgumentException if the memory is null, an array, or has gaps, or if it is on another process: on
     *     all
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    public <E extends Element> Window<E> createWindow(MpiBuffer<E> memory) {
        return createWindow(memory, null);
    }

    /**
     * Makes a window with zeroed memory of MPI, which is often faster than other memory and is freed with the window.
     * {@code MPI_Win_allocate} Collective.
     *
     * @param <E> the type of the values, the same on all processes
     * @param type the type of the elements, one without gaps
     * @param count how many this process gives; also 0
     * @param hints hints for MPI; null: none
     * @return the window, to be closed by all processes
     * @throws IllegalArgumentException if there is no type, it has gaps, or the count is negative, here or on another
     *     process: on all
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    public <E extends Element> Window<E> allocateWindow(Datatype<E> type, long count, @Nullable Info hints) {
        return allocate(type, count, hints, false);
    }

    /**
     * The same with memory that all processes use as their own ({@link Window#sharedQuery}): those of a communicator of
     * {@link Comm#splitType} with {@link SplitType#SHARED}. {@code MPI_Win_allocate_shared} Collective.
     *
     * @param <E> the type of the values, the same on all processes
     * @param type the type of the elements, one without gaps
     * @param count how many this process gives; also 0
     * @param hints hints for MPI; null: none
     * @return the window, to be closed by all processes
     * @throws IllegalArgumentException as by {@link #allocateWindow}
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error, as for processes of several machines
     */
    public <E extends Element> Window<E> allocateSharedWindow(Datatype<E> type, long count, @Nullable Info hints) {
        return allocate(type, count, hints, true);
    }

    private <E extends Element> Window<E> allocate(Datatype<E> type, long count, Info hints, boolean shared) {
        try (Call call = within()) {
            long[] sizes = agree(hints, () -> requireSize(type, count), () -> type, count);
            int unit = type.kind().size();
            long bytes = type.bytes() * count;
            Made made = make(call, hints, info -> {
                if (shared) {
                    OneSided.WinAllocateSharedResult found = OneSided.winAllocateShared(bytes, unit, info, word());
                    return new Made(found.baseptr(), found.win());
                }
                OneSided.WinAllocateResult found = OneSided.winAllocate(
                        (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, unit, info, word());
                return new Made(found.baseptr(), found.win());
            });
            Arena arena = Arena.ofShared();
            MpiBuffer<E> memory = Window.over(made.memory, type, count, arena);
            memory.memory().fill((byte) 0);
            ((Comm) this).barrier();
            return new Window<>(made.window, new Window.Parts<>(type, memory, sizes, sizes.length, arena, shared));
        }
    }

    /**
     * Makes a window without memory: {@link Window#attach} gives it some, at any time. {@code MPI_Win_create_dynamic}
     * Collective.
     *
     * @param <E> the type of the values, the same on all processes
     * @param type their type, without gaps
     * @param hints hints for MPI; null: none
     * @return the window, to be closed by all processes
     * @throws IllegalArgumentException if there is no type or it has gaps, here or on another process: on all
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    public <E extends Element> Window<E> createDynamicWindow(Datatype<E> type, @Nullable Info hints) {
        try (Call call = within()) {
            int ranks = agree(hints, () -> requireSize(type, 0), () -> type, 0).length;
            Made made = make(call, hints, info -> new Made(null, OneSided.winCreateDynamic(info, word())));
            return new Window<>(made.window, new Window.Parts<>(type, null, null, ranks, null, false));
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Environment;
import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.OneSided;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The methods of {@link Comm} that make windows. All processes tell each other before how much memory they give: if one
 * cannot take part, all throw.
 */
public sealed interface WindowCreation permits Comm {

    private Comm comm() {
        return (Comm) this;
    }

    private static void requireSize(Datatype<?> type, long count) {
        if (count < 0) {
            throw new IllegalArgumentException("A window cannot have " + count + " elements.");
        }
        Window.requireNumbers(Arguments.present("type", type));
        if (!type.layout().isDense()) {
            throw new IllegalArgumentException("The elements of a window must be side by side, not of type " + type
                    + " with gaps.");
        }
        if (type.bytes() > 0 && count > Long.MAX_VALUE / Window.KINDS / type.bytes()) {
            throw new IllegalArgumentException("A window cannot have " + count + " elements: it would have too many bytes.");
        }
    }

    /** Throws if there is not so much memory, where MPI crashes then: no-memory-for-window. */
    private static void requireFree(long bytes) {
        if (LibraryDefects.CRASHES_WITHOUT_MEMORY && bytes > 0) {
            try {
                Environment.freeMem(Mpi.memory(bytes, InfoHandle.NULL));
            } catch (MpiException e) {
                throw new IllegalArgumentException("A window cannot have " + bytes + " bytes: there is not so much memory.", e);
            }
        }
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
        long told = mistake == null ? elements * own.values() * Window.KINDS + own.kind().ordinal() : -1;
        long[] all = new long[comm().size()];
        comm().allgather(new long[] {told}, all);
        if (mistake != null) {
            throw mistake;
        }
        for (int rank = 0; rank < all.length; rank++) {
            if (all[rank] < 0) {
                throw new IllegalArgumentException("Rank " + rank + " could not take part in making the window.");
            }
            if (all[rank] % Window.KINDS != all[0] % Window.KINDS) {
                throw new IllegalArgumentException("Rank " + rank + " gives " + Kind.values()[(int) (all[rank] % Window.KINDS)]
                        + " elements and rank 0 " + Kind.values()[(int) (all[0] % Window.KINDS)]
                        + " elements: a window has one type.");
            }
        }
        for (int rank = 0; rank < all.length; rank++) {
            all[rank] /= Window.KINDS;
        }
        return all;
    }

    private static Window.Made make(Call call, Info hints, Function<InfoHandle, Window.Made> action) {
        Window.Made[] made = new Window.Made[1];
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
    default <E extends Element> Window<E> createWindow(MpiBuffer<E> memory, @Nullable Info hints) {
        try (Call call = comm().within()) {
            long[] sizes = agree(hints, () -> Window.requireMemory(memory), () -> memory.type(),
                    memory == null ? 0 : memory.count());
            MemorySegment start = memory.memory().asSlice(memory.offset());
            Window.Made made = make(call, hints, info -> new Window.Made(start, OneSided.winCreate(start, memory.bytes(),
                    memory.type().kind().size(), info, comm().word())));
            return new Window<>(made.window(),
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
    default <E extends Element> Window<E> createWindow(MpiBuffer<E> memory) {
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
    default <E extends Element> Window<E> allocateWindow(Datatype<E> type, long count, @Nullable Info hints) {
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
    default <E extends Element> Window<E> allocateSharedWindow(Datatype<E> type, long count, @Nullable Info hints) {
        return allocate(type, count, hints, true);
    }

    private <E extends Element> Window<E> allocate(Datatype<E> type, long count, Info hints, boolean shared) {
        try (Call call = comm().within()) {
            long[] sizes = agree(hints, () -> {
                requireSize(type, count);
                requireFree(type.bytes() * count);
            }, () -> type, count);
            int unit = type.kind().size();
            long bytes = type.bytes() * count;
            Window.Made made = make(call, hints, info -> {
                if (shared) {
                    OneSided.WinAllocateSharedResult found = OneSided.winAllocateShared(bytes, unit, info, comm().word());
                    return new Window.Made(found.baseptr(), found.win());
                }
                OneSided.WinAllocateResult found = OneSided.winAllocate(
                        (bytes + Window.ALIGNMENT - 1) / Window.ALIGNMENT * Window.ALIGNMENT, unit, info, comm().word());
                return new Window.Made(found.baseptr(), found.win());
            });
            Arena arena = Arena.ofShared();
            MpiBuffer<E> memory = Window.over(made.memory(), type, count, arena);
            memory.memory().fill((byte) 0);
            comm().barrier();
            return new Window<>(made.window(), new Window.Parts<>(type, memory, sizes, sizes.length, arena, shared));
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
    default <E extends Element> Window<E> createDynamicWindow(Datatype<E> type, @Nullable Info hints) {
        try (Call call = comm().within()) {
            int ranks = agree(hints, () -> requireSize(type, 0), () -> type, 0).length;
            Window.Made made = make(call, hints, info -> new Window.Made(null, OneSided.winCreateDynamic(info, comm().word())));
            return new Window<>(made.window(), new Window.Parts<>(type, null, null, ranks, null, false));
        }
    }
}

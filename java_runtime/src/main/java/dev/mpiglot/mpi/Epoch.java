package dev.mpiglot.mpi;

import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.OneSided;
import dev.mpiglot.low.WinHandle;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The time in which a process accesses memory of a {@link Window}, or lets others access its own. {@link #close} ends
 * it: {@code try (Epoch epoch = window.lock(1, LockType.SHARED)) { ... }}.
 *
 * <p>An exception that leaves such a block ends the epoch, too. The accesses before it are completed. Where the end
 * waits for other processes ({@link Window#fence}, {@link Window#post}), it does so after an exception as well: they
 * come to the end of their own epochs, and this process throws on. If a call on this window has thrown the exception,
 * and the others do not come in the time that {@link dev.mpiglot.mpi.Mpi#close} says, an
 * {@link IllegalStateException} is added to it.
 * Of other exceptions the window does not know: catch them in the block where others may not come to the end of their
 * epochs.
 */
public sealed class Epoch implements AutoCloseable permits FenceEpoch, ExposureEpoch {

    /** What begins and ends it. */
    enum Kind {
        FENCE("a fence"), START("start"), POST("post"), LOCK("lock"), LOCK_ALL("lockAll");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private final WindowEpochs window;
    private final Kind kind;
    private final int rank;
    private final BitSet targets;
    /** No monitor, which would hold the carrier of virtual threads. */
    private final ReentrantLock asking = new ReentrantLock();
    private boolean ended;

    Epoch(WindowEpochs window, Kind kind, int rank, BitSet targets) {
        this.window = window;
        this.kind = kind;
        this.rank = rank;
        this.targets = targets;
    }

    WindowEpochs window() {
        return window;
    }

    Kind kind() {
        return kind;
    }

    /** Of a lock. */
    int rank() {
        return rank;
    }

    /** Whether a process may access the memory of another. */
    boolean reaches(int target) {
        return kind == Kind.LOCK ? target == rank : targets == null ? kind != Kind.POST : targets.get(target);
    }

    /** {@return whether it has not ended} Local. */
    public boolean isOpen() {
        asking.lock();
        try {
            return !ended;
        } finally {
            asking.unlock();
        }
    }

    /** Does something in the epoch, which is over if that says so; whether it is over. */
    boolean endsWith(BooleanSupplier action) {
        asking.lock();
        try {
            if (!ended && action.getAsBoolean()) {
                ended = true;
                window.epochs().remove(this);
            }
            return ended;
        } finally {
            asking.unlock();
        }
    }

    /**
     * Ends the epoch: of {@link Window#fence} with {@code MPI_Win_fence}, collective; of {@link Window#start} with
     * {@code MPI_Win_complete}; of {@link Window#post} with {@code MPI_Win_wait}, which waits until all processes of
     * the group have ended their access; of {@link Window#lock} and {@link Window#lockAll} with {@code MPI_Win_unlock}
     * and {@code MPI_Win_unlock_all}. All accesses of this process in it are complete then, and the values that they
     * fetched are in their arrays. Ending it again does nothing.
     *
     * @throws MpiException if MPI reports an error; the epoch has ended all the same
     */
    @Override
    public void close() {
        asking.lock();
        try {
            if (ended) {
                return;
            }
            ended = true;
            try {
                window.complete(kind == Kind.LOCK ? rank : WindowEpochs.EVERY_TARGET, this::end);
            } finally {
                window.epochs().remove(this);
            }
        } finally {
            asking.unlock();
        }
    }

    private void end() {
        WinHandle word = window.word();
        switch (kind) {
            case FENCE -> window.together(() -> OneSided.winFence(MpiConstants.MODE_NOSUCCEED, word));
            case POST -> window.together(() -> OneSided.winWait(word));
            case START -> Progress.finishOnPlatform(() -> OneSided.winComplete(word));
            case LOCK -> Progress.finishOnPlatform(() -> OneSided.winUnlock(rank, word));
            case LOCK_ALL -> Progress.finishOnPlatform(() -> OneSided.winUnlockAll(word));
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.LockType;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.OneSided;
import dev.mpiglot.low.WinHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The epochs of a {@link Window}, and what completes accesses. */
abstract sealed class WindowEpochs extends Attributed permits Window {

    static final int EVERY_TARGET = Integer.MIN_VALUE;

    private final Epochs epochs = new Epochs();
    private final List<Held> held = new ArrayList<>();
    private long begun; // accesses that hold copies
    private volatile RuntimeException mistake;

    /** Copies of arrays that an access uses until it is complete; later ones have larger numbers. */
    private record Held(long number, int target, List<Loan> loans, Loan receives) {

        void arrive() {
            if (receives != null) {
                receives.arrived();
            }
            loans.forEach(Loan::end);
        }
    }

    @Override
    abstract WinHandle word();

    @Override
    ObjectKind objectKind() {
        return ObjectKind.WINDOW;
    }

    abstract int ranks();

    abstract Life life();

    abstract void enter();

    abstract void leave();

    Epochs epochs() {
        return epochs;
    }

    /**
     * A call has failed: others may not find this process where they wait for it. Null: the program goes on all the
     * same.
     */
    void note(RuntimeException failure) {
        mistake = failure;
    }

    /** Keeps copies of arrays until an access is complete. */
    void hold(int target, List<Loan> loans, Loan receives) {
        if (!loans.isEmpty()) {
            synchronized (held) {
                held.add(new Held(++begun, target, loans, receives));
            }
        }
    }

    /**
     * Does what completes the accesses of this process to one target that have begun before, or to all. What another
     * thread completes at the same time is in its arrays, too, when this returns.
     */
    void complete(int target, Runnable action) {
        long before;
        synchronized (held) {
            before = begun;
        }
        action.run();
        synchronized (held) {
            held.removeIf(one -> {
                boolean isComplete = one.number <= before && (target == EVERY_TARGET || one.target == target);
                if (isComplete) {
                    one.arrive();
                }
                return isComplete;
            });
        }
    }

    /** Does what waits for other processes; throws if they do not come in time after a mistake. */
    void together(Runnable action) {
        CompletableFuture<?> rest = Ending.guarded(mistake, action);
        mistake = null;
        if (rest != null) {
            if (life().isOpen()) { // it is used until they come
                enter();
                rest.whenComplete((result, failure) -> leave());
            }
            throw Ending.late();
        }
    }

    private <T extends Epoch> T begin(T epoch, Runnable action) {
        enter();
        try {
            epochs.add(epoch);
            try {
                Progress.finishOnPlatform(action);
            } catch (RuntimeException e) {
                epochs.remove(epoch);
                throw e;
            }
            note(null);
            return epoch;
        } catch (RuntimeException e) {
            note(e);
            throw e;
        } finally {
            leave();
        }
    }

    /**
     * Begins an epoch in which all processes access the memory of all; its end is collective, too.
     * {@code MPI_Win_fence} Collective.
     *
     * @return the epoch, to be closed
     * @throws IllegalStateException if another epoch is open: at once, and others wait
     * @throws MpiException if MPI reports an error
     */
    public FenceEpoch fence() {
        return begin(new FenceEpoch(this), () -> OneSided.winFence(MpiConstants.MODE_NOPRECEDE, word()));
    }

    /**
     * Begins an epoch in which this process accesses the memory of one; that one makes no call. It may wait until
     * others have ended theirs. {@code MPI_Win_lock}
     *
     * @param rank whose memory
     * @param lock whether other processes may access it at the same time
     * @return the epoch, to be closed
     * @throws IllegalArgumentException if there is no such rank or {@code lock} is null
     * @throws IllegalStateException if the rank is locked by this process, or an epoch of another kind is open
     * @throws MpiException if MPI reports an error
     */
    public Epoch lock(int rank, LockType lock) {
        Arguments.rank("rank", rank, ranks());
        int word = Arguments.present("lock", lock).value();
        return begin(new Epoch(this, Epoch.Kind.LOCK, rank, null), () -> OneSided.winLock(word, rank, 0, word()));
    }

    /**
     * Begins an epoch in which this process accesses the memory of all, at the same time as others; they make no call.
     * {@code MPI_Win_lock_all}
     *
     * @return the epoch, to be closed
     * @throws IllegalStateException if another epoch is open
     * @throws MpiException if MPI reports an error
     */
    public Epoch lockAll() {
        return begin(new Epoch(this, Epoch.Kind.LOCK_ALL, Comm.PROC_NULL, null), () -> OneSided.winLockAll(0, word()));
    }

    /**
     * Begins an epoch in which this process accesses the memory of some, which call {@link #post}.
     * {@code MPI_Win_start}
     *
     * @param targets their group
     * @return the epoch, to be closed
     * @throws IllegalArgumentException if the group is null or has another process than the window
     * @throws IllegalStateException if an epoch of another kind than {@link #post} is open, or the group is closed
     * @throws MpiException if MPI reports an error
     */
    public Epoch start(Group targets) {
        return begin(new Epoch(this, Epoch.Kind.START, Comm.PROC_NULL, ranksOf("targets", targets)),
                () -> targets.using(() -> {
                    OneSided.winStart(targets.word(), 0, word());
                    return targets;
                }));
    }

    /**
     * Begins an epoch in which some processes, which call {@link #start}, access the memory of this one. Its end waits
     * for theirs. {@code MPI_Win_post}
     *
     * @param origins their group
     * @return the epoch, to be closed
     * @throws IllegalArgumentException if the group is null or has another process than the window
     * @throws IllegalStateException if such an epoch or one of {@link #fence} is open, or the group is closed
     * @throws MpiException if MPI reports an error
     */
    public ExposureEpoch post(Group origins) {
        return begin(new ExposureEpoch(this, ranksOf("origins", origins)), () -> origins.using(() -> {
            OneSided.winPost(origins.word(), 0, word());
            return origins;
        }));
    }

    private BitSet ranksOf(String name, Group some) {
        BitSet found = new BitSet();
        try (Group all = ((Window<?>) this).group()) {
            int[] numbers = new int[Arguments.present(name, some).size()];
            Arrays.setAll(numbers, i -> i);
            for (int rank : some.translateRanks(numbers, all)) {
                if (rank == Group.UNDEFINED) {
                    throw new IllegalArgumentException("The group \"" + name + "\" has a process that the window does "
                            + "not have.");
                }
                found.set(rank);
            }
        }
        return found;
    }

    private void flush(int target, Runnable action) {
        enter();
        try {
            if (target != EVERY_TARGET) {
                Arguments.rank("target", target, ranks());
            }
            epochs.requireLock(target);
            complete(target, () -> Progress.finishOnPlatform(action));
        } finally {
            leave();
        }
    }

    /**
     * Completes the accesses of this process to the memory of one. {@code MPI_Win_flush}
     *
     * @param target whose memory
     * @throws IllegalArgumentException if there is no such rank
     * @throws IllegalStateException unless it is locked
     * @throws MpiException if MPI reports an error
     */
    public void flush(int target) {
        flush(target, () -> OneSided.winFlush(target, word()));
    }

    /**
     * Completes the accesses of this process to the memory of all that it has locked. {@code MPI_Win_flush_all}
     *
     * @throws IllegalStateException if none is locked
     * @throws MpiException if MPI reports an error
     */
    public void flushAll() {
        flush(EVERY_TARGET, () -> OneSided.winFlushAll(word()));
    }

    /**
     * Completes the accesses of this process to the memory of one as far as buffers here are concerned: they may be
     * used again, and have the values that were fetched. {@code MPI_Win_flush_local}
     *
     * @param target whose memory
     * @throws IllegalArgumentException if there is no such rank
     * @throws IllegalStateException unless it is locked
     * @throws MpiException if MPI reports an error
     */
    public void flushLocal(int target) {
        flush(target, () -> OneSided.winFlushLocal(target, word()));
    }

    /**
     * The same for the memory of all that this process has locked. {@code MPI_Win_flush_local_all}
     *
     * @throws IllegalStateException if none is locked
     * @throws MpiException if MPI reports an error
     */
    public void flushLocalAll() {
        flush(EVERY_TARGET, () -> OneSided.winFlushLocalAll(word()));
    }

    /**
     * Lets the program and accesses of other processes see the same memory: what was written before, by either, is seen
     * after it. {@code MPI_Win_sync} Local.
     *
     * @throws IllegalStateException if no process is locked
     * @throws MpiException if MPI reports an error
     */
    public void sync() {
        using(() -> {
            epochs.requireLock(EVERY_TARGET);
            OneSided.winSync(word());
            return null;
        });
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.GroupHandle;
import dev.mpiglot.low.MpiConstants;
import java.util.BitSet;
import java.util.function.Supplier;

/**
 * An ordered set of processes, of which communicators are made ({@link Comm#create}). Ranks count from 0. All its
 * methods are local: no other process takes part.
 *
 * <p>Every method throws an {@link IllegalStateException} once the group is closed. Communicators that were made of it
 * stay.
 */
public final class Group implements GroupQueries, AutoCloseable {

    /** The group without processes. */
    public static final Group EMPTY = new Group(GroupHandle.EMPTY, Life.ENDLESS);
    /** What {@link #translateRanks} gives for a process that is not in the other group. */
    public static final int UNDEFINED = MpiConstants.UNDEFINED;

    private final GroupHandle handle;
    private final Life life;

    private Group(GroupHandle handle, Life life) {
        this.handle = handle;
        this.life = life;
    }

    /**
     * Ranks at equal distances: {@code first}, {@code first + stride} and so on, no farther than {@code last}.
     *
     * @param first the first rank
     * @param last where they end; it need not be one of them
     * @param stride the distance: negative for ranks that decrease, not 0
     */
    public record Range(int first, int last, int stride) {

        /** How many ranks there are. */
        private long count() {
            if (stride == 0) {
                throw new IllegalArgumentException("The stride of " + this + " is 0.");
            }
            long steps = Math.floorDiv((long) last - first, (long) stride);
            if (steps < 0) {
                throw new IllegalArgumentException("The stride of " + this + " leads away from its last rank.");
            }
            return steps + 1;
        }
    }

    /**
     * Takes a group over from the layer below: {@link #close} frees it.
     *
     * @param handle its handle
     * @return the group
     */
    public static Group adopt(GroupHandle handle) {
        Arguments.present("handle", handle);
        if (handle.equals(GroupHandle.NULL)) {
            return new Group(handle, Life.none("This is no group."));
        }
        Stray.freeDropped();
        long word = handle.handle();
        return handle.equals(GroupHandle.EMPTY) ? EMPTY
                : new Group(handle, new Life("The group is closed: close it when no call needs it any more.").watch(handle,
                        "group", () -> Communicators.groupFree(new GroupHandle(word))));
    }

    GroupHandle word() {
        return handle;
    }

    <T> T using(Supplier<T> action) {
        return life.during(action);
    }

    /**
     * Makes a group of the processes with these ranks, in this order. {@code MPI_Group_incl} Local.
     *
     * @param ranks ranks of this group, each at most once
     * @return the group, to be closed
     * @throws IllegalArgumentException if one is no rank of this group or is there twice
     * @throws IllegalStateException if the group is closed
     * @throws MpiException if MPI reports an error
     */
    public Group incl(int... ranks) {
        requireOnce(ranks);
        return using(() -> adopt(Communicators.groupIncl(handle, ranks)));
    }

    /**
     * Makes a group of all processes except those with these ranks. {@code MPI_Group_excl} Local.
     *
     * @param ranks ranks of this group, each at most once
     * @return the group, to be closed
     * @throws IllegalArgumentException if one is no rank of this group or is there twice
     * @throws IllegalStateException if the group is closed
     * @throws MpiException if MPI reports an error
     */
    public Group excl(int... ranks) {
        requireOnce(ranks);
        return using(() -> adopt(Communicators.groupExcl(handle, ranks)));
    }

    /**
     * Makes a group of the processes with the ranks of these ranges, in their order. {@code MPI_Group_range_incl}
     * Local.
     *
     * @param ranges ranges of ranks of this group; each rank at most once
     * @return the group, to be closed
     * @throws IllegalArgumentException if a range has another rank or none, or if a rank is there twice
     * @throws IllegalStateException if the group is closed
     * @throws MpiException if MPI reports an error
     */
    public Group rangeIncl(Range... ranges) {
        int[][] triples = triples(ranges);
        return using(() -> adopt(Communicators.groupRangeIncl(handle, triples)));
    }

    /**
     * Makes a group of all processes except those with the ranks of these ranges. {@code MPI_Group_range_excl} Local.
     *
     * @param ranges ranges of ranks of this group; each rank at most once
     * @return the group, to be closed
     * @throws IllegalArgumentException if a range has another rank or none, or if a rank is there twice
     * @throws IllegalStateException if the group is closed
     * @throws MpiException if MPI reports an error
     */
    public Group rangeExcl(Range... ranges) {
        int[][] triples = triples(ranges);
        return using(() -> adopt(Communicators.groupRangeExcl(handle, triples)));
    }

    /**
     * Tells which ranks processes of this group have in another. {@code MPI_Group_translate_ranks} Local.
     *
     * @param ranks ranks of this group, or {@link Comm#PROC_NULL}
     * @param other the other group
     * @return their ranks in {@code other}, in the same order: {@link #UNDEFINED} for a process that is not in it, and
     *     {@link Comm#PROC_NULL} for {@link Comm#PROC_NULL}
     * @throws IllegalArgumentException if one is no rank of this group, or if an argument is null
     * @throws IllegalStateException if one of the groups is closed
     * @throws MpiException if MPI reports an error
     */
    public int[] translateRanks(int[] ranks, Group other) {
        Arguments.present("ranks", ranks);
        Arguments.present("other", other);
        int size = size();
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] != Comm.PROC_NULL) {
                Arguments.rank("ranks[" + i + "]", ranks[i], size);
            }
        }
        int[] translated = new int[ranks.length];
        using(() -> other.using(() -> {
            if (ranks.length > 0) { // MPICH 3.4 refuses the address of no ranks
                Communicators.groupTranslateRanks(handle, ranks, other.handle, translated);
            }
            return translated;
        }));
        return translated;
    }

    /** Throws unless all are ranks of this group and differ. */
    private void requireOnce(int[] ranks) {
        Arguments.ranks("ranks", ranks, size());
        BitSet seen = new BitSet();
        for (int rank : ranks) {
            once(seen, rank);
        }
    }

    private static void once(BitSet seen, int rank) {
        if (seen.get(rank)) {
            throw new IllegalArgumentException("The rank " + rank + " is there twice.");
        }
        seen.set(rank);
    }

    /** The ranges for MPI. */
    private int[][] triples(Range[] ranges) {
        Arguments.present("ranges", ranges);
        int size = size();
        BitSet seen = new BitSet();
        int[][] triples = new int[ranges.length][];
        for (int i = 0; i < ranges.length; i++) {
            Range range = Arguments.present("ranges[" + i + "]", ranges[i]);
            long count = range.count();
            long end = range.first + (count - 1) * range.stride;
            Arguments.rank("ranges[" + i + "].first", range.first, size);
            if (end < 0 || end >= size) {
                throw new IllegalArgumentException(range + " reaches the rank " + end + "; ranks are 0 to " + (size - 1)
                        + ".");
            }
            for (long n = 0; n < count; n++) {
                once(seen, (int) (range.first + n * range.stride));
            }
            triples[i] = new int[] {range.first, (int) end, range.stride};
        }
        return triples;
    }

    /**
     * {@return the handle for {@link dev.mpiglot.low}, which must not free it}
     *
     * @throws IllegalStateException if the group is closed
     */
    public GroupHandle handle() {
        life.require();
        return handle;
    }

    /**
     * Gives the group back. Local. {@link #EMPTY} stays. Closing again does nothing. {@code MPI_Group_free}
     *
     * @throws IllegalStateException if a call still uses it
     */
    @Override
    public void close() {
        if (life.end()) {
            Communicators.groupFree(handle);
        }
    }
}

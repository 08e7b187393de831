package mpi;

import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.GroupHandle;
import java.util.Objects;

/** Processes in an order. */
public final class Group implements Freeable {

    private GroupHandle handle;

    Group(GroupHandle handle) {
        this.handle = handle;
    }

    GroupHandle handle() {
        return handle;
    }

    /** MPI takes no array for an empty one. */
    private static <T> T present(T array) {
        return Objects.requireNonNull(array);
    }

    /**
     * {@return how many processes there are}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getSize() throws MPIException {
        return MPIException.of(() -> Communicators.groupSize(handle));
    }

    /**
     * {@return the number of this process, or {@code MPI.UNDEFINED}}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getRank() throws MPIException {
        return MPIException.of(() -> Communicators.groupRank(handle));
    }

    @Override
    public void free() throws MPIException {
        MPIException.run(() -> Communicators.groupFree(handle));
        handle = GroupHandle.NULL;
    }

    /** {@return whether the group has been given back} */
    public boolean isNull() {
        return handle.equals(GroupHandle.NULL);
    }

    /**
     * {@return the ranks of the same processes in the second group, {@code MPI.UNDEFINED} where there is none}
     *
     * @param group1 a group
     * @param ranks1 ranks in the first group
     * @param group2 another one
     * @throws MPIException if MPI reports an error
     */
    public static int[] translateRanks(Group group1, int[] ranks1, Group group2) throws MPIException {
        return MPIException.of(() -> {
            int size = Communicators.groupSize(group1.handle);
            for (int rank : ranks1) { // not each MPI looks
                if (rank != MPI.PROC_NULL) {
                    Objects.checkIndex(rank, size);
                }
            }
            int[] ranks2 = new int[ranks1.length];
            Communicators.groupTranslateRanks(group1.handle, ranks1, group2.handle, ranks2);
            return ranks2;
        });
    }

    /**
     * {@return {@code MPI.IDENT}, {@code SIMILAR} or {@code UNEQUAL}}
     *
     * @param group1 a group
     * @param group2 another one
     * @throws MPIException if MPI reports an error
     */
    public static int compare(Group group1, Group group2) throws MPIException {
        return MPIException.of(() -> Communicators.groupCompare(group1.handle, group2.handle));
    }

    /**
     * {@return the processes of the first group, then those that only the second one has}
     *
     * @param group1 a group
     * @param group2 another one
     * @throws MPIException if MPI reports an error
     */
    public static Group union(Group group1, Group group2) throws MPIException {
        return MPIException.of(() -> new Group(Communicators.groupUnion(group1.handle, group2.handle)));
    }

    /**
     * {@return the processes that both groups have}
     *
     * @param group1 a group
     * @param group2 another one
     * @throws MPIException if MPI reports an error
     */
    public static Group intersection(Group group1, Group group2) throws MPIException {
        return MPIException.of(() -> new Group(Communicators.groupIntersection(group1.handle, group2.handle)));
    }

    /**
     * {@return the processes that only the first group has}
     *
     * @param group1 a group
     * @param group2 another one
     * @throws MPIException if MPI reports an error
     */
    public static Group difference(Group group1, Group group2) throws MPIException {
        return MPIException.of(() -> new Group(Communicators.groupDifference(group1.handle, group2.handle)));
    }

    /**
     * {@return some of the processes, in this order}
     *
     * @param ranks the ranks
     * @throws MPIException if MPI reports an error
     */
    public Group incl(int[] ranks) throws MPIException {
        return MPIException.of(() -> new Group(Communicators.groupIncl(handle, present(ranks))));
    }

    /**
     * {@return the processes without some}
     *
     * @param ranks the ranks
     * @throws MPIException if MPI reports an error
     */
    public Group excl(int[] ranks) throws MPIException {
        return MPIException.of(() -> new Group(Communicators.groupExcl(handle, present(ranks))));
    }

    /**
     * {@return the processes of ranges}
     *
     * @param ranges the first and the last rank and the step of each range
     * @throws MPIException if MPI reports an error
     */
    public Group rangeIncl(int[][] ranges) throws MPIException {
        return MPIException.of(() -> new Group(Communicators.groupRangeIncl(handle, present(ranges))));
    }

    /**
     * {@return the processes without those of ranges}
     *
     * @param ranges the first and the last rank and the step of each range
     * @throws MPIException if MPI reports an error
     */
    public Group rangeExcl(int[][] ranges) throws MPIException {
        return MPIException.of(() -> new Group(Communicators.groupRangeExcl(handle, present(ranges))));
    }
}

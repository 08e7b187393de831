package dev.mpiglot.mpi;

import dev.mpiglot.mpi.Element.Ints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The arguments of one collective call at one process, right at first. Rank {@code q} has the value {@code 100 q + p} for
 * rank {@code p}, twice; parts of the {@code v} forms lie one after the other.
 */
@SuppressWarnings({"unchecked", "rawtypes"})
final class MistakenCall {

    /** Elements for each rank. */
    static final int PART = 2;

    /** How a call is made. */
    enum Form { BLOCKING, BEGUN, PREPARED }

    /** Who knows of a mistake by itself: each process, or the root alone. */
    enum Op {
        BCAST, GATHER, GATHERV, SCATTER, SCATTERV, REDUCE,
        ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, ALLREDUCE, ALLREDUCE_ONE, SCAN, EXSCAN, REDUCE_SCATTER,
        REDUCE_SCATTER_BLOCK, NEIGHBOR_ALLGATHER, NEIGHBOR_ALLGATHERV, NEIGHBOR_ALLTOALL, NEIGHBOR_ALLTOALLV,
        NEIGHBOR_ALLTOALLW;

        boolean isRooted() {
            return ordinal() <= REDUCE.ordinal();
        }

        boolean isAmongNeighbors() {
            return name().startsWith("NEIGHBOR");
        }

        boolean reduces() {
            return name().contains("REDUCE") || name().endsWith("SCAN");
        }

        boolean hasOneBuffer() {
            return this == BCAST || this == ALLREDUCE_ONE;
        }

        /** Whether this process gives parts of different sizes. */
        boolean givesParts() {
            return this == SCATTERV || this == ALLTOALLV || this == NEIGHBOR_ALLTOALLV;
        }

        /** Whether it gets parts of different sizes. */
        boolean getsParts() {
            return this == GATHERV || this == ALLGATHERV || this == ALLTOALLV || this == NEIGHBOR_ALLGATHERV
                    || this == NEIGHBOR_ALLTOALLV;
        }

        boolean isOfLists() {
            return this == ALLTOALLW || this == NEIGHBOR_ALLTOALLW;
        }

        private boolean givesOneTo(boolean isRoot) {
            return this == BCAST || this == GATHER || this == GATHERV || this == ALLGATHER || this == ALLGATHERV
                    || this == NEIGHBOR_ALLGATHER || this == NEIGHBOR_ALLGATHERV || !isRoot;
        }
    }

    final Op op;
    final Comm comm;
    final int rank;
    final int ranks;
    /** What it has a part for: ranks, or neighbours. */
    final int[] others;
    int root;
    MpiBuffer sent;
    MpiBuffer received;
    int[] counts;
    int[] places;
    int[] receivedCounts;
    int[] receivedPlaces;
    List<MpiBuffer<?>> sentList;
    List<MpiBuffer<?>> receivedList;
    dev.mpiglot.mpi.Op reduction = dev.mpiglot.mpi.Op.SUM;

    MistakenCall(Op op, Comm comm, int root) {
        this.op = op;
        this.comm = comm;
        this.root = root;
        rank = comm.rank();
        ranks = comm.size();
        others = op.isAmongNeighbors() ? new int[] {(rank + ranks - 1) % ranks, (rank + 1) % ranks} : upTo(ranks);
        sent = MpiBuffer.of(given());
        received = MpiBuffer.of(new int[wanted().length]);
        counts = all(PART);
        receivedCounts = all(PART);
        if (op == Op.BCAST) {
            received = MpiBuffer.of(rank == root ? given() : new int[PART]);
        } else if (op == Op.ALLREDUCE_ONE) {
            received = MpiBuffer.of(given());
        } else if (op.isOfLists()) {
            sentList = new ArrayList<>();
            receivedList = new ArrayList<>();
            for (int other : others) {
                sentList.add(MpiBuffer.of(new int[] {value(rank, other), value(rank, other)}));
                receivedList.add(MpiBuffer.of(new int[PART]));
            }
        }
    }

    private static int[] upTo(int n) {
        int[] all = new int[n];
        Arrays.setAll(all, i -> i);
        return all;
    }

    int[] all(int n) {
        int[] all = new int[others.length];
        Arrays.fill(all, n);
        return all;
    }

    private static int value(int from, int to) {
        return 100 * from + to;
    }

    /** Twice the value for each of some ranks. */
    private static int[] twice(int from, int... to) {
        int[] values = new int[PART * to.length];
        Arrays.setAll(values, i -> value(from, to[i / PART]));
        return values;
    }

    private boolean isOne() {
        return switch (op) {
            case BCAST, GATHER, GATHERV, ALLGATHER, ALLGATHERV, NEIGHBOR_ALLGATHER, NEIGHBOR_ALLGATHERV, REDUCE, ALLREDUCE,
                 ALLREDUCE_ONE, SCAN, EXSCAN -> true;
            default -> false;
        };
    }

    int[] given() {
        return isOne() ? twice(rank, 0) : twice(rank, others);
    }

    /** What this process receives if nobody is mistaken, without the sum of reductions; in parts of whom it comes from. */
    int[] wanted() {
        int[] from = switch (op) {
            case BCAST, SCATTER, SCATTERV -> new int[] {root};
            case REDUCE, ALLREDUCE, ALLREDUCE_ONE, SCAN, EXSCAN, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK -> new int[] {-1};
            default -> others;
        };
        int[] values = new int[PART * from.length];
        Arrays.setAll(values, i -> from[i / PART] < 0 ? sum(-1) : value(from[i / PART], isOne() ? 0 : rank));
        return values;
    }

    /** The sum at this process, without one rank. */
    private int sum(int without) {
        int end = op == Op.SCAN ? rank + 1 : op == Op.EXSCAN ? rank : ranks;
        int sum = 0;
        for (int from = 0; from < end; from++) {
            sum += from == without ? 0 : value(from, isOne() ? 0 : rank);
        }
        return sum;
    }

    private boolean gets() {
        return switch (op) {
            case GATHER, GATHERV, REDUCE -> rank == root;
            case EXSCAN -> rank > 0;
            default -> true;
        };
    }

    /** Throws unless this process, which is right, has the data of all that are right. */
    void requireData(int mistaken) {
        if (!gets() || op == Op.BCAST && mistaken == root) {
            return;
        }
        int[] wanted = wanted();
        for (int i = 0; i < wanted.length; i++) {
            int got = op.isOfLists() ? receivedList.get(i / PART).getInt(i % PART) : received.getInt(i);
            boolean isKnown = op.reduces() ? true
                    : (op == Op.SCATTER || op == Op.SCATTERV ? root : others[i / PART]) != mistaken;
            boolean isRight = got == wanted[i] || op.reduces() && got == sum(mistaken);
            if (isKnown && !isRight) {
                throw new AssertionError("element " + i + " is " + got + " instead of " + wanted[i]);
            }
        }
    }

    /** Makes the call to its end. */
    void make(Form form) {
        switch (form) {
            case BLOCKING -> block();
            case BEGUN -> begin().await();
            case PREPARED -> prepare().close();
            default -> throw new IllegalArgumentException();
        }
    }

    private Neighborhood neighbors() {
        return (Neighborhood) comm;
    }

    private void block() {
        switch (op) {
            case BCAST -> comm.bcast(received, root);
            case GATHER -> comm.gather(sent, received, root);
            case GATHERV -> comm.gatherv(sent, received, receivedCounts, receivedPlaces, root);
            case SCATTER -> comm.scatter(sent, received, root);
            case SCATTERV -> comm.scatterv(sent, counts, places, received, root);
            case REDUCE -> comm.reduce(sent, received, reduction, root);
            case ALLGATHER -> comm.allgather(sent, received);
            case ALLGATHERV -> comm.allgatherv(sent, received, receivedCounts, receivedPlaces);
            case ALLTOALL -> comm.alltoall(sent, received);
            case ALLTOALLV -> comm.alltoallv(sent, counts, places, received, receivedCounts, receivedPlaces);
            case ALLTOALLW -> comm.alltoallw(sentList, receivedList);
            case ALLREDUCE -> comm.allreduce(sent, received, reduction);
            case ALLREDUCE_ONE -> comm.allreduce(received, reduction);
            case SCAN -> comm.scan(sent, received, reduction);
            case EXSCAN -> comm.exscan(sent, received, reduction);
            case REDUCE_SCATTER -> comm.reduceScatter(sent, received, receivedCounts, reduction);
            case REDUCE_SCATTER_BLOCK -> comm.reduceScatterBlock(sent, received, reduction);
            case NEIGHBOR_ALLGATHER -> neighbors().neighborAllgather(sent, received);
            case NEIGHBOR_ALLGATHERV -> neighbors().neighborAllgatherv(sent, received, receivedCounts, receivedPlaces);
            case NEIGHBOR_ALLTOALL -> neighbors().neighborAlltoall(sent, received);
            case NEIGHBOR_ALLTOALLV -> neighbors().neighborAlltoallv(sent, counts, places, received, receivedCounts,
                    receivedPlaces);
            case NEIGHBOR_ALLTOALLW -> neighbors().neighborAlltoallw(sentList, receivedList);
            default -> throw new IllegalArgumentException();
        }
    }

    private Request begin() {
        return switch (op) {
            case BCAST -> comm.ibcast(received, root);
            case GATHER -> comm.igather(sent, received, root);
            case GATHERV -> comm.igatherv(sent, received, receivedCounts, receivedPlaces, root);
            case SCATTER -> comm.iscatter(sent, received, root);
            case SCATTERV -> comm.iscatterv(sent, counts, places, received, root);
            case REDUCE -> comm.ireduce(sent, received, reduction, root);
            case ALLGATHER -> comm.iallgather(sent, received);
            case ALLGATHERV -> comm.iallgatherv(sent, received, receivedCounts, receivedPlaces);
            case ALLTOALL -> comm.ialltoall(sent, received);
            case ALLTOALLV -> comm.ialltoallv(sent, counts, places, received, receivedCounts, receivedPlaces);
            case ALLTOALLW -> comm.ialltoallw(sentList, receivedList);
            case ALLREDUCE -> comm.iallreduce(sent, received, reduction);
            case ALLREDUCE_ONE -> comm.iallreduce(received, reduction);
            case SCAN -> comm.iscan(sent, received, reduction);
            case EXSCAN -> comm.iexscan(sent, received, reduction);
            case REDUCE_SCATTER -> comm.ireduceScatter(sent, received, receivedCounts, reduction);
            case REDUCE_SCATTER_BLOCK -> comm.ireduceScatterBlock(sent, received, reduction);
            case NEIGHBOR_ALLGATHER -> neighbors().ineighborAllgather(sent, received);
            case NEIGHBOR_ALLGATHERV -> neighbors().ineighborAllgatherv(sent, received, receivedCounts, receivedPlaces);
            case NEIGHBOR_ALLTOALL -> neighbors().ineighborAlltoall(sent, received);
            case NEIGHBOR_ALLTOALLV -> neighbors().ineighborAlltoallv(sent, counts, places, received, receivedCounts,
                    receivedPlaces);
            case NEIGHBOR_ALLTOALLW -> neighbors().ineighborAlltoallw(sentList, receivedList);
        };
    }

    private Persistent prepare() {
        return switch (op) {
            case BCAST -> comm.bcastInit(received, root);
            case GATHER -> comm.gatherInit(sent, received, root);
            case GATHERV -> comm.gathervInit(sent, received, receivedCounts, receivedPlaces, root);
            case SCATTER -> comm.scatterInit(sent, received, root);
            case SCATTERV -> comm.scattervInit(sent, counts, places, received, root);
            case REDUCE -> comm.reduceInit(sent, received, reduction, root);
            case ALLGATHER -> comm.allgatherInit(sent, received);
            case ALLGATHERV -> comm.allgathervInit(sent, received, receivedCounts, receivedPlaces);
            case ALLTOALL -> comm.alltoallInit(sent, received);
            case ALLTOALLV -> comm.alltoallvInit(sent, counts, places, received, receivedCounts, receivedPlaces);
            case ALLTOALLW -> comm.alltoallwInit(sentList, receivedList);
            case ALLREDUCE -> comm.allreduceInit(sent, received, reduction);
            case ALLREDUCE_ONE -> comm.allreduceInit(received, reduction);
            case SCAN -> comm.scanInit(sent, received, reduction);
            case EXSCAN -> comm.exscanInit(sent, received, reduction);
            case REDUCE_SCATTER -> comm.reduceScatterInit(sent, received, receivedCounts, reduction);
            case REDUCE_SCATTER_BLOCK -> comm.reduceScatterBlockInit(sent, received, reduction);
            case NEIGHBOR_ALLGATHER -> neighbors().neighborAllgatherInit(sent, received);
            case NEIGHBOR_ALLGATHERV -> neighbors().neighborAllgathervInit(sent, received, receivedCounts, receivedPlaces);
            case NEIGHBOR_ALLTOALL -> neighbors().neighborAlltoallInit(sent, received);
            case NEIGHBOR_ALLTOALLV -> neighbors().neighborAlltoallvInit(sent, counts, places, received, receivedCounts,
                    receivedPlaces);
            case NEIGHBOR_ALLTOALLW -> neighbors().neighborAlltoallwInit(sentList, receivedList);
        };
    }
}

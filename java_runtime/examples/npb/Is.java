package npb;

import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Datatype;
import dev.mpiglot.mpi.Op;
import java.util.Arrays;
import measured.Measured;

/** IS: the ranks of integers, by buckets that processes exchange; at the end they are sorted. */
final class Is implements Measured {

    private static final long SEED = 314_159_265;
    private static final int ITERATIONS = 10;
    private static final int CHECKED = 5; // keys whose ranks are known
    private static final int SCALES = 4; // random numbers that make a key

    private final int allKeys;
    private final int maxKey;
    private final int buckets;
    private final int shift; // from a key to its bucket
    private final int[] places;
    private final int[] ranks;
    private final int[] drift; // of the rank of each of those keys: its sign, and what is added to the iteration

    private int own; // keys
    private int[] keys;
    private int[] sorted;
    private int[] received;
    private int[] sizes; // of buckets, and the checked keys
    private int[] totals;
    private int[] counts; // of the keys of this process, then the ends of their ranks
    private int arrived;
    private int least;
    private int most;
    private int lesser; // keys on processes before
    private long right;

    Is(String size) {
        int[] logs = switch (size) {
            case "S" -> new int[] {16, 11, 9};
            case "W" -> new int[] {20, 16, 10};
            case "A" -> new int[] {23, 19, 10};
            default -> throw new IllegalArgumentException("IS has the classes S, W and A here, not " + size + ".");
        };
        allKeys = 1 << logs[0];
        maxKey = 1 << logs[1];
        buckets = 1 << logs[2];
        shift = logs[1] - logs[2];
        places = switch (size) {
            case "S" -> new int[] {48427, 17148, 23627, 62548, 4431};
            case "W" -> new int[] {357773, 934767, 875723, 898999, 404505};
            default -> new int[] {2112377, 662041, 5336171, 3642833, 4250760};
        };
        ranks = switch (size) {
            case "S" -> new int[] {0, 18, 346, 64917, 65463};
            case "W" -> new int[] {1249, 11698, 1039987, 1043896, 1048018};
            default -> new int[] {104, 17523, 123928, 8288932, 8388264};
        };
        drift = switch (size) {
            case "S" -> new int[] {3, 0, 0}; // how many grow, and how much less than by the iteration both groups change
            case "W" -> new int[] {2, 2, 0};
            default -> new int[] {3, 1, 1};
        };
    }

    @Override
    public void prepare(Comm world) {
        own = allKeys / world.size();
        keys = new int[own];
        Numbers numbers = new Numbers(Numbers.after(SEED, Numbers.power(Numbers.FACTOR, (long) SCALES * own * world.rank())));
        for (int i = 0; i < own; i++) {
            double sum = numbers.next();
            sum += numbers.next();
            sum += numbers.next();
            sum += numbers.next();
            keys[i] = (int) (maxKey / SCALES * sum);
        }
        sorted = new int[own];
        received = new int[own + own / 2];
        sizes = new int[buckets + CHECKED];
        totals = new int[buckets + CHECKED];
        counts = new int[maxKey];
        rank(world, 1); // not measured
        right = 0;
    }

    @Override
    public void run(Comm world) {
        for (int i = 1; i <= ITERATIONS; i++) {
            rank(world, i);
        }
    }

    private void rank(Comm world, int iteration) {
        if (world.rank() == 0) {
            keys[iteration] = iteration;
            keys[iteration + ITERATIONS] = maxKey - iteration;
        }
        Arrays.fill(sizes, 0);
        for (int i = 0; i < CHECKED; i++) {
            if (places[i] / own == world.rank()) {
                sizes[buckets + i] = keys[places[i] % own];
            }
        }
        for (int key : keys) {
            sizes[key >> shift]++;
        }
        int[] next = new int[buckets];
        for (int b = 1; b < buckets; b++) {
            next[b] = next[b - 1] + sizes[b - 1];
        }
        int[] byBucket = sorted;
        for (int key : keys) {
            byBucket[next[key >> shift]++] = key;
        }
        world.allreduce(MpiBuffer.of(sizes), MpiBuffer.of(totals), Op.SUM);
        exchange(world);
        count();
        check(iteration);
    }

    /** Gives each process the keys of successive buckets, about as many to each. */
    private void exchange(Comm world) {
        int[] toSend = new int[world.size()];
        int[] toReceive = new int[world.size()];
        int process = 0;
        long all = 0;
        least = maxKey;
        most = -1;
        lesser = 0;
        for (int b = 0; b < buckets; b++) {
            toSend[process] += sizes[b];
            if (process == world.rank()) {
                least = Math.min(least, b << shift);
                most = (b + 1 << shift) - 1;
            } else if (process < world.rank()) {
                lesser += totals[b];
            }
            all += totals[b];
            if (all >= (process + 1L) * own && process < world.size() - 1) {
                process++;
            }
        }
        world.alltoall(MpiBuffer.of(toSend), MpiBuffer.of(toReceive));
        arrived = 0;
        for (int count : toReceive) {
            arrived += count;
        }
        if (arrived > received.length) {
            received = new int[arrived];
        }
        world.alltoallv(MpiBuffer.of(sorted), toSend, MpiBuffer.of(received).as(Datatype.INT, arrived), toReceive);
    }

    private void count() {
        int range = Math.max(most - least + 1, 0);
        Arrays.fill(counts, 0, range, 0);
        int[] found = counts;
        int[] all = received;
        int first = least;
        int end = arrived;
        for (int i = 0; i < end; i++) {
            found[all[i] - first]++;
        }
        for (int i = 1; i < range; i++) {
            found[i] += found[i - 1];
        }
    }

    private void check(int iteration) {
        for (int i = 0; i < CHECKED; i++) {
            int key = totals[buckets + i];
            if (key >= least && key <= most) {
                int found = lesser + (key > least ? counts[key - least - 1] : 0);
                int wanted = i < drift[0] ? ranks[i] + iteration - drift[1] : ranks[i] - iteration + drift[2];
                right += found == wanted ? 1 : 0;
            }
        }
    }

    /** Sorts the keys, and compares the last one of each process with the first one of the next. */
    @Override
    public boolean isRight(Comm world) {
        int[] inOrder = new int[arrived];
        for (int i = arrived - 1; i >= 0; i--) {
            int key = received[i];
            inOrder[--counts[key - least]] = key;
        }
        int before = world.rank() == 0 ? -1 : world.rank() - 1;
        int[] edge = {arrived > 0 ? inOrder[arrived - 1] : -1};
        int[] lowest = {-1};
        if (world.rank() < world.size() - 1) {
            world.send(edge, world.rank() + 1, 0);
        }
        if (before >= 0) {
            world.recv(lowest, before, 0);
        }
        int last = lowest[0];
        long wrong = 0;
        for (int key : inOrder) {
            wrong += key < last ? 1 : 0;
            last = key;
        }
        long[] results = {right, wrong, arrived};
        world.allreduce(results, Op.SUM);
        return results[0] == (long) CHECKED * ITERATIONS && results[1] == 0 && results[2] == (long) own * world.size();
    }
}

package workers;

import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Message;
import dev.mpiglot.mpi.Mpi;
import java.util.ArrayList;
import java.util.List;

/**
 * A master and workers on virtual threads: {@code workers.Workers [THREADS]}, so many workers on each process, also on
 * that of the master. Each worker asks for a task when it is done with one. Tasks count the primes of an interval;
 * they take the longer the later they come. All results are checked.
 */
public final class Workers {

    private static final int TASKS = 200;
    private static final int ASK = 0; // tag; workers have the tags behind it
    private static final int NONE = -1; // task
    private static final int MOST = 10_000;

    private Workers() {
    }

    public static void main(String[] args) {
        boolean isNumber = args.length == 1 && args[0].matches("[1-9][0-9]{0,4}");
        if (args.length > 1 || args.length == 1 && !isNumber || isNumber && Integer.parseInt(args[0]) > MOST) {
            System.err.println("usage: workers.Workers [THREADS], at most " + MOST);
            System.exit(2);
        }
        int threads = isNumber ? Integer.parseInt(args[0]) : 8;
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            List<Thread> all = new ArrayList<>(); // one that fails ends the job
            if (world.rank() == 0) {
                all.add(Thread.startVirtualThread(() -> master(world, threads * world.size())));
            }
            for (int i = 1; i <= threads; i++) {
                int tag = ASK + i;
                all.add(Thread.startVirtualThread(() -> work(world, tag)));
            }
            for (Thread one : all) {
                one.join();
            }
        });
    }

    /** Gives tasks to whoever asks, and keeps the results that come with the questions. */
    private static void master(Comm world, int workers) {
        long[] results = new long[TASKS];
        int[] done = new int[TASKS];
        int[] perRank = new int[world.size()];
        int next = 0;
        for (int left = workers; left > 0; ) {
            Message message = world.mprobe(Comm.ANY_SOURCE, ASK);
            int source = message.status().source();
            long[] asked = new long[3]; // tag of the worker, its task, the result
            message.recv(MpiBuffer.of(asked));
            if (asked[1] != NONE) {
                results[(int) asked[1]] = asked[2];
                done[(int) asked[1]]++;
                perRank[source]++;
            }
            int task = next < TASKS ? next++ : NONE;
            left -= task == NONE ? 1 : 0;
            world.send(new int[] {task}, source, (int) asked[0]);
        }
        check(results, done);
        StringBuilder line = new StringBuilder(TASKS + " tasks are right; by process:");
        for (int tasks : perRank) {
            line.append(' ').append(tasks);
        }
        System.out.println(line);
    }

    private static void work(Comm world, int tag) {
        int[] task = {NONE};
        long result = 0;
        do {
            world.send(new long[] {tag, task[0], result}, 0, ASK);
            world.recv(task, 0, tag);
            result = task[0] == NONE ? 0 : primes(start(task[0]), start(task[0] + 1));
        } while (task[0] != NONE);
    }

    private static int start(int task) {
        return 5 * task * task;
    }

    /** How many primes are in an interval, by division. */
    private static int primes(int from, int to) {
        int count = 0;
        for (int i = Math.max(from, 2); i < to; i++) {
            int divisor = 2;
            while (divisor * divisor <= i && i % divisor != 0) {
                divisor++;
            }
            count += divisor * divisor > i ? 1 : 0;
        }
        return count;
    }

    /** Compares with a sieve. */
    private static void check(long[] results, int[] done) {
        boolean[] composite = new boolean[start(TASKS)];
        for (int i = 2; i < composite.length; i++) {
            for (long k = (long) i * i; !composite[i] && k < composite.length; k += i) {
                composite[(int) k] = true;
            }
        }
        for (int task = 0; task < TASKS; task++) {
            int count = 0;
            for (int i = Math.max(start(task), 2); i < start(task + 1); i++) {
                count += composite[i] ? 0 : 1;
            }
            if (results[task] != count || done[task] != 1) {
                throw new IllegalStateException("Task " + task + " was done " + done[task] + " times: " + results[task]
                        + " primes instead of " + count + ".");
            }
        }
    }
}

package dev.mpiglot.mpi;

/** The Java machine still works as before MPI was loaded. */
public final class JvmTests {

    private JvmTests() {
    }

    private static final class Box {
        private int value = 1;
    }

    /** Compiled code finds null by a fault of memory access, which MPI's libraries must not take away. */
    public static void nullChecksOfCompiledCodeStillThrow(Comm world) {
        Box box = new Box();
        int sum = 0;
        for (int i = 0; i < 200_000; i++) {
            sum += read(box);
        }
        Check.equal(sum, 200_000);
        for (int i = 0; i < 100; i++) {
            Check.fails(NullPointerException.class, () -> read(null));
        }
    }

    private static int read(Box box) {
        return box.value;
    }

    public static void garbageIsCollectedWhileAThreadWaitsForAnotherProcess(Comm world) throws InterruptedException {
        int right = Ring.right(world);
        int left = Ring.left(world);
        int source = world.size() == 1 ? Comm.PROC_NULL : left;
        try (Comm other = world.dup()) {
            int[] got = {source == Comm.PROC_NULL ? 3 : 0};
            Thread receiver = new Thread(() -> other.recv(got, source, 0));
            receiver.start();
            System.gc(); // would wait for ever for a thread that it cannot stop
            other.send(new int[] {3}, world.size() == 1 ? Comm.PROC_NULL : right, 0);
            receiver.join();
            Check.equal(got[0], 3);
        }
    }

    public static void manyThreadsCallAtOnce(Comm world) throws InterruptedException {
        int[] wrong = new int[1];
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 20_000; k++) {
                    if (world.rank() < 0 || world.rank() >= world.size()) {
                        wrong[0]++;
                    }
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Check.equal(wrong[0], 0);
    }
}

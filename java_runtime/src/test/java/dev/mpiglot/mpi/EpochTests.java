package dev.mpiglot.mpi;

import dev.mpiglot.low.LockType;
import dev.mpiglot.mpi.Element.Ints;

/** Epochs of windows: which there are, how they end, and what is refused. */
@SuppressWarnings("try") // epochs are not named in their blocks
public final class EpochTests {

    private EpochTests() {
    }

    private static void refused(String part, Check.Statement statement) {
        String told = Check.fails(IllegalStateException.class, statement).getMessage();
        Check.isTrue(told.contains(part), told);
    }

    private static MpiBuffer<Ints> one(int value) {
        return MpiBuffer.of(new int[] {value});
    }

    public static void processesOpenTheirMemoryToAGroup(Comm world) {
        int next = (world.rank() + 1) % world.size();
        int before = (world.rank() + world.size() - 1) % world.size();
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null); Group all = window.group();
                Group origins = all.incl(before); Group targets = all.incl(next)) {
            try (ExposureEpoch mine = window.post(origins)) {
                try (Epoch access = window.start(targets)) {
                    window.put(one(world.rank() + 1), next, 0);
                    if (world.size() > 2) {
                        refused("No epoch gives access to rank " + before, () -> window.put(one(1), before, 0));
                    }
                }
                world.barrier();
            }
            Check.equal(window.memory().getInt(0), before + 1);
        }
    }

    public static void theEndOfOthersIsAskedFor(Comm world) {
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null); Group all = window.group()) {
            ExposureEpoch mine = window.post(all);
            try (Epoch access = window.start(all)) {
                window.accumulate(one(1), 0, 0, Op.SUM);
                Check.isTrue(!mine.test(), "ended before this process had");
            }
            while (!mine.test()) {
                Thread.onSpinWait();
            }
            Check.isTrue(mine.test() && !mine.isOpen(), "ended once only");
            mine.close();
            Check.equal(window.memory().getInt(0), world.rank() == 0 ? world.size() : 0);
        }
    }

    public static void anAccessOutsideOfEpochsIsRefused(Comm world) {
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null); Group all = window.group()) {
            refused("No epoch gives access to rank 0", () -> window.put(one(1), 0, 0));
            refused("No epoch gives access to other", () -> window.put(one(1), Comm.PROC_NULL, 0));
            refused("is not locked", () -> window.flush(0));
            refused("No rank is locked", window::flushAll);
            refused("No rank is locked", window::sync);
            try (FenceEpoch epoch = window.fence()) {
                refused("is not locked", () -> window.rput(one(1), 0, 0));
                refused("is not locked", () -> window.flushLocal(0));
            }
            try (Epoch epoch = window.lock(world.size() - 1, LockType.SHARED)) {
                if (world.size() > 1) {
                    refused("No epoch gives access to rank 0", () -> window.get(one(1), 0, 0));
                }
            }
            refused("No epoch gives access", () -> window.get(one(1), world.size() - 1, 0));
            Epoch ended = window.lockAll();
            ended.close();
            ended.close();
            Check.isTrue(!ended.isOpen(), "open");
            refused("No epoch gives access", () -> window.get(one(1), 0, 0));
        }
    }

    public static void epochsThatExcludeEachOtherAreRefused(Comm world) {
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null); Group all = window.group()) {
            try (FenceEpoch epoch = window.fence()) {
                refused("open epoch of a fence", window::fence);
                refused("before one of lock begins", () -> window.lock(0, LockType.SHARED));
                refused("before one of post begins", () -> window.post(all));
            }
            try (Epoch epoch = window.lock(world.rank(), LockType.EXCLUSIVE)) {
                refused("of lock of rank " + world.rank(), () -> window.lock(world.rank(), LockType.SHARED));
                refused("before one of lockAll begins", window::lockAll);
                refused("before one of start begins", () -> window.start(all));
            }
            try (Epoch epoch = window.lockAll()) {
                refused("of lockAll", window::lockAll);
            }
            WindowTests.refused("no rank", () -> window.lock(world.size(), LockType.SHARED));
            WindowTests.refused("\"lock\" is null", () -> window.lock(0, null));
            WindowTests.refused("\"targets\" is null", () -> window.start(null));
            FenceEpoch ended = window.fence();
            ended.close();
            refused("The epoch has ended", ended::next);
        }
    }

    public static void severalRanksAreLockedAtOnce(Comm world) {
        int last = world.size() - 1;
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null)) {
            if (last > 0) {
                try (Epoch first = window.lock(0, LockType.SHARED); Epoch second = window.lock(last, LockType.SHARED)) {
                    window.accumulate(one(1), 0, 0, Op.SUM);
                    window.accumulate(one(2), last, 0, Op.SUM);
                    window.flushAll();
                }
            }
            world.barrier();
            int[] got = {-1};
            try (Epoch epoch = window.lock(last, LockType.SHARED)) {
                window.get(MpiBuffer.of(got), last, 0);
            }
            Check.equal(got[0], last == 0 ? 0 : 2 * world.size());
        }
    }

    /** The array has its values after the flush of their target only. */
    public static void aFlushCompletesItsTargetOnly(Comm world) {
        int last = world.size() - 1;
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null)) {
            window.memory().setInt(0, world.rank() + 5);
            world.barrier();
            int[] own = {-1};
            int[] others = {-1};
            try (Epoch epoch = window.lockAll()) {
                window.get(MpiBuffer.of(own), 0, 0);
                window.get(MpiBuffer.of(others), last, 0);
                window.flush(0);
                Check.equal(own[0], 5);
                Check.equal(others[0], last == 0 ? 5 : -1);
            }
            Check.equal(others[0], last + 5);
            world.barrier();
        }
    }

    /** The others end their epochs as usual, and so does this process. */
    public static void anExceptionEndsTheEpoch(Comm world) {
        boolean mine = world.rank() == world.size() - 1;
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null)) {
            for (boolean fence : new boolean[] {true, false}) {
                try (Epoch epoch = fence ? window.fence() : window.lockAll()) {
                    window.accumulate(one(1), 0, 0, Op.SUM);
                    if (mine) {
                        throw new ArithmeticException("in the epoch");
                    }
                } catch (ArithmeticException e) {
                    Check.isTrue(mine && e.getSuppressed().length == 0, "suppressed");
                }
                Check.isTrue(window.epochs().isEmpty(), "open epoch");
                world.barrier();
            }
            int[] got = {-1};
            try (Epoch epoch = window.lock(0, LockType.SHARED)) {
                window.get(MpiBuffer.of(got), 0, 0);
            }
            Check.equal(got[0], 2 * world.size());
        }
    }

    /** It stays open, and can be closed later. */
    public static void aWindowInAnEpochIsNotClosed(Comm world) {
        Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null);
        try (Epoch epoch = window.lockAll()) {
            refused("open epoch", window::close);
            window.put(one(3), world.rank(), 0);
            Check.equal(Window.inEpochs(), 1);
        }
        Check.equal(Window.inEpochs(), 0);
        Check.equal(window.memory().getInt(0), 3);
        window.close();
    }

    public static void aGroupWithOtherProcessesIsRefused(Comm world) {
        if (world.size() == 1) {
            return;
        }
        try (Comm half = world.split(world.rank() % 2, 0); Group all = world.group();
                Window<Ints> window = half.allocateWindow(Datatype.INT, 1, null)) {
            WindowTests.refused("that the window does not have", () -> window.start(all));
            WindowTests.refused("that the window does not have", () -> window.post(all));
        }
    }

    /** What waits in MPI does not hold the carrier. */
    public static void virtualThreadsUseWindows(Comm world) throws InterruptedException {
        int[] got = {-1};
        Throwable[] thrown = new Throwable[1];
        Thread.ofVirtual().start(() -> {
            try (Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null)) {
                try (FenceEpoch epoch = window.fence()) {
                    window.put(one(world.rank()), world.rank(), 0);
                    epoch.next();
                    window.get(MpiBuffer.of(got), world.size() - 1, 0);
                }
                try (Epoch epoch = window.lock(0, LockType.EXCLUSIVE)) {
                    window.rput(one(9), 0, 0).await();
                    window.flush(0);
                }
            } catch (Throwable t) {
                thrown[0] = t;
            }
        }).join();
        Check.isTrue(thrown[0] == null, "threw " + thrown[0]);
        Check.equal(got[0], world.size() - 1);
    }
}

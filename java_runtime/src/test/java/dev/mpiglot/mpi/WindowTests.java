package dev.mpiglot.mpi;

import dev.mpiglot.low.LockType;
import dev.mpiglot.mpi.Element.Doubles;
import dev.mpiglot.mpi.Element.Ints;
import dev.mpiglot.mpi.Element.Longs;
import java.util.List;

/** Windows: what makes them, and accesses to the memory of other processes. */
@SuppressWarnings("try") // epochs are not named in their blocks
public final class WindowTests {

    private WindowTests() {
    }

    static void refused(String part, Check.Statement statement) {
        String told = Check.fails(IllegalArgumentException.class, statement).getMessage();
        Check.isTrue(told.contains(part), told);
    }

    private static int next(Comm world) {
        return (world.rank() + 1) % world.size();
    }

    private static int before(Comm world) {
        return (world.rank() + world.size() - 1) % world.size();
    }

    /** Whether MPI makes no windows of memory of the program on one process. */
    public static boolean lacksWindows(Comm world) {
        return world.size() == 1 && KnownDefects.has("no-window-on-one-process");
    }

    public static void aWindowWithoutMemoryIsRefusedOnAll(Comm world) {
        if (!KnownDefects.has("no-memory-for-window")) {
            return; // others tell it by an error of their own, or when the memory is written
        }
        world.allocateWindow(Datatype.INT, 4, null).close();
        long count = world.rank() == 0 ? 1L << 43 : 2;
        Check.fails(IllegalArgumentException.class, () -> world.allocateWindow(Datatype.LONG, count, null));
        world.allocateWindow(Datatype.INT, 4, null).close();
        try (Comm alone = world.split(world.rank(), 0)) {
            Check.fails(IllegalArgumentException.class, () -> alone.allocateSharedWindow(Datatype.LONG, 1L << 43, null));
        }
    }

    public static void arraysArePutAndGot(Comm world) {
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 4, null)) {
            int[] sent = {world.rank(), 7};
            int[] got = new int[3];
            try (FenceEpoch epoch = window.fence()) {
                window.put(MpiBuffer.of(sent), next(world), 1);
                sent[0] = -1; // the call has copied it
                epoch.next();
                window.get(MpiBuffer.of(got), next(world), 1);
            }
            Check.equal(got, new int[] {world.rank(), 7, 0});
            Check.equal(window.memory().getInt(0), 0);
            Check.equal(window.memory().getInt(1), before(world));
        }
    }

    public static void memoryOfTheProgramBecomesAWindow(Comm world) {
        if (lacksWindows(world)) {
            return;
        }
        MpiBuffer<Doubles> memory = MpiBuffer.allocate(Datatype.DOUBLE, world.rank() + 2);
        memory.setDouble(world.rank() + 1, 0.5 + world.rank());
        MpiBuffer<Doubles> got = MpiBuffer.allocate(Datatype.DOUBLE, 1);
        try (Window<Doubles> window = world.createWindow(memory)) {
            Check.isTrue(window.memory() == memory, "another buffer");
            try (FenceEpoch epoch = window.fence()) {
                window.get(got, next(world), next(world) + 1);
            }
        }
        Check.equal(got.getDouble(0), 0.5 + next(world));
        memory.setDouble(0, 3);
        Check.equal(memory.getDouble(0), 3.0);
    }

    public static void gapsAreHereOnly(Comm world) {
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 3, null);
                Datatype<Ints> column = Datatype.vector(3, 1, 2, Datatype.INT)) {
            MpiBuffer<Ints> outside = MpiBuffer.allocate(Datatype.INT, 6);
            for (int i = 0; i < 6; i++) {
                outside.setInt(i, i + 1);
            }
            int[] array = {9, 9, 9, 9, 9, 9};
            try (FenceEpoch epoch = window.fence()) {
                window.put(outside.as(column, 1), next(world), 0);
                epoch.next();
                window.get(MpiBuffer.of(array).as(column, 1), next(world), 0);
            }
            Check.equal(array, new int[] {1, 9, 3, 9, 5, 9});
            Check.equal(window.memory().getInt(1), 3);
            try (Epoch epoch = window.lock(next(world), LockType.SHARED)) {
                window.rget(outside.as(column, 1, 1).shiftedBy(-4), next(world), 0).await();
            }
            Check.equal(outside.getInt(0), 1);
        }
    }

    public static void valuesAreCombined(Comm world) {
        int size = world.size();
        try (Window<Longs> window = world.allocateWindow(Datatype.LONG, 2, null)) {
            long[] old = {-1, -1};
            try (Epoch epoch = window.lock(0, LockType.SHARED)) {
                window.accumulate(MpiBuffer.of(new long[] {1, world.rank()}), 0, 0, Op.SUM);
                window.flush(0);
                window.getAccumulate(MpiBuffer.of(new long[2]), MpiBuffer.of(old), 0, 0, Op.NO_OP);
                window.flushLocal(0);
                Check.isTrue(old[0] >= 1 && old[0] <= size, "fetched " + old[0]);
            }
            world.barrier();
            try (Epoch epoch = window.lock(0, LockType.SHARED)) {
                window.get(MpiBuffer.of(old), 0, 0);
            }
            Check.equal(old, new long[] {size, size * (size - 1) / 2});
        }
    }

    public static void counterAndSwapAreAtomic(Comm world) {
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 2, null)) {
            int[] ticket = {-1};
            int[] found = {-1};
            try (Epoch epoch = window.lockAll()) {
                window.fetchAndOp(MpiBuffer.of(new int[] {1}), MpiBuffer.of(ticket), 0, 0, Op.SUM);
                window.compareAndSwap(MpiBuffer.of(new int[] {world.rank() + 1}), MpiBuffer.of(new int[] {0}),
                                      MpiBuffer.of(found), 0, 1);
            }
            int[] tickets = new int[world.size()];
            world.allgather(ticket, tickets);
            java.util.Arrays.sort(tickets);
            for (int i = 0; i < tickets.length; i++) {
                Check.equal(tickets[i], i);
            }
            int[] first = {found[0] == 0 ? 1 : 0};
            world.allreduce(first, Op.SUM);
            Check.equal(first[0], 1);
        }
    }

    public static void requestsTellOfTheirAccess(Comm world) {
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 2, null); Epoch epoch = window.lockAll()) {
            int[] got = {-1};
            int[] old = {-1};
            window.rput(MpiBuffer.of(new int[] {5 + world.rank()}), next(world), 0).await();
            window.flushAll();
            window.rget(MpiBuffer.of(got), next(world), 0).await();
            Check.equal(got[0], 5 + world.rank());
            window.raccumulate(MpiBuffer.of(new int[] {10}), next(world), 0, Op.REPLACE).await();
            window.flush(next(world));
            window.rgetAccumulate(MpiBuffer.of(new int[] {2}), MpiBuffer.of(old), next(world), 0, Op.PROD).await();
            window.flushLocalAll();
            Check.equal(old[0], 10);
            window.flushAll();
            window.rget(MpiBuffer.of(got), next(world), 0).await();
            Check.equal(got[0], 20);
        }
    }

    public static void memoryIsShared(Comm world) {
        try (Comm node = world.splitType(SplitType.SHARED, 0, null);
                Window<Ints> window = node.allocateSharedWindow(Datatype.INT, 2, null)) {
            MpiBuffer<Ints> others = window.sharedQuery(next(node));
            try (Epoch epoch = window.lockAll()) {
                others.setInt(1, 40 + node.rank());
                window.sync();
                node.barrier();
                window.sync();
            }
            Check.equal(window.memory().getInt(1), 40 + before(node));
            Check.equal(others.count(), 2L);
        }
    }

    public static void memoryIsAttached(Comm world) {
        if (lacksWindows(world)) {
            return;
        }
        MpiBuffer<Ints> memory = MpiBuffer.allocate(Datatype.INT, 2);
        try (Window<Ints> window = world.createDynamicWindow(Datatype.INT, null)) {
            long[] places = new long[world.size()];
            world.allgather(new long[] {window.attach(memory)}, places);
            refused("is attached", () -> window.attach(memory));
            try (Epoch epoch = window.lockAll()) {
                window.put(MpiBuffer.of(new int[] {world.rank() + 3}), next(world), places[next(world)] + 4);
            }
            world.barrier();
            Check.equal(memory.getInt(1), before(world) + 3);
            window.detach(memory);
            refused("not attached", () -> window.detach(memory));
            Check.fails(UnsupportedOperationException.class, window::memory);
        }
    }

    public static void nobodyIsNoTarget(Comm world) {
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 0, null); FenceEpoch epoch = window.fence()) {
            int[] got = {4};
            window.put(MpiBuffer.of(got), Comm.PROC_NULL, 0);
            window.get(MpiBuffer.of(got), Comm.PROC_NULL, 0);
            window.getAccumulate(MpiBuffer.of(new int[1]), MpiBuffer.of(got), Comm.PROC_NULL, 0, Op.SUM);
            window.put(MpiBuffer.of(new int[0]), world.rank(), 0);
            epoch.next();
            Check.equal(got[0], 4);
        }
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null); Epoch epoch = window.lockAll()) {
            int[] got = {4};
            window.rget(MpiBuffer.of(got), Comm.PROC_NULL, 0).await();
            Check.equal(got[0], 4);
        }
    }

    /** Their copies are not kept for the next access, but given back. */
    public static void largeArraysAreFetched(Comm world) {
        int many = 3 << 19;
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, many, null)) {
            window.memory().setInt(many - 1, world.rank() + 1);
            world.barrier();
            int[] got = new int[many];
            try (Epoch epoch = window.lock(next(world), LockType.SHARED)) {
                window.get(MpiBuffer.of(got), next(world), 0);
                window.flushLocal(next(world));
                Check.equal(got[many - 1], next(world) + 1);
                window.rget(MpiBuffer.of(got), next(world), 0).await();
            }
            world.barrier();
        }
    }

    public static void threadsUseOneEpoch(Comm world) {
        int rounds = Check.isWhole() || world.size() <= 2 ? 100 : 10;
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 4, null)) {
            for (int i = 0; i < 4; i++) {
                window.memory().setInt(i, 10 * world.rank() + i);
            }
            world.barrier();
            Check.Statement[] threads = new Check.Statement[4];
            try (Epoch epoch = window.lockAll()) {
                for (int i = 0; i < threads.length; i++) {
                    int own = i;
                    threads[i] = () -> {
                        for (int round = 0; round < rounds; round++) {
                            int target = (own + round) % world.size();
                            int[] got = {-1};
                            window.get(MpiBuffer.of(got), target, own);
                            window.flush(target);
                            Check.equal(got[0], 10 * target + own);
                        }
                    };
                }
                Check.together(threads);
            }
            world.barrier();
        }
    }

    public static void groupAndHintsAreTold(Comm world) {
        try (Info hints = Info.ofMap(java.util.Map.of("no_locks", "false"));
                Window<Ints> window = world.allocateWindow(Datatype.INT, 1, hints); Group group = window.group();
                Info told = window.info()) {
            Check.equal(group.size(), world.size());
            Check.isTrue(told.size() >= 0, "no hints");
            window.setInfo(hints);
        }
    }

    /** No process waits for one that has made the mistake. */
    public static void memoryThatIsNoneIsRefusedOnAllProcesses(Comm world) {
        boolean mine = world.rank() == world.size() - 1;
        MpiBuffer<Ints> good = MpiBuffer.allocate(Datatype.INT, 1);
        MpiBuffer<Ints> array = MpiBuffer.of(new int[1]);
        refused(mine ? "an array" : "could not take part", () -> world.createWindow(mine ? array : good));
        refused(mine ? "is null" : "could not take part", () -> world.createWindow(mine ? null : good));
        refused(mine ? "-1 elements" : "could not take part",
                () -> world.allocateWindow(Datatype.INT, mine ? -1 : 1, null));
        refused(mine ? "-1 elements" : "could not take part",
                () -> world.allocateSharedWindow(Datatype.INT, mine ? -1 : 1, null));
        refused(mine ? "is null" : "could not take part",
                () -> world.createDynamicWindow(mine ? null : Datatype.INT, null));
        try (Datatype<Ints> column = Datatype.vector(2, 1, 2, Datatype.INT)) {
            refused("with gaps", () -> world.allocateWindow(column, 1, null));
            refused("with gaps", () -> world.createWindow(MpiBuffer.allocate(Datatype.INT, 3).as(column, 1)));
        }
        if (world.size() > 1) {
            Check.Statement longs = () -> world.allocateWindow(Datatype.LONG, 1, null);
            refused("has one type", mine ? longs : () -> world.allocateWindow(Datatype.INT, 1, null));
        }
        Info closed = Info.create();
        closed.close();
        Check.fails(IllegalStateException.class, () -> world.allocateWindow(Datatype.INT, 1, closed));
        world.barrier();
    }

    public static void placesThatThereAreNotAreRefused(Comm world) {
        int size = world.size();
        MpiBuffer<Ints> two = MpiBuffer.of(new int[2]);
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 3, null); Epoch epoch = window.lockAll()) {
            refused("no rank", () -> window.put(two, size, 0));
            refused("no rank", () -> window.get(two, -7, 0));
            refused("displacement 2", () -> window.put(two, 0, 2));
            refused("displacement -1", () -> window.get(two, 0, -1));
            refused("displacement 9223372036854775807", () -> window.put(two, 0, Long.MAX_VALUE));
            refused("the other buffer has 2", () -> window.getAccumulate(two, MpiBuffer.of(new int[1]), 0, 0, Op.SUM));
            refused("this access is to one", () -> window.fetchAndOp(two, two, 0, 0, Op.SUM));
            refused("NO_OP is only", () -> window.accumulate(two, 0, 0, Op.NO_OP));
            refused("\"op\" is null", () -> window.accumulate(two, 0, 0, null));
            refused("is null", () -> window.put(null, 0, 0));
            refused("inPlace", () -> window.put(MpiBuffer.inPlace(), 0, 0));
            try (Op<Ints> own = Op.ofInts(true, Integer::sum)) {
                refused("operations that MPI provides", () -> window.accumulate(two, 0, 0, own));
            }
            refused("no rank", () -> window.flush(size));
            refused("no rank", () -> window.sharedQuery(size));
            Check.fails(UnsupportedOperationException.class, () -> window.sharedQuery(0));
            Check.fails(UnsupportedOperationException.class, () -> window.attach(MpiBuffer.allocate(Datatype.INT, 1)));
            refused("an array", () -> window.attach(two));
        }
        try (Window<Doubles> window = world.allocateWindow(Datatype.DOUBLE, 1, null); Epoch epoch = window.lockAll()) {
            MpiBuffer<Doubles> one = MpiBuffer.of(new double[1]);
            refused("whole numbers", () -> window.compareAndSwap(one, one, one, 0, 0));
        }
        refused("for accesses to windows", () -> Op.REPLACE.reduceLocal(two, two));
    }

    public static void aClosedWindowIsRefused(Comm world) {
        Window<Ints> window = world.allocateWindow(Datatype.INT, 2, null);
        MpiBuffer<Ints> memory = window.memory();
        MpiBuffer<Ints> one = MpiBuffer.of(new int[1]);
        window.close();
        window.close();
        for (Check.Statement use : List.<Check.Statement>of(window::memory, window::handle, window::group, window::info,
                window::fence, window::lockAll, window::flushAll, window::sync, () -> window.lock(0, LockType.SHARED),
                () -> window.put(one, 0, 0), () -> window.flush(0), () -> window.sharedQuery(0),
                () -> window.rget(one, 0, 0))) {
            String told = Check.fails(IllegalStateException.class, use).getMessage();
            Check.isTrue(told.contains("window is closed"), told);
        }
        Check.fails(IllegalStateException.class, () -> memory.getInt(0)); // freed: no crash
        Check.fails(IllegalStateException.class, () -> memory.setInt(0, 1));
    }
}

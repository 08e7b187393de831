package dev.mpiglot.low;

import dev.mpiglot.mpi.Check;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.MpiException;
import dev.mpiglot.mpi.WindowTests;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** What MPI still uses stays alive. */
public final class LifetimeTests {

    private static final int COUNT = 64;
    private static final long BYTES = 256 * 1024;

    private LifetimeTests() {
    }

    /** Buffers that the program dropped are written by MPI later; nothing else may be hit. */
    public static void droppedBuffersOfPendingReceivesAreNotReused(Comm world) {
        int before = KeptHandle.pendingCount();
        RequestHandle[] requests = new RequestHandle[COUNT];
        for (int i = 0; i < COUNT; i++) {
            requests[i] =
                    PointToPoint.irecv(Arena.ofAuto().allocate(BYTES, 8), BYTES, DatatypeHandle.BYTE, world.rank(), i,
                    world.handle());
        }
        Check.equal(KeptHandle.pendingCount(), before + COUNT);
        collect();
        List<MemorySegment> others = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            others.add(Arena.ofAuto().allocate(BYTES, 8));
            others.get(i).fill((byte) 7);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment message = arena.allocate(BYTES);
            message.fill((byte) 9);
            for (int i = 0; i < COUNT; i++) {
                PointToPoint.send(message, BYTES, DatatypeHandle.BYTE, world.rank(), i, world.handle());
            }
        }
        PointToPoint.waitall(requests, null);
        for (MemorySegment other : others) {
            for (long i = 0; i < BYTES; i += 8) {
                Check.equal(other.get(ValueLayout.JAVA_LONG, i), 0x0707070707070707L);
            }
        }
        Check.equal(KeptHandle.pendingCount(), before);
    }

    public static void completeOperationsAreForgottenWhileOthersWait(Comm world) {
        int before = KeptHandle.pendingCount();
        int waiting = 300;
        RequestHandle[] requests = new RequestHandle[waiting];
        try (Arena arena = Arena.ofShared()) {
            MemorySegment message = arena.allocate(8); // none that a receive has: MPICH aborts on one process then
            for (int i = 0; i < waiting; i++) {
                requests[i] =
                        PointToPoint.irecv(arena.allocate(8), 8, DatatypeHandle.BYTE, world.rank(), i, world.handle());
            }
            Check.Statement others = () -> {
                for (int i = 0; i < 2_000; i++) {
                    RequestHandle send =
                            PointToPoint.isend(null, 0, DatatypeHandle.BYTE, MpiConstants.PROC_NULL, 0, world.handle());
                    PointToPoint.wait(send, null);
                }
            };
            Check.together(others, others, others);
            Check.equal(KeptHandle.pendingCount(), before + waiting);
            int listed = KeptHandle.listedCount();
            Check.isTrue(listed < 3 * (before + waiting) + 200, listed + " operations are listed");
            for (int i = 0; i < waiting; i++) {
                PointToPoint.send(message, 8, DatatypeHandle.BYTE, world.rank(), i, world.handle());
            }
            PointToPoint.waitall(requests, null);
        }
        Check.equal(KeptHandle.pendingCount(), before);
    }

    public static void requestsThatWereDroppedKeepTheirMemory(Comm world) {
        int before = KeptHandle.pendingCount();
        start(world);
        collect();
        Check.equal(KeptHandle.pendingCount(), before + 1);
        try (Arena arena = Arena.ofConfined()) {
            PointToPoint.send(arena.allocate(BYTES), BYTES, DatatypeHandle.BYTE, world.rank(), 99, world.handle());
        }
        collect();
    }

    private static void start(Comm world) {
        PointToPoint.irecv(Arena.ofAuto().allocate(BYTES, 8), BYTES, DatatypeHandle.BYTE, world.rank(), 99,
                world.handle());
    }

    public static void persistentRequestsKeepTheirMemoryUntilTheyAreFreed(Comm world) {
        int before = KeptHandle.pendingCount();
        MemorySegment sent = Arena.ofAuto().allocate(4);
        MemorySegment got = Arena.ofAuto().allocate(4);
        RequestHandle send = PointToPoint.sendInit(sent, 1, DatatypeHandle.INT, world.rank(), 3, world.handle());
        RequestHandle receive = PointToPoint.recvInit(got, 1, DatatypeHandle.INT, world.rank(), 3, world.handle());
        for (int i = 0; i < 5; i++) {
            sent.set(ValueLayout.JAVA_INT, 0, i);
            PointToPoint.startall(new RequestHandle[] {send, receive});
            PointToPoint.waitall(new RequestHandle[] {send, receive}, null);
            Check.equal(got.get(ValueLayout.JAVA_INT, 0), i);
            Check.equal(KeptHandle.pendingCount(), before + 2);
        }
        PointToPoint.requestFree(send);
        PointToPoint.requestFree(receive);
        Check.equal(KeptHandle.pendingCount(), before);
        Check.equal(receive.handle(), RequestHandle.NULL.handle());
    }

    public static void memoryThatIsGivenBackTooEarlyIsTold(Comm world) {
        int before = KeptHandle.pendingCount();
        RequestHandle request;
        try (Arena arena = Arena.ofConfined()) {
            request = PointToPoint.isend(arena.allocate(8), 8, DatatypeHandle.BYTE, MpiConstants.PROC_NULL, 0,
                    world.handle());
        }
        Check.fails(IllegalStateException.class, () -> PointToPoint.wait(request, null));
        Check.equal(request.handle(), RequestHandle.NULL.handle());
        Check.equal(KeptHandle.pendingCount(), before);
        if (WindowTests.lacksWindows(world)) {
            return;
        }
        WinHandle window;
        try (Arena arena = Arena.ofConfined()) {
            window = OneSided.winCreate(arena.allocate(64, 16), 64, 1, InfoHandle.NULL, world.handle());
        }
        Check.fails(IllegalStateException.class, () -> OneSided.winFree(window));
        Check.equal(KeptHandle.pendingCount(), before);
    }

    /** While a call uses memory, no thread can give it back. */
    public static void memoryInUseCannotBeGivenBack(Comm world) {
        for (Arena arena : new Arena[] {Arena.ofConfined(), Arena.ofShared()}) {
            int[] refused = new int[1];
            OpHandle op = Collectives.opCreate((in, inout, count, type) -> {
                try {
                    arena.close();
                } catch (IllegalStateException e) {
                    refused[0]++;
                }
            }, true);
            MemorySegment memory = arena.allocate(8, 4);
            Collectives.reduceLocal(memory.asSlice(0, 4), memory.asSlice(4, 4), 1, DatatypeHandle.INT, op);
            Collectives.opFree(op);
            Check.equal(refused[0], 1);
            arena.close();
        }
    }

    public static void windowsKeepTheirMemoryUntilTheyAreFreed(Comm world) {
        if (WindowTests.lacksWindows(world)) {
            return;
        }
        int before = KeptHandle.pendingCount();
        WinHandle window =
                OneSided.winCreate(Arena.ofAuto().allocate(4096, 8), 4096, 1, InfoHandle.NULL, world.handle());
        Check.equal(KeptHandle.pendingCount(), before + 1);
        collect();
        OneSided.winFence(0, window);
        OneSided.winFree(window);
        Check.equal(window.handle(), WinHandle.NULL.handle());
        Check.equal(KeptHandle.pendingCount(), before);
    }

    public static void accessesKeepTheirMemoryUntilTheirTargetCompletesThem(Comm world) {
        int next = (world.rank() + 1) % world.size();
        OneSided.WinAllocateResult window = OneSided.winAllocate(4096, 4, InfoHandle.NULL, world.handle());
        OneSided.winLockAll(0, window.win());
        int before = Keeping.accessed();
        for (int i = 0; i < 50; i++) {
            try (Arena arena = Arena.ofConfined()) {
                OneSided.put(arena.allocate(4, 4), 1, DatatypeHandle.INT, next, 1, 1, DatatypeHandle.INT, window.win());
                OneSided.winFlush(next, window.win());
            }
            Check.equal(Keeping.accessed(), before);
        }
        for (int i = 0; i < 10; i++) {
            OneSided.put(Arena.ofAuto().allocate(4, 4), 1, DatatypeHandle.INT, next, 1, 1, DatatypeHandle.INT,
                    window.win());
        }
        Check.equal(Keeping.accessed(), before + 10);
        OneSided.winFlush(world.rank(), window.win());
        Check.equal(Keeping.accessed(), before + (next == world.rank() ? 0 : 10));
        OneSided.winUnlockAll(window.win());
        Check.equal(Keeping.accessed(), before);
        OneSided.winLockAll(0, window.win());
        try (Arena arena = Arena.ofConfined()) {
            OneSided.put(arena.allocate(4, 4), 1, DatatypeHandle.INT, MpiConstants.PROC_NULL, 1, 1, DatatypeHandle.INT,
                    window.win());
        }
        Check.fails(IllegalStateException.class, () -> OneSided.winUnlockAll(window.win()));
        OneSided.winFree(window.win());
    }

    /** A callback that calls MPI does so on the same thread while an outer call is under way. */
    public static void callsInsideCallbacksDoNotDisturbTheOuterCall(Comm world) {
        OpHandle op = Collectives.opCreate((in, inout, count, type) -> {
            for (int i = 0; i < 50; i++) {
                Check.equal(Datatypes.typeGetExtent(type).extent(), 4L);
                Check.isTrue(!Environment.getProcessorName().isEmpty(), "no name");
            }
            inout.set(ValueLayout.JAVA_INT, 0, inout.get(ValueLayout.JAVA_INT, 0) + in.get(ValueLayout.JAVA_INT, 0));
        }, true);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(4);
            one.set(ValueLayout.JAVA_INT, 0, 1);
            MemorySegment sum = arena.allocate(4);
            Collectives.allreduce(one, sum, 1, DatatypeHandle.INT, op, world.handle());
            Check.equal(sum.get(ValueLayout.JAVA_INT, 0), world.size());
        }
        Collectives.opFree(op);
    }

    /** A large message waits in the sender's memory, which others would get if it were given back. */
    public static void memoryOfTheLibrarysArenaStaysUntilASendIsComplete(Comm world) {
        long bytes = 8 * BYTES;
        MpiArena arena = new MpiArena();
        MemorySegment message = arena.allocate(bytes, 8);
        message.fill((byte) 5);
        RequestHandle send = PointToPoint.isend(message, bytes, DatatypeHandle.BYTE, world.rank(), 1, world.handle());
        arena.close();
        arena.close();
        Check.equal(MpiArena.waiting(), 1);
        Check.fails(IllegalStateException.class, () -> message.get(ValueLayout.JAVA_BYTE, 0));
        Check.fails(IllegalStateException.class, () -> arena.allocate(8));
        Check.fails(IllegalStateException.class,
                () -> PointToPoint.isend(message, bytes, DatatypeHandle.BYTE, world.rank(), 2, world.handle()));
        try (Arena others = Arena.ofConfined()) {
            for (int i = 0; i < 4; i++) {
                others.allocate(bytes).fill((byte) 7);
            }
            MemorySegment got = others.allocate(bytes);
            PointToPoint.recv(got, bytes, DatatypeHandle.BYTE, world.rank(), 1, world.handle(), null);
            PointToPoint.wait(send, null);
            for (long i = 0; i < bytes; i++) {
                Check.equal(got.get(ValueLayout.JAVA_BYTE, i), (byte) 5);
            }
        }
        Check.equal(MpiArena.waiting(), 0);
    }

    public static void arenasOfTheLibraryMayBeClosedAtAnyTime(Comm world) {
        Runnable[] starts = new Runnable[1];
        for (int round = 0; round < 300; round++) {
            MpiArena arena = new MpiArena();
            MemorySegment memory = arena.allocate(BYTES);
            RequestHandle[] receive = new RequestHandle[1];
            Check.together(() -> {
                try {
                    receive[0] =
                            PointToPoint.irecv(memory, BYTES, DatatypeHandle.BYTE, world.rank(), 5, world.handle());
                } catch (IllegalStateException tooLate) {
                    receive[0] = null;
                }
            }, () -> {
                try {
                    arena.close();
                } catch (IllegalStateException inUse) {
                    starts[0] = arena::close;
                }
            });
            if (starts[0] != null) {
                starts[0].run();
                starts[0] = null;
            }
            Check.equal(MpiArena.waiting(), receive[0] == null ? 0 : 1);
            if (receive[0] != null) {
                try (MpiArena other = new MpiArena()) {
                    PointToPoint.send(other.allocate(BYTES), BYTES, DatatypeHandle.BYTE, world.rank(), 5,
                            world.handle());
                }
                PointToPoint.wait(receive[0], null);
            }
            Check.equal(MpiArena.waiting(), 0);
        }
    }

    public static void windowsAndAccessesUseClosedArenasOfTheLibrary(Comm world) {
        if (WindowTests.lacksWindows(world)) {
            return;
        }
        MpiArena arena = new MpiArena();
        MemorySegment base = arena.allocate(64, 64);
        Check.equal(base.address() % 64, 0L);
        WinHandle window = OneSided.winCreate(base, 64, 4, InfoHandle.NULL, world.handle());
        MpiArena origin = new MpiArena();
        MemorySegment value = origin.allocate(ValueLayout.JAVA_INT);
        value.set(ValueLayout.JAVA_INT, 0, 17);
        OneSided.winFence(0, window);
        OneSided.put(value, 1, DatatypeHandle.INT, (world.rank() + 1) % world.size(), 1, 1, DatatypeHandle.INT, window);
        origin.close();
        Check.equal(MpiArena.waiting(), 1);
        OneSided.winFence(0, window);
        Check.equal(MpiArena.waiting(), 0);
        Check.equal(base.get(ValueLayout.JAVA_INT, 4), 17);
        arena.close();
        Check.equal(MpiArena.waiting(), 1);
        OneSided.winFree(window);
        Check.equal(MpiArena.waiting(), 0);
    }

    public static void arenasOfTheLibraryRefuseSizesThatAreNone(Comm world) {
        try (MpiArena arena = new MpiArena()) {
            Check.fails(IllegalArgumentException.class, () -> arena.allocate(-1, 8));
            Check.fails(IllegalArgumentException.class, () -> arena.allocate(8, 3));
            Check.fails(ArithmeticException.class, () -> arena.allocate(Long.MAX_VALUE, 8));
            Check.equal(arena.allocate(0).byteSize(), 0L);
            Check.equal(arena.allocateFrom("text").getString(0), "text");
        }
    }

    /** What has not begun keeps nothing. */
    public static void callsThatFailKeepNothing(Comm world) {
        int before = KeptHandle.pendingCount();
        try (MpiArena arena = new MpiArena()) {
            MemorySegment memory = arena.allocate(8);
            Check.fails(MpiException.class, () ->
                    PointToPoint.isend(memory, 8, DatatypeHandle.BYTE, 9999, 0, world.handle()));
            Check.fails(IllegalArgumentException.class,
                    () -> PointToPoint.isend(memory, 9, DatatypeHandle.BYTE, 0, 0, world.handle()));
        }
        Check.equal(KeptHandle.pendingCount(), before);
        Check.equal(MpiArena.waiting(), 0);
    }

    private static void collect() {
        for (int i = 0; i < 3; i++) {
            System.gc();
            byte[][] garbage = new byte[64][];
            for (int k = 0; k < garbage.length; k++) {
                garbage[k] = new byte[64 * 1024];
            }
            Check.equal(garbage[63].length, 64 * 1024);
        }
    }
}

package dev.mpiglot.low;

import dev.mpiglot.mpi.Check;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.MpiException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * C functions of callbacks are taken again, and callbacks collected, when nothing is left that can call them. The system
 * property {@code mpiglot.test.rounds} asks for more rounds than the tests always make.
 */
public final class StubTests {

    private static final int ALWAYS = 2000;
    private static final int ROUNDS = Integer.getInteger("mpiglot.test.rounds", ALWAYS);
    private static final int SAY = 100_000;
    private static final int WATCHED = 100;
    private static final int TAG = 77;

    private StubTests() {
    }

    public static int moreRounds() {
        return ROUNDS - ALWAYS;
    }

    /** What one test makes: all of it must be gone at its end. */
    private static final class Watch {

        private final int lent = Stubs.lent();
        private final int made = Stubs.made();
        private final List<WeakReference<Object>> captured = new ArrayList<>();

        /** What a callback captures. */
        AtomicInteger next(int round, Comm world) {
            AtomicInteger count = new AtomicInteger();
            if (captured.size() < WATCHED) {
                captured.add(null);
            }
            captured.set(round % WATCHED, new WeakReference<>(count));
            if (round % SAY == 0 && ROUNDS > ALWAYS && world.rank() == 0) {
                System.gc();
                Runtime memory = Runtime.getRuntime();
                System.out.println("round " + round + ": " + (memory.totalMemory() - memory.freeMemory() >> 10)
                        + " KiB of heap, " + resident() + ", " + Stubs.made() + " stubs");
            }
            return count;
        }

        /** @param most how many stubs the test may have needed at once */
        void end(int most) {
            Check.equal(Stubs.lent(), lent);
            Check.isTrue(Stubs.made() - made <= most, (Stubs.made() - made) + " stubs were made");
            System.gc();
            Check.equal((int) captured.stream().filter(one -> one.get() != null).count(), 0);
        }
    }

    private static String resident() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream().filter(line -> line.startsWith("VmRSS"))
                    .findFirst().orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    private static UserFunction summing(AtomicInteger calls) {
        return (in, inout, count, type) -> {
            inout.set(ValueLayout.JAVA_INT, 0, inout.get(ValueLayout.JAVA_INT, 0) + in.get(ValueLayout.JAVA_INT, 0));
            calls.incrementAndGet();
        };
    }

    public static void stubsOfOperationsAreTakenAgain(Comm world) {
        Watch watch = new Watch();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment two = arena.allocate(4, 4);
            MemorySegment sum = arena.allocate(4, 4);
            two.set(ValueLayout.JAVA_INT, 0, 2);
            for (int i = 0; i < ROUNDS; i++) {
                AtomicInteger calls = watch.next(i, world);
                OpHandle op = Collectives.opCreate(summing(calls), true);
                reduceInAllWays(op, i % 500 == 0 ? world.handle() : CommHandle.SELF, two, sum);
                Collectives.opFree(op);
                Check.isTrue(calls.get() > 0, "the function was not called");
            }
        }
        watch.end(1);
    }

    private static void reduceInAllWays(OpHandle op, CommHandle comm, MemorySegment two, MemorySegment sum) {
        int size = Communicators.commSize(comm);
        Collectives.allreduce(two, sum, 1, DatatypeHandle.INT, op, comm);
        Check.equal(sum.get(ValueLayout.JAVA_INT, 0), 2 * size);
        PointToPoint.wait(Collectives.iallreduce(two, sum, 1, DatatypeHandle.INT, op, comm), null);
        Check.equal(sum.get(ValueLayout.JAVA_INT, 0), 2 * size);
        if (Library.load().has("MPI_Allreduce_init")) {
            RequestHandle request =
                    Collectives.allreduceInit(two, sum, 1, DatatypeHandle.INT, op, comm, InfoHandle.NULL);
            for (int i = 0; i < 2; i++) {
                PointToPoint.start(request);
                PointToPoint.wait(request, null);
                Check.equal(sum.get(ValueLayout.JAVA_INT, 0), 2 * size);
            }
            PointToPoint.requestFree(request);
        }
        Collectives.reduceLocal(two, sum, 1, DatatypeHandle.INT, op);
        Check.equal(sum.get(ValueLayout.JAVA_INT, 0), 2 * size + 2);
    }

    /** The same of the layer above, which keeps functions as well. */
    public static void functionsOfOperationsAreCollected(Comm world) {
        Watch watch = new Watch();
        for (int i = 0; i < ROUNDS; i++) {
            AtomicInteger captured = watch.next(i, world);
            dev.mpiglot.mpi.Op.ofInts(true, (a, b) -> Math.max(a, b) + captured.get()).close();
        }
        watch.end(1);
    }

    private static void takeStubsOfOperations() {
        for (int i = 0; i < 10; i++) {
            Collectives.opFree(Collectives.opCreate((in, inout, count, type) -> inout.set(ValueLayout.JAVA_INT, 0, -1), true));
        }
    }

    public static void anOperationThatIsFreedUnderAPendingReductionKeepsItsStub(Comm world) {
        Watch watch = new Watch();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mine = arena.allocate(4, 4);
            MemorySegment sum = arena.allocate(4, 4);
            if (world.rank() > 0) { // the others come late
                PointToPoint.recv(mine, 1, DatatypeHandle.INT, 0, TAG, world.handle(), null);
            }
            mine.set(ValueLayout.JAVA_INT, 0, world.rank() + 1);
            OpHandle op = Collectives.opCreate(summing(watch.next(0, world)), true);
            RequestHandle request = Collectives.iallreduce(mine, sum, 1, DatatypeHandle.INT, op, world.handle());
            Collectives.opFree(op);
            Check.equal(Stubs.lent(), watch.lent + 1);
            takeStubsOfOperations();
            for (int to = 1; world.rank() == 0 && to < world.size(); to++) {
                PointToPoint.send(mine, 1, DatatypeHandle.INT, to, TAG, world.handle());
            }
            PointToPoint.wait(request, null);
            Check.equal(sum.get(ValueLayout.JAVA_INT, 0), world.size() * (world.size() + 1) / 2);
        }
        watch.end(2);
    }

    /** A stub is not free before all operations that one function was made to are. */
    public static void aFunctionKeepsItsStubForItsOtherOperation(Comm world) {
        Watch watch = new Watch();
        UserFunction function = summing(watch.next(0, world));
        OpHandle op = Collectives.opCreate(function, true);
        OpHandle other = Collectives.opCreate(function, false);
        Collectives.opFree(op);
        takeStubsOfOperations();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment values = arena.allocate(8, 4);
            values.set(ValueLayout.JAVA_INT, 0, 2);
            values.set(ValueLayout.JAVA_INT, 4, 3);
            Collectives.reduceLocal(values.asSlice(0, 4), values.asSlice(4, 4), 1, DatatypeHandle.INT, other);
            Check.equal(values.get(ValueLayout.JAVA_INT, 4), 5);
        }
        Check.equal(Stubs.lent(), watch.lent + 1);
        Collectives.opFree(other);
        Check.equal(Stubs.lent(), watch.lent);
    }

    private static void takeStubsOfErrorHandlers() {
        for (int i = 0; i < 10; i++) {
            Environment.errhandlerFree(Environment.commCreateErrhandler((comm, code) -> {
                throw new AssertionError("the wrong function is called");
            }));
        }
    }

    private static ErrhandlerHandle counting(AtomicInteger count) {
        return Environment.commCreateErrhandler((comm, code) -> count.incrementAndGet());
    }

    /**
     * Sends to nobody: MPICH takes the error for handled from 4.3 on. Not after a copy function failed: MPICH tells that
     * error again in place of another one.
     */
    private static void causeErrorOn(CommHandle comm) {
        try {
            PointToPoint.send(MemorySegment.NULL, 0, DatatypeHandle.INT, 9999, 1, comm);
        } catch (MpiException e) {
            Check.equal(e.kind(), ErrorClass.ERR_RANK);
        }
    }

    public static void stubsOfErrorHandlersAreTakenAgain(Comm world) {
        Watch watch = new Watch();
        CommHandle comm = Communicators.commDup(CommHandle.SELF);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sent = arena.allocate(4, 4);
            MemorySegment received = arena.allocate(4, 4);
            for (int i = 0; i < ROUNDS; i++) {
                AtomicInteger count = watch.next(i, world);
                ErrhandlerHandle handler = counting(count);
                Environment.commSetErrhandler(comm, handler);
                Environment.errhandlerFree(handler);
                ErrhandlerHandle told = Environment.commGetErrhandler(comm);
                CommHandle copied = i % 10 == 0 ? Communicators.commDup(comm) : null;
                Environment.commSetErrhandler(comm, ErrhandlerHandle.ERRORS_RETURN);
                if (copied != null) {
                    causeErrorOn(copied);
                    Check.equal(count.get(), 1);
                    RequestHandle request = PointToPoint.irecv(received, 1, DatatypeHandle.INT, 0, 1, copied);
                    sent.set(ValueLayout.JAVA_INT, 0, i);
                    PointToPoint.send(sent, 1, DatatypeHandle.INT, 0, 1, copied);
                    Communicators.commFree(copied);
                    PointToPoint.wait(request, null);
                    Check.equal(received.get(ValueLayout.JAVA_INT, 0), i);
                }
                Environment.errhandlerFree(told);
            }
        }
        Communicators.commFree(comm);
        watch.end(1);
    }

    public static void windowsAndFilesKeepTheStubsOfTheirErrorHandlers(Comm world) {
        if (world.size() == 1) {
            return; // Open MPI 4.1 makes no window of one process, in C too
        }
        Watch watch = new Watch();
        WinHandle win = OneSided.winAllocate(8, 8, InfoHandle.NULL, world.handle()).win();
        for (int i = 0; i < ALWAYS; i++) {
            AtomicInteger ofWindow = watch.next(2 * i, world);
            AtomicInteger ofFiles = watch.next(2 * i + 1, world);
            ErrhandlerHandle handler = Environment.winCreateErrhandler((failed, code) -> ofWindow.incrementAndGet());
            Environment.winSetErrhandler(win, handler);
            Environment.errhandlerFree(handler);
            ErrhandlerHandle another = Environment.fileCreateErrhandler((failed, code) -> ofFiles.incrementAndGet());
            Environment.fileSetErrhandler(FileHandle.NULL, another);
            Environment.errhandlerFree(another);
            if (i % 500 == 0) {
                Environment.winCallErrhandler(win, MpiConstants.ERR_OTHER);
                Check.equal(ofWindow.get(), 1);
                try {
                    InputOutput.fileOpen(CommHandle.SELF, "/nowhere/at/all", MpiConstants.MODE_RDONLY, InfoHandle.NULL);
                } catch (MpiException e) {
                    Check.isTrue(e.code() != 0, "no code"); // some library takes it for handled
                }
                Check.equal(ofFiles.get(), 1);
            }
        }
        Environment.fileSetErrhandler(FileHandle.NULL, ErrhandlerHandle.ERRORS_RETURN);
        OneSided.winFree(win);
        watch.end(4);
    }

    public static void objectsKeepTheStubsOfErrorHandlersThatAreFreed(Comm world) {
        Watch watch = new Watch();
        CommHandle comm = Communicators.commDup(CommHandle.SELF);
        AtomicInteger count = watch.next(0, world);
        ErrhandlerHandle handler = counting(count);
        Environment.commSetErrhandler(comm, handler);
        Environment.errhandlerFree(handler);
        takeStubsOfErrorHandlers();
        causeErrorOn(comm);
        Check.equal(count.get(), 1);

        // Nor is it free when another one has it.
        CommHandle copied = Communicators.commDup(comm);
        ErrhandlerHandle told = Environment.commGetErrhandler(copied);
        Communicators.commFree(comm);
        takeStubsOfErrorHandlers();
        causeErrorOn(copied);
        Check.equal(count.get(), 2);
        Communicators.commFree(copied);
        takeStubsOfErrorHandlers();
        Environment.commSetErrhandler(CommHandle.SELF, told); // the handle that MPI told of
        Environment.errhandlerFree(told);
        takeStubsOfErrorHandlers();
        causeErrorOn(CommHandle.SELF);
        Check.equal(count.get(), 3);
        Check.equal(Stubs.lent(), watch.lent + 1);
        Environment.commSetErrhandler(CommHandle.SELF, ErrhandlerHandle.ERRORS_RETURN);
        Check.equal(Stubs.lent(), watch.lent);
    }

    /** A request calls the error handler of its communicator even if nobody has that any more. */
    public static void requestsKeepTheStubsOfErrorHandlers(Comm world) {
        for (boolean late : new boolean[] {false, true}) {
            Watch watch = new Watch();
            CommHandle comm = Communicators.commDup(CommHandle.SELF);
            AtomicInteger count = watch.next(0, world);
            ErrhandlerHandle handler = counting(count);
            if (!late) {
                Environment.commSetErrhandler(comm, handler);
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment values = arena.allocate(12, 4);
                RequestHandle request = PointToPoint.irecv(values.asSlice(0, 4), 1, DatatypeHandle.INT, 0, 1, comm);
                if (late) {
                    Environment.commSetErrhandler(comm, handler);
                }
                PointToPoint.send(values.asSlice(4, 8), 2, DatatypeHandle.INT, 0, 1, comm);
                Environment.errhandlerFree(handler);
                Communicators.commFree(comm);
                Check.equal(Stubs.lent(), watch.lent + 1);
                takeStubsOfErrorHandlers();
                try {
                    PointToPoint.wait(request, null);
                } catch (MpiException e) {
                    Check.equal(e.kind(), ErrorClass.ERR_TRUNCATE);
                }
                Check.equal(Stubs.lent(), watch.lent + (late ? 1 : 0)); // nobody knows whose it was
                Check.isTrue(count.get() <= 1, "errors"); // some libraries call nothing where the communicator is gone
            }
        }
    }

    public static void stubsOfKeysAreTakenAgainWithTheLastAttribute(Comm world) {
        Watch watch = new Watch();
        CommHandle comm = Communicators.commDup(CommHandle.SELF);
        for (int i = 0; i < ROUNDS; i++) {
            AtomicInteger deleted = watch.next(i, world);
            int round = i;
            int[] keyval = {Caching.commCreateKeyval(i % 7 == 0 ? Functions.COMM_DUP_FN : (old, key, in, out, flag) -> {
                out.set(ValueLayout.JAVA_LONG, 0, in.address());
                flag.set(ValueLayout.JAVA_INT, 0, round % 2 == 0 && deleted.get() >= 0 ? 1 : 0);
            }, i % 3 == 0 && i % 7 != 0 ? Functions.COMM_NULL_DELETE_FN : (of, key, value) -> deleted.incrementAndGet())};
            int deletions = setAndDelete(comm, keyval, i);
            Check.equal(deleted.get(), i % 3 == 0 && i % 7 != 0 ? 0 : deletions);
        }
        Communicators.commFree(comm);
        watch.end(3); // ours for those without a delete function is one
    }

    /** How many attributes were deleted. Every tenth time they live longer than their key. */
    private static int setAndDelete(CommHandle comm, int[] keyval, int i) {
        for (int value = 0; value < 2; value++) { // the second one takes the place of the first
            Caching.commSetAttr(comm, keyval[0], MemorySegment.ofAddress(value));
        }
        if (i % 10 > 1) {
            Caching.commDeleteAttr(comm, keyval[0]);
            Caching.commFreeKeyval(keyval);
            return 2;
        }
        int before = Stubs.lent();
        CommHandle copied = Communicators.commDup(comm);
        Caching.commDeleteAttr(comm, keyval[0]);
        Caching.commFreeKeyval(keyval);
        boolean copies = i % 2 == 0 || i % 7 == 0;
        Check.isTrue(Stubs.lent() == before == copies, "stubs of a key that was freed");
        if (!copies) {
            Communicators.commFree(copied);
            return 2;
        }
        CommHandle again = Communicators.commDup(copied);
        Communicators.commFree(copied);
        Check.equal(Stubs.lent(), before);
        Communicators.commFree(again);
        return 4;
    }

    public static void stubsOfGeneralizedRequestsAreTakenAgain(Comm world) {
        Watch watch = new Watch();
        for (int i = 0; i < ROUNDS; i++) {
            AtomicInteger freed = watch.next(i, world);
            RequestHandle request = Generalized.grequestStart(status ->
                    Generalized.statusSetElements(status, DatatypeHandle.INT, freed.get()),
                    freed::incrementAndGet, complete -> freed.addAndGet(1000));
            Generalized.grequestComplete(request);
            if (i % 4 == 0) {
                PointToPoint.requestFree(request);
            } else {
                PointToPoint.wait(request, null);
            }
            Check.equal(freed.get(), 1);
        }
        watch.end(3);
    }
}

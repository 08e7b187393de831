package dev.mpiglot.low;

import dev.mpiglot.mpi.CallbackException;
import dev.mpiglot.mpi.Check;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.MpiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntBinaryOperator;

/** Java code that MPI calls. */
public final class CallbackTests {

    private CallbackTests() {
    }

    /** How many milliseconds a thread may take to ask a few questions. */
    private static final int PATIENCE = 20_000;

    /** After how many callbacks memory is collected. */
    private static final int COLLECT = 250;

    /** How many of each kind are freed while MPI still uses them: thousands in all where the tests always run. */
    private static int many(Comm world) {
        return world.size() == 2 ? 1000 : 250;
    }

    /** Collects what nothing holds any more, and puts other things in its place. */
    private static void disturb(int i) {
        if (i % COLLECT == COLLECT - 1) {
            System.gc();
            byte[][] others = new byte[256][];
            for (int k = 0; k < others.length; k++) {
                others[k] = new byte[4096];
            }
            Check.equal(others[COLLECT % others.length][0], (byte) 0);
        }
    }

    public static void operationsThatWereFreedStillRunTheirOwnCode(Comm world) {
        int operations = many(world);
        try (Arena arena = Arena.ofConfined()) {
            RequestHandle[] requests = new RequestHandle[operations];
            MemorySegment values = arena.allocate(4L * operations, 8);
            for (int i = 0; i < operations; i++) {
                int own = i;
                values.setAtIndex(ValueLayout.JAVA_INT, i, 1);
                OpHandle op = Collectives.opCreate((in, inout, count, type) -> inout.set(ValueLayout.JAVA_INT, 0,
                        inout.get(ValueLayout.JAVA_INT, 0) + in.get(ValueLayout.JAVA_INT, 0) + own), true);
                requests[i] = Collectives.iallreduce(MpiConstants.IN_PLACE, values.asSlice(4L * i, 4), 1,
                        DatatypeHandle.INT, op, world.handle());
                Collectives.opFree(op);
                disturb(i);
            }
            PointToPoint.waitall(requests, null);
            for (int i = 0; i < operations; i++) {
                Check.equal(values.getAtIndex(ValueLayout.JAVA_INT, i), world.size() + (world.size() - 1) * i);
            }
        }
    }

    public static void whatAnOperationThrowsMeanwhileIsToldOnCompletion(Comm world) {
        int before = KeptHandle.pendingCount();
        OpHandle broken = Collectives.opCreate((in, inout, count, type) -> {
            throw new IllegalStateException("not now");
        }, true);
        int told = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(4);
            RequestHandle request =
                    Collectives.iallreduce(MpiConstants.IN_PLACE, value, 1, DatatypeHandle.INT, broken, world.handle());
            try {
                PointToPoint.wait(request, null);
            } catch (CallbackException e) {
                Check.equal(e.getCause().getMessage(), "not now");
                told = 1;
            }
            Check.equal(request.handle(), RequestHandle.NULL.handle());
            value.set(ValueLayout.JAVA_INT, 0, told);
            Collectives.allreduce(MpiConstants.IN_PLACE, value, 1, DatatypeHandle.INT, OpHandle.SUM, world.handle());
            Check.isTrue(world.size() == 1 || value.get(ValueLayout.JAVA_INT, 0) > 0, "nobody was told");
        }
        Check.equal(KeptHandle.pendingCount(), before);
        Collectives.opFree(broken);
    }

    public static void aFunctionThatIsAnOperationAgainUsesNoFurtherMemoryForCode(Comm world) {
        int factor = world.size();
        IntBinaryOperator operator = (a, b) -> Math.max(a, b) + 0 * factor;
        int before = Stubs.lent();
        dev.mpiglot.mpi.Op.ofInts(true, operator).close();
        Check.equal(Stubs.lent(), before);
        dev.mpiglot.mpi.Op<?> one = dev.mpiglot.mpi.Op.ofInts(true, operator);
        for (int i = 0; i < 10_000; i++) {
            dev.mpiglot.mpi.Op.ofInts(true, operator).close();
        }
        Check.equal(Stubs.lent(), before + 1);
        one.close();
        Check.equal(Stubs.lent(), before);
    }

    /** Else asking them the short way would end in a deadlock: the callback's thread could not enter Java. */
    public static void questionsWaitForNoLockThatIsHeldWhileACallbackRuns(Comm world) {
        if (Generalized.queryThread() != MpiConstants.THREAD_MULTIPLE
                || Library.load().table().startsWith("mpich-3.")) {
            return;
        }
        AtomicInteger answered = new AtomicInteger();
        OpHandle op = Collectives.opCreate((in, inout, count, type) -> answered.addAndGet(answers()), true);
        CommHandle comm = Communicators.commDup(world.handle());
        ErrhandlerHandle handler = Environment.commCreateErrhandler((failed, code) -> answered.addAndGet(answers()));
        Environment.commSetErrhandler(comm, handler);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment two = arena.allocate(8, 4);
            Collectives.reduceLocal(two.asSlice(0, 4), two.asSlice(4, 4), 1, DatatypeHandle.INT, op);
            Check.equal(answered.get(), 1);
            Check.isTrue(Call.asking, "the short way is closed");
            try {
                PointToPoint.send(two, 1, DatatypeHandle.INT, world.size(), 0, comm);
            } catch (MpiException e) {
                Check.equal(e.kind(), ErrorClass.ERR_RANK);
            }
            Check.equal(answered.get(), 2);
        }
        Environment.errhandlerFree(handler);
        Communicators.commFree(comm);
        Collectives.opFree(op);
    }

    private static int answers() {
        Thread other = new Thread(() -> {
            StatusValue status = new StatusValue();
            Communicators.commRank(CommHandle.WORLD);
            Communicators.commSize(CommHandle.SELF);
            Communicators.commTestInter(CommHandle.WORLD);
            Datatypes.typeSize(DatatypeHandle.INT);
            Datatypes.getCount(status, DatatypeHandle.INT);
            Datatypes.getElements(status, DatatypeHandle.INT);
        });
        other.start();
        try {
            other.join(PATIENCE);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return other.isAlive() ? 1000 : 1;
    }

    public static void anErrorHandlerOfTheProgramIsTold(Comm world) {
        CommHandle comm = Communicators.commDup(world.handle());
        AtomicInteger told = new AtomicInteger();
        ErrhandlerHandle handler = Environment.commCreateErrhandler((failed, code) -> {
            told.addAndGet(Environment.errorClass(code) == MpiConstants.ERR_RANK ? 1 : 1000);
        });
        Environment.commSetErrhandler(comm, handler);
        Environment.errhandlerFree(handler);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(4);
            PointToPoint.send(buffer, 1, DatatypeHandle.INT, 9999, 0, comm);
        } catch (MpiException e) { // whether the call fails after the handler returned is up to the MPI
            Check.equal(e.kind(), ErrorClass.ERR_RANK);
        }
        Check.equal(told.get(), 1);
        Communicators.commFree(comm);
    }

    public static void attributesAreCopiedAndDeletedByJavaCode(Comm world) {
        AtomicInteger copied = new AtomicInteger();
        AtomicInteger deleted = new AtomicInteger();
        int keyval = Caching.commCreateKeyval((old, key, in, out, flag) -> {
            copied.incrementAndGet();
            out.set(ValueLayout.JAVA_LONG, 0, in.address() + 1);
            flag.set(ValueLayout.JAVA_INT, 0, 1);
        }, (comm, key, value) -> deleted.addAndGet((int) value.address()));
        CommHandle first = Communicators.commDup(world.handle());
        Caching.commSetAttr(first, keyval, MemorySegment.ofAddress(40));
        CommHandle second = Communicators.commDup(first);
        Check.equal(copied.get(), 1);
        Check.equal(Caching.commGetAttr(second, keyval).orElseThrow().address(), 41L);
        Communicators.commFree(second);
        Check.equal(deleted.get(), 41);
        Caching.commFreeKeyval(new int[] {keyval});
        Communicators.commFree(first);
        Check.equal(deleted.get(), 81);
    }

    public static void errorHandlersThatWereFreedAreStillTold(Comm world) {
        int many = many(world);
        CommHandle comm = Communicators.commDup(CommHandle.SELF);
        long[] sum = new long[1];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(4);
            for (int i = 0; i < many; i++) {
                int own = i;
                ErrhandlerHandle handler = Environment.commCreateErrhandler((failed, code) -> sum[0] += own);
                Environment.commSetErrhandler(comm, handler);
                Environment.errhandlerFree(handler);
                disturb(i);
                try {
                    PointToPoint.send(buffer, 1, DatatypeHandle.INT, 9999, 0, comm);
                } catch (MpiException e) { // whether the call fails after the handler returned is up to the MPI
                    Check.equal(e.kind(), ErrorClass.ERR_RANK);
                }
            }
        }
        Check.equal(sum[0], many * (many - 1L) / 2);
        Environment.commSetErrhandler(comm, ErrhandlerHandle.ERRORS_RETURN);
        Communicators.commFree(comm);
    }

    public static void attributesWhoseKeyWasFreedRunTheirOwnCode(Comm world) {
        int many = many(world);
        CommHandle first = Communicators.commDup(CommHandle.SELF);
        int[] deleted = new int[many];
        int[] copied = new int[many];
        for (int i = 0; i < many; i++) {
            int own = i;
            int keyval = Caching.commCreateKeyval((old, key, in, out, flag) -> {
                copied[own] += (int) in.address();
                out.set(ValueLayout.JAVA_LONG, 0, in.address() + own);
                flag.set(ValueLayout.JAVA_INT, 0, own % 2);
            }, (comm, key, value) -> deleted[own] += (int) value.address());
            Caching.commSetAttr(first, keyval, MemorySegment.ofAddress(7 + i));
            Caching.commFreeKeyval(new int[] {keyval});
            disturb(i);
        }
        CommHandle second = Communicators.commDup(first);
        disturb(COLLECT - 1);
        Communicators.commFree(second);
        Communicators.commFree(first);
        for (int i = 0; i < many; i++) {
            Check.equal(copied[i], 7 + i);
            Check.equal(deleted[i], 7 + i + i % 2 * (7 + 2 * i));
        }
    }

    public static void manyKeysOfTheProgramAreNotTakenForThoseOfMpi(Comm world) {
        CommHandle comm = Communicators.commDup(CommHandle.SELF);
        int[] keys = new int[MpiConstants.WIN_MODEL + 100]; // some libraries count up from one
        for (int i = 0; i < keys.length; i++) {
            keys[i] = Caching.commCreateKeyval(Functions.COMM_NULL_COPY_FN, Functions.COMM_NULL_DELETE_FN);
            Caching.commSetAttr(comm, keys[i], MemorySegment.ofAddress(i + 1));
        }
        for (int i = 0; i < keys.length; i++) {
            Check.equal(Caching.commGetAttr(comm, keys[i]).orElseThrow().address(), (long) i + 1);
            Caching.commFreeKeyval(new int[] {keys[i]});
        }
        Communicators.commFree(comm);
    }

    public static void whatACopyFunctionThrowsComesOutOfTheDuplication(Comm world) {
        CommHandle comm = Communicators.commDup(CommHandle.SELF);
        int keyval = Caching.commCreateKeyval((old, key, in, out, flag) -> {
            throw new IllegalStateException("not this one");
        }, Functions.COMM_NULL_DELETE_FN);
        Caching.commSetAttr(comm, keyval, MemorySegment.ofAddress(1));
        CallbackException e = Check.fails(CallbackException.class, () -> Communicators.commDup(comm));
        Check.equal(e.getCause().getMessage(), "not this one");
        Caching.commDeleteAttr(comm, keyval);
        Communicators.commFree(comm);
    }

    public static void predefinedCopyFunctionsArePassedAsTheyAre(Comm world) {
        CommHandle comm = Communicators.commDup(CommHandle.SELF);
        int copying = Caching.commCreateKeyval(Functions.COMM_DUP_FN, Functions.COMM_NULL_DELETE_FN);
        int losing = Caching.commCreateKeyval(Functions.COMM_NULL_COPY_FN, Functions.COMM_NULL_DELETE_FN);
        Caching.commSetAttr(comm, copying, MemorySegment.ofAddress(7));
        Caching.commSetAttr(comm, losing, MemorySegment.ofAddress(8));
        CommHandle copy = Communicators.commDup(comm);
        Check.equal(Caching.commGetAttr(copy, copying).orElseThrow().address(), 7L);
        Check.isTrue(Caching.commGetAttr(copy, losing).isEmpty(), "the attribute was copied");
        Communicators.commFree(copy);
        Communicators.commFree(comm);
    }

    public static void aGeneralizedRequestAsksJavaCode(Comm world) {
        AtomicInteger freed = new AtomicInteger();
        RequestHandle request = Generalized.grequestStart(status -> {
            Generalized.statusSetElements(status, DatatypeHandle.INT, 5);
            Generalized.statusSetCancelled(status, false);
        }, freed::incrementAndGet, complete -> { });
        Generalized.grequestComplete(request);
        StatusValue status = new StatusValue();
        PointToPoint.wait(request, status);
        Check.equal(Datatypes.getCount(status, DatatypeHandle.INT), 5L);
        Check.equal(freed.get(), 1);
    }

    public static void generalizedRequestsThatAreForgottenRunTheirOwnCode(Comm world) {
        int many = many(world);
        int[] freed = new int[many];
        RequestHandle[] requests = new RequestHandle[many];
        for (int i = 0; i < many; i++) {
            int own = i;
            requests[i] = Generalized.grequestStart(status -> {
                Generalized.statusSetElements(status, DatatypeHandle.INT, own);
                Generalized.statusSetCancelled(status, false);
            }, () -> freed[own]++, complete -> { });
            disturb(i);
        }
        for (int i = 0; i < many; i++) {
            Generalized.grequestComplete(requests[i]);
            if (i % 4 == 0) { // nobody waits for it
                PointToPoint.requestFree(requests[i]);
                Check.equal(freed[i], 1);
            }
            disturb(i);
        }
        StatusValue status = new StatusValue();
        for (int i = 0; i < many; i++) {
            if (i % 4 != 0) {
                PointToPoint.wait(requests[i], status);
                Check.equal(Datatypes.getCount(status, DatatypeHandle.INT), (long) i);
            }
            Check.equal(freed[i], 1);
        }
    }

    public static void anAsynchronousTaskRunsUntilItSaysThatItIsDone(Comm world) {
        if (!Library.load().has("MPIX_Async_start")) {
            return;
        }
        AtomicInteger asked = new AtomicInteger();
        Extensions.asyncStart(thing -> asked.incrementAndGet() == 3, StreamHandle.NULL);
        for (int i = 0; i < 10_000 && asked.get() < 3; i++) {
            PointToPoint.iprobe(MpiConstants.ANY_SOURCE, 12345, world.handle(), null);
        }
        for (int i = 0; i < 100; i++) {
            PointToPoint.iprobe(MpiConstants.ANY_SOURCE, 12345, world.handle(), null);
        }
        Check.equal(asked.get(), 3);
    }
}

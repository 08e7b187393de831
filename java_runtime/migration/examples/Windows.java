import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.List;
import mpi.Group;
import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Win;

/** Processes read and write the memory of each other. */
class Windows extends Checked {

    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private static int rank;
    private static int size;
    private static int next;
    private static int previous;

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        rank = WORLD.getRank();
        size = WORLD.getSize();
        next = (rank + 1) % size;
        previous = (rank + size - 1) % size;
        about();
        fences();
        groups();
        locks();
        afterOthers();
        other();
        mistakes();
        if (rank == 0) {
            System.out.println("windows: " + size);
        }
        MPI.Finalize();
    }

    private static IntBuffer ints(int... values) {
        return MPI.newIntBuffer(values.length).put(0, values);
    }

    private static Win window(IntBuffer memory) throws MPIException {
        return new Win(memory, memory.capacity(), 1, MPI.INFO_NULL, WORLD);
    }

    private static void about() throws MPIException {
        Win win = window(ints(0, 0));
        require(win.getGroup().getSize() == size, "getGroup");
        require(win.getAttr(MPI.WIN_SIZE).equals(8) && win.getAttr(MPI.WIN_DISP_UNIT).equals(4), "attributes of MPI");
        require((long) win.getAttr(MPI.WIN_BASE) != 0, "WIN_BASE");
        int key = Win.createKeyval();
        win.setAttr(key, List.of(1, 2));
        require(List.of(1, 2).equals(win.getAttr(key)), "getAttr");
        win.deleteAttr(key);
        require(win.getAttr(key) == null, "deleteAttr");
        Win.freeKeyval(key);
        win.setName("memory");
        require("memory".equals(win.getName()), "getName");
        Info info = new Info();
        win.setInfo(info);
        require(win.getInfo().size() >= 0, "getInfo");
        info.free();
        win.setErrhandler(MPI.ERRORS_RETURN);
        win.setErrhandler(win.getErrhandler());
        win.callErrhandler(MPI.ERR_WIN);
        win.free();
    }

    private static void fences() throws MPIException {
        IntBuffer memory = ints(rank, 0, 5);
        Win win = window(memory);
        IntBuffer got = MPI.newIntBuffer(1);
        win.fence(0);
        win.put(ints(100 + rank), 1, MPI.INT, next, 1, 1, MPI.INT);
        win.get(got, 1, MPI.INT, next, 0, 1, MPI.INT);
        win.accumulate(ints(rank), 1, MPI.INT, next, 2, 1, MPI.INT, MPI.SUM);
        win.fence(0);
        require(memory.get(1) == 100 + previous && got.get(0) == next, "put, get");
        require(memory.get(2) == 5 + previous, "accumulate");
        win.free();
    }

    private static void groups() throws MPIException {
        IntBuffer memory = ints(0);
        Win win = window(memory);
        Group to = WORLD.getGroup().incl(new int[] {next});
        Group from = WORLD.getGroup().incl(new int[] {previous});
        win.post(from, 0);
        win.start(to, 0);
        win.put(ints(7 + rank), 1, MPI.INT, next, 0, 1, MPI.INT);
        win.complete();
        win.waitFor();
        require(memory.get(0) == 7 + previous, "waitFor");
        WORLD.barrier();
        win.post(from, 0);
        win.start(to, 0);
        win.put(ints(8 + rank), 1, MPI.INT, next, 0, 1, MPI.INT);
        win.complete();
        while (!win.test()) {
            Thread.onSpinWait();
        }
        require(memory.get(0) == 8 + previous, "test");
        win.free();
    }

    private static void locks() throws MPIException {
        IntBuffer memory = ints(rank, 50, 0);
        Win win = window(memory);
        IntBuffer got = MPI.newIntBuffer(1);
        win.lock(MPI.LOCK_SHARED, next, 0);
        win.get(got, 1, MPI.INT, next, 0, 1, MPI.INT);
        win.unlock(next);
        require(got.get(0) == next, "lock");
        WORLD.barrier();
        win.lockAll(0);
        win.fetchAndOp(ints(1), got, MPI.INT, 0, 2, MPI.SUM);
        win.flush(0);
        require(got.get(0) >= 0 && got.get(0) < size, "fetchAndOp");
        win.compareAndSwap(ints(60 + rank), ints(50), got, MPI.INT, next, 1);
        win.flushAll();
        require(got.get(0) == 50, "compareAndSwap");
        win.getAccumulate(ints(1), 1, MPI.INT, got, 1, MPI.INT, next, 1, 1, MPI.INT, MPI.SUM);
        win.flushLocal(next);
        win.flushLocalAll();
        win.flush(next);
        require(got.get(0) == 60 + rank, "getAccumulate");
        IntBuffer one = ints(70 + rank);
        Request begun = win.rPut(one, 1, MPI.INT, next, 1, 1, MPI.INT);
        begun.waitFor();
        win.flush(next);
        win.rGet(got, 1, MPI.INT, next, 1, 1, MPI.INT).waitFor();
        require(got.get(0) == 70 + rank, "rGet");
        win.rAccumulate(one, 1, MPI.INT, next, 1, 1, MPI.INT, MPI.REPLACE).waitFor();
        win.flush(next);
        win.rGetAccumulate(one, 1, MPI.INT, got, 1, MPI.INT, next, 1, 1, MPI.INT, MPI.NO_OP).waitFor();
        require(got.get(0) == 70 + rank, "rGetAccumulate");
        win.unlockAll();
        WORLD.barrier();
        win.lock(MPI.LOCK_EXCLUSIVE, rank, 0);
        win.sync();
        require(memory.get(1) == 70 + previous && (rank > 0 || memory.get(2) == size), "the end");
        win.unlock(rank);
        win.free();
    }

    /** Where a test of a request crashes in Intel MPI: requests-after-persistent-collectives. */
    private static void afterOthers() throws MPIException {
        if (!Library.load().has("MPI_Barrier_init")) {
            return;
        }
        for (int round = 0; round < 20; round++) {
            RequestHandle[] used = {Collectives.barrierInit(CommHandle.WORLD, InfoHandle.NULL),
                Collectives.barrierInit(CommHandle.WORLD, InfoHandle.NULL)};
            for (RequestHandle one : used) {
                PointToPoint.start(one);
                PointToPoint.wait(one, null);
            }
            for (RequestHandle one : used) {
                PointToPoint.requestFree(one);
            }
        }
        Win win = window(ints(5, 0, 0, 0));
        IntBuffer got = MPI.newIntBuffer(1);
        IntBuffer two = ints(2);
        for (int round = 0; round < 5; round++) {
            win.lockAll(0);
            win.rGet(got, 1, MPI.INT, next, 0, 1, MPI.INT).waitFor();
            Request[] some = {win.rPut(two, 1, MPI.INT, next, 1, 1, MPI.INT), win.rPut(two, 1, MPI.INT, next, 2, 1, MPI.INT)};
            Request.waitAny(some);
            Request.waitAll(some);
            Request last = win.rPut(two, 1, MPI.INT, next, 3, 1, MPI.INT);
            while (!last.test()) {
                Thread.onSpinWait();
            }
            win.rAccumulate(two, 1, MPI.INT, next, 3, 1, MPI.INT, MPI.SUM).waitStatus();
            win.unlockAll();
            require(got.get(0) == 5 && last.isNull(), "requests of a window");
            WORLD.barrier();
        }
        win.free();
    }

    private static void other() throws MPIException {
        ByteBuffer address = MPI.newByteBuffer(8);
        for (int flavor : new int[] {Win.FLAVOR_PRIVATE, Win.FLAVOR_SHARED}) {
            Win win = new Win(16, 4, MPI.INFO_NULL, WORLD, address.putLong(0, 0), flavor);
            require(address.getLong(0) != 0, "the address of memory of MPI");
            win.fence(0);
            win.put(ints(rank), 1, MPI.INT, next, 2, 1, MPI.INT);
            win.fence(0);
            IntBuffer got = MPI.newIntBuffer(1);
            win.get(got, 1, MPI.INT, rank, 2, 1, MPI.INT);
            win.fence(0);
            require(got.get(0) == previous, "memory of MPI");
            win.free();
        }
        Win dynamic = new Win(MPI.INFO_NULL, WORLD);
        IntBuffer memory = ints(1, 2);
        dynamic.attach(memory, 2);
        WORLD.barrier();
        dynamic.detach(memory);
        dynamic.free();
    }

    private static void mistakes() throws MPIException {
        Win win = window(ints(1));
        IntBuffer one = ints(1);
        Requests.refused(() -> new Win(IntBuffer.allocate(1), 1, 1, MPI.INFO_NULL, WORLD));
        Requests.refused(() -> new Win(ints(1), 2, 1, MPI.INFO_NULL, WORLD));
        Requests.refused(() -> new Win(ints(1), -1, 1, MPI.INFO_NULL, WORLD));
        Requests.refused(() -> new Win(null, 1, 1, MPI.INFO_NULL, WORLD));
        Requests.refused(() -> new Win(ints(1), 1, 1, null, WORLD));
        Requests.refused(() -> win.put(null, 1, MPI.INT, 0, 0, 1, MPI.INT));
        Requests.refused(() -> win.put(one, 2, MPI.INT, 0, 0, 1, MPI.INT));
        Requests.refused(() -> win.put(one, 1, MPI.INT, 0, -1, 1, MPI.INT));
        Requests.refused(() -> win.put(one, 1, MPI.INT, 0, 0, -1, MPI.INT));
        Requests.refused(() -> win.accumulate(one, 1, MPI.INT, 0, 0, 1, MPI.INT, null));
        Requests.refused(() -> win.start(null, 0));
        Requests.refused(() -> win.setName(null));
        win.free();
        Requests.refused(() -> win.fence(0));
        WORLD.barrier();
    }
}

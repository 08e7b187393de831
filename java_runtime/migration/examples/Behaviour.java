import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.Datatype;
import mpi.File;
import mpi.GraphComm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Prequest;
import mpi.Request;
import mpi.Win;

/** What programs for Open MPI's Java count on and no signature says. */
class Behaviour extends Checked {

    private static final Intracomm WORLD = MPI.COMM_WORLD;

    public static void main(String[] args) throws MPIException, IOException {
        MPI.Init(args);
        messages();
        collectives();
        places();
        others();
        kept();
        before();
        graphs();
        emptyWindows();
        nothingRead();
        codes();
        if (WORLD.getRank() == 0) {
            System.out.println("behaviour: " + WORLD.getSize());
        }
        MPI.Finalize();
    }

    /** A request that is complete is null: it can be freed, asked and awaited any number of times. */
    private static void complete(String what, Request... requests) throws MPIException {
        for (int i = 0; i < requests.length; i++) {
            Request one = requests[i];
            if (i % 2 == 0) {
                one.waitFor();
            } else {
                while (!one.test()) {
                    Thread.onSpinWait();
                }
            }
            require(one.isNull(), what + ": is null after its end");
            one.free();
            one.free();
            require(one.isNull() && one.test() && one.testStatus() != null, what + ": stays null");
            one.waitFor();
            one.waitStatus();
        }
        Request.waitAll(requests);
        require(Request.testAll(requests) && Request.waitAny(requests) == MPI.UNDEFINED, what + ": all are null");
        require(Request.waitSome(requests) == null, what + ": there is none of some");
    }

    private static void messages() throws MPIException {
        int size = WORLD.getSize();
        int next = (WORLD.getRank() + 1) % size;
        int previous = (WORLD.getRank() + size - 1) % size;
        IntBuffer sent = MPI.newIntBuffer(1).put(0, WORLD.getRank());
        IntBuffer came = MPI.newIntBuffer(4);
        complete("messages", WORLD.iRecv(MPI.slice(came, 0), 1, MPI.INT, previous, 0),
                WORLD.iRecv(MPI.slice(came, 1), 1, MPI.INT, previous, 1), WORLD.iSend(sent, 1, MPI.INT, next, 0),
                WORLD.isSend(sent, 1, MPI.INT, next, 1));
        require(came.get(0) == previous && came.get(1) == previous, "what the messages had");
        Request begun = WORLD.iSend(sent, 1, MPI.INT, next, 2);
        Message found = new Message();
        found.mProbe(previous, 2, WORLD);
        complete("a message that was found", found.imRecv(MPI.slice(came, 2), 1, MPI.INT), begun);
        require(came.get(2) == previous, "what the found message had");
        Request never = WORLD.iRecv(MPI.slice(came, 3), 1, MPI.INT, previous, 99);
        never.cancel();
        require(never.waitStatus().isCancelled() && never.isNull(), "a cancelled receive is complete");
        complete("a cancelled receive", never);
        Request.waitAll(new Request[0]);
    }

    private static void collectives() throws MPIException {
        int size = WORLD.getSize();
        int rank = WORLD.getRank();
        IntBuffer one = MPI.newIntBuffer(size).put(0, rank + 1);
        IntBuffer all = MPI.newIntBuffer(size);
        int[] ones = new int[size];
        int[] places = new int[size];
        Arrays.fill(ones, 1);
        Arrays.setAll(places, i -> i);
        complete("barrier", WORLD.iBarrier());
        complete("bcast", WORLD.iBcast(MPI.newIntBuffer(1), 1, MPI.INT, 0));
        complete("gather", WORLD.iGather(one, 1, MPI.INT, all, 1, MPI.INT, 0));
        complete("gatherv", WORLD.iGatherv(one, 1, MPI.INT, all, ones, places, MPI.INT, 0));
        complete("scatter", WORLD.iScatter(all, 1, MPI.INT, MPI.newIntBuffer(1), 1, MPI.INT, 0));
        complete("allGather", WORLD.iAllGather(one, 1, MPI.INT, all, 1, MPI.INT));
        require(all.get(size - 1) == size, "what allGather brought");
        complete("allToAll", WORLD.iAllToAll(one, 1, MPI.INT, all, 1, MPI.INT));
        complete("reduce", WORLD.iReduce(one, all, 1, MPI.INT, MPI.SUM, 0));
        complete("scan", WORLD.iScan(one, all, 1, MPI.INT, MPI.SUM));
        complete("exScan", WORLD.iExScan(one, all, 1, MPI.INT, MPI.SUM));
        complete("allReduce", WORLD.iAllReduce(one, all, 1, MPI.INT, MPI.SUM));
        int sum = size * (size + 1) / 2;
        require(all.get(0) == sum, "what allReduce combined");
        for (int i = 0; i < size; i++) {
            one.put(i, rank + i);
        }
        IntBuffer part = MPI.newIntBuffer(1);
        complete("reduceScatter", WORLD.iReduceScatter(one, part, ones, MPI.INT, MPI.SUM));
        require(part.get(0) == sum - size + size * rank, "the part of reduceScatter");
        complete("reduceScatterBlock", WORLD.iReduceScatterBlock(one, part, 1, MPI.INT, MPI.SUM));
        require(part.get(0) == sum - size + size * rank, "the part of reduceScatterBlock");
        Intracomm copy = WORLD.iDup();
        Request made = copy.getRequest();
        complete("iDup", made);
        copy.free();
    }

    /** Long reductions in place, of arrays and of direct buffers, at all roots. */
    private static void places() throws MPIException {
        int size = WORLD.getSize();
        int rank = WORLD.getRank();
        int part = 30_000;
        for (int root = 0; root < size; root++) {
            int[] array = new int[part];
            Arrays.fill(array, rank + 1);
            IntBuffer direct = MPI.newIntBuffer(part).put(0, array);
            WORLD.reduce(array, part, MPI.INT, MPI.SUM, root);
            WORLD.reduce(direct, part, MPI.INT, MPI.SUM, root);
            int expected = rank == root ? size * (size + 1) / 2 : rank + 1;
            for (int i = 0; i < part; i += part - 1) {
                require(array[i] == expected && direct.get(i) == expected, "reduce in place at root " + root);
            }
        }
        int[] parts = new int[size];
        Arrays.setAll(parts, i -> part * (i + 1));
        int all = part * size * (size + 1) / 2;
        int[] array = new int[all];
        Arrays.setAll(array, i -> i + rank);
        IntBuffer direct = MPI.newIntBuffer(all).put(0, array);
        WORLD.reduceScatter(array, parts, MPI.INT, MPI.SUM);
        WORLD.reduceScatter(direct, parts, MPI.INT, MPI.SUM);
        int first = part * rank * (rank + 1) / 2;
        for (int i = 0; i < parts[rank]; i += parts[rank] - 1) {
            int expected = size * (first + i) + size * (size - 1) / 2;
            require(array[i] == expected && direct.get(i) == expected, "reduceScatter in place");
        }
    }

    private static void others() throws MPIException, IOException {
        IntBuffer memory = MPI.newIntBuffer(1).put(0, WORLD.getRank());
        Win win = new Win(memory, 1, 1, MPI.INFO_NULL, WORLD);
        IntBuffer mine = MPI.newIntBuffer(2);
        win.lockAll(0);
        complete("windows", win.rGet(mine, 1, MPI.INT, 0, 0, 1, MPI.INT),
                win.rAccumulate(MPI.slice(mine, 1), 1, MPI.INT, 0, 0, 1, MPI.INT, MPI.SUM));
        win.unlockAll();
        win.free();
        Path path = Files.createTempFile("behaviour", ".bin");
        File file = new File(MPI.COMM_SELF, path.toString(), MPI.MODE_RDWR | MPI.MODE_CREATE);
        complete("files", file.iWriteAt(0, mine, 2, MPI.INT), file.iReadAt(0, MPI.newIntBuffer(0), 0, MPI.INT));
        file.close();
        Files.delete(path);
    }

    /** A message that can be started again is null only when it was freed. */
    private static void kept() throws MPIException {
        int size = WORLD.getSize();
        int next = (WORLD.getRank() + 1) % size;
        int previous = (WORLD.getRank() + size - 1) % size;
        IntBuffer sent = MPI.newIntBuffer(1);
        IntBuffer came = MPI.newIntBuffer(1);
        Prequest[] both = {WORLD.recvInit(came, 1, MPI.INT, previous, 3), WORLD.sendInit(sent, 1, MPI.INT, next, 3)};
        for (int turn = 0; turn < 3; turn++) {
            sent.put(0, 10 * turn + WORLD.getRank());
            Prequest.startAll(both);
            Request.waitAll(both);
            require(came.get(0) == 10 * turn + previous, "a kept message");
            require(!both[0].isNull() && both[0].test(), "a kept message that is not started is complete and not null");
        }
        for (Prequest one : both) {
            one.free();
            require(one.isNull(), "a kept message is null after free");
            one.free();
            one.waitFor();
        }
    }

    /** Elements of a type with a negative stride lie before the begin of a slice. */
    private static void before() throws MPIException {
        int size = WORLD.getSize();
        int next = (WORLD.getRank() + 1) % size;
        int previous = (WORLD.getRank() + size - 1) % size;
        Datatype back = Datatype.createVector(3, 1, -2, MPI.INT);
        back.commit();
        int[] numbers = new int[10];
        int rank = WORLD.getRank();
        Arrays.setAll(numbers, i -> 100 * rank + i);
        int[] expected = {100 * previous + 6, 100 * previous + 4, 100 * previous + 2};
        int[] straight = new int[3];
        IntBuffer direct = MPI.newIntBuffer(10).put(0, numbers);
        IntBuffer viewed = direct.duplicate().position(6).slice();
        for (Buffer slice : List.of(MPI.slice(numbers, 6), MPI.slice(direct, 6), viewed)) {
            WORLD.sendRecv(slice, 1, back, next, 4, straight, 3, MPI.INT, previous, 4);
            require(Arrays.equals(straight, expected), "elements before a slice are sent");
        }
        int[] came = new int[10];
        WORLD.sendRecv(straight, 3, MPI.INT, next, 5, MPI.slice(came, 6), 1, back, previous, 5);
        int origin = 100 * ((previous + size - 1) % size);
        require(Arrays.equals(came, new int[] {0, 0, origin + 2, 0, origin + 4, 0, origin + 6, 0, 0, 0}),
                "elements before a slice are received, and no others");
        IntBuffer room = MPI.newIntBuffer(10);
        Request receive = WORLD.iRecv(MPI.slice(room, 6), 1, back, previous, 6);
        WORLD.send(straight, 3, MPI.INT, next, 6);
        complete("a receive before a slice", receive);
        require(room.get(2) == origin + 2 && room.get(6) == origin + 6, "elements before a direct slice");
        int[] given = WORLD.getRank() == 0 ? numbers : new int[10];
        WORLD.bcast(MPI.slice(given, 8), 1, back, 0);
        require(given[4] == 4 && given[6] == 6 && given[8] == 8, "elements before a slice are given to all");
        byte[] packed = new byte[WORLD.packSize(1, back)];
        WORLD.pack(MPI.slice(numbers, 6), 1, back, packed, 0);
        int[] unpacked = new int[5];
        WORLD.unpack(packed, 0, MPI.slice(unpacked, 4), 1, back);
        require(unpacked[0] == numbers[2] && unpacked[4] == numbers[6], "elements before a slice are packed");
        IntBuffer other = ByteBuffer.allocateDirect(40).order(ByteOrder.nativeOrder()).asIntBuffer();
        for (Object small : List.of(numbers, MPI.slice(numbers, 3), MPI.slice(direct, 3), MPI.slice(other, 8))) {
            refused("no room before the buffer", () -> WORLD.send(small, 1, back, MPI.PROC_NULL, 0));
        }
        back.free();
    }

    /** Arrays may be longer than the edges of a graph. */
    private static void graphs() throws MPIException {
        int size = WORLD.getSize();
        int rank = WORLD.getRank();
        int next = (rank + 1) % size;
        int previous = (rank + size - 1) % size;
        List<GraphComm> rings = new ArrayList<>();
        rings.add(WORLD.createDistGraphAdjacent(new int[] {previous}, new int[] {previous + 1, -1, -1},
                new int[] {next}, new int[] {rank + 1, -1}, MPI.INFO_NULL, false));
        rings.add(WORLD.createDistGraph(new int[] {rank}, new int[] {1, 7, 7}, new int[] {next, -5, -5},
                new int[] {rank + 1, -1, -1, -1}, MPI.INFO_NULL, false));
        for (GraphComm ring : rings) {
            var found = ring.getDistGraphNeighbors();
            require(found.getInDegree() == 1 && found.getOutDegree() == 1 && found.isWeighted(), "the edges of a ring");
            require(found.getSource(0) == previous && found.getSourceWeight(0) == previous + 1, "the edge that comes");
            require(found.getDestination(0) == next && found.getDestinationWeight(0) == rank + 1, "the edge that goes");
            ring.free();
        }
    }

    /** An empty buffer is a window without memory, and takes no address. */
    private static void emptyWindows() throws MPIException {
        boolean isFirst = WORLD.getRank() == 0;
        IntBuffer memory = MPI.newIntBuffer(isFirst ? 4 : 0);
        Win win = new Win(memory, 4, 1, MPI.INFO_NULL, WORLD);
        IntBuffer mine = MPI.newIntBuffer(1).put(0, 7);
        win.fence(0);
        if (WORLD.getRank() == WORLD.getSize() - 1) {
            win.put(mine, 1, MPI.INT, 0, 3, 1, MPI.INT);
        }
        win.fence(0);
        require(!isFirst || memory.get(3) == 7, "a window beside windows without memory");
        win.free();
        for (int flavor : new int[] {Win.FLAVOR_PRIVATE, Win.FLAVOR_SHARED}) {
            new Win(16, 1, MPI.INFO_NULL, WORLD, MPI.newCharBuffer(0), flavor).free();
        }
        if (isFirst) {
            refused("a window that is longer than its buffer",
                    () -> new Win(MPI.newIntBuffer(3), 4, 1, MPI.INFO_NULL, MPI.COMM_SELF));
        }
    }

    /** {@code NO_OP} reads nothing of this process. */
    private static void nothingRead() throws MPIException {
        IntBuffer memory = MPI.newIntBuffer(1).put(0, 5 + WORLD.getRank());
        Win win = new Win(memory, 1, 1, MPI.INFO_NULL, WORLD);
        IntBuffer nothing = MPI.newIntBuffer(0);
        IntBuffer result = MPI.newIntBuffer(3);
        int last = WORLD.getSize() - 1;
        win.lockAll(0);
        win.fetchAndOp(nothing, result, MPI.INT, last, 0, MPI.NO_OP);
        win.getAccumulate(nothing, 1, MPI.INT, MPI.slice(result, 1), 1, MPI.INT, last, 0, 1, MPI.INT, MPI.NO_OP);
        complete("rGetAccumulate", win.rGetAccumulate(nothing, 1, MPI.INT, MPI.slice(result, 2), 1, MPI.INT, last, 0,
                1, MPI.INT, MPI.NO_OP));
        win.unlockAll();
        for (int i = 0; i < 3; i++) {
            require(result.get(i) == 5 + last, "what is read without elements");
        }
        refused("elements that are read", () -> win.fetchAndOp(nothing, result, MPI.INT, last, 0, MPI.SUM));
        win.free();
    }

    /** The code of an error is its class. */
    private static void codes() throws MPIException {
        try {
            WORLD.send(new int[1], 1, MPI.INT, WORLD.getSize(), 0);
            require(false, "a rank that is not there");
        } catch (MPIException e) {
            require(e.getErrorCode() == MPI.ERR_RANK && e.getErrorClass() == MPI.ERR_RANK, "the code of an error");
        }
    }

    private interface Call {
        void run() throws MPIException;
    }

    private static void refused(String what, Call call) throws MPIException {
        try {
            call.run();
        } catch (IndexOutOfBoundsException e) {
            return;
        }
        require(false, what);
    }
}

import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** Operations that go on after their call, messages that are started again, and operations of the program. */
class Requests extends Checked {

    private static final Intracomm WORLD = MPI.COMM_WORLD;

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        some();
        persistent();
        buffered();
        mistakes();
        if (WORLD.getRank() == 0) {
            System.out.println("requests: " + WORLD.getSize());
        }
        MPI.Finalize();
    }

    private static void some() throws MPIException {
        int rank = WORLD.getRank();
        int next = (rank + 1) % WORLD.getSize();
        int previous = (rank + WORLD.getSize() - 1) % WORLD.getSize();
        IntBuffer came = MPI.newIntBuffer(4);
        Request[] four = new Request[4];
        for (int i = 0; i < 4; i++) {
            four[i] = WORLD.iRecv(MPI.slice(came, i), 1, MPI.INT, previous, i);
        }
        require(Request.testAnyStatus(four) == null && Request.testAny(four) == MPI.UNDEFINED, "testAny of none");
        require(Request.testSome(four).length == 0 && Request.testSomeStatus(four).length == 0, "testSome of none");
        require(four[0].getStatus() == null, "getStatus of none");
        WORLD.barrier();
        for (int i = 0; i < 4; i++) {
            WORLD.send(new int[] {100 * rank + i}, 1, MPI.INT, next, i);
        }
        while (four[0].getStatus() == null) {
            Thread.onSpinWait();
        }
        require(four[0].getStatus().getTag() == 0 && !four[0].isNull(), "getStatus leaves the request");
        boolean[] seen = new boolean[4];
        seen[Request.waitAny(four)] = true;
        for (Status status : Request.waitSomeStatus(four)) {
            require(status.getTag() == status.getIndex() && status.getSource() == previous, "waitSomeStatus");
            seen[status.getIndex()] = true;
        }
        for (int[] few = Request.waitSome(four); few != null; few = Request.waitSome(four)) {
            for (int index : few) {
                seen[index] = true;
            }
        }
        for (int i = 0; i < 4; i++) {
            require(seen[i] && four[i].isNull() && came.get(i) == 100 * previous + i, "waitSome");
        }
        require(Request.testAnyStatus(four).getIndex() == MPI.UNDEFINED, "testAny of null requests");
        require(Request.testSome(four) == null, "testSome of null requests");
    }

    private static void persistent() throws MPIException {
        int rank = WORLD.getRank();
        int next = (rank + 1) % WORLD.getSize();
        int previous = (rank + WORLD.getSize() - 1) % WORLD.getSize();
        IntBuffer sent = MPI.newIntBuffer(1);
        IntBuffer came = MPI.newIntBuffer(1);
        Prequest receive = WORLD.recvInit(came, 1, MPI.INT, previous, 5);
        Prequest[] sends = {WORLD.sendInit(sent, 1, MPI.INT, next, 5), WORLD.sSendInit(sent, 1, MPI.INT, next, 5)};
        for (int round = 0; round < 4; round++) {
            sent.put(0, 10 * rank + round);
            Prequest[] both = {receive, sends[round % 2]};
            Prequest.startAll(both);
            Request.waitAll(both);
            require(came.get(0) == 10 * previous + round, "startAll");
        }
        receive.start();
        WORLD.barrier();
        Prequest ready = WORLD.rSendInit(sent, 1, MPI.INT, next, 5);
        ready.start();
        ready.waitFor();
        require(receive.waitStatus().getSource() == previous && came.get(0) == 10 * previous + 3, "rSendInit");
        for (Prequest one : new Prequest[] {receive, sends[0], sends[1], ready}) {
            require(!one.isNull(), "a message that can be started again");
            one.free();
            require(one.isNull(), "free");
        }
    }

    private static void buffered() throws MPIException {
        int rank = WORLD.getRank();
        int next = (rank + 1) % WORLD.getSize();
        byte[] room = new byte[3 * (MPI.BSEND_OVERHEAD + 64)];
        MPI.attachBuffer(room);
        WORLD.bSend(new int[] {rank}, 1, MPI.INT, next, 6);
        IntBuffer sent = MPI.newIntBuffer(1).put(0, rank + 1);
        WORLD.ibSend(sent, 1, MPI.INT, next, 6).waitFor();
        Prequest kept = WORLD.bSendInit(sent, 1, MPI.INT, next, 6);
        kept.start();
        kept.waitFor();
        kept.free();
        int previous = (rank + WORLD.getSize() - 1) % WORLD.getSize();
        int[] came = new int[3];
        for (int i = 0; i < 3; i++) {
            WORLD.recv(MPI.slice(came, i), 1, MPI.INT, previous, 6);
        }
        require(Arrays.equals(came, new int[] {previous, previous + 1, previous + 1}), "buffered");
        require(MPI.detachBuffer() == room, "detachBuffer");
    }

    private static void mistakes() throws MPIException {
        refused(() -> WORLD.iSend(null, 1, MPI.INT, 0, 0));
        refused(() -> WORLD.iSend(MPI.newIntBuffer(1), 2, MPI.INT, 0, 0));
        refused(() -> WORLD.iSend(MPI.newIntBuffer(1), -1, MPI.INT, 0, 0));
        refused(() -> WORLD.iSend(MPI.newIntBuffer(1), 1, null, 0, 0));
        refused(() -> WORLD.iSend(MPI.newIntBuffer(1), 1, MPI.DATATYPE_NULL, 0, 0));
        refused(() -> Request.waitAll(null));
        refused(() -> Request.waitSome(new Request[1]));
        refused(() -> Prequest.startAll(new Prequest[] {null}));
        refused(() -> MPI.attachBuffer(null));
        Comm gone = WORLD.dup();
        gone.free();
        refused(() -> gone.send(new int[1], 1, MPI.INT, 0, 0));
        refused(gone::barrier);
    }

    /** What a program does wrong. */
    interface Mistake {
        void make() throws MPIException;
    }

    static void refused(Mistake mistake) {
        try {
            mistake.make();
        } catch (MPIException | IndexOutOfBoundsException e) {
            require(e.getMessage() != null && !e.getMessage().isBlank(), "a reason");
            return;
        }
        throw new IllegalStateException("a mistake was not refused");
    }
}

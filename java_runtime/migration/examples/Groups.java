import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.List;
import mpi.Comm;
import mpi.Datatype;
import mpi.Group;
import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Request;
import mpi.Status;

/** Groups, communicators made of them, attributes, hints, and messages that are found before they are received. */
class Groups extends Checked {

    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private static int rank;
    private static int size;

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        rank = WORLD.getRank();
        size = WORLD.getSize();
        sets();
        made();
        attributes();
        errors();
        hints();
        between();
        messages();
        mistakes();
        if (rank == 0) {
            System.out.println("groups: " + size);
        }
        MPI.Finalize();
    }

    private static void sets() throws MPIException {
        Group all = WORLD.getGroup();
        require(all.getSize() == size && all.getRank() == rank && !all.isNull(), "getGroup");
        Group first = all.incl(new int[] {0});
        Group rest = all.excl(new int[] {0});
        require(first.getSize() == 1 && rest.getSize() == size - 1, "incl, excl");
        require(rest.getRank() == (rank == 0 ? MPI.UNDEFINED : rank - 1), "getRank");
        Group again = Group.union(rest, first);
        require(Group.compare(all, again) == (size == 1 ? MPI.IDENT : MPI.SIMILAR), "union");
        require(Group.compare(Group.intersection(all, first), first) == MPI.IDENT, "intersection");
        require(Group.compare(Group.difference(all, first), rest) == MPI.IDENT, "difference");
        int[] ranks = Group.translateRanks(all, new int[] {0, size - 1}, rest);
        require(ranks[0] == MPI.UNDEFINED && (size == 1 || ranks[1] == size - 2), "translateRanks");
        Group backwards = all.rangeIncl(new int[][] {{size - 1, 0, -1}});
        require(backwards.getSize() == size && backwards.getRank() == size - 1 - rank, "rangeIncl");
        require(all.rangeExcl(new int[][] {{0, size - 1, 1}}).getSize() == 0, "rangeExcl");
        require(MPI.GROUP_EMPTY.getSize() == 0, "GROUP_EMPTY");
        first.free();
        require(first.isNull(), "free");
    }

    private static void made() throws MPIException {
        Group first = WORLD.getGroup().incl(new int[] {0});
        Intracomm alone = WORLD.create(first);
        require(alone.isNull() == (rank > 0), "create");
        if (rank == 0) {
            Intracomm other = WORLD.createGroup(first, 3);
            require(other.getSize() == 1 && Comm.compare(alone, other) == MPI.CONGRUENT, "createGroup");
            other.free();
            alone.disconnect();
            require(alone.isNull(), "disconnect");
        }
        Intracomm machine = WORLD.splitType(Comm.TYPE_SHARED, 0, MPI.INFO_NULL);
        require(machine.getSize() >= 1 && machine.getTopology() == MPI.UNDEFINED, "splitType");
        machine.free();
        Intracomm copy = WORLD.clone();
        require(Comm.compare(WORLD, copy) == MPI.CONGRUENT && copy.getRequest() == null, "clone");
        Intracomm later = copy.iDup();
        later.getRequest().waitFor();
        later.barrier();
        Info info = new Info();
        Intracomm hinted = later.dupWithInfo(info);
        hinted.setInfo(info);
        require(hinted.getInfo().size() >= 0, "getInfo");
        for (Intracomm one : List.of(hinted, later, copy)) {
            one.free();
            require(one.isNull(), "free");
        }
    }

    private static void attributes() throws MPIException {
        int key = Comm.createKeyval();
        Intracomm comm = WORLD.dup();
        require(comm.getAttr(key) == null, "no attribute");
        comm.setAttr(key, List.of("a", rank));
        require(List.of("a", rank).equals(comm.getAttr(key)), "getAttr");
        Intracomm copy = comm.dup();
        require(List.of("a", rank).equals(copy.getAttr(key)), "a copied attribute");
        comm.deleteAttr(key);
        require(comm.getAttr(key) == null && copy.getAttr(key) != null, "deleteAttr");
        copy.free();
        comm.free();
        Comm.freeKeyval(key);
        require((int) WORLD.getAttr(MPI.TAG_UB) >= 32767, "TAG_UB");
        int typeKey = Datatype.createKeyval();
        Datatype pair = Datatype.createContiguous(2, MPI.INT);
        pair.setName("pair");
        pair.setAttr(typeKey, "two");
        Datatype other = pair.clone();
        require("pair".equals(pair.getName()) && "two".equals(other.getAttr(typeKey)), "attributes of types");
        other.deleteAttr(typeKey);
        require(other.getAttr(typeKey) == null, "deleteAttr of a type");
        pair.free();
        other.free();
        Datatype.freeKeyval(typeKey);
    }

    private static void errors() throws MPIException {
        Intracomm comm = WORLD.dup();
        comm.setErrhandler(MPI.ERRORS_RETURN);
        comm.setErrhandler(comm.getErrhandler());
        comm.callErrhandler(MPI.ERR_OTHER);
        try {
            comm.send(new int[1], 1, MPI.INT, size, 0);
            throw new IllegalStateException("a rank that nobody has");
        } catch (MPIException e) {
            require(e.getErrorClass() == MPI.ERR_RANK, "the class of an error");
        }
        comm.free();
    }

    private static void hints() throws MPIException {
        Info info = new Info();
        require(info.size() == 0 && info.get("host") == null && !info.isNull() && MPI.INFO_NULL.isNull(), "no hints");
        info.set("host", "here");
        info.set("arch", "any");
        Info copy = info.clone();
        require("here".equals(copy.get("host")) && copy.size() == 2, "a copy");
        require(List.of("host", "arch").contains(copy.getKey(1)), "getKey");
        copy.delete("host");
        require(copy.get("host") == null && info.size() == 2, "delete");
        Info third = info.dup();
        for (Info one : List.of(info, copy, third)) {
            one.free();
            require(one.isNull(), "free");
        }
    }

    private static void between() throws MPIException {
        require(Intercomm.getParent().isNull(), "no parent");
        if (size < 2) {
            return;
        }
        Intracomm half = WORLD.split(rank % 2, rank);
        Intercomm both = WORLD.createIntercomm(half, 0, 1 - rank % 2, 4);
        require(both.isInter() && both.getRemoteSize() == (size + rank % 2) / 2, "createIntercomm");
        require(both.getRemoteGroup().getSize() == both.getRemoteSize(), "getRemoteGroup");
        int[] sum = new int[1];
        both.allReduce(new int[] {1}, sum, 1, MPI.INT, MPI.SUM);
        require(sum[0] == both.getRemoteSize(), "allReduce of the other group");
        Intercomm copy = both.dup();
        Intercomm third = copy.clone();
        Intercomm later = third.iDup();
        later.getRequest().waitFor();
        Intracomm merged = later.merge(rank % 2 == 1);
        require(merged.getSize() == size && (merged.getRank() == 0) == (rank == 0), "merge");
        for (Comm one : new Comm[] {merged, later, third, copy, both, half}) {
            one.free();
        }
    }

    private static void messages() throws MPIException {
        int next = (rank + 1) % size;
        int previous = (rank + size - 1) % size;
        Message message = new Message();
        require(message.isNull() && message.imProbe(previous, 9, WORLD) == null, "no message");
        WORLD.barrier();
        IntBuffer sent = MPI.newIntBuffer(2).put(0, rank).put(1, 2 * rank);
        Request[] sends = {WORLD.iSend(sent, 2, MPI.INT, next, 9), WORLD.iSend(sent, 2, MPI.INT, next, 9)};
        Status found = message.mProbe(previous, 9, WORLD);
        require(found.getCount(MPI.INT) == 2 && !message.isNull() && !message.isNoProc(), "mProbe");
        int[] came = {0, 0, 7};
        require(message.mRecv(came, 3, MPI.INT).getSource() == previous && message.isNull(), "mRecv");
        require(Arrays.equals(came, new int[] {previous, 2 * previous, 7}), "what mRecv brings");
        do {
            found = message.imProbe(previous, 9, WORLD);
        } while (found == null);
        IntBuffer room = MPI.newIntBuffer(2);
        Request receive = message.imRecv(room, 2, MPI.INT);
        require(receive.waitStatus().getElementsX(MPI.INT).getCount() == 2 && room.get(1) == 2 * previous, "imRecv");
        Request.waitAll(sends);
        message.mProbe(MPI.PROC_NULL, 9, WORLD);
        require(message.isNoProc(), "a message of nobody");
        message.mRecv(new int[1], 1, MPI.INT);
        found.setElements(MPI.INT, 3);
        require(found.getCount(MPI.INT) == 3 && !found.isCancelled(), "setElements");
        mpi.Status told = found;
        Requests.refused(() -> told.setElementsX(MPI.BYTE, new mpi.Count(Long.MAX_VALUE)));
        Requests.refused(() -> told.setElementsX(MPI.INT, new mpi.Count(Long.MAX_VALUE / 2)));
        Requests.refused(() -> told.setElements(MPI.INT, -1));
        found.setElementsX(MPI.INT, new mpi.Count(5));
        found.setCancelled(true);
        require(found.getElements(MPI.INT) == 5 && found.isCancelled(), "setCancelled");
        mpi.Count five = new mpi.Count(4);
        five.setCount(5);
        require(five.equals(found.getElementsX(MPI.INT)) && five.compareTo(new mpi.Count(4)) > 0, "Count");
    }

    private static void mistakes() throws MPIException {
        Group all = WORLD.getGroup();
        Requests.refused(() -> all.incl(null));
        Requests.refused(() -> all.incl(new int[] {size}));
        Requests.refused(() -> all.rangeIncl(new int[][] {{0}}));
        Requests.refused(() -> Group.union(all, null));
        Requests.refused(() -> Group.translateRanks(all, new int[] {-7}, all));
        Requests.refused(() -> WORLD.create(null));
        Requests.refused(() -> new Message().mRecv(new int[1], 1, MPI.INT));
        Requests.refused(() -> new Message().imRecv(MPI.newIntBuffer(1), 1, MPI.INT));
        Requests.refused(() -> new Info().set(null, "a"));
        Requests.refused(() -> MPI.INFO_NULL.set("a", "b"));
        Requests.refused(() -> new Info().getKey(0));
        Requests.refused(() -> WORLD.setErrhandler(null));
        Requests.refused(() -> WORLD.setInfo(null));
        Requests.refused(() -> WORLD.splitType(Comm.TYPE_SHARED, 0, null));
        all.free();
        Requests.refused(all::getSize);
        Requests.refused(() -> WORLD.deleteAttr(MPI.KEYVAL_INVALID));
    }
}

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import mpi.UserFunction;

/** Collective operations that go on, or are in the place of elements, and reductions with functions of the program. */
class Collected extends Checked {

    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private static int rank;
    private static int size;
    private static int last; // the root
    private static int[] ones;
    private static int[] places; // in reverse

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        rank = WORLD.getRank();
        size = WORLD.getSize();
        last = size - 1;
        ones = new int[size];
        Arrays.fill(ones, 1);
        places = new int[size];
        Arrays.setAll(places, i -> last - i);
        inPlace();
        parts();
        gathering();
        scattering();
        exchanging();
        reducing();
        functions();
        packing();
        mistakes();
        if (rank == 0) {
            System.out.println("collected: " + size);
        }
        MPI.Finalize();
    }

    private static IntBuffer ints(int... values) {
        return MPI.newIntBuffer(values.length).put(0, values);
    }

    private static int[] array(IntBuffer buffer) {
        int[] all = new int[buffer.capacity()];
        buffer.get(0, all);
        return all;
    }

    /** The ranks from the last to the first. */
    private static int[] reversed() {
        return places.clone();
    }

    private static int[] ranks() {
        int[] all = new int[size];
        Arrays.setAll(all, i -> i);
        return all;
    }

    /** Room for the elements of all processes, with that of this one in its place. */
    private static int[] mine(int place) {
        int[] all = new int[size];
        all[place] = rank;
        return all;
    }

    private static void inPlace() throws MPIException {
        int[] all = mine(last - rank);
        if (rank == last) {
            WORLD.gatherv(all, ones, places, MPI.INT, last);
            require(Arrays.equals(all, reversed()), "gatherv in place");
        } else {
            WORLD.gatherv(new int[] {rank}, 1, MPI.INT, last);
        }
        int[] part = rank == last ? ranks() : new int[1];
        WORLD.scatter(part, 1, MPI.INT, last);
        require(part[rank == last ? last : 0] == rank, "scatter in place");
        if (rank == last) {
            WORLD.scatterv(ranks(), ones, places, MPI.INT, last);
        } else {
            int[] one = new int[1];
            WORLD.scatterv(one, 1, MPI.INT, last);
            require(one[0] == last - rank, "scatterv");
        }
        all = mine(last - rank);
        WORLD.allGatherv(all, ones, places, MPI.INT);
        require(Arrays.equals(all, reversed()), "allGatherv in place");
        Datatype[] types = new Datatype[size];
        Arrays.fill(types, MPI.INT);
        int[] bytes = Arrays.stream(places).map(place -> 4 * place).toArray();
        IntBuffer came = MPI.newIntBuffer(size);
        WORLD.allToAllw(ints(ranks()), ones, bytes, types, came, ones, bytes, types);
        require(came.get(0) == last - rank, "allToAllw");
        IntBuffer later = MPI.newIntBuffer(size);
        WORLD.iAllToAllw(ints(ranks()), ones, bytes, types, later, ones, bytes, types).waitFor();
        require(later.equals(came), "iAllToAllw");
    }

    private static void parts() throws MPIException {
        int total = size * (size - 1) / 2; // of all ranks
        int[] own = new int[1];
        int[] all = new int[size];
        Arrays.fill(all, rank);
        WORLD.reduceScatter(all, own, ones, MPI.INT, MPI.SUM);
        require(own[0] == total, "reduceScatter");
        WORLD.reduceScatterBlock(all, own, 1, MPI.INT, MPI.MAX);
        require(own[0] == last, "reduceScatterBlock");
        IntBuffer direct = ints(all);
        IntBuffer one = MPI.newIntBuffer(1);
        WORLD.iReduceScatter(direct, one, ones, MPI.INT, MPI.SUM).waitFor();
        require(one.get(0) == total, "iReduceScatter");
        WORLD.iReduceScatterBlock(direct, one, 1, MPI.INT, MPI.MAX).waitFor();
        require(one.get(0) == last, "iReduceScatterBlock");
        WORLD.iReduceScatter(direct, ones, MPI.INT, MPI.SUM).waitFor();
        require(direct.get(0) == total, "iReduceScatter in place");
        direct = ints(all);
        WORLD.iReduceScatterBlock(direct, 1, MPI.INT, MPI.SUM).waitFor();
        require(direct.get(0) == total, "iReduceScatterBlock in place");
        int[] again = all.clone();
        WORLD.reduceScatter(again, ones, MPI.INT, MPI.SUM);
        require(again[0] == total, "reduceScatter in place");
        again = all.clone();
        WORLD.reduceScatterBlock(again, 1, MPI.INT, MPI.SUM);
        require(again[0] == total, "reduceScatterBlock in place");
        double[] second = {2, 3};
        Comm.reduceLocal(new double[] {5, 7}, second, 2, MPI.DOUBLE, MPI.PROD);
        require(second[0] == 10 && second[1] == 21, "reduceLocal");
    }

    private static void gathering() throws MPIException {
        IntBuffer all = MPI.newIntBuffer(size);
        WORLD.iGather(ints(rank), 1, MPI.INT, all, 1, MPI.INT, last).waitFor();
        require(rank < last || Arrays.equals(array(all), ranks()), "iGather");
        IntBuffer placed = rank == last ? ints(mine(rank)) : ints(rank);
        WORLD.iGather(placed, 1, MPI.INT, last).waitFor();
        require(rank < last || Arrays.equals(array(placed), ranks()), "iGather in place");
        all = MPI.newIntBuffer(size);
        WORLD.iGatherv(ints(rank), 1, MPI.INT, all, ones, places, MPI.INT, last).waitFor();
        require(rank < last || Arrays.equals(array(all), reversed()), "iGatherv");
        IntBuffer held = ints(rank == last ? mine(last - rank) : new int[] {rank});
        Request begun = rank == last ? WORLD.iGatherv(held, ones, places, MPI.INT, last)
                : WORLD.iGatherv(held, 1, MPI.INT, last);
        begun.waitFor();
        require(rank < last || Arrays.equals(array(held), reversed()), "iGatherv in place");
        WORLD.iAllGather(ints(rank), 1, MPI.INT, all, 1, MPI.INT).waitFor();
        require(Arrays.equals(array(all), ranks()), "iAllGather");
        all = ints(mine(rank));
        WORLD.iAllGather(all, 1, MPI.INT).waitFor();
        require(Arrays.equals(array(all), ranks()), "iAllGather in place");
        WORLD.iAllGatherv(ints(rank), 1, MPI.INT, all, ones, places, MPI.INT).waitFor();
        require(Arrays.equals(array(all), reversed()), "iAllGatherv");
        all = ints(mine(last - rank));
        WORLD.iAllGatherv(all, ones, places, MPI.INT).waitFor();
        require(Arrays.equals(array(all), reversed()), "iAllGatherv in place");
    }

    private static void scattering() throws MPIException {
        IntBuffer all = ints(ranks());
        IntBuffer one = MPI.newIntBuffer(1);
        WORLD.iScatter(all, 1, MPI.INT, one, 1, MPI.INT, last).waitFor();
        require(one.get(0) == rank, "iScatter");
        IntBuffer placed = rank == last ? ints(ranks()) : MPI.newIntBuffer(1);
        WORLD.iScatter(placed, 1, MPI.INT, last).waitFor();
        require(placed.get(rank == last ? last : 0) == rank, "iScatter in place");
        WORLD.iScatterv(all, ones, places, MPI.INT, one, 1, MPI.INT, last).waitFor();
        require(one.get(0) == last - rank, "iScatterv");
        one = MPI.newIntBuffer(1);
        Request begun = rank == last ? WORLD.iScatterv(all, ones, places, MPI.INT, last)
                : WORLD.iScatterv(one, 1, MPI.INT, last);
        begun.waitFor();
        require(rank == last || one.get(0) == last - rank, "iScatterv in place");
    }

    private static void exchanging() throws MPIException {
        WORLD.iBarrier().waitFor();
        IntBuffer all = ints(ranks());
        IntBuffer came = MPI.newIntBuffer(size);
        WORLD.iAllToAll(all, 1, MPI.INT, came, 1, MPI.INT).waitFor();
        require(came.get(last) == rank, "iAllToAll");
        WORLD.iAllToAllv(all, ones, places, MPI.INT, came, ones, places, MPI.INT).waitFor();
        require(came.get(0) == last - rank, "iAllToAllv");
        IntBuffer first = ints(rank == last ? 42 : 0);
        WORLD.iBcast(first, 1, MPI.INT, last).waitFor();
        require(first.get(0) == 42, "iBcast");
    }

    private static void reducing() throws MPIException {
        int total = size * (size - 1) / 2;
        IntBuffer own = ints(rank);
        IntBuffer result = MPI.newIntBuffer(1);
        WORLD.iReduce(own, result, 1, MPI.INT, MPI.SUM, last).waitFor();
        require(rank < last || result.get(0) == total, "iReduce");
        WORLD.iAllReduce(own, result, 1, MPI.INT, MPI.SUM).waitFor();
        require(result.get(0) == total, "iAllReduce");
        WORLD.iScan(own, result, 1, MPI.INT, MPI.SUM).waitFor();
        require(result.get(0) == rank * (rank + 1) / 2, "iScan");
        WORLD.iExScan(own, result, 1, MPI.INT, MPI.SUM).waitFor();
        require(rank == 0 || result.get(0) == rank * (rank - 1) / 2, "iExScan");
        WORLD.iScan(own, 1, MPI.INT, MPI.SUM).waitFor();
        require(own.get(0) == rank * (rank + 1) / 2, "iScan in place");
        own = ints(rank);
        WORLD.iExScan(own, 1, MPI.INT, MPI.SUM).waitFor();
        require(rank == 0 || own.get(0) == rank * (rank - 1) / 2, "iExScan in place");
        own = ints(rank);
        WORLD.iReduce(own, 1, MPI.INT, MPI.SUM, last).waitFor();
        require(rank < last || own.get(0) == total, "iReduce in place");
        own = ints(rank);
        WORLD.iAllReduce(own, 1, MPI.INT, MPI.SUM).waitFor();
        require(own.get(0) == total, "iAllReduce in place");
    }

    private static void functions() throws MPIException {
        Op sum = new Op(new UserFunction() {
            @Override
            public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
                for (int i = 0; i < 4 * count; i += 4) {
                    inOut.putInt(i, in.getInt(i) + inOut.getInt(i));
                }
            }
        }, true);
        int[] two = {rank, 1};
        WORLD.allReduce(two, 2, MPI.INT, sum);
        require(two[0] == size * (size - 1) / 2 && two[1] == size && sum.isCommutative(), "a function of buffers");
        IntBuffer later = ints(1);
        WORLD.iAllReduce(later, 1, MPI.INT, sum).waitFor();
        require(later.get(0) == size, "a function of an operation that goes on");
        require(!sum.isNull(), "isNull");
        sum.free();
        require(sum.isNull(), "free");
        Op join = new Op(new UserFunction() {
            @Override
            public void call(Object in, Object inOut, int count, Datatype type) {
                double[] first = (double[]) in;
                double[] second = (double[]) inOut;
                for (int i = 0; i < count; i++) {
                    second[i] = 10 * first[i] + second[i];
                }
            }
        }, false);
        double[] digits = {rank + 1};
        WORLD.scan(digits, 1, MPI.DOUBLE, join);
        double written = 0;
        for (int i = 0; i <= rank; i++) {
            written = 10 * written + i + 1;
        }
        require(size > 2 || digits[0] == written, "a function of arrays");
        Op both = new Op(new UserFunction() {
            @Override
            public void call(Object in, Object inOut, int count, Datatype type) {
                for (int i = 0; i < count; i++) {
                    ((boolean[]) inOut)[i] &= ((boolean[]) in)[i];
                }
            }
        }, true);
        boolean[] yes = {true, rank == 0};
        WORLD.allReduce(yes, 2, MPI.BOOLEAN, both);
        require(yes[0] && yes[1] == (size == 1), "a function of booleans");
    }

    private static void packing() throws MPIException {
        byte[] packed = new byte[WORLD.packSize(2, MPI.INT) + WORLD.packSize(1, MPI.DOUBLE)];
        int end = WORLD.pack(new int[] {7, 8}, 2, MPI.INT, packed, 0);
        end = WORLD.pack(new double[] {0.5}, 1, MPI.DOUBLE, packed, end);
        WORLD.bcast(packed, end, MPI.PACKED, 0);
        int[] whole = new int[2];
        double[] half = new double[1];
        int next = WORLD.unpack(packed, 0, whole, 2, MPI.INT);
        require(WORLD.unpack(packed, next, half, 1, MPI.DOUBLE) == end, "the end of what was packed");
        require(whole[0] == 7 && whole[1] == 8 && half[0] == 0.5, "unpack");
        Datatype column = Datatype.createVector(3, 1, 4, MPI.INT);
        require(column.getExtent() == 9 && column.getSize() == 3 && column.getLb() == 0, "bounds count elements");
        require(column.getTrueExtent() == 9 && column.getTrueLb() == 0 && MPI.DOUBLE.getExtent() == 1, "true bounds");
        column.free();
        require(MPI.getVersion().getVersion() >= 2 && MPI.getVersion().getSubVersion() >= 0, "getVersion");
        require(MPI.isThreadMain() && MPI.queryThread() >= MPI.THREAD_SINGLE && MPI.wtick() > 0, "threads");
        MPI.pControl(1, null);
    }

    private static void mistakes() throws MPIException {
        IntBuffer one = MPI.newIntBuffer(1);
        Requests.refused(() -> WORLD.allGather(new int[size], 2, MPI.INT, new int[2 * size - 1], 2, MPI.INT));
        Requests.refused(() -> WORLD.iAllGather(one, 1, MPI.INT, MPI.newIntBuffer(size - 1), 1, MPI.INT));
        Requests.refused(() -> WORLD.iAllReduce(one, null, 1, MPI.INT, MPI.SUM));
        Requests.refused(() -> WORLD.allReduce(new int[1], 1, MPI.INT, null));
        Requests.refused(() -> WORLD.allGatherv(new int[1], 1, MPI.INT, new int[size], ones, null, MPI.INT));
        int[] before = new int[size];
        before[0] = -1;
        Requests.refused(() -> WORLD.allGatherv(new int[1], 1, MPI.INT, new int[size], ones, before, MPI.INT));
        Requests.refused(() -> WORLD.iAllToAllv(MPI.newIntBuffer(size), new int[0], new int[0], MPI.INT,
                MPI.newIntBuffer(size), ones, places, MPI.INT));
        Requests.refused(() -> WORLD.unpack(new byte[4], 5, new int[1], 1, MPI.INT));
        Requests.refused(() -> WORLD.unpack(new byte[4], 2, new int[1], 1, MPI.INT));
        Requests.refused(() -> WORLD.pack(new int[2], 2, MPI.INT, new byte[7], 0));
        Requests.refused(() -> WORLD.reduceScatter(new int[1], new int[0], MPI.INT, MPI.SUM));
    }
}

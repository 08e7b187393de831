package dev.mpiglot.mpi;

import dev.mpiglot.mpi.Element.Doubles;
import dev.mpiglot.mpi.Element.Ints;
import dev.mpiglot.mpi.Element.Longs;
import java.util.Arrays;

/** An operation changes the elements of an array that it covers and that arrive, and no others. */
public final class ArrayTests {

    private ArrayTests() {
    }

    private static MpiBuffer<Ints> part(int[] array, int first, int count) {
        return MpiBuffer.of(array).as(Datatype.INT, count, first);
    }

    public static void twoReceivesIntoOneArrayKeepBothMessages(Comm world) {
        for (boolean inOrder : new boolean[] {true, false}) {
            int[] array = new int[9];
            Request front = world.irecv(part(array, 0, 4), world.rank(), 1);
            Request back = world.irecv(part(array, 5, 4), world.rank(), 2);
            world.isend(new int[] {1, 2, 3, 4}, world.rank(), 1).await();
            world.isend(new int[] {6, 7, 8, 9}, world.rank(), 2).await();
            (inOrder ? front : back).await();
            array[4] = 5;
            (inOrder ? back : front).await();
            Check.equal(array, new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
        }
    }

    public static void elementsThatAreComputedMeanwhileStay(Comm world) {
        int[] array = {1, 2, 3, 4, 5, 6};
        Request request = world.irecv(part(array, 1, 4), world.rank(), 1);
        array[0] = -1;
        array[5] = -6;
        array[4] = -5; // covered, but only two elements arrive
        world.isend(new int[] {20, 30}, world.rank(), 1).await();
        Check.equal(request.await().count(Datatype.INT).getAsLong(), 2L);
        Check.equal(array, new int[] {-1, 20, 30, 4, -5, -6});
    }

    public static void aReceiveFromNobodyChangesNothing(Comm world) {
        int[] array = {1, 2};
        Request request = world.irecv(array, Comm.PROC_NULL, 1);
        array[0] = 3;
        request.await();
        world.recv(array, Comm.PROC_NULL, 1);
        Check.equal(array, new int[] {3, 2});
    }

    public static void aReceiveThatFailsChangesNothing(Comm world) {
        try (Comm alone = world.split(world.rank(), 0)) {
            int[] array = {7, 8};
            Request sent = alone.isend(new int[] {1, 2, 3}, 0, 0);
            Check.fails(MpiException.class, () -> alone.recv(array, 0, 0));
            Check.equal(array, new int[] {7, 8});
            try {
                sent.await();
            } catch (MpiException told) {
                Check.equal(told.kind(), dev.mpiglot.low.ErrorClass.ERR_TRUNCATE);
            }
        }
    }

    public static void gapsOfALayoutStay(Comm world) {
        double[] matrix = new double[12];
        Arrays.setAll(matrix, i -> i);
        try (Datatype<Doubles> column = Datatype.vector(3, 1, 4, Datatype.DOUBLE)) {
            Request one = world.irecv(MpiBuffer.of(matrix).as(column, 1, 1), world.rank(), 1);
            Request other = world.irecv(MpiBuffer.of(matrix).as(column, 1, 2), world.rank(), 2);
            matrix[0] = -1;
            matrix[7] = -7;
            world.isend(new double[] {10, 50}, world.rank(), 1).await(); // two of the three
            world.isend(new double[] {20, 60, 100}, world.rank(), 2).await();
            one.await();
            matrix[11] = -11;
            other.await();
        }
        Check.equal(matrix, new double[] {-1, 10, 20, 3, 4, 50, 60, -7, 8, 9, 100, -11});
    }

    public static void layoutsOfLayoutsMeanTheSameAsInMpi(Comm world) {
        try (Datatype<Longs> pair = Datatype.vector(2, 1, 3, Datatype.LONG);
                Datatype<Longs> apart = pair.resized(5 * 8);
                Datatype<Longs> row = Datatype.contiguous(2, apart);
                Datatype<Longs> rows = Datatype.vector(2, 2, 3, row);
                Datatype<Longs> wide = row.resized(17 * 8);
                Datatype<Longs> backwards = Datatype.vector(3, 2, -4, Datatype.LONG)) {
            layoutMeansTheSame(world, rows, 0);
            layoutMeansTheSame(world, wide, 2);
            layoutMeansTheSame(world, backwards, 20);
        }
    }

    private static void layoutMeansTheSame(Comm world, Datatype<Longs> type, long first) {
        long[] array = new long[120];
        MpiBuffer<Longs> outside = MpiBuffer.allocate(Datatype.LONG, array.length);
        dev.mpiglot.low.Datatypes.TypeGetExtentResult extent = dev.mpiglot.low.Datatypes.typeGetExtent(type.handle());
        Check.equal(type.extent(), extent.extent());
        Check.equal(type.size(), dev.mpiglot.low.Datatypes.typeSize(type.handle()));
        long values = 2 * type.size() / 8;
        long[] data = new long[(int) values];
        Arrays.setAll(data, i -> i + 1);
        Request request = world.irecv(MpiBuffer.of(array).as(type, 2, first), world.rank(), 1);
        world.isend(data, world.rank(), 1).await();
        request.await();
        request = world.irecv(outside.as(type, 2, first), world.rank(), 1);
        world.isend(MpiBuffer.of(array).as(type, 2, first), world.rank(), 1).await();
        request.await();
        for (int i = 0; i < array.length; i++) {
            Check.equal(outside.getLong(i), array[i]);
        }
        Check.equal(Arrays.stream(array).filter(value -> value != 0).sum(), Arrays.stream(data).sum());
    }

    /** Columns of one matrix, each of another thread with a communicator of its own. */
    public static void threadsMayShareAnArray(Comm world) {
        int threads = 4;
        // Threads of many ranks wait for each other much longer than they work.
        int steps = Check.isWhole() ? 50 : world.size() <= 2 ? 10 : 3;
        int rows = 2 * world.size();
        long[] matrix = new long[rows * threads];
        Comm[] comms = new Comm[threads];
        Check.Statement[] work = new Check.Statement[threads];
        try (Datatype<Longs> column = Datatype.vector(rows, 1, threads, Datatype.LONG);
                Datatype<Longs> place = Datatype.LONG.resized(threads * Long.BYTES)) {
            for (int i = 0; i < threads; i++) {
                int own = i;
                comms[i] = world.dup();
                work[i] = () -> {
                    for (int step = 1; step <= steps; step++) {
                        everyOperation(comms[own], matrix, own, threads, column, place, 1000L * own + step);
                    }
                };
            }
            Check.together(work);
        }
        for (Comm comm : comms) {
            comm.close();
        }
    }

    private static void everyOperation(Comm comm, long[] matrix, int own, int threads, Datatype<Longs> column,
            Datatype<Longs> place, long start) {
        int rank = comm.rank();
        int ranks = comm.size();
        int rows = 2 * ranks;
        MpiBuffer<Longs> mine = MpiBuffer.of(matrix).as(column, 1, own);
        MpiBuffer<Longs> all = MpiBuffer.of(matrix).as(place, rows, own);
        MpiBuffer<Longs> half = MpiBuffer.of(matrix).as(place, 2, own + 2L * rank * threads);
        long[] values = new long[rows];
        Arrays.setAll(values, i -> start + i);
        long[] pair = {start, -start};
        comm.sendrecv(MpiBuffer.of(values), rank, mine, rank, 0);
        expect(matrix, own, threads, i -> start + i);
        Request request = comm.irecv(mine, rank, 1);
        comm.isend(mine, rank, 1).await();
        request.await();
        expect(matrix, own, threads, i -> start + i);
        comm.allreduce(mine, Op.SUM);
        expect(matrix, own, threads, i -> ranks * (start + i));
        comm.iallreduce(mine, Op.MAX).await();
        comm.allgather(MpiBuffer.of(pair), all);
        expect(matrix, own, threads, i -> i % 2 == 0 ? start : -start);
        comm.alltoall(MpiBuffer.of(values), all);
        expect(matrix, own, threads, i -> start + 2L * rank + i % 2);
        comm.scatter(MpiBuffer.of(values), half, 0);
        expect(matrix, own, threads, i -> i / 2 == rank ? start + i : start + 2L * rank + i % 2);
        comm.allgather(MpiBuffer.inPlace(), all);
        expect(matrix, own, threads, i -> start + i);
        comm.gather(MpiBuffer.of(pair), all, 0);
        comm.bcast(mine, 0);
        expect(matrix, own, threads, i -> i % 2 == 0 ? start : -start);
        comm.reduce(mine, Op.PROD, ranks - 1);
    }

    private static void expect(long[] matrix, int own, int threads, java.util.function.LongUnaryOperator expected) {
        for (int row = 0; row < matrix.length / threads; row++) {
            Check.equal(matrix[row * threads + own], expected.applyAsLong(row));
        }
    }
}

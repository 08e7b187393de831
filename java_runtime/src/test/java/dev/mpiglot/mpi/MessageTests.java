package dev.mpiglot.mpi;

import dev.mpiglot.mpi.Element.Doubles;
import dev.mpiglot.mpi.Element.Ints;
import java.util.Arrays;
import java.util.List;

/** Messages between two processes. */
public final class MessageTests {

    private MessageTests() {
    }

    public static void arraysOfEveryTypeArriveUnchanged(Comm world) {
        int right = Ring.right(world);
        int left = Ring.left(world);
        byte[] bytes = new byte[3];
        int[] ints = new int[3];
        long[] longs = new long[3];
        float[] floats = new float[3];
        double[] doubles = new double[3];
        Request[] receives = {world.irecv(bytes, left, 1), world.irecv(ints, left, 2), world.irecv(longs, left, 3),
            world.irecv(floats, left, 4), world.irecv(doubles, left, 5)};
        world.send(new byte[] {1, -2, 127}, right, 1);
        world.send(new int[] {1, Integer.MIN_VALUE, 3}, right, 2);
        world.send(new long[] {1, Long.MIN_VALUE, 3}, right, 3);
        world.send(new float[] {1, -0.5f, Float.MAX_VALUE}, right, 4);
        world.send(new double[] {1, -0.5, Double.MIN_VALUE}, right, 5);
        Request.awaitAll(receives);
        Check.equal(bytes, new byte[] {1, -2, 127});
        Check.equal(ints, new int[] {1, Integer.MIN_VALUE, 3});
        Check.equal(longs, new long[] {1, Long.MIN_VALUE, 3});
        Check.equal(floats, new float[] {1, -0.5f, Float.MAX_VALUE});
        Check.equal(doubles, new double[] {1, -0.5, Double.MIN_VALUE});
    }

    public static void aStatusTellsSourceTagAndLength(Comm world) {
        int right = Ring.right(world);
        int left = Ring.left(world);
        Request sent = world.isend(new int[] {1, 2, 3}, right, 17);
        Status status = world.recv(new int[10], Comm.ANY_SOURCE, Comm.ANY_TAG);
        sent.await();
        Check.equal(status.source(), left);
        Check.equal(status.tag(), 17);
        Check.equal(status.count(Datatype.INT).getAsLong(), 3L);
    }

    public static void aShorterMessageLeavesTheRestOfTheArray(Comm world) {
        int[] target = {9, 9, 9, 9};
        Request sent = world.isend(new int[] {1, 2}, world.rank(), 1);
        world.recv(target, world.rank(), 1);
        sent.await();
        Check.equal(target, new int[] {1, 2, 9, 9});
    }

    public static void processNullSendsAndReceivesNothing(Comm world) {
        world.send(new int[] {1}, Comm.PROC_NULL, 0);
        Status nothing = new Status(Comm.PROC_NULL, Comm.ANY_TAG, 0);
        Check.equal(world.recv(new int[1], Comm.PROC_NULL, 0), nothing);
        Check.equal(world.irecv(new int[1], Comm.PROC_NULL, 0).await(), nothing);
    }

    public static void aColumnOfAMatrixArrivesAsARow(Comm world) {
        double[] matrix = new double[12];
        Arrays.setAll(matrix, i -> i);
        double[] row = new double[3];
        try (Datatype<Doubles> column = Datatype.vector(3, 1, 4, Datatype.DOUBLE)) {
            Request sent = world.isend(MpiBuffer.of(matrix).as(column, 1, 2), world.rank(), 3);
            world.recv(row, world.rank(), 3);
            sent.await();
        }
        Check.equal(row, new double[] {2, 6, 10});
    }

    public static void aRowArrivesAsAColumnAndNothingElseChanges(Comm world) {
        double[] matrix = new double[12];
        Arrays.fill(matrix, -1);
        try (Datatype<Doubles> column = Datatype.vector(3, 1, 4, Datatype.DOUBLE)) {
            Request sent = world.isend(new double[] {1, 2, 3}, world.rank(), 3);
            world.recv(MpiBuffer.of(matrix).as(column, 1, 1), world.rank(), 3);
            sent.await();
        }
        Check.equal(matrix, new double[] {-1, 1, -1, -1, -1, 2, -1, -1, -1, 3, -1, -1});
    }

    public static void elementsBeyondTheArrayAreRefused(Comm world) {
        try (Datatype<Doubles> column = Datatype.vector(3, 1, 4, Datatype.DOUBLE)) {
            MpiBuffer<Doubles> buffer = MpiBuffer.of(new double[12]);
            Check.fails(IllegalArgumentException.class, () -> buffer.as(column, 2, 0));
            Check.fails(IllegalArgumentException.class, () -> buffer.as(column, 1, 4));
            Check.fails(IllegalArgumentException.class, () -> buffer.shiftedBy(8));
        }
    }

    public static void memoryOutsideTheHeapIsUsedInPlace(Comm world) {
        MpiBuffer<Ints> buffer = MpiBuffer.allocate(Datatype.INT, 2);
        buffer.setInt(0, world.rank());
        buffer.setInt(1, 1);
        world.allreduce(buffer, Op.SUM);
        Check.equal(buffer.getInt(0), world.size() * (world.size() - 1) / 2);
        Check.equal(buffer.getInt(1), world.size());
    }

    public static void sendrecvExchangesWithBothNeighbours(Comm world) {
        int right = Ring.right(world);
        int left = Ring.left(world);
        long[] got = new long[1];
        Status status = world.sendrecv(MpiBuffer.of(new long[] {world.rank()}), right, MpiBuffer.of(got), left, 5);
        Check.equal(got[0], (long) left);
        Check.equal(status.source(), left);
    }

    public static void valuesOutsideOfTheHeapHaveTheirTypes(Comm world) {
        MpiBuffer<Element.Bytes> bytes = MpiBuffer.allocate(Datatype.BYTE, 2);
        MpiBuffer<Element.Shorts> shorts = MpiBuffer.allocate(Datatype.SHORT, 2);
        MpiBuffer<Element.Chars> chars = MpiBuffer.allocate(Datatype.CHAR, 2);
        MpiBuffer<Element.Ints> ints = MpiBuffer.allocate(Datatype.INT, 2);
        MpiBuffer<Element.Longs> longs = MpiBuffer.allocate(Datatype.LONG, 2);
        MpiBuffer<Element.Floats> floats = MpiBuffer.allocate(Datatype.FLOAT, 2);
        MpiBuffer<Element.Doubles> doubles = MpiBuffer.allocate(Datatype.DOUBLE, 2);
        bytes.setByte(1, (byte) -3);
        shorts.setShort(1, (short) -300);
        chars.setChar(1, '\uffff');
        ints.setInt(1, -70_000);
        longs.setLong(1, Long.MIN_VALUE);
        floats.setFloat(1, 0.1f);
        doubles.setDouble(1, 0.1);
        for (MpiBuffer<?> one : List.of(bytes, shorts, chars, ints, longs, floats, doubles)) {
            world.bcast(one, 0);
        }
        Check.equal(List.of(bytes.getByte(1), shorts.getShort(1), chars.getChar(1), ints.getInt(1)),
                List.of((byte) -3, (short) -300, '\uffff', -70_000));
        Check.equal(List.of(longs.getLong(1), floats.getFloat(1), doubles.getDouble(1)), List.of(Long.MIN_VALUE, 0.1f, 0.1));
        Check.equal(longs.getLong(0), 0L);
        List<Check.Statement> wrong = List.of(() -> longs.setInt(0, 1), () -> longs.setDouble(0, 1), () -> ints.getFloat(0),
                () -> shorts.getChar(0), () -> MpiBuffer.inPlace().getByte(0));
        for (Check.Statement one : wrong) {
            String told = Check.fails(IllegalArgumentException.class, one).getMessage();
            Check.isTrue(told.contains(" values and is asked for "), told);
        }
        Check.fails(IndexOutOfBoundsException.class, () -> longs.getLong(2));
    }

    public static void lengthsInElementsAreThoseOfMpi(Comm world) {
        try (Datatype<Element.Ints> empty = Datatype.contiguous(0, Datatype.INT);
                Datatype<Element.Ints> three = Datatype.contiguous(3, Datatype.INT)) {
            Request sent = world.isend(new int[6], world.rank(), 5);
            Status six = world.recv(new int[8], world.rank(), 5);
            sent.await();
            Check.equal(six.count(Datatype.INT).getAsLong(), 6L);
            Check.equal(six.count(three).getAsLong(), 2L);
            Check.equal(six.count(Datatype.BYTE).getAsLong(), 24L);
            Check.equal(six.count(empty).isPresent(), false);
            Status five = new Status(0, 5, 20);
            Check.equal(five.count(three).isPresent(), false);
            Check.equal(five.count(Datatype.LONG).isPresent(), false);
            Check.equal(new Status(0, 5, 0).count(empty).getAsLong(), 0L);
            Check.equal(new Status(0, 5, 0).count(three).getAsLong(), 0L);
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.mpi.Element.Ints;
import java.util.Arrays;

/** Sizes, types and buffers that do not fit are refused; {@link MistakeTests} has what one rank alone does wrong. */
public final class SizeTests {

    private SizeTests() {
    }

    private static void refused(String sentence, Check.Statement statement) {
        IllegalArgumentException e = Check.fails(IllegalArgumentException.class, statement);
        Check.isTrue(e.getMessage().contains(sentence), e.getMessage());
    }

    public static void gatheredArraysMustHaveAPartForEachRank(Comm world) {
        int ranks = world.size();
        refused("elements: ", () -> world.allgather(new int[2], new int[2 * ranks - 1]));
        refused("elements: ", () -> world.allgather(new int[2], new int[2 * ranks + 1]));
        refused("elements: ", () -> world.allgather(new int[2], new int[3 * ranks]));
        refused("cannot be divided", () ->
                world.allgather(MpiBuffer.inPlace(), ranks == 1 ? null : MpiBuffer.of(new int[1])), ranks > 1);
        if (world.rank() == 0) {
            refused("elements: ", () -> world.gather(new int[2], new int[2 * ranks - 1], 0));
            refused("elements: ", () -> world.gather(new int[1], new int[0], 0));
            refused("\"received\" is null", () -> world.gather(new int[2], null, 0));
        } else {
            world.gather(new int[2], null, 0);
            world.gather(new int[1], null, 0);
            world.gather(new int[2], null, 0);
            refused("cannot be MpiBuffer.inPlace()", () -> world.gather(MpiBuffer.<Ints>inPlace(), null, 0));
        }
    }

    private static void refused(String sentence, Check.Statement statement, boolean wanted) {
        if (wanted) {
            refused(sentence, statement);
        }
    }

    public static void scatteredArraysMustHaveAPartForEachRank(Comm world) {
        int ranks = world.size();
        if (world.rank() == 0) {
            refused("elements: ", () -> world.scatter(new int[2 * ranks + 1], new int[2], 0));
            refused("\"sent\" is null", () -> world.scatter(null, new int[2], 0));
            refused("cannot be MpiBuffer.inPlace()", () ->
                    world.scatter(MpiBuffer.inPlace(), MpiBuffer.of(new int[1]), 0));
            refused("\"received\" is null", () -> world.scatter(MpiBuffer.of(new int[ranks]), null, 0));
        } else {
            int[] part = {1, 1};
            world.scatter(null, part, 0);
            Check.equal(part, new int[2]);
            world.scatter(null, part, 0);
            world.scatter(null, new int[1], 0);
            world.scatter(null, new int[1], 0);
            refused("cannot be MpiBuffer.inPlace()", () -> world.scatter(null, MpiBuffer.<Ints>inPlace(), 0));
            refused("\"received\" is null", () -> world.scatter(MpiBuffer.of(new int[ranks]), null, 0));
        }
    }

    public static void exchangedArraysMustBeOfTheSameSize(Comm world) {
        int ranks = world.size();
        refused("must be as many", () -> world.alltoall(new int[ranks], new int[2 * ranks]));
        refused("cannot be divided", () -> world.alltoall(new int[ranks + 1], new int[ranks + 1]), ranks > 1);
        refused("\"sent\" is null", () -> world.alltoall(null, MpiBuffer.of(new int[ranks])));
        refused("cannot be MpiBuffer.inPlace()", () ->
                world.alltoall(MpiBuffer.of(new int[ranks]), MpiBuffer.inPlace()));
    }

    public static void buffersThatAreMissingAreRefused(Comm world) {
        MpiBuffer<Ints> none = null;
        MpiBuffer<Ints> inPlace = MpiBuffer.inPlace();
        MpiBuffer<Ints> one = MpiBuffer.of(new int[1]);
        for (MpiBuffer<Ints> bad : Arrays.asList(none, inPlace)) {
            refused("The buffer \"", () -> world.send(bad, 0, 0));
            refused("The buffer \"", () -> world.isend(bad, 0, 0));
            refused("The buffer \"", () -> world.recv(bad, 0, 0));
            refused("The buffer \"", () -> world.irecv(bad, 0, 0));
            refused("The buffer \"", () -> world.sendrecv(bad, 0, one, 0, 0));
            refused("The buffer \"", () -> world.sendrecv(one, 0, bad, 0, 0));
            refused("The buffer \"", () -> world.bcast(bad, 0));
            refused("The buffer \"", () -> world.reduce(bad, Op.SUM, 0));
            refused("The buffer \"", () -> world.allreduce(bad, Op.SUM));
            refused("The buffer \"", () -> world.iallreduce(bad, Op.SUM));
        }
        refused("operation of a reduction is null", () -> world.allreduce(one, null));
        refused("The buffer \"data\" is null", () -> world.send((int[]) null, 0, 0));
        refused("The buffer \"data\" is null", () -> world.bcast((int[]) null, 0));
        refused("The buffer \"received\" is null", () -> world.sendrecv(new int[1], 0, null, 0, 0));
        refused("request 0 of several is null", () -> Request.awaitAll((Request) null));
        Check.fails(IllegalArgumentException.class, () -> inPlace.as(Datatype.INT, 1));
        Check.fails(IllegalArgumentException.class, () -> MpiBuffer.allocate(Datatype.INT, -1));
        Check.fails(IllegalArgumentException.class, () -> MpiBuffer.allocate(Datatype.LONG, Long.MAX_VALUE / 4));
        Check.fails(IllegalArgumentException.class, () -> one.as(Datatype.INT, -1));
        Check.fails(IllegalArgumentException.class, () -> one.as(Datatype.INT, 1, -1));
        Check.fails(RuntimeException.class, () -> one.as(Datatype.INT, 1, Long.MAX_VALUE / 2));
    }

    public static void inPlaceIsTakenWhereMpiHasIt(Comm world) {
        int rank = world.rank();
        int ranks = world.size();
        int[] all = new int[ranks];
        all[rank] = rank + 1;
        world.allgather(MpiBuffer.inPlace(), MpiBuffer.of(all));
        int[] expected = new int[ranks];
        Arrays.setAll(expected, i -> i + 1);
        Check.equal(all, expected);
        if (rank == 0) {
            int[] gathered = new int[ranks];
            gathered[0] = 1;
            world.gather(MpiBuffer.inPlace(), MpiBuffer.of(gathered), 0);
            Check.equal(gathered, expected);
            world.scatter(MpiBuffer.of(gathered), MpiBuffer.inPlace(), 0);
        } else {
            world.gather(new int[] {rank + 1}, null, 0);
            int[] part = new int[1];
            world.scatter(null, part, 0);
            Check.equal(part[0], rank + 1);
        }
        Arrays.setAll(all, i -> 10 * rank + i);
        world.alltoall(MpiBuffer.inPlace(), MpiBuffer.of(all));
        Arrays.setAll(expected, i -> 10 * i + rank);
        Check.equal(all, expected);
    }

    /** Programs that do not let the compiler check types are told, on every rank. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void operationsKnowTheTypesOfTheirElements(Comm world) {
        try (Op ints = Op.ofInts(true, Integer::sum); Op doubles = Op.ofDoubles(true, Double::sum);
                Op longs = Op.ofLongs(true, Long::sum)) {
            refused("cannot reduce double elements", () ->
                    world.allreduce((MpiBuffer) MpiBuffer.of(new double[1]), ints));
            refused("cannot reduce int elements", () -> world.allreduce((MpiBuffer) MpiBuffer.of(new int[1]), doubles));
            refused("cannot reduce int elements", () -> world.reduce((MpiBuffer) MpiBuffer.of(new int[1]), longs, 0));
            refused("cannot reduce float elements", () ->
                    world.iallreduce((MpiBuffer) MpiBuffer.of(new float[1]), (Op) Op.BAND));
            refused("cannot reduce double elements", () ->
                    world.allreduce((MpiBuffer) MpiBuffer.of(new double[1]), (Op) Op.BXOR));
            refused("has int elements", () -> world.allgather((MpiBuffer) MpiBuffer.of(new int[2]),
                    MpiBuffer.of(new double[world.size()])), true);
        }
    }

    public static void arraysOfAllNumbersCanBeReduced(Comm world) {
        int ranks = world.size();
        byte[] bytes = {3, -1};
        short[] shorts = {-3};
        char[] chars = {40_000};
        float[] floats = {0.5f};
        world.allreduce(bytes, Op.SUM);
        world.allreduce(shorts, Op.SUM);
        world.allreduce(chars, Op.MAX);
        world.allreduce(floats, Op.SUM);
        Check.equal(bytes, new byte[] {(byte) (3 * ranks), (byte) -ranks});
        Check.equal(shorts[0], (short) (-3 * ranks));
        Check.equal(chars[0], (char) 40_000);
        Check.equal(floats[0], ranks / 2f);
        bytes[0] = 6;
        world.allreduce(bytes, Op.BAND);
        Check.equal(bytes[0], (byte) 6);
        MpiBuffer<Ints> outside = MpiBuffer.allocate(Datatype.INT, 4);
        try (Datatype<Ints> everySecond = Datatype.vector(2, 1, 2, Datatype.INT)) {
            outside.setInt(0, 1);
            outside.setInt(1, 5);
            outside.setInt(2, 2);
            world.allreduce(outside.as(everySecond, 1), Op.SUM);
        }
        Check.equal(outside.getInt(0), ranks);
        Check.equal(outside.getInt(1), 5);
        Check.equal(outside.getInt(2), 2 * ranks);
    }
}

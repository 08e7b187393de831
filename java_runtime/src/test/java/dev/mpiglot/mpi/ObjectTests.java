package dev.mpiglot.mpi;

import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Objects in messages and in collective operations; no process waits for one whose codec throws. */
public final class ObjectTests {

    private static final Codec<Serializable> JAVA =
            Codec.serialized(ObjectInputFilter.Config.createFilter("java.base/*;!*"));
    /** A codec of the program that cannot encode "wrong" and cannot decode "broken". */
    private static final Codec<String> TEXT = new Codec<>() {

        @Override
        public byte[] encode(String text) {
            if (text.equals("wrong")) {
                throw new UnsupportedOperationException("wrong text");
            }
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            if (text.equals("broken")) {
                throw new UnsupportedOperationException("broken text");
            }
            return text;
        }
    };

    private ObjectTests() {
    }

    /** Texts of lengths from 0 to 100000 that differ. */
    private static String text(int from, int to, int round) {
        int[] lengths = {0, 1, 1000, 100_000};
        String letters = "" + (char) ('a' + from) + to + round;
        return letters.repeat(30_000).substring(0, lengths[(from + to + round) % 4] * 9 / 10);
    }

    private static List<String> texts(int ranks, java.util.function.IntFunction<String> each) {
        return IntStream.range(0, ranks).mapToObj(each).toList();
    }

    public static void everyOperationBringsObjectsOfAnyLength(Comm world) throws Exception {
        for (int round = 0; round < 4; round++) {
            everyOperation(world, TEXT, round);
            if (round > 1) {
                everyOperation(world, JAVA, round);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static void everyOperation(Comm world, Codec<? extends Serializable> any, int round) throws Exception {
        Codec<Object> codec = (Codec<Object>) (Codec<?>) any;
        int rank = world.rank();
        int ranks = world.size();
        int root = round % ranks;
        Check.Statement send = () -> world.sendObject(codec, text(rank, 0, round), Ring.right(world), 5);
        Check.Statement receive = () -> Check.equal(world.recvObject(codec, Ring.left(world), 5),
                text(Ring.left(world), 0, round));
        if (ranks == 1) {
            Check.together(send, receive);
        } else {
            (rank == 0 ? send : receive).run();
            (rank == 0 ? receive : send).run();
        }
        Check.equal(world.bcastObject(codec, rank == root ? text(root, 1, round) : null, root), text(root, 1, round));
        List<String> all = texts(ranks, from -> text(from, 2, round));
        Check.equal(world.gatherObjects(codec, text(rank, 2, round), root), rank == root ? all : List.of());
        Check.equal(world.allgatherObjects(codec, text(rank, 2, round)), all);
        List<String> given = texts(ranks, to -> text(root, to, round));
        Check.equal(world.scatterObjects(codec, rank == root ? given : null, root), text(root, rank, round));
        Check.equal(world.alltoallObjects(codec, texts(ranks, to -> text(rank, to, round))),
                texts(ranks, from -> text(from, rank, round)));
    }

    private static void refused(String part, Check.Statement statement) {
        String told = Check.fails(CodecException.class, statement).getMessage();
        Check.isTrue(told.contains(part), told);
    }

    public static void whereOneCannotEncodeAllThrow(Comm world) {
        int bad = world.size() - 1;
        boolean here = world.rank() == bad;
        String part = here ? "wrong text" : "Rank " + bad;
        String object = here ? "wrong" : "right";
        List<String> objects = new ArrayList<>(Collections.nCopies(world.size(), "right"));
        objects.set(0, object);
        refused(part, () -> world.bcastObject(TEXT, object, bad));
        refused(part, () -> world.gatherObjects(TEXT, object, 0));
        refused(part, () -> world.allgatherObjects(TEXT, object));
        refused(part, () -> world.scatterObjects(TEXT, objects, bad));
        refused(part, () -> world.alltoallObjects(TEXT, objects));
        refused(here ? "none" : part, () -> world.scatterObjects(TEXT, null, bad));
        List<String> few = here ? List.of() : objects;
        refused(here ? "there are 0" : part, () -> world.alltoallObjects(TEXT, few));
        refused(here ? "null" : part, () -> world.allgatherObjects(here ? null : TEXT, "right"));
        if (here && bad > 0) {
            refused("wrong text", () -> world.sendObject(TEXT, "wrong", 0, 6));
        }
        if (world.rank() == 0 && bad > 0) {
            refused("Rank " + bad, () -> world.recvObject(TEXT, bad, 6));
        }
        Check.equal(world.allgatherObjects(TEXT, "next").size(), world.size());
    }

    public static void aProcessThatCannotDecodeThrowsAlone(Comm world) {
        boolean first = world.rank() == 0;
        List<String> objects = new ArrayList<>(Collections.nCopies(world.size(), "right"));
        objects.set(0, "broken");
        Check.Statement scatter = () -> world.scatterObjects(TEXT, first ? objects : null, 0);
        Check.Statement alltoall = () -> world.alltoallObjects(TEXT, objects);
        for (Check.Statement one : List.of(scatter, alltoall)) {
            if (first) {
                refused("broken text", one);
            } else {
                try {
                    one.run();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        }
        Check.equal(world.allgatherObjects(TEXT, "next").size(), world.size());
    }

    public static void classesThatTheFilterForbidsAreNotMade(Comm world) {
        Codec<Serializable> none = Codec.serialized(ObjectInputFilter.Config.createFilter("!*"));
        refused("REJECTED", () -> world.allgatherObjects(none, new ArrayList<>(List.of("text"))));
        Check.fails(IllegalArgumentException.class, () -> Codec.serialized(null));
    }

    public static void messagesThatAreNoObjectsAreRefused(Comm world) {
        for (byte[] data : new byte[][] {{}, {7}}) {
            Request sent = world.isend(data, Ring.right(world), 7);
            refused("not of sendObject", () -> world.recvObject(TEXT, Ring.left(world), 7));
            sent.await();
        }
        Check.equal(world.recvObject(TEXT, Comm.PROC_NULL, 7), null);
    }
}

package dev.mpiglot.mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Exchanges of buffers of several types. */
public final class MixedTests {

    private MixedTests() {
    }

    /** The buffers of a process; those between two of even ranks are ints, others columns of shorts or structures. */
    private static final class Data implements AutoCloseable {
        private final List<MpiBuffer<?>> buffers = new ArrayList<>();
        private final Datatype<Element.Shorts> column = Datatype.vector(3, 1, 2, Datatype.SHORT);
        private final Datatype<Element.Records> record = Datatype.struct(new int[] {1, 2}, new long[] {8, 0},
                List.of(Datatype.LONG, Datatype.BYTE));

        private void add(int one, int other, int value) {
            switch ((one + other) % 3) {
                case 0 -> {
                    int[] ints = new int[one * other + 1];
                    Arrays.fill(ints, value);
                    buffers.add(MpiBuffer.of(ints));
                }
                case 1 -> {
                    short[] shorts = new short[5];
                    Arrays.fill(shorts, (short) value);
                    buffers.add(MpiBuffer.of(shorts).as(column, 1));
                }
                default -> {
                    byte[] bytes = new byte[32];
                    Arrays.fill(bytes, (byte) value);
                    buffers.add(MpiBuffer.of(bytes).as(record, 2));
                }
            }
        }

        /** What a process gives another one says who both are. */
        static Data sent(int rank, List<Integer> others, int round) {
            Data data = new Data();
            others.forEach(other -> data.add(rank, other, 40 * round + 6 * rank + other + 1));
            return data;
        }

        static Data received(int rank, List<Integer> others) {
            Data data = new Data();
            others.forEach(other -> data.add(rank, other, 0));
            return data;
        }

        void requireFrom(int rank, List<Integer> others, int round) {
            for (int i = 0; i < others.size(); i++) {
                int other = others.get(i);
                int value = 40 * round + 6 * other + rank + 1;
                MpiBuffer<?> got = buffers.get(i);
                switch ((rank + other) % 3) {
                    case 0 -> Check.equal(got.getInt(got.count() - 1), value);
                    case 1 -> {
                        Check.equal(got.getShort(4), (short) value);
                        Check.equal(got.getShort(1), (short) 0);
                    }
                    default -> {
                        MpiBuffer<Element.Bytes> bytes = got.as(Datatype.BYTE, 32);
                        Check.equal(bytes.getByte(31), (byte) value);
                        Check.equal(bytes.getByte(1), (byte) value);
                        Check.equal(bytes.getByte(2), (byte) 0);
                    }
                }
            }
        }

        @Override
        public void close() {
            column.close();
            record.close();
        }
    }

    private static List<Integer> ranks(Comm comm) {
        return java.util.stream.IntStream.range(0, comm.size()).boxed().toList();
    }

    /** A way to exchange. */
    @FunctionalInterface
    private interface Exchange {
        void go(List<MpiBuffer<?>> sent, List<MpiBuffer<?>> received);
    }

    private static void exchange(Comm comm, List<Integer> to, List<Integer> from, Exchange way) {
        try (Data sent = Data.sent(comm.rank(), to, 0); Data got = Data.received(comm.rank(), from)) {
            way.go(sent.buffers, got.buffers);
            got.requireFrom(comm.rank(), from, 0);
        }
    }

    /** Starts a prepared exchange twice, of other values; types may be closed in between. */
    private static void startTwice(Comm comm, List<Integer> to, List<Integer> from, Data got, Data sent,
            java.util.function.Supplier<Persistent> preparation) {
        try (Persistent prepared = preparation.get()) {
            sent.close();
            got.close();
            for (int round = 0; round < 2; round++) {
                try (Data next = Data.sent(comm.rank(), to, round)) {
                    for (int i = 0; i < to.size(); i++) {
                        MpiBuffer<?> here = sent.buffers.get(i);
                        here.segment().copyFrom(next.buffers.get(i).segment());
                    }
                }
                prepared.start().await();
                got.requireFrom(comm.rank(), from, round);
            }
        } catch (UnavailableException e) {
            Check.isTrue(e.getMessage().contains("init"), e.getMessage());
        }
    }

    public static void everyPairHasATypeOfItsOwn(Comm world) {
        List<Integer> all = ranks(world);
        exchange(world, all, all, world::alltoallw);
        exchange(world, all, all, (sent, received) -> world.ialltoallw(sent, received).await());
        try (Data sent = Data.sent(world.rank(), all, 0); Data got = Data.received(world.rank(), all)) {
            startTwice(world, all, all, got, sent, () -> world.alltoallwInit(sent.buffers, got.buffers));
        }
    }

    public static void everyNeighbourHasATypeOfItsOwn(Comm world) {
        try (DistGraph ring = world.createDistGraphAdjacent(new int[] {Ring.left(world)}, new int[] {Ring.right(world)}, null,
                false)) {
            List<Integer> to = List.of(Ring.right(world));
            List<Integer> from = List.of(Ring.left(world));
            exchange(ring, to, from, ring::neighborAlltoallw);
            exchange(ring, to, from, (sent, received) -> ring.ineighborAlltoallw(sent, received).await());
            try (Data sent = Data.sent(world.rank(), to, 0); Data got = Data.received(world.rank(), from)) {
                startTwice(ring, to, from, got, sent, () -> ring.neighborAlltoallwInit(sent.buffers, got.buffers));
            }
        }
    }

    public static void listsThatDoNotFitAreRefused(Comm world) {
        List<Integer> all = ranks(world);
        try (Data data = Data.received(world.rank(), all); Data other = Data.received(world.rank(), all)) {
            List<MpiBuffer<?>> more = new ArrayList<>(data.buffers);
            more.add(MpiBuffer.of(new int[1]));
            List<MpiBuffer<?>> none = new ArrayList<>(data.buffers);
            none.set(0, null);
            List<MpiBuffer<?>> inPlace = new ArrayList<>(data.buffers);
            inPlace.set(0, MpiBuffer.inPlace());
            List<MpiBuffer<?>> unequal = new ArrayList<>(data.buffers);
            unequal.set(world.rank(), MpiBuffer.of(new byte[99]));
            for (List<MpiBuffer<?>> wrong : Arrays.asList(null, more, none, inPlace, unequal)) {
                Check.fails(IllegalArgumentException.class, () -> world.alltoallw(wrong, other.buffers));
                Check.fails(IllegalArgumentException.class, () -> world.ialltoallw(other.buffers, wrong));
            }
        }
    }
}

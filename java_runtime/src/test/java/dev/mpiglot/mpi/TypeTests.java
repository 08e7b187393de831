package dev.mpiglot.mpi;

import dev.mpiglot.low.Combiner;
import dev.mpiglot.low.Distribution;
import dev.mpiglot.low.Order;
import dev.mpiglot.low.Typeclass;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Datatypes of every kind: where their elements lie, what they are made of, and what is refused. */
public final class TypeTests {

    private static final int TAG = 61;
    private static final int BYTES = 4096;
    private static final int FIRST = 1024;
    private static final StructLayout PARTICLE = MemoryLayout.structLayout(ValueLayout.JAVA_BYTE.withName("kind"),
            MemoryLayout.paddingLayout(3), ValueLayout.JAVA_INT.withName("id"),
            MemoryLayout.sequenceLayout(3, ValueLayout.JAVA_DOUBLE).withName("place"),
            MemoryLayout.structLayout(ValueLayout.JAVA_SHORT, MemoryLayout.paddingLayout(6)).withName("more"));

    private TypeTests() {
    }

    /** Types of every constructor, some of them made of each other. */
    private static List<Datatype<?>> types() {
        List<Datatype<?>> all = new ArrayList<>();
        all.add(Datatype.contiguous(3, Datatype.INT));
        all.add(Datatype.vector(3, 2, 4, Datatype.SHORT));
        all.add(Datatype.vector(2, 2, -3, Datatype.DOUBLE));
        all.add(Datatype.hvector(3, 1, 12, Datatype.INT));
        all.add(Datatype.indexed(new int[] {2, 0, 1, 3}, new int[] {5, 9, 1, -4}, Datatype.LONG));
        all.add(Datatype.hindexed(new int[] {1, 2}, new long[] {20, 3}, Datatype.FLOAT));
        all.add(Datatype.indexedBlock(2, new int[] {7, 2, 4}, Datatype.CHAR));
        all.add(Datatype.hindexedBlock(1, new long[] {9, 0, 30}, Datatype.INT));
        for (Order order : Order.values()) {
            all.add(Datatype.subarray(new int[] {4, 5, 6}, new int[] {2, 1, 3}, new int[] {1, 3, 2}, order, Datatype.INT));
            List<Distributed> grid = List.of(Distributed.blocks(5, 2), Distributed.inTurn(7, 2, 2), Distributed.whole(3));
            for (int rank = 0; rank < 4; rank++) {
                if (order == Order.C || !LibraryDefects.MISPLACES_BLOCKS) {
                    all.add(Datatype.darray(rank, grid, order, Datatype.SHORT));
                }
            }
            if (order == Order.C && LibraryDefects.MISPLACES_BLOCKS) {
                Check.fails(UnsupportedOperationException.class, () -> Datatype.darray(0, List.of(
                        Distributed.inTurn(9, 1, 3), Distributed.blocks(5, 2)), order, Datatype.BYTE));
                continue;
            }
            all.add(Datatype.darray(1, List.of(new Distributed(9, Distribution.CYCLIC, 0, 3),
                    new Distributed(5, Distribution.BLOCK, 4, 2)), order, Datatype.BYTE));
        }
        Datatype<?> inner = all.get(4);
        all.add(Datatype.vector(2, 2, 3, inner));
        all.add(Datatype.indexed(new int[] {2, 1}, new int[] {3, 0}, all.get(1).resized(-2, 24)));
        all.add(inner.resized(104));
        all.add(inner.dup());
        all.add(Datatype.struct(new int[] {2, 1, 1}, new long[] {0, 12, 40}, List.of(Datatype.INT, Datatype.BYTE, inner)));
        all.add(Datatype.struct(PARTICLE));
        all.add(Datatype.contiguous(2, Datatype.struct(PARTICLE)));
        all.add(Datatype.indexed(new int[] {1, 1}, new int[] {-2, 3}, Datatype.struct(PARTICLE)));
        return all;
    }

    private static byte[] numbered() {
        byte[] bytes = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = (byte) (i * 31 + i / 256);
        }
        return bytes;
    }

    private static MpiBuffer<Element.Bytes> outside(byte[] content) {
        MpiBuffer<Element.Bytes> memory = MpiBuffer.allocate(Datatype.BYTE, content.length);
        for (int i = 0; i < content.length; i++) {
            memory.setByte(i, content[i]);
        }
        return memory;
    }

    private static byte[] content(MpiBuffer<?> memory) {
        return memory.as(Datatype.BYTE, BYTES, 0).segment().toArray(ValueLayout.JAVA_BYTE);
    }

    private static void same(byte[] one, byte[] other) {
        int first = java.util.Arrays.mismatch(one, other);
        Check.isTrue(first < 0, "byte " + first + " differs");
    }

    private static void eachType(java.util.function.Consumer<Datatype<?>> action) {
        for (Datatype<?> type : types()) {
            try {
                action.accept(type);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(type + " from " + type.trueBounds() + ": " + e, e);
            }
            type.close();
        }
    }

    public static void arraysAndOtherMemoryPackTheSame(Comm world) {
        byte[] content = numbered();
        MpiBuffer<Element.Bytes> memory = outside(content);
        eachType(type -> {
            PackedBuffer fromArray = PackedBuffer.allocate(world, BYTES);
            PackedBuffer fromMemory = PackedBuffer.allocate(world, BYTES);
            fromArray.pack(MpiBuffer.of(content).as(type, 2, FIRST));
            fromMemory.pack(memory.as(type, 2, FIRST));
            Check.equal(fromArray.position(), 2 * type.size());
            same(content(fromArray.room()), content(fromMemory.room()));
        });
    }

    public static void messagesLeaveGapsAsTheyAre(Comm world) {
        byte[] content = numbered();
        MpiBuffer<Element.Bytes> memory = outside(content);
        eachType(type -> {
            byte[] array = new byte[BYTES];
            MpiBuffer<Element.Bytes> other = MpiBuffer.allocate(Datatype.BYTE, BYTES);
            world.sendrecv(memory.as(type, 2, FIRST), Ring.right(world), MpiBuffer.of(array).as(type, 2, FIRST),
                    Ring.left(world), TAG);
            world.sendrecv(MpiBuffer.of(content).as(type, 2, FIRST), Ring.right(world), other.as(type, 3, FIRST),
                    Ring.left(world), TAG);
            same(array, content(other));
            long moved = 0;
            for (int i = 0; i < BYTES; i++) {
                Check.isTrue(array[i] == 0 || array[i] == content[i], "byte " + i);
                moved += array[i] == 0 ? 0 : 1;
            }
            Check.isTrue(moved > 0 && moved <= 2 * type.size(), moved + " bytes");
        });
    }

    public static void aPartOfAnElementArrives(Comm world) {
        try (Datatype<Element.Records> type = Datatype.struct(PARTICLE)) {
            byte[] sent = numbered();
            byte[] got = new byte[BYTES];
            PackedBuffer box = PackedBuffer.allocate(world, BYTES);
            box.pack(MpiBuffer.of(sent).as(type, 2));
            MpiBuffer<?> part = box.room().as(Datatype.PACKED, type.size() + 5);
            Status status =
                    world.sendrecv(part, Ring.right(world), MpiBuffer.of(got).as(type, 2), Ring.left(world), TAG);
            Check.equal(status.bytes(), type.size() + 5);
            Check.equal(status.count(type), OptionalLong.empty());
            Check.equal(status.values(type), OptionalLong.of(6 + 2));
            Check.fails(IllegalArgumentException.class, () -> new Status(0, 0, Long.MAX_VALUE).values(type));
            Check.fails(IllegalArgumentException.class, () -> new Status(0, 0, -1).values(type));
            Check.equal(new Status(0, 0, Long.MAX_VALUE - 1).values(Datatype.BYTE), OptionalLong.of(Long.MAX_VALUE - 1));
            for (int i = 0; i < BYTES; i++) {
                boolean data = i == 0 || i >= 4 && i < 34 || i == 40 || i >= 44 && i < 48;
                Check.equal(got[i], data ? sent[i] : (byte) 0);
            }
        }
    }

    public static void aTypeMayBeClosedWhileAMessageIsUnderWay(Comm world) {
        Datatype<Element.Records> type = Datatype.struct(PARTICLE);
        byte[] sent = numbered();
        byte[] got = new byte[80];
        MpiBuffer<Element.Records> to = MpiBuffer.of(got).as(type, 2);
        Request received = world.irecv(to, Ring.left(world), TAG);
        try (Datatype<Element.Records> other = type.dup()) {
            type.close();
            world.barrier();
            world.send(MpiBuffer.of(sent).as(other, 2), Ring.right(world), TAG);
            Check.equal(received.await().bytes(), 2 * other.size());
        }
        Check.equal(got[44], sent[44]);
        Check.equal(got[41], (byte) 0);
        Check.fails(IllegalStateException.class, () -> world.isend(to, Ring.right(world), TAG));
    }

    public static void boundsAreThoseOfMpi(Comm world) {
        try (Datatype<?> column = Datatype.vector(3, 1, 4, Datatype.DOUBLE); Datatype<?> moved = column.resized(-8, 200)) {
            Check.equal(column.size(), 24L);
            Check.equal(column.bounds(), new Datatype.Bounds(0, 72));
            Check.equal(moved.bounds(), new Datatype.Bounds(-8, 200));
            Check.equal(moved.trueBounds(), new Datatype.Bounds(0, 72));
            Check.equal(moved.extent(), 200L);
        }
        try (Datatype<?> particle = Datatype.struct(PARTICLE)) {
            Check.equal(particle.extent(), PARTICLE.byteSize());
            Check.equal(particle.size(), 31L);
        }
    }

    public static void contentsAreWhatATypeIsMadeOf(Comm world) {
        Datatype<?> inner = Datatype.vector(3, 2, 4, Datatype.INT);
        try (Datatype<?> outer = Datatype.indexed(new int[] {2, 1}, new int[] {5, 0}, inner);
                TypeContents contents = outer.contents()) {
            inner.close();
            Check.equal(outer.envelope(), new Datatype.Envelope(Combiner.INDEXED, 5, 0, 0, 1));
            Check.equal(contents.integers(), List.of(2, 2, 1, 5, 0));
            Datatype<?> again = contents.types().getFirst();
            try (TypeContents deeper = again.contents()) {
                Check.equal(deeper.combiner(), Combiner.VECTOR);
                Check.equal(deeper.integers(), List.of(3, 2, 4));
                Check.equal(deeper.types(), List.of(Datatype.INT));
            }
            int[] got = new int[20];
            int[] sent = java.util.stream.IntStream.range(1, 21).toArray();
            world.sendrecv(MpiBuffer.of(sent).as(again, 1), Ring.right(world), MpiBuffer.of(got).as(again, 1),
                    Ring.left(world), TAG);
            Check.equal(got, new int[] {1, 2, 0, 0, 5, 6, 0, 0, 9, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
        }
        try (Datatype<?> moved = Datatype.hvector(2, 1, 20, Datatype.INT); TypeContents contents = moved.contents()) {
            Check.equal(contents.addresses(), List.of(20L));
        }
        Check.equal(Datatype.INT.envelope().combiner(), Combiner.NAMED);
        Check.fails(IllegalStateException.class, Datatype.INT::contents);
    }

    public static void recordsMoveThroughCollectivesAndWindowsRefuseThem(Comm world) {
        int ranks = world.size();
        try (Datatype<Element.Records> type = Datatype.struct(PARTICLE)) {
            byte[] own = numbered();
            own[4] = (byte) world.rank();
            byte[] all = new byte[(int) type.extent() * ranks];
            world.allgather(MpiBuffer.of(own).as(type, 1), MpiBuffer.of(all).as(type, ranks));
            for (int i = 0; i < ranks; i++) {
                Check.equal(all[40 * i + 4], (byte) i);
                Check.equal(all[40 * i + 1], (byte) 0);
            }
            MpiBuffer<?> memory = MpiBuffer.allocate(Datatype.BYTE, 80).as(type, 2);
            Check.fails(IllegalArgumentException.class, () -> world.createWindow(memory, null));
        }
    }

    public static void typesOfMpiAreFoundBySize(Comm world) {
        ifBuiltWithFortran(() -> Datatype.matching(Typeclass.REAL, 8), 8);
        ifBuiltWithFortran(() -> Datatype.f90Real(6, 30), 4);
        ifBuiltWithFortran(() -> Datatype.f90Complex(12, 100), 16);
        ifBuiltWithFortran(() -> Datatype.f90Integer(9), 4);
        try {
            Datatype<Element.Records> pair = Datatype.valueIndex(Datatype.DOUBLE, Datatype.INT);
            Check.equal(pair.size(), 12L);
            Check.equal(pair.extent(), 16L);
        } catch (MpiException | UnsupportedOperationException e) { // before MPI 4.1
            Check.isTrue(e.getMessage() != null, "no text");
        }
        try (Datatype<?> one = Datatype.contiguous(1, Datatype.BYTE)) {
            MpiBuffer<?> memory = MpiBuffer.allocate(Datatype.BYTE, 8);
            Check.equal(memory.shiftedBy(0).address() % 8, 0L);
            Check.equal(memory.as(one, 1, 3).address() - memory.address(), 3L);
        }
        Check.fails(IllegalStateException.class, () -> MpiBuffer.of(new int[1]).address());
    }

    private static void ifBuiltWithFortran(Supplier<Datatype<Element.Records>> maker, long size) {
        try {
            Datatype<Element.Records> type = maker.get();
            Check.equal(type.size(), size);
            type.close();
            Check.equal(type.size(), size);
        } catch (MpiException e) { // the library has no Fortran
            Check.isTrue(e.getMessage() != null, "no text");
        }
    }

    private static void refused(Check.Statement statement) {
        Check.fails(IllegalArgumentException.class, statement);
    }

    public static void whatIsNoTypeIsRefused(Comm world) {
        refused(() -> Datatype.contiguous(-1, Datatype.INT));
        refused(() -> Datatype.contiguous(1, null));
        refused(() -> Datatype.contiguous(Long.MAX_VALUE, Datatype.INT));
        refused(() -> Datatype.vector(1, -1, 1, Datatype.INT));
        refused(() -> Datatype.hvector(-1, 1, 1, Datatype.INT));
        refused(() -> Datatype.indexed(new int[1], new int[2], Datatype.INT));
        refused(() -> Datatype.indexed(new int[] {-1}, new int[1], Datatype.INT));
        refused(() -> Datatype.hindexed(null, new long[1], Datatype.INT));
        refused(() -> Datatype.indexedBlock(-1, new int[1], Datatype.INT));
        refused(() -> Datatype.hindexedBlock(1, null, Datatype.INT));
        refused(() -> Datatype.subarray(new int[] {3}, new int[] {2}, new int[] {2}, Order.C, Datatype.INT));
        refused(() -> Datatype.subarray(new int[0], new int[0], new int[0], Order.C, Datatype.INT));
        refused(() -> Datatype.darray(2, List.of(Distributed.blocks(4, 2)), Order.C, Datatype.INT));
        refused(() -> new Distributed(9, Distribution.BLOCK, 2, 2));
        refused(() -> Datatype.struct(new int[1], new long[1], List.of()));
        refused(() -> Datatype.struct(MemoryLayout.structLayout(ValueLayout.ADDRESS)));
        Datatype<?> closed = Datatype.contiguous(2, Datatype.INT);
        closed.close();
        Check.fails(IllegalStateException.class, closed::size);
        Check.fails(IllegalStateException.class, closed::contents);
        Check.fails(IllegalStateException.class, closed::dup);
        Check.fails(IllegalStateException.class,
                () -> Datatype.struct(new int[1], new long[1], List.<Datatype<?>>of(closed)));
        try (Datatype<?> far = Datatype.hindexed(new int[] {1}, new long[] {40}, Datatype.INT)) {
            refused(() -> MpiBuffer.of(new int[10]).as(far, 1));
            Check.equal(MpiBuffer.of(new int[11]).as(far, 1).count(), 1L);
        }
    }
}

package dev.mpiglot.mpi;

import java.lang.foreign.ValueLayout;

/** Buffers of several types in one message. */
public final class PackTests {

    private static final int TAG = 62;

    private PackTests() {
    }

    private static void fill(PackedBuffer box, int rank) {
        box.pack(MpiBuffer.of(new int[] {rank, 2, 3}));
        box.pack(MpiBuffer.of(new double[] {rank + 0.5}));
        box.pack(MpiBuffer.of("mpi".toCharArray()));
    }

    private static void requireContent(PackedBuffer box, int rank) {
        int[] ints = new int[3];
        double[] doubles = new double[1];
        char[] chars = new char[3];
        box.unpack(MpiBuffer.of(ints));
        box.unpack(MpiBuffer.of(doubles));
        box.unpack(MpiBuffer.of(chars));
        Check.equal(ints, new int[] {rank, 2, 3});
        Check.equal(doubles, new double[] {rank + 0.5});
        Check.equal(new String(chars), "mpi");
    }

    public static void severalTypesMakeOneMessage(Comm world) {
        PackedBuffer sent = PackedBuffer.allocate(world, 100);
        PackedBuffer got = PackedBuffer.allocate(world, 200);
        fill(sent, world.rank());
        got.received(world.sendrecv(sent.packed(), Ring.right(world), got.room(), Ring.left(world), TAG));
        requireContent(got, Ring.left(world));
        sent.rewind();
        requireContent(sent, world.rank());
    }

    public static void theExternalFormHasTheHighestByteFirst(Comm world) {
        if (KnownDefects.has("pack-external-keeps-byte-order")) {
            Check.fails(UnavailableException.class, () -> PackedBuffer.external(100));
            return;
        }
        PackedBuffer box = PackedBuffer.external(100);
        fill(box, 1);
        Check.equal(box.position(), 12L + 8 + 6);
        Check.equal(box.room().segment().get(ValueLayout.JAVA_BYTE, 3), (byte) 1);
        box.rewind();
        requireContent(box, 1);
    }

    public static void roomIsNotExceeded(Comm world) {
        PackedBuffer box = PackedBuffer.allocate(world, 16);
        MpiBuffer<?> data = MpiBuffer.of(new int[] {1, 2, 3});
        Check.isTrue(box.sizeOf(data) >= 12, "size");
        Check.fails(IllegalArgumentException.class, () -> box.unpack(data));
        box.pack(data);
        Check.fails(IllegalArgumentException.class, () -> box.pack(data));
        Check.equal(box.position(), 12L);
        box.rewind();
        Check.fails(IllegalArgumentException.class, () -> box.unpack(MpiBuffer.of(new int[4])));
        Check.fails(IllegalArgumentException.class, () -> box.received(17));
        Check.fails(IllegalArgumentException.class, () -> box.pack(MpiBuffer.inPlace()));
        Check.fails(IllegalArgumentException.class, () -> box.pack(null));
        Check.fails(IllegalArgumentException.class, () -> PackedBuffer.allocate(world, -1));
        Comm other = world.dup();
        PackedBuffer late = PackedBuffer.allocate(other, 100);
        other.close();
        Check.fails(IllegalStateException.class, () -> late.pack(data));
        if (!KnownDefects.has("pack-external-keeps-byte-order")) {
            PackedBuffer external = PackedBuffer.external(10);
            Check.fails(IllegalArgumentException.class, () -> external.pack(data));
        }
    }

    public static void threadsMayShareIt(Comm world) {
        PackedBuffer box = PackedBuffer.allocate(world, 8000);
        Check.Statement packing = () -> {
            for (int i = 0; i < 500; i++) {
                box.pack(MpiBuffer.of(new int[] {7}));
            }
        };
        Check.together(packing, packing, packing);
        box.rewind();
        int[] got = new int[1500];
        box.unpack(MpiBuffer.of(got));
        Check.equal(java.util.Arrays.stream(got).sum(), 7 * 1500);
    }
}

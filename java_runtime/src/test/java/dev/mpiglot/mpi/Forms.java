package dev.mpiglot.mpi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Every form that a buffer can have, each with small whole numbers as its values. */
final class Forms {

    private static final int BEFORE = 3;
    private static final int BEHIND = 2;
    private static final int GUARD = 77;

    private Forms() {
    }

    /**
     * A form of buffers.
     *
     * @param name what the test calls it
     * @param kind the type of the values
     * @param maker makes a buffer of values
     */
    record Form(String name, Kind kind, Maker maker) {

        /** Whether it is tried in all operations: of slices and of buffers of Java, one type is; others in some. */
        boolean isTriedFully() {
            return switch (name) {
                case "slice" -> kind == Kind.INT;
                case "heap NIO" -> kind == Kind.DOUBLE;
                case "direct NIO" -> kind == Kind.LONG;
                default -> true;
            };
        }
    }

    interface Maker {
        Held make(int[] values);
    }

    /**
     * A buffer and what is in the program's memory; reading that checks the memory around it.
     *
     * @param buffer the buffer
     * @param contents its values
     */
    record Held(MpiBuffer<?> buffer, Supplier<int[]> contents) {
    }

    /** Plain arrays, with which the other forms are compared. */
    static Form plain(Kind wanted) {
        Kind kind = wanted == Kind.BOOLEAN ? Kind.BYTE : wanted;
        return new Form(kind == wanted ? "array" : "bits", kind, values -> {
            Object array = Primitives.of(kind, values);
            return new Held(Primitives.buffer(array), () -> Primitives.values(array));
        });
    }

    static List<Form> all(Arena arena) {
        List<Form> forms = new ArrayList<>();
        for (Kind kind : Kind.NUMBERS) {
            forms.add(new Form("slice", kind, values -> slice(kind, values)));
            forms.add(new Form("heap NIO", kind, values -> nio(kind, values, ByteBuffer::allocate)));
            forms.add(new Form("direct NIO", kind, values -> nio(kind, values, ByteBuffer::allocateDirect)));
        }
        forms.add(new Form("closeable", Kind.DOUBLE, values -> in(Kind.DOUBLE, values, bytes -> arena.allocate(bytes, 8))));
        forms.add(new Form("automatic", Kind.LONG,
                values -> in(Kind.LONG, values, bytes -> Arena.ofAuto().allocate(bytes, 8))));
        forms.add(new Form("unaligned", Kind.INT,
                values -> in(Kind.INT, values, bytes -> Arena.ofAuto().allocate(bytes + 1).asSlice(1))));
        forms.add(new Form("heap segment", Kind.FLOAT, values -> in(Kind.FLOAT, values,
                bytes -> MemorySegment.ofArray(new byte[(int) bytes + 4]).asSlice(4))));
        forms.add(new Form("mapped file", Kind.SHORT, values -> in(Kind.SHORT, values, bytes -> mapped(arena, bytes))));
        forms.add(new Form("boolean[]", Kind.BOOLEAN, values -> flags(values, 0, 0)));
        forms.add(new Form("part of boolean[]", Kind.BOOLEAN, values -> flags(values, BEFORE, BEHIND)));
        forms.add(new Form("memory of booleans", Kind.BOOLEAN,
                values -> in(Kind.BOOLEAN, values, bytes -> Arena.ofAuto().allocate(bytes))));
        forms.add(new Form("rows", Kind.DOUBLE, Forms::rows));
        forms.add(new Form("strided", Kind.INT, Forms::strided));
        forms.add(new Form("view", Kind.LONG, Forms::view));
        return forms;
    }

    private static MemorySegment mapped(Arena arena, long bytes) {
        try {
            Path file = Files.createTempFile("mpiglot", "mapped");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, Math.max(1, bytes), arena).asSlice(0, bytes);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    interface Allocator {
        MemorySegment bytes(long count);
    }

    private static Held in(Kind kind, int[] values, Allocator memory) {
        MemorySegment segment = memory.bytes((long) values.length * kind.size());
        segment.copyFrom(MemorySegment.ofArray(Primitives.bytes(kind, values)));
        return new Held(MpiBuffer.of(segment, Datatype.of(kind)),
                () -> Primitives.values(kind, segment.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)));
    }

    private static int[] guarded(int[] values) {
        int[] all = new int[BEFORE + values.length + BEHIND];
        Arrays.fill(all, GUARD);
        System.arraycopy(values, 0, all, BEFORE, values.length);
        return all;
    }

    private static int[] unguarded(int[] all) {
        int end = all.length - BEHIND;
        for (int i = 0; i < all.length; i++) {
            Check.isTrue(i >= BEFORE && i < end || all[i] == GUARD, "element " + i + " beside the buffer is " + all[i]);
        }
        return Arrays.copyOfRange(all, BEFORE, end);
    }

    private static Held flags(int[] values, int before, int behind) {
        boolean[] all = new boolean[before + values.length + behind];
        for (int i = 0; i < values.length; i++) {
            all[before + i] = values[i] == 1;
        }
        int end = before + values.length;
        return new Held(before + behind == 0 ? MpiBuffer.of(all) : MpiBuffer.of(all, before, end), () -> {
            int[] found = new int[values.length];
            for (int i = 0; i < all.length; i++) {
                Check.isTrue(i >= before && i < end || !all[i], "element " + i + " is beside the buffer");
                if (i >= before && i < end) {
                    found[i - before] = all[i] ? 1 : 0;
                }
            }
            return found;
        });
    }

    /** Rows of 3, 0, 5, 3, 0 ... elements, as far as there are values. */
    private static Held rows(int[] values) {
        int[] lengths = {3, 0, 5};
        List<double[]> rows = new ArrayList<>();
        for (int i = 0; i < values.length; i += rows.getLast().length) {
            int end = Math.min(values.length, i + lengths[rows.size() % lengths.length]);
            rows.add(Arrays.stream(values, i, end).asDoubleStream().toArray());
        }
        return new Held(MpiBuffer.rows(rows.toArray(new double[0][])),
                () -> rows.stream().flatMapToDouble(Arrays::stream).mapToInt(value -> (int) value).toArray());
    }

    /** The elements of an array of which some are a buffer: places[i] is that of value i. */
    private static int[] taken(int[] all, int[] places) {
        int[] found = new int[places.length];
        for (int i = 0; i < places.length; i++) {
            found[i] = all[places[i]];
            all[places[i]] = GUARD;
        }
        Check.isTrue(Arrays.stream(all).allMatch(one -> one == GUARD), "elements beside the buffer have changed");
        return found;
    }

    private static int[] spread(int[] values, int[] places, int length) {
        int[] all = new int[length];
        Arrays.fill(all, GUARD);
        for (int i = 0; i < places.length; i++) {
            all[places[i]] = values[i];
        }
        return all;
    }

    /** Pairs of elements, or single ones of an odd number, every fifth element. */
    private static Held strided(int[] values) {
        int length = values.length % 2 == 0 ? 2 : 1;
        int blocks = values.length / length;
        int[] places = java.util.stream.IntStream.range(0, values.length).map(i -> i / length * 5 + i % length).toArray();
        int[] array = spread(values, places, 5 * blocks);
        return new Held(MpiBuffer.of(array).strided(blocks, length, 5), () -> taken(array.clone(), places));
    }

    /** A box of 5 x n x 2 or 1 x n x 1 elements in three dimensions. */
    private static Held view(int[] values) {
        int outer = values.length % 10 == 0 ? 5 : 1;
        int inner = values.length % 10 == 0 ? 2 : 1;
        int middle = values.length / outer / inner;
        int[] shape = {outer + 1, middle + 3, inner + 2};
        int[] from = {1, 2, 1};
        int[] to = {outer + 1, middle + 2, inner + 1};
        int[] places = new int[values.length];
        for (int x = 0, next = 0; x < outer; x++) {
            for (int y = 0; y < middle; y++) {
                for (int z = 0; z < inner; z++) {
                    places[next++] = ((x + from[0]) * shape[1] + y + from[1]) * shape[2] + z + from[2];
                }
            }
        }
        long[] array = (long[]) Primitives.of(Kind.LONG, spread(values, places, shape[0] * shape[1] * shape[2]));
        return new Held(MpiBuffer.of(array).view(shape, from, to), () -> taken(Primitives.values(array), places));
    }

    private static Held slice(Kind kind, int[] values) {
        Object array = Primitives.of(kind, guarded(values));
        int end = BEFORE + values.length;
        MpiBuffer<?> buffer = switch (array) {
            case byte[] one -> MpiBuffer.of(one, BEFORE, end);
            case short[] one -> MpiBuffer.of(one, BEFORE, end);
            case char[] one -> MpiBuffer.of(one, BEFORE, end);
            case int[] one -> MpiBuffer.of(one, BEFORE, end);
            case long[] one -> MpiBuffer.of(one, BEFORE, end);
            case float[] one -> MpiBuffer.of(one, BEFORE, end);
            case double[] one -> MpiBuffer.of(one, BEFORE, end);
            default -> throw new AssertionError(kind);
        };
        return new Held(buffer, () -> unguarded(Primitives.values(array)));
    }

    private static Held nio(Kind kind, int[] values, java.util.function.IntFunction<ByteBuffer> allocator) {
        byte[] all = Primitives.bytes(kind, guarded(values));
        ByteBuffer bytes = allocator.apply(all.length).order(ByteOrder.nativeOrder()).put(all).clear();
        java.nio.Buffer view = switch (kind) {
            case SHORT -> bytes.asShortBuffer();
            case CHAR -> bytes.asCharBuffer();
            case INT -> bytes.asIntBuffer();
            case LONG -> bytes.asLongBuffer();
            case FLOAT -> bytes.asFloatBuffer();
            case DOUBLE -> bytes.asDoubleBuffer();
            default -> bytes.duplicate();
        };
        view.position(BEFORE).limit(BEFORE + values.length);
        MpiBuffer<?> buffer = switch (view) {
            case java.nio.ShortBuffer one -> MpiBuffer.of(one);
            case java.nio.CharBuffer one -> MpiBuffer.of(one);
            case java.nio.IntBuffer one -> MpiBuffer.of(one);
            case java.nio.LongBuffer one -> MpiBuffer.of(one);
            case java.nio.FloatBuffer one -> MpiBuffer.of(one);
            case java.nio.DoubleBuffer one -> MpiBuffer.of(one);
            case ByteBuffer one -> MpiBuffer.of(one);
        };
        return new Held(buffer, () -> {
            Check.equal(view.position(), BEFORE);
            Check.equal(view.limit(), BEFORE + values.length);
            bytes.get(0, all);
            return unguarded(Primitives.values(kind, all));
        });
    }
}

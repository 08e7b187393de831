package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A buffer in the middle of an array or of other memory, and what all of that memory has to be. */
@SuppressWarnings({"rawtypes", "unchecked"})
final class GuardedBuffer {

    private static final int GUARD_BYTES = 64;
    private static final byte GUARD = (byte) 0xA5;

    /** A type, and where its values are: {@code blocks} of {@code length} values, {@code stride} values apart. */
    record Shape(Datatype<?> type, int blocks, int length, int stride, int extent) {

        static Shape basic(Datatype<?> type) {
            return new Shape(type, 1, 1, 1, 1);
        }

        static Shape vector(Datatype<?> type, int blocks, int length, int stride) {
            return new Shape(Datatype.vector(blocks, length, stride, type), blocks, length, stride, (blocks - 1) * stride + length);
        }

        /** The same with a gap of one value behind each element. */
        Shape spread() {
            return new Shape(type.resized((extent + 1) * type.kind().size()), blocks, length, stride, extent + 1);
        }

        int values() {
            return blocks * length;
        }

        boolean isBasic() {
            return type == Datatype.of(type.kind());
        }
    }

    final MpiBuffer buffer;
    final int values;
    private final Shape shape;
    private final MemorySegment memory;
    private final MemorySegment wanted;
    private final long from;

    GuardedBuffer(Shape shape, int count, boolean onHeap, int shift) {
        Kind kind = shape.type.kind();
        int before = GUARD_BYTES / kind.size() + shift;
        int room = 2 * before + count * shape.extent + 1;
        MpiBuffer whole = onHeap ? array(kind, room) : MpiBuffer.allocate(Datatype.of(kind), room);
        this.shape = shape;
        this.values = count * shape.values();
        this.memory = whole.memory();
        this.from = before * kind.size();
        memory.fill(GUARD);
        this.wanted = MemorySegment.ofArray(memory.toArray(ValueLayout.JAVA_BYTE));
        this.buffer = whole.as(shape.type, count, before);
    }

    private static MpiBuffer array(Kind kind, int length) {
        return switch (kind) {
            case BYTE, BOOLEAN, RECORD -> MpiBuffer.of(new byte[length]);
            case SHORT -> MpiBuffer.of(new short[length]);
            case CHAR -> MpiBuffer.of(new char[length]);
            case INT -> MpiBuffer.of(new int[length]);
            case LONG -> MpiBuffer.of(new long[length]);
            case FLOAT -> MpiBuffer.of(new float[length]);
            case DOUBLE -> MpiBuffer.of(new double[length]);
        };
    }

    /** The values are what the function says. */
    GuardedBuffer holds(java.util.function.IntUnaryOperator function) {
        for (int i = 0; i < values; i++) {
            set(memory, i, function.applyAsInt(i));
            set(wanted, i, function.applyAsInt(i));
        }
        return this;
    }

    /** The first values have to become what the function says; the others have to stay. */
    void becomes(int first, java.util.function.IntUnaryOperator function) {
        for (int i = 0; i < first; i++) {
            set(wanted, i, function.applyAsInt(i));
        }
    }

    /** The values may be anything. */
    void becomesAnything() {
        long size = shape.type.kind().size();
        for (int i = 0; i < values; i++) {
            MemorySegment.copy(memory, place(i), wanted, place(i), size);
        }
    }

    boolean isCopied() {
        return buffer.isCopied();
    }

    /** Where memory is not what it has to be: bytes from the first one of the buffer; null: nowhere. */
    String difference() {
        long at = memory.mismatch(wanted);
        return at < 0 ? null : "byte " + (at - from) + " of " + buffer + (isCopied() ? " in an array" : "") + " is "
                + memory.get(ValueLayout.JAVA_BYTE, at) + " instead of " + wanted.get(ValueLayout.JAVA_BYTE, at);
    }

    private long place(int value) {
        int inside = value % shape.values();
        long index = (long) value / shape.values() * shape.extent + inside / shape.length * shape.stride + inside % shape.length;
        return from + index * shape.type.kind().size();
    }

    private void set(MemorySegment to, int index, int value) {
        long place = place(index);
        switch (shape.type.kind()) {
            case BYTE -> to.set(ValueLayout.JAVA_BYTE, place, (byte) value);
            case SHORT -> to.set(ValueLayout.JAVA_SHORT_UNALIGNED, place, (short) value);
            case CHAR -> to.set(ValueLayout.JAVA_CHAR_UNALIGNED, place, (char) value);
            case INT -> to.set(ValueLayout.JAVA_INT_UNALIGNED, place, value);
            case LONG -> to.set(ValueLayout.JAVA_LONG_UNALIGNED, place, value);
            case FLOAT -> to.set(ValueLayout.JAVA_FLOAT_UNALIGNED, place, value);
            case DOUBLE -> to.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, place, value);
        }
    }
}

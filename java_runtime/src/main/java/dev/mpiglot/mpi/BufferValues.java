package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The single values of a {@link Buffer}. */
abstract sealed class BufferValues permits Buffer {

    final MemorySegment memory; // null: in place

    BufferValues(MemorySegment memory) {
        this.memory = memory;
    }

    /** The byte where a value lies; throws unless the buffer has such values, and this one. */
    abstract long place(long index, Kind wanted);

    /**
     * {@return a value of a buffer of {@code byte} values}
     *
     * @param index which
     */
    public byte getByte(long index) {
        return memory.get(ValueLayout.JAVA_BYTE, place(index, Kind.BYTE));
    }

    /**
     * Changes a value of a buffer of {@code byte} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setByte(long index, byte value) {
        memory.set(ValueLayout.JAVA_BYTE, place(index, Kind.BYTE), value);
    }

    /**
     * {@return a value of a buffer of {@code short} values}
     *
     * @param index which
     */
    public short getShort(long index) {
        return memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, place(index, Kind.SHORT));
    }

    /**
     * Changes a value of a buffer of {@code short} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setShort(long index, short value) {
        memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, place(index, Kind.SHORT), value);
    }

    /**
     * {@return a value of a buffer of {@code char} values}
     *
     * @param index which
     */
    public char getChar(long index) {
        return memory.get(ValueLayout.JAVA_CHAR_UNALIGNED, place(index, Kind.CHAR));
    }

    /**
     * Changes a value of a buffer of {@code char} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setChar(long index, char value) {
        memory.set(ValueLayout.JAVA_CHAR_UNALIGNED, place(index, Kind.CHAR), value);
    }

    /**
     * {@return a value of a buffer of {@code int} values}
     *
     * @param index which
     */
    public int getInt(long index) {
        return memory.get(ValueLayout.JAVA_INT_UNALIGNED, place(index, Kind.INT));
    }

    /**
     * Changes a value of a buffer of {@code int} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setInt(long index, int value) {
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, place(index, Kind.INT), value);
    }

    /**
     * {@return a value of a buffer of {@code long} values}
     *
     * @param index which
     */
    public long getLong(long index) {
        return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, place(index, Kind.LONG));
    }

    /**
     * Changes a value of a buffer of {@code long} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setLong(long index, long value) {
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, place(index, Kind.LONG), value);
    }

    /**
     * {@return a value of a buffer of {@code float} values}
     *
     * @param index which
     */
    public float getFloat(long index) {
        return memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, place(index, Kind.FLOAT));
    }

    /**
     * Changes a value of a buffer of {@code float} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setFloat(long index, float value) {
        memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, place(index, Kind.FLOAT), value);
    }

    /**
     * {@return a value of a buffer of {@code double} values}
     *
     * @param index which
     */
    public double getDouble(long index) {
        return memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, place(index, Kind.DOUBLE));
    }

    /**
     * Changes a value of a buffer of {@code double} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setDouble(long index, double value) {
        memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, place(index, Kind.DOUBLE), value);
    }
}

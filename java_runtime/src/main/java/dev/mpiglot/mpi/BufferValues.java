package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * The single values of an {@link MpiBuffer}. Loops over them are nearly as fast as those over arrays: no access
 * divides, or adds to an index that has been compared with a length, since the compiler then keeps all comparisons in
 * the loop. Values of an array are read from the array, not from its segment: segments of arrays of several types are
 * of several classes, and an access would ask each time of which. benchmarks/ElementCost.java measures it.
 */
abstract sealed class BufferValues extends BufferMemory permits MpiBuffer {

    final MemorySegment memory; // null: in place
    private final Kind kind; // null: in place
    private final Object array; // begins with the first value and has values of this type; null: the segment is used
    private final MemorySegment segment; // from the first value on
    private final long values; // up to the end of the memory

    BufferValues(MemorySegment memory, Object array, long offset, Kind kind) {
        this.memory = memory;
        this.kind = memory == null || array instanceof Scattered ? null : kind;
        Object own = array instanceof Flags flags ? flags.whole() : array;
        boolean hasOwnType = offset == 0 && kind.isOfArray(own);
        this.array = hasOwnType ? own : null;
        boolean isWithin = memory != null && !(array instanceof Scattered) && offset > 0 && offset <= memory.byteSize();
        this.segment = isWithin && !hasOwnType ? memory.asSlice(offset) : memory;
        long bytes = memory == null ? 0 : array instanceof Scattered all ? all.bytes() : memory.byteSize();
        this.values = memory == null ? 0 : bytes - offset >> kind.shift();
    }

    /** The memory from the first value on, if it begins within. */
    final MemorySegment start() {
        return segment;
    }

    /** The index in the array of a value. */
    private int index(long index) {
        return (int) Objects.checkIndex(index, values);
    }

    /** The byte of the segment where a value lies; throws unless the buffer has such values, and this one. */
    private long place(long index, Kind wanted, int shift) {
        if (kind != wanted) {
            throw isOf(wanted);
        }
        return Objects.checkIndex(index, values) << shift;
    }

    private IllegalArgumentException isOf(Kind wanted) {
        return new IllegalArgumentException("This buffer has " + (kind == null ? "no" : kind)
                + " values and is asked for " + wanted + " values.");
    }

    /**
     * {@return a value of a buffer of {@code boolean} values}
     *
     * @param index which
     */
    public boolean getBoolean(long index) {
        if (array instanceof boolean[] own) {
            return own[index(index)];
        }
        return segment.get(ValueLayout.JAVA_BYTE, place(index, Kind.BOOLEAN, 0)) != 0;
    }

    /**
     * Changes a value of a buffer of {@code boolean} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setBoolean(long index, boolean value) {
        if (array instanceof boolean[] own) {
            own[index(index)] = value;
        } else {
            segment.set(ValueLayout.JAVA_BYTE, place(index, Kind.BOOLEAN, 0), (byte) (value ? 1 : 0));
        }
    }

    /**
     * {@return a value of a buffer of {@code byte} values}
     *
     * @param index which
     */
    public byte getByte(long index) {
        if (array instanceof byte[] own) {
            return own[index(index)];
        }
        return segment.get(ValueLayout.JAVA_BYTE, place(index, Kind.BYTE, 0));
    }

    /**
     * Changes a value of a buffer of {@code byte} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setByte(long index, byte value) {
        if (array instanceof byte[] own) {
            own[index(index)] = value;
        } else {
            segment.set(ValueLayout.JAVA_BYTE, place(index, Kind.BYTE, 0), value);
        }
    }

    /**
     * {@return a value of a buffer of {@code short} values}
     *
     * @param index which
     */
    public short getShort(long index) {
        if (array instanceof short[] own) {
            return own[index(index)];
        }
        return segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, place(index, Kind.SHORT, 1));
    }

    /**
     * Changes a value of a buffer of {@code short} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setShort(long index, short value) {
        if (array instanceof short[] own) {
            own[index(index)] = value;
        } else {
            segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, place(index, Kind.SHORT, 1), value);
        }
    }

    /**
     * {@return a value of a buffer of {@code char} values}
     *
     * @param index which
     */
    public char getChar(long index) {
        if (array instanceof char[] own) {
            return own[index(index)];
        }
        return segment.get(ValueLayout.JAVA_CHAR_UNALIGNED, place(index, Kind.CHAR, 1));
    }

    /**
     * Changes a value of a buffer of {@code char} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setChar(long index, char value) {
        if (array instanceof char[] own) {
            own[index(index)] = value;
        } else {
            segment.set(ValueLayout.JAVA_CHAR_UNALIGNED, place(index, Kind.CHAR, 1), value);
        }
    }

    /**
     * {@return a value of a buffer of {@code int} values}
     *
     * @param index which
     */
    public int getInt(long index) {
        if (array instanceof int[] own) {
            return own[index(index)];
        }
        return segment.get(ValueLayout.JAVA_INT_UNALIGNED, place(index, Kind.INT, 2));
    }

    /**
     * Changes a value of a buffer of {@code int} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setInt(long index, int value) {
        if (array instanceof int[] own) {
            own[index(index)] = value;
        } else {
            segment.set(ValueLayout.JAVA_INT_UNALIGNED, place(index, Kind.INT, 2), value);
        }
    }

    /**
     * {@return a value of a buffer of {@code long} values}
     *
     * @param index which
     */
    public long getLong(long index) {
        if (array instanceof long[] own) {
            return own[index(index)];
        }
        return segment.get(ValueLayout.JAVA_LONG_UNALIGNED, place(index, Kind.LONG, 3));
    }

    /**
     * Changes a value of a buffer of {@code long} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setLong(long index, long value) {
        if (array instanceof long[] own) {
            own[index(index)] = value;
        } else {
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, place(index, Kind.LONG, 3), value);
        }
    }

    /**
     * {@return a value of a buffer of {@code float} values}
     *
     * @param index which
     */
    public float getFloat(long index) {
        if (array instanceof float[] own) {
            return own[index(index)];
        }
        return segment.get(ValueLayout.JAVA_FLOAT_UNALIGNED, place(index, Kind.FLOAT, 2));
    }

    /**
     * Changes a value of a buffer of {@code float} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setFloat(long index, float value) {
        if (array instanceof float[] own) {
            own[index(index)] = value;
        } else {
            segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED, place(index, Kind.FLOAT, 2), value);
        }
    }

    /**
     * {@return a value of a buffer of {@code double} values}
     *
     * @param index which
     */
    public double getDouble(long index) {
        if (array instanceof double[] own) {
            return own[index(index)];
        }
        return segment.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, place(index, Kind.DOUBLE, 3));
    }

    /**
     * Changes a value of a buffer of {@code double} values.
     *
     * @param index which
     * @param value its new value
     */
    public void setDouble(long index, double value) {
        if (array instanceof double[] own) {
            own[index(index)] = value;
        } else {
            segment.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, place(index, Kind.DOUBLE, 3), value);
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;

/** What the values of a {@link Variable} are. */
enum VariableType {
    TEXT(1, "a text"),
    BYTE(1, "whole numbers"),
    INT(4, "whole numbers"),
    UNSIGNED(4, "whole numbers"),
    LONG(8, "whole numbers"),
    DOUBLE(8, "floating-point numbers"),
    /** Of a type that the standard does not name for variables. */
    OTHER(16, "of a type that is not known here");

    private static final Map<DatatypeHandle, VariableType> TYPES = Map.ofEntries(
            Map.entry(DatatypeHandle.CHAR, TEXT), Map.entry(DatatypeHandle.C_BOOL, BYTE),
            Map.entry(DatatypeHandle.INT, INT), Map.entry(DatatypeHandle.INT32_T, INT),
            Map.entry(DatatypeHandle.UNSIGNED, UNSIGNED), Map.entry(DatatypeHandle.UINT32_T, UNSIGNED),
            Map.entry(DatatypeHandle.UNSIGNED_LONG, LONG), Map.entry(DatatypeHandle.UNSIGNED_LONG_LONG, LONG),
            Map.entry(DatatypeHandle.INT64_T, LONG), Map.entry(DatatypeHandle.UINT64_T, LONG),
            Map.entry(DatatypeHandle.COUNT, LONG), Map.entry(DatatypeHandle.DOUBLE, DOUBLE));

    private final int size;
    private final String values;

    VariableType(int size, String values) {
        this.size = size;
        this.values = values;
    }

    static VariableType of(DatatypeHandle type) {
        return TYPES.getOrDefault(type, OTHER);
    }

    /** Bytes of a value. */
    int size() {
        return size;
    }

    boolean isWhole() {
        return this != TEXT && this != DOUBLE && this != OTHER;
    }

    /** The values in words. */
    @Override
    public String toString() {
        return values;
    }

    /** A whole number. */
    long get(MemorySegment memory, int index) {
        return switch (this) {
            case BYTE -> memory.get(ValueLayout.JAVA_BYTE, index);
            case INT -> memory.getAtIndex(ValueLayout.JAVA_INT, index);
            case UNSIGNED -> Integer.toUnsignedLong(memory.getAtIndex(ValueLayout.JAVA_INT, index));
            default -> memory.getAtIndex(ValueLayout.JAVA_LONG, index);
        };
    }

    /** Keeps a whole number; throws if the type has no such one. */
    void put(MemorySegment memory, int index, long value) {
        switch (this) {
            case BYTE -> memory.set(ValueLayout.JAVA_BYTE, index, (byte) value);
            case INT, UNSIGNED -> memory.setAtIndex(ValueLayout.JAVA_INT, index, (int) value);
            default -> memory.setAtIndex(ValueLayout.JAVA_LONG, index, value);
        }
        if (get(memory, index) != value) {
            throw new IllegalArgumentException("The variable cannot be " + value + ": its values have " + 8 * size
                    + " bits" + (this == UNSIGNED ? " and no sign." : "."));
        }
    }
}

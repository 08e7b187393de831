package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import java.util.EnumSet;
import java.util.Set;

/** The types of elements while the program runs. */
enum Kind {
    BYTE(1, DatatypeHandle.BYTE, DatatypeHandle.INT8_T),
    SHORT(2, DatatypeHandle.INT16_T),
    CHAR(2, DatatypeHandle.UINT16_T),
    INT(4, DatatypeHandle.INT32_T),
    LONG(8, DatatypeHandle.INT64_T),
    FLOAT(4, DatatypeHandle.FLOAT),
    DOUBLE(8, DatatypeHandle.DOUBLE),
    BOOLEAN(1, DatatypeHandle.C_BOOL),
    /** Counted in bytes: MPI always gets the datatype itself, also for a copy. */
    RECORD(1, DatatypeHandle.BYTE);

    /** What can be added and compared. */
    static final Set<Kind> NUMBERS = EnumSet.complementOf(EnumSet.of(BOOLEAN, RECORD));

    private final int size;
    private final DatatypeHandle datatype;
    private final DatatypeHandle number;

    Kind(int size, DatatypeHandle datatype) {
        this(size, datatype, datatype);
    }

    Kind(int size, DatatypeHandle datatype, DatatypeHandle number) {
        this.size = size;
        this.datatype = datatype;
        this.number = number;
    }

    /** Bytes of one element. */
    int size() {
        return size;
    }

    /** The logarithm of {@link #size} to base 2. */
    int shift() {
        return Integer.numberOfTrailingZeros(size);
    }

    /** Whether an array has such elements. */
    boolean isOfArray(Object array) {
        return switch (this) {
            case BYTE -> array instanceof byte[];
            case SHORT -> array instanceof short[];
            case CHAR -> array instanceof char[];
            case INT -> array instanceof int[];
            case LONG -> array instanceof long[];
            case FLOAT -> array instanceof float[];
            case DOUBLE -> array instanceof double[];
            case BOOLEAN -> array instanceof boolean[];
            case RECORD -> false;
        };
    }

    /** What messages of such elements are made of. */
    DatatypeHandle datatype() {
        return datatype;
    }

    /** What reductions take: MPI adds no {@code MPI_BYTE}. */
    DatatypeHandle number() {
        return number;
    }

    /** Whether MPI provides the datatype for one of these types, or for what is packed. */
    static boolean isProvided(DatatypeHandle type) {
        for (Kind kind : values()) {
            if (type.equals(kind.datatype) || type.equals(kind.number)) {
                return true;
            }
        }
        return type.equals(DatatypeHandle.PACKED);
    }

    boolean isIntegral() {
        return this != FLOAT && this != DOUBLE && this != BOOLEAN && this != RECORD;
    }

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}

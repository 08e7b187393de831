package dev.mpiglot.mpi;

import dev.mpiglot.low.Datatype;
import java.util.EnumSet;
import java.util.Set;

/** The types of elements while the program runs. */
enum Kind {
    BYTE(1, Datatype.BYTE, Datatype.INT8_T),
    SHORT(2, Datatype.INT16_T),
    CHAR(2, Datatype.UINT16_T),
    INT(4, Datatype.INT32_T),
    LONG(8, Datatype.INT64_T),
    FLOAT(4, Datatype.FLOAT),
    DOUBLE(8, Datatype.DOUBLE),
    BOOLEAN(1, Datatype.C_BOOL),
    /** Counted in bytes: MPI always gets the datatype itself, also for a copy. */
    RECORD(1, Datatype.BYTE);

    /** What can be added and compared. */
    static final Set<Kind> NUMBERS = EnumSet.complementOf(EnumSet.of(BOOLEAN, RECORD));

    private final int size;
    private final Datatype datatype;
    private final Datatype number;

    Kind(int size, Datatype datatype) {
        this(size, datatype, datatype);
    }

    Kind(int size, Datatype datatype, Datatype number) {
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
    Datatype datatype() {
        return datatype;
    }

    /** What reductions take: MPI adds no {@code MPI_BYTE}. */
    Datatype number() {
        return number;
    }

    /** Whether MPI provides the datatype for one of these types, or for what is packed. */
    static boolean isProvided(Datatype type) {
        for (Kind kind : values()) {
            if (type.equals(kind.datatype) || type.equals(kind.number)) {
                return true;
            }
        }
        return type.equals(Datatype.PACKED);
    }

    boolean isIntegral() {
        return this != FLOAT && this != DOUBLE && this != BOOLEAN && this != RECORD;
    }

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}

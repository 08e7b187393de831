package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * What MPI gets of a buffer whose elements it uses where they are, if neither their memory nor their type can be closed.
 * A call that blocks has nothing to copy, to keep open and to give back for it, so it needs no {@link Call}: that takes
 * as long as a short call of MPI itself.
 *
 * @param memory from the first element on, outside the heap
 * @param count the elements, each a single value
 * @param bit that of their kind in {@link Op#direct}
 * @param type what messages are made of
 * @param number what reductions take
 */
record Direct(MemorySegment memory, long count, int bit, DatatypeHandle type, DatatypeHandle number) {

    /** For elements of such a type in endless memory; null if there are others. */
    static Direct of(MemorySegment memory, long count, Datatype<?> type) {
        Kind kind = type.kind();
        boolean isBasic = kind != Kind.RECORD && type == Datatype.of(kind);
        return isBasic ? new Direct(memory, count, bit(kind), kind.datatype(), kind.number()) : null;
    }

    /** The bits of some kinds. */
    static int bits(Set<Kind> kinds) {
        int all = 0;
        for (Kind kind : kinds) {
            all |= bit(kind);
        }
        return all;
    }

    private static int bit(Kind kind) {
        return 1 << kind.ordinal();
    }
}

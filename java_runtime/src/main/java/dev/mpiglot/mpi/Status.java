package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.Generalized;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.StatusValue;
import java.util.OptionalLong;

/**
 * What is known of a message that was received.
 *
 * @param source the rank that sent it
 * @param tag its tag
 * @param bytes its length in bytes
 */
public record Status(int source, int tag, long bytes) {

    /** Of a receive from {@link Comm#PROC_NULL}. */
    static final Status OF_NOBODY = new Status(MpiConstants.PROC_NULL, MpiConstants.ANY_TAG, 0);

    static Status of(StatusValue status) {
        long known = status.bytesIfKnown(); // asking MPI costs 10 ns, and much of what the compiler may inline
        long bytes = known >= 0 ? known : Datatypes.getCount(status, DatatypeHandle.BYTE);
        return new Status(status.source(), status.tag(), bytes == MpiConstants.UNDEFINED ? 0 : bytes);
    }

    /** Sets a length, unless MPICH might end the job: large-count-in-status-aborts. */
    static void tell(StatusValue status, long bytes) {
        MpiFile.requireUpTo("bytes", bytes, Long.MAX_VALUE - 1);
        Generalized.statusSetElements(status, DatatypeHandle.BYTE, bytes);
    }

    /**
     * The length of the message in elements. In elements without data, a message without data has none.
     *
     * @param type the type of the elements
     * @return how many there are; none if the message does not consist of whole elements ({@code MPI_UNDEFINED})
     */
    public OptionalLong count(Datatype<?> type) {
        long size = Arguments.present("type", type).bytes();
        if (size == 0) {
            return bytes == 0 ? OptionalLong.of(0) : OptionalLong.empty();
        }
        return bytes % size == 0 ? OptionalLong.of(bytes / size) : OptionalLong.empty();
    }

    /**
     * The length of the message in values of MPI's own types, which also tells of an element that came in part.
     * {@code MPI_Get_elements}
     *
     * @param type the type of the elements
     * @return how many there are; none if the message does not consist of whole values ({@code MPI_UNDEFINED})
     * @throws IllegalArgumentException if no message has so many bytes
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public OptionalLong values(Datatype<?> type) {
        return Arguments.present("type", type).using(() -> {
            StatusValue same = new StatusValue();
            tell(same, bytes);
            long values = Datatypes.getElements(same, type.word());
            return values == MpiConstants.UNDEFINED ? OptionalLong.empty() : OptionalLong.of(values);
        });
    }
}

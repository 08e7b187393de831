package dev.mpiglot.low;

/**
 * What MPI says of a received message or a completed operation: the library's own bytes, so that it can go back into
 * MPI (Get_count and others).
 */
public final class StatusValue {

    /** Size of the library's own MPI_Status. */
    static final int SIZE = Library.load().status("size");
    /** Room for the largest of all MPIs. */
    static final int CAPACITY = 32;

    private static final int SOURCE = Library.load().status("MPI_SOURCE");
    private static final int TAG = Library.load().status("MPI_TAG");
    private static final int ERROR = Library.load().status("MPI_ERROR");

    private long word0;
    private long word1;
    private long word2;
    private long word3;

    /** An empty status, to be filled by MPI. */
    public StatusValue() {
    }

    /** {@return the rank that sent the message (or {@code MpiConstants.ANY_SOURCE}, {@code MpiConstants.PROC_NULL})} */
    public int source() {
        return Sets.SOURCE.toJava(field(SOURCE));
    }

    /** {@return the tag of the message} */
    public int tag() {
        return Sets.TAG.toJava(field(TAG));
    }

    /**
     * {@return the error code of this operation, valid after an exception of class {@code MpiConstants.ERR_IN_STATUS}}
     */
    public int error() {
        return Sets.ERROR_CLASS.toJava(field(ERROR));
    }

    /**
     * {@return the length of the message in bytes, read where the library keeps it; -1: only {@link Datatypes#getCount}
     * tells it}
     */
    public long bytesIfKnown() {
        long kept = StatusLength.WORD < 0 ? -1 : word(StatusLength.WORD);
        return kept >= 0 && kept <= Integer.MAX_VALUE ? kept : -1;
    }

    private int field(int offset) {
        return (int) (word(offset >> 3) >>> 8 * (offset & 7));
    }

    private long word(int index) {
        return switch (index) {
            case 0 -> word0;
            case 1 -> word1;
            case 2 -> word2;
            default -> word3;
        };
    }

    /** Writes the library's bytes to an address. */
    void write(long address) {
        Frame.putLong(address, word0);
        Frame.putLong(address + 8, word1);
        if (SIZE > 16) {
            writeTail(address);
        }
    }

    private void writeTail(long address) {
        if (SIZE >= 24) {
            Frame.putLong(address + 16, word2);
        } else {
            Frame.putInt(address + 16, (int) word2);
        }
        if (SIZE > 24) {
            Frame.putLong(address + 24, word3);
        }
    }

    /** Takes the library's bytes from an address. */
    void read(long address) {
        word0 = Frame.getLong(address);
        word1 = Frame.getLong(address + 8);
        if (SIZE >= 24) {
            word2 = Frame.getLong(address + 16);
        } else {
            word2 = Frame.getInt(address + 16) & 0xffffffffL;
        }
        if (SIZE > 24) {
            word3 = Frame.getLong(address + 24);
        }
    }

    @Override
    public String toString() {
        return "StatusValue[source=" + source() + ", tag=" + tag() + "]";
    }
}

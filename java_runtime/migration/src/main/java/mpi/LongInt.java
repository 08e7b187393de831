package mpi;

/** A long and an index, as {@code MPI.LONG_INT} has them. */
public final class LongInt extends Struct {

    private final int value = addLong();
    private final int index = setOffset(8).addInt();

    LongInt() {
        // has its fields
    }

    @Override
    protected Data newData() {
        return new Data();
    }

    /** Reads and writes a pair. */
    public final class Data extends Struct.Data {

        /** For a pair whose bytes are given later. */
        public Data() {
            // the struct gives them
        }

        /** {@return the value} */
        public long getValue() {
            return getLong(value);
        }

        /** {@return the index} */
        public int getIndex() {
            return getInt(index);
        }

        /**
         * Sets the value.
         *
         * @param v the value
         */
        public void putValue(long v) {
            putLong(value, v);
        }

        /**
         * Sets the index.
         *
         * @param v the index
         */
        public void putIndex(int v) {
            putInt(index, v);
        }
    }
}

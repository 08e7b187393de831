package mpi;

/** A short and an index, as {@code MPI.SHORT_INT} has them. */
public final class ShortInt extends Struct {

    private final int value = addShort();
    private final int index = setOffset(4).addInt();

    ShortInt() {
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
        public short getValue() {
            return getShort(value);
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
        public void putValue(short v) {
            putShort(value, v);
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

package mpi;

/** An int and an index, as {@code MPI.INT2} has them. */
public final class Int2 extends Struct {

    private final int value = addInt();
    private final int index = setOffset(4).addInt();

    Int2() {
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
        public int getValue() {
            return getInt(value);
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
        public void putValue(int v) {
            putInt(value, v);
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

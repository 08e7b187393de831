package mpi;

/** A float and an index, as {@code MPI.FLOAT_INT} has them. */
public final class FloatInt extends Struct {

    private final int value = addFloat();
    private final int index = setOffset(4).addInt();

    FloatInt() {
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
        public float getValue() {
            return getFloat(value);
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
        public void putValue(float v) {
            putFloat(value, v);
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

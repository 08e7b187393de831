package mpi;

/** A double and an index, as {@code MPI.DOUBLE_INT} has them. */
public final class DoubleInt extends Struct {

    private final int value = addDouble();
    private final int index = setOffset(8).addInt();

    DoubleInt() {
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
        public double getValue() {
            return getDouble(value);
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
        public void putValue(double v) {
            putDouble(value, v);
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

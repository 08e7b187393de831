package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A struct of fields: a subclass adds them, and its Data reads and writes them. Places and offsets are in bytes. */
public abstract class Struct {

    private record Field(Datatype type, int offset, int length) {
    }

    private final List<Field> fields = new ArrayList<>();
    private int end;
    private int extent; // of the type, also after that was freed
    private Datatype type; // null: not in use, fields can be added

    /** A struct without a field. */
    public Struct() {
        // a subclass adds fields
    }

    /**
     * {@return the bytes from one struct to the next}
     *
     * @throws MPIException if MPI reports an error
     */
    public final int getExtent() throws MPIException {
        getType();
        return extent;
    }

    /**
     * {@return the type of the struct, which has no more fields from now on}
     *
     * @throws MPIException if MPI reports an error
     */
    public final Datatype getType() throws MPIException {
        if (type == null) {
            int[] counts = fields.stream().mapToInt(Field::length).toArray();
            int[] places = fields.stream().mapToInt(Field::offset).toArray();
            Datatype made = Datatype.createStruct(counts, places,
                    fields.stream().map(Field::type).toArray(Datatype[]::new));
            made.commit();
            extent = Math.toIntExact(made.extent());
            type = made;
        }
        return type;
    }

    /**
     * {@return what reads and writes a struct of the program: {@code new Data()} of its own class}
     */
    protected abstract Data newData();

    private Data dataAt(ByteBuffer buffer, int offset) {
        Data data = newData();
        data.buffer = Objects.requireNonNull(buffer, "The buffer is null.");
        data.offset = offset;
        return data;
    }

    /**
     * {@return what reads and writes the first struct}
     *
     * @param <T> the class of it
     * @param buffer the bytes of structs
     * @throws MPIException if MPI reports an error
     */
    @SuppressWarnings("unchecked") // the program knows what its struct makes
    public final <T extends Data> T getData(ByteBuffer buffer) throws MPIException {
        return (T) dataAt(buffer, 0);
    }

    /**
     * {@return what reads and writes one struct of several}
     *
     * @param <T> the class of it
     * @param buffer the bytes of structs
     * @param index which struct of them, from 0 on
     * @throws MPIException if MPI reports an error
     */
    @SuppressWarnings("unchecked") // the program knows what its struct makes
    public final <T extends Data> T getData(ByteBuffer buffer, int index) throws MPIException {
        return (T) dataAt(buffer, Math.multiplyExact(index, getExtent()));
    }

    /**
     * {@return what reads and writes the first struct}
     *
     * @param <T> the class of it
     * @param array the bytes of structs
     * @throws MPIException if MPI reports an error
     */
    public final <T extends Data> T getData(byte[] array) throws MPIException {
        return getData(ByteBuffer.wrap(array).order(ByteOrder.nativeOrder()));
    }

    /**
     * {@return what reads and writes one struct of several}
     *
     * @param <T> the class of it
     * @param array the bytes of structs
     * @param index which struct of them, from 0 on
     * @throws MPIException if MPI reports an error
     */
    public final <T extends Data> T getData(byte[] array, int index) throws MPIException {
        ByteBuffer buffer = ByteBuffer.wrap(array).order(ByteOrder.nativeOrder());
        return getData(buffer, index);
    }

    private void requireOpen() {
        if (type != null) {
            throw new IllegalStateException("The struct is in use: it has no more fields.");
        }
    }

    private int add(Datatype of, long bytes, int length) {
        requireOpen();
        if (length < 0) {
            throw new IndexOutOfBoundsException("The length " + length + " is negative.");
        }
        int offset = end;
        end = Math.toIntExact(end + bytes * length);
        fields.add(new Field(of, offset, length));
        return offset;
    }

    /**
     * {@return this struct, whose next field begins at a byte}
     *
     * @param offset the bytes before the next field, at least those of the fields
     */
    public final Struct setOffset(int offset) {
        requireOpen();
        if (offset < end) {
            throw new IllegalArgumentException("Byte " + offset + " belongs to a field: the fields have " + end + ".");
        }
        end = offset;
        return this;
    }

    /** {@return the place of a new field} */
    public final int addByte() {
        return addByte(1);
    }

    /**
     * {@return the place of a new field of several values}
     *
     * @param length how many values
     */
    public final int addByte(int length) {
        return add(MPI.BYTE, 1, length);
    }

    /** {@return the place of a new field} */
    public final int addChar() {
        return addChar(1);
    }

    /**
     * {@return the place of a new field of several values}
     *
     * @param length how many values
     */
    public final int addChar(int length) {
        return add(MPI.CHAR, 2, length);
    }

    /** {@return the place of a new field} */
    public final int addShort() {
        return addShort(1);
    }

    /**
     * {@return the place of a new field of several values}
     *
     * @param length how many values
     */
    public final int addShort(int length) {
        return add(MPI.SHORT, 2, length);
    }

    /** {@return the place of a new field} */
    public final int addInt() {
        return addInt(1);
    }

    /**
     * {@return the place of a new field of several values}
     *
     * @param length how many values
     */
    public final int addInt(int length) {
        return add(MPI.INT, 4, length);
    }

    /** {@return the place of a new field} */
    public final int addLong() {
        return addLong(1);
    }

    /**
     * {@return the place of a new field of several values}
     *
     * @param length how many values
     */
    public final int addLong(int length) {
        return add(MPI.LONG, 8, length);
    }

    /** {@return the place of a new field} */
    public final int addFloat() {
        return addFloat(1);
    }

    /**
     * {@return the place of a new field of several values}
     *
     * @param length how many values
     */
    public final int addFloat(int length) {
        return add(MPI.FLOAT, 4, length);
    }

    /** {@return the place of a new field} */
    public final int addDouble() {
        return addDouble(1);
    }

    /**
     * {@return the place of a new field of several values}
     *
     * @param length how many values
     */
    public final int addDouble(int length) {
        return add(MPI.DOUBLE, 8, length);
    }

    /**
     * {@return the place of a new field that is a struct}
     *
     * @param struct the struct that the field is
     * @throws MPIException if MPI reports an error
     */
    public final int addStruct(Struct struct) throws MPIException {
        return addStruct(struct, 1);
    }

    /**
     * {@return the place of a new field of several structs}
     *
     * @param struct the struct that the field is
     * @param length how many values
     * @throws MPIException if MPI reports an error
     */
    public final int addStruct(Struct struct, int length) throws MPIException {
        return addData(struct.getType(), length);
    }

    /**
     * {@return the place of a new field of a type}
     *
     * @param type the type of the field
     * @throws MPIException if MPI reports an error
     */
    public final int addData(Datatype type) throws MPIException {
        return addData(type, 1);
    }

    /**
     * {@return the place of a new field of several elements of a type}
     *
     * @param type the type of the field
     * @param length how many values
     * @throws MPIException if MPI reports an error
     */
    public final int addData(Datatype type, int length) throws MPIException {
        return add(type, type.extent(), length);
    }

    /** Reads and writes the fields of a struct in bytes of the program. */
    public abstract class Data {

        private ByteBuffer buffer;
        private int offset;

        /** For a struct whose bytes are given later. */
        public Data() {
            // the struct gives them
        }

        /** {@return the bytes of the struct, for messages} */
        public final ByteBuffer getBuffer() {
            return from(offset);
        }

        private int at(int field, int index, int bytes) {
            return Objects.checkFromIndexSize(offset + field + bytes * index, bytes, buffer.limit());
        }

        private ByteBuffer from(int place) {
            return place == 0 ? buffer : MPI.slice(buffer, place);
        }

        /**
         * {@return a field}
         *
         * @param field the place of the field
         */
        protected final byte getByte(int field) {
            return getByte(field, 0);
        }

        /**
         * {@return one value of a field}
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         */
        protected final byte getByte(int field, int index) {
            return buffer.get(at(field, index, 1));
        }

        /**
         * Sets a field.
         *
         * @param field the place of the field
         * @param v the value
         */
        protected final void putByte(int field, byte v) {
            putByte(field, 0, v);
        }

        /**
         * Sets one value of a field.
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         * @param v the value
         */
        protected final void putByte(int field, int index, byte v) {
            buffer.put(at(field, index, 1), v);
        }

        /**
         * {@return a field}
         *
         * @param field the place of the field
         */
        protected final char getChar(int field) {
            return getChar(field, 0);
        }

        /**
         * {@return one value of a field}
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         */
        protected final char getChar(int field, int index) {
            return buffer.getChar(at(field, index, 2));
        }

        /**
         * Sets a field.
         *
         * @param field the place of the field
         * @param v the value
         */
        protected final void putChar(int field, char v) {
            putChar(field, 0, v);
        }

        /**
         * Sets one value of a field.
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         * @param v the value
         */
        protected final void putChar(int field, int index, char v) {
            buffer.putChar(at(field, index, 2), v);
        }

        /**
         * {@return a field}
         *
         * @param field the place of the field
         */
        protected final short getShort(int field) {
            return getShort(field, 0);
        }

        /**
         * {@return one value of a field}
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         */
        protected final short getShort(int field, int index) {
            return buffer.getShort(at(field, index, 2));
        }

        /**
         * Sets a field.
         *
         * @param field the place of the field
         * @param v the value
         */
        protected final void putShort(int field, short v) {
            putShort(field, 0, v);
        }

        /**
         * Sets one value of a field.
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         * @param v the value
         */
        protected final void putShort(int field, int index, short v) {
            buffer.putShort(at(field, index, 2), v);
        }

        /**
         * {@return a field}
         *
         * @param field the place of the field
         */
        protected final int getInt(int field) {
            return getInt(field, 0);
        }

        /**
         * {@return one value of a field}
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         */
        protected final int getInt(int field, int index) {
            return buffer.getInt(at(field, index, 4));
        }

        /**
         * Sets a field.
         *
         * @param field the place of the field
         * @param v the value
         */
        protected final void putInt(int field, int v) {
            putInt(field, 0, v);
        }

        /**
         * Sets one value of a field.
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         * @param v the value
         */
        protected final void putInt(int field, int index, int v) {
            buffer.putInt(at(field, index, 4), v);
        }

        /**
         * {@return a field}
         *
         * @param field the place of the field
         */
        protected final long getLong(int field) {
            return getLong(field, 0);
        }

        /**
         * {@return one value of a field}
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         */
        protected final long getLong(int field, int index) {
            return buffer.getLong(at(field, index, 8));
        }

        /**
         * Sets a field.
         *
         * @param field the place of the field
         * @param v the value
         */
        protected final void putLong(int field, long v) {
            putLong(field, 0, v);
        }

        /**
         * Sets one value of a field.
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         * @param v the value
         */
        protected final void putLong(int field, int index, long v) {
            buffer.putLong(at(field, index, 8), v);
        }

        /**
         * {@return a field}
         *
         * @param field the place of the field
         */
        protected final float getFloat(int field) {
            return getFloat(field, 0);
        }

        /**
         * {@return one value of a field}
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         */
        protected final float getFloat(int field, int index) {
            return buffer.getFloat(at(field, index, 4));
        }

        /**
         * Sets a field.
         *
         * @param field the place of the field
         * @param v the value
         */
        protected final void putFloat(int field, float v) {
            putFloat(field, 0, v);
        }

        /**
         * Sets one value of a field.
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         * @param v the value
         */
        protected final void putFloat(int field, int index, float v) {
            buffer.putFloat(at(field, index, 4), v);
        }

        /**
         * {@return a field}
         *
         * @param field the place of the field
         */
        protected final double getDouble(int field) {
            return getDouble(field, 0);
        }

        /**
         * {@return one value of a field}
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         */
        protected final double getDouble(int field, int index) {
            return buffer.getDouble(at(field, index, 8));
        }

        /**
         * Sets a field.
         *
         * @param field the place of the field
         * @param v the value
         */
        protected final void putDouble(int field, double v) {
            putDouble(field, 0, v);
        }

        /**
         * Sets one value of a field.
         *
         * @param field the place of the field
         * @param index which value of it, from 0 on
         * @param v the value
         */
        protected final void putDouble(int field, int index, double v) {
            buffer.putDouble(at(field, index, 8), v);
        }

        /**
         * {@return what reads and writes a field that is a struct}
         *
         * @param <S> the class of the struct
         * @param <D> the class of what reads and writes it
         * @param struct the struct that the field is
         * @param field the place of the field
         */
        @SuppressWarnings("unchecked") // the program knows what its struct makes
        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field) {
            return (D) ((Struct) struct).dataAt(buffer, offset + field);
        }

        /**
         * {@return what reads and writes one struct of a field that is a struct}
         *
         * @param <S> the class of the struct
         * @param <D> the class of what reads and writes it
         * @param struct the struct that the field is
         * @param field the place of the field
         * @param index which value of it, from 0 on
         */
        @SuppressWarnings("unchecked") // the program knows what its struct makes
        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field, int index) {
            return (D) ((Struct) struct).dataAt(buffer, offset + field + index * ((Struct) struct).extent);
        }

        /**
         * {@return the bytes of a field}
         *
         * @param type the type of the field
         * @param field the place of the field
         */
        protected final ByteBuffer getBuffer(Datatype type, int field) {
            return from(offset + field);
        }

        /**
         * {@return the bytes of one element of a field}
         *
         * @param type the type of the field
         * @param field the place of the field
         * @param index which value of it, from 0 on
         * @throws MPIException if MPI reports an error
         */
        protected final ByteBuffer getBuffer(Datatype type, int field, int index) throws MPIException {
            return from(offset + field + Math.toIntExact(index * type.extent()));
        }
    }
}

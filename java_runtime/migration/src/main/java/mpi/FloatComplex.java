package mpi;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Objects;

/** A complex number in an array or a buffer of the program. */
public final class FloatComplex {

    private final FloatBuffer buffer;
    private final int offset;

    private FloatComplex(FloatBuffer buffer, int offset) {
        this.buffer = buffer;
        this.offset = offset;
    }

    private int at(int part) {
        return Objects.checkIndex(offset + part, buffer.limit());
    }

    /**
     * {@return the first number}
     *
     * @param buffer the real and imaginary parts of numbers
     */
    public static FloatComplex get(FloatBuffer buffer) {
        return get(buffer, 0);
    }

    /**
     * {@return a number}
     *
     * @param buffer the real and imaginary parts of numbers
     * @param index which number, from 0 on
     */
    public static FloatComplex get(FloatBuffer buffer, int index) {
        return new FloatComplex(buffer, 2 * index);
    }

    /**
     * {@return the first number}
     *
     * @param array the real and imaginary parts of numbers
     */
    public static FloatComplex get(float[] array) {
        return get(array, 0);
    }

    /**
     * {@return a number}
     *
     * @param array the real and imaginary parts of numbers
     * @param index which number, from 0 on
     */
    public static FloatComplex get(float[] array, int index) {
        return new FloatComplex(FloatBuffer.wrap(array), 2 * index);
    }

    /**
     * {@return the first number}
     *
     * @param buffer the real and imaginary parts of numbers
     */
    public static FloatComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /**
     * {@return a number}
     *
     * @param buffer the real and imaginary parts of numbers
     * @param index which number, from 0 on
     */
    public static FloatComplex get(ByteBuffer buffer, int index) {
        return new FloatComplex(buffer.asFloatBuffer(), 2 * index);
    }

    /** {@return the real part} */
    public float getReal() {
        return buffer.get(at(0));
    }

    /** {@return the imaginary part} */
    public float getImag() {
        return buffer.get(at(1));
    }

    /**
     * Sets the real part.
     *
     * @param real the part
     */
    public void putReal(float real) {
        buffer.put(at(0), real);
    }

    /**
     * Sets the imaginary part.
     *
     * @param imag the part
     */
    public void putImag(float imag) {
        buffer.put(at(1), imag);
    }

    /** {@return the parts of this number and those behind, for messages} */
    public FloatBuffer getBuffer() {
        return offset == 0 ? buffer : MPI.slice(buffer, offset);
    }
}

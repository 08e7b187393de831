package mpi;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.Objects;

/** A complex number in an array or a buffer of the program. */
public final class DoubleComplex {

    private final DoubleBuffer buffer;
    private final int offset;

    private DoubleComplex(DoubleBuffer buffer, int offset) {
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
    public static DoubleComplex get(DoubleBuffer buffer) {
        return get(buffer, 0);
    }

    /**
     * {@return a number}
     *
     * @param buffer the real and imaginary parts of numbers
     * @param index which number, from 0 on
     */
    public static DoubleComplex get(DoubleBuffer buffer, int index) {
        return new DoubleComplex(buffer, 2 * index);
    }

    /**
     * {@return the first number}
     *
     * @param array the real and imaginary parts of numbers
     */
    public static DoubleComplex get(double[] array) {
        return get(array, 0);
    }

    /**
     * {@return a number}
     *
     * @param array the real and imaginary parts of numbers
     * @param index which number, from 0 on
     */
    public static DoubleComplex get(double[] array, int index) {
        return new DoubleComplex(DoubleBuffer.wrap(array), 2 * index);
    }

    /**
     * {@return the first number}
     *
     * @param buffer the real and imaginary parts of numbers
     */
    public static DoubleComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /**
     * {@return a number}
     *
     * @param buffer the real and imaginary parts of numbers
     * @param index which number, from 0 on
     */
    public static DoubleComplex get(ByteBuffer buffer, int index) {
        return new DoubleComplex(buffer.asDoubleBuffer(), 2 * index);
    }

    /** {@return the real part} */
    public double getReal() {
        return buffer.get(at(0));
    }

    /** {@return the imaginary part} */
    public double getImag() {
        return buffer.get(at(1));
    }

    /**
     * Sets the real part.
     *
     * @param real the part
     */
    public void putReal(double real) {
        buffer.put(at(0), real);
    }

    /**
     * Sets the imaginary part.
     *
     * @param imag the part
     */
    public void putImag(double imag) {
        buffer.put(at(1), imag);
    }

    /** {@return the parts of this number and those behind, for messages} */
    public DoubleBuffer getBuffer() {
        return offset == 0 ? buffer : MPI.slice(buffer, offset);
    }
}

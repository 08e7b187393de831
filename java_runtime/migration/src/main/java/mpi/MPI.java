package mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.ErrhandlerHandle;
import dev.mpiglot.low.Generalized;
import dev.mpiglot.low.GroupHandle;
import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.OpHandle;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** The constants of MPI, its begin and its end, and buffers. */
public final class MPI implements Constants {

    /** All processes of the job. */
    public static final Intracomm COMM_WORLD = new Intracomm(CommHandle.WORLD);
    /** This process. */
    public static final Intracomm COMM_SELF = new Intracomm(CommHandle.SELF);
    /** {@code MPI_ANY_SOURCE}. */
    public static final int ANY_SOURCE = MpiConstants.ANY_SOURCE;
    /** {@code MPI_ANY_TAG}. */
    public static final int ANY_TAG = MpiConstants.ANY_TAG;
    /** {@code MPI_PROC_NULL}. */
    public static final int PROC_NULL = MpiConstants.PROC_NULL;
    /** {@code MPI_UNDEFINED}. */
    public static final int UNDEFINED = MpiConstants.UNDEFINED;
    /** {@code MPI_ROOT}. */
    public static final int ROOT = MpiConstants.ROOT;
    /** {@code MPI_IDENT}. */
    public static final int IDENT = MpiConstants.IDENT;
    /** {@code MPI_CONGRUENT}. */
    public static final int CONGRUENT = MpiConstants.CONGRUENT;
    /** {@code MPI_SIMILAR}. */
    public static final int SIMILAR = MpiConstants.SIMILAR;
    /** {@code MPI_UNEQUAL}. */
    public static final int UNEQUAL = MpiConstants.UNEQUAL;
    /** {@code MPI_THREAD_SINGLE}. */
    public static final int THREAD_SINGLE = MpiConstants.THREAD_SINGLE;
    /** {@code MPI_THREAD_FUNNELED}. */
    public static final int THREAD_FUNNELED = MpiConstants.THREAD_FUNNELED;
    /** {@code MPI_THREAD_SERIALIZED}. */
    public static final int THREAD_SERIALIZED = MpiConstants.THREAD_SERIALIZED;
    /** {@code MPI_THREAD_MULTIPLE}. */
    public static final int THREAD_MULTIPLE = MpiConstants.THREAD_MULTIPLE;
    /** {@code MPI_MAX}. */
    public static final Op MAX = new Op(OpHandle.MAX);
    /** {@code MPI_MIN}. */
    public static final Op MIN = new Op(OpHandle.MIN);
    /** {@code MPI_SUM}. */
    public static final Op SUM = new Op(OpHandle.SUM);
    /** {@code MPI_PROD}. */
    public static final Op PROD = new Op(OpHandle.PROD);
    /** {@code MPI_LAND}. */
    public static final Op LAND = new Op(OpHandle.LAND);
    /** {@code MPI_BAND}. */
    public static final Op BAND = new Op(OpHandle.BAND);
    /** {@code MPI_LOR}. */
    public static final Op LOR = new Op(OpHandle.LOR);
    /** {@code MPI_BOR}. */
    public static final Op BOR = new Op(OpHandle.BOR);
    /** {@code MPI_LXOR}. */
    public static final Op LXOR = new Op(OpHandle.LXOR);
    /** {@code MPI_BXOR}. */
    public static final Op BXOR = new Op(OpHandle.BXOR);
    /** {@code MPI_MINLOC}. */
    public static final Op MINLOC = new Op(OpHandle.MINLOC);
    /** {@code MPI_MAXLOC}. */
    public static final Op MAXLOC = new Op(OpHandle.MAXLOC);
    /** Bytes. */
    public static final Datatype BYTE = new Datatype(DatatypeHandle.BYTE, 1);
    /** Java's {@code char}. */
    public static final Datatype CHAR = new Datatype(DatatypeHandle.UINT16_T, 2);
    /** Java's {@code short}. */
    public static final Datatype SHORT = new Datatype(DatatypeHandle.INT16_T, 2);
    /** Java's {@code boolean}. */
    public static final Datatype BOOLEAN = new Datatype(DatatypeHandle.C_BOOL, 1);
    /** Java's {@code int}. */
    public static final Datatype INT = new Datatype(DatatypeHandle.INT32_T, 4);
    /** Java's {@code long}. */
    public static final Datatype LONG = new Datatype(DatatypeHandle.INT64_T, 8);
    /** Java's {@code float}. */
    public static final Datatype FLOAT = new Datatype(DatatypeHandle.FLOAT, 4);
    /** Java's {@code double}. */
    public static final Datatype DOUBLE = new Datatype(DatatypeHandle.DOUBLE, 8);

    /** Values that were packed. */
    public static final Datatype PACKED = new Datatype(DatatypeHandle.PACKED, 1);
    /** Two ints. */
    public static final Datatype INT2 = new Datatype(DatatypeHandle._2INT, BYTE);
    /** A short and an int. */
    public static final Datatype SHORT_INT = new Datatype(DatatypeHandle.SHORT_INT, BYTE);
    /** A long and an int. */
    public static final Datatype LONG_INT = new Datatype(DatatypeHandle.LONG_INT, BYTE);
    /** A float and an int. */
    public static final Datatype FLOAT_INT = new Datatype(DatatypeHandle.FLOAT_INT, BYTE);
    /** A double and an int. */
    public static final Datatype DOUBLE_INT = new Datatype(DatatypeHandle.DOUBLE_INT, BYTE);
    /** Complex numbers of floats. */
    public static final Datatype FLOAT_COMPLEX = new Datatype(DatatypeHandle.C_FLOAT_COMPLEX, FLOAT);
    /** Complex numbers of doubles. */
    public static final Datatype DOUBLE_COMPLEX = new Datatype(DatatypeHandle.C_DOUBLE_COMPLEX, DOUBLE);
    /** The struct of {@code MPI.INT2}. */
    public static final Int2 int2 = new Int2();
    /** The struct of {@code MPI.SHORT_INT}. */
    public static final ShortInt shortInt = new ShortInt();
    /** The struct of {@code MPI.LONG_INT}. */
    public static final LongInt longInt = new LongInt();
    /** The struct of {@code MPI.FLOAT_INT}. */
    public static final FloatInt floatInt = new FloatInt();
    /** The struct of {@code MPI.DOUBLE_INT}. */
    public static final DoubleInt doubleInt = new DoubleInt();
    /** No type. */
    public static final Datatype DATATYPE_NULL = new Datatype(DatatypeHandle.NULL, 1);
    /** {@code MPI_REPLACE}. */
    public static final Op REPLACE = new Op(OpHandle.REPLACE);
    /** {@code MPI_NO_OP}. */
    public static final Op NO_OP = new Op(OpHandle.NO_OP);
    /** No operation that goes on. */
    public static final Request REQUEST_NULL = new Request(RequestHandle.NULL);
    /** How many bytes a send through a buffer needs besides its elements. */
    public static final int BSEND_OVERHEAD = MpiConstants.BSEND_OVERHEAD;
    /** No hints. */
    public static final Info INFO_NULL = new Info(InfoHandle.NULL);
    /** What the launcher says of the job. */
    public static final Info INFO_ENV = new Info(InfoHandle.ENV);
    /** No processes. */
    public static final Group GROUP_EMPTY = new Group(GroupHandle.EMPTY);
    /** An error ends the job. */
    public static final Errhandler ERRORS_ARE_FATAL = new Errhandler(ErrhandlerHandle.ERRORS_ARE_FATAL);
    /** An error is an {@link MPIException}. */
    public static final Errhandler ERRORS_RETURN = new Errhandler(ErrhandlerHandle.ERRORS_RETURN);

    private static byte[] attached; // null: no buffer

    private MPI() {
    }

    /**
     * {@return the arguments, when MPI has begun}
     *
     * @param args the arguments of the program
     * @throws MPIException if MPI reports an error
     */
    public static String[] Init(String[] args) throws MPIException {
        MPIException.run(Environment::init);
        return args;
    }

    /**
     * {@return how threads may use MPI, when it has begun}
     *
     * @param args the arguments of the program
     * @param required how threads shall use MPI
     * @throws MPIException if MPI reports an error
     */
    public static int InitThread(String[] args, int required) throws MPIException {
        return MPIException.of(() -> Environment.initThread(required));
    }

    /**
     * Ends MPI.
     *
     * @throws MPIException if MPI reports an error
     */
    public static void Finalize() throws MPIException {
        MPIException.run(Environment::finalizeMpi);
    }

    /**
     * {@return seconds since some moment}
     *
     * @throws MPIException if MPI reports an error
     */
    public static double wtime() throws MPIException {
        return MPIException.of(Environment::wtime);
    }

    /**
     * {@return the name of this machine}
     *
     * @throws MPIException if MPI reports an error
     */
    public static String getProcessorName() throws MPIException {
        return MPIException.of(Environment::getProcessorName);
    }

    /** {@return the library and its version} */
    public static String getLibVersion() {
        return Environment.getLibraryVersion();
    }

    /**
     * {@return whether MPI has begun}
     *
     * @throws MPIException if MPI reports an error
     */
    public static boolean isInitialized() throws MPIException {
        return MPIException.of(Environment::initialized);
    }

    /**
     * {@return whether MPI has ended}
     *
     * @throws MPIException if MPI reports an error
     */
    public static boolean isFinalized() throws MPIException {
        return MPIException.of(Environment::finalized);
    }

    /**
     * {@return seconds between two moments of {@link #wtime}}
     *
     * @throws MPIException if MPI reports an error
     */
    public static double wtick() throws MPIException {
        return MPIException.of(Environment::wtick);
    }

    /** {@return the version of the standard} */
    public static Version getVersion() {
        var version = Environment.getVersion();
        return new Version(version.version(), version.subversion());
    }

    /**
     * {@return how threads may use MPI}
     *
     * @throws MPIException if MPI reports an error
     */
    public static int queryThread() throws MPIException {
        return MPIException.of(Generalized::queryThread);
    }

    /**
     * {@return whether this thread began MPI}
     *
     * @throws MPIException if MPI reports an error
     */
    public static boolean isThreadMain() throws MPIException {
        return MPIException.of(Generalized::isThreadMain);
    }

    /**
     * Does nothing: a place for profilers.
     *
     * @param level how much is profiled
     * @param obj anything
     */
    public static void pControl(int level, Object obj) {
        // there is no profiler
    }

    /**
     * Makes room for sends through a buffer, as much as an array has.
     *
     * @param buffer an array, whose elements are not used
     * @throws MPIException if MPI reports an error
     */
    public static void attachBuffer(byte[] buffer) throws MPIException {
        MPIException.run(() -> {
            MemorySegment room = Arena.ofAuto().allocate(Math.max(1, buffer.length), Long.BYTES);
            PointToPoint.bufferAttach(room, buffer.length);
            attached = buffer;
        });
    }

    /**
     * {@return the array of {@link #attachBuffer}, when all sends through the buffer are complete}
     *
     * @throws MPIException if MPI reports an error
     */
    public static byte[] detachBuffer() throws MPIException {
        MPIException.run(PointToPoint::bufferDetach);
        byte[] buffer = attached;
        attached = null;
        return buffer;
    }

    /**
     * {@return a direct buffer of so many elements}
     *
     * @param capacity how many elements
     */
    public static ByteBuffer newByteBuffer(int capacity) {
        return Allocated.make(capacity);
    }

    /**
     * {@return the elements of a buffer from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static ByteBuffer slice(ByteBuffer buf, int offset) {
        return (ByteBuffer) Staged.from(buf, offset);
    }

    /**
     * {@return the elements of an array from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static ByteBuffer slice(byte[] buf, int offset) {
        return (ByteBuffer) Staged.from(ByteBuffer.wrap(buf), offset);
    }

    /**
     * {@return a direct buffer of so many elements}
     *
     * @param capacity how many elements
     */
    public static CharBuffer newCharBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, 2)).asCharBuffer();
    }

    /**
     * {@return the elements of a buffer from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static CharBuffer slice(CharBuffer buf, int offset) {
        return (CharBuffer) Staged.from(buf, offset);
    }

    /**
     * {@return the elements of an array from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static CharBuffer slice(char[] buf, int offset) {
        return (CharBuffer) Staged.from(CharBuffer.wrap(buf), offset);
    }

    /**
     * {@return a direct buffer of so many elements}
     *
     * @param capacity how many elements
     */
    public static ShortBuffer newShortBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, 2)).asShortBuffer();
    }

    /**
     * {@return the elements of a buffer from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static ShortBuffer slice(ShortBuffer buf, int offset) {
        return (ShortBuffer) Staged.from(buf, offset);
    }

    /**
     * {@return the elements of an array from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static ShortBuffer slice(short[] buf, int offset) {
        return (ShortBuffer) Staged.from(ShortBuffer.wrap(buf), offset);
    }

    /**
     * {@return a direct buffer of so many elements}
     *
     * @param capacity how many elements
     */
    public static IntBuffer newIntBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, 4)).asIntBuffer();
    }

    /**
     * {@return the elements of a buffer from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static IntBuffer slice(IntBuffer buf, int offset) {
        return (IntBuffer) Staged.from(buf, offset);
    }

    /**
     * {@return the elements of an array from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static IntBuffer slice(int[] buf, int offset) {
        return (IntBuffer) Staged.from(IntBuffer.wrap(buf), offset);
    }

    /**
     * {@return a direct buffer of so many elements}
     *
     * @param capacity how many elements
     */
    public static LongBuffer newLongBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, 8)).asLongBuffer();
    }

    /**
     * {@return the elements of a buffer from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static LongBuffer slice(LongBuffer buf, int offset) {
        return (LongBuffer) Staged.from(buf, offset);
    }

    /**
     * {@return the elements of an array from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static LongBuffer slice(long[] buf, int offset) {
        return (LongBuffer) Staged.from(LongBuffer.wrap(buf), offset);
    }

    /**
     * {@return a direct buffer of so many elements}
     *
     * @param capacity how many elements
     */
    public static FloatBuffer newFloatBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, 4)).asFloatBuffer();
    }

    /**
     * {@return the elements of a buffer from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static FloatBuffer slice(FloatBuffer buf, int offset) {
        return (FloatBuffer) Staged.from(buf, offset);
    }

    /**
     * {@return the elements of an array from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static FloatBuffer slice(float[] buf, int offset) {
        return (FloatBuffer) Staged.from(FloatBuffer.wrap(buf), offset);
    }

    /**
     * {@return a direct buffer of so many elements}
     *
     * @param capacity how many elements
     */
    public static DoubleBuffer newDoubleBuffer(int capacity) {
        return newByteBuffer(Math.multiplyExact(capacity, 8)).asDoubleBuffer();
    }

    /**
     * {@return the elements of a buffer from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static DoubleBuffer slice(DoubleBuffer buf, int offset) {
        return (DoubleBuffer) Staged.from(buf, offset);
    }

    /**
     * {@return the elements of an array from one on}
     *
     * @param buf the elements, an array or a buffer
     * @param offset the first element
     */
    public static DoubleBuffer slice(double[] buf, int offset) {
        return (DoubleBuffer) Staged.from(DoubleBuffer.wrap(buf), offset);
    }
}

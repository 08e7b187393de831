package dev.mpiglot.low;

import dev.mpiglot.mpi.CallbackException;
import dev.mpiglot.mpi.MpiException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** What all calls share: errors, narrowing, lengths. */
final class Call {

    /** Whether brief functions may be called the short way: see {@link Brief}. */
    static volatile boolean quick;

    /** Whether questions may be asked the short way all the same. */
    static volatile boolean asking;

    private Call() {
    }

    /** Throws if the call failed or a callback threw meanwhile. */
    static void done(int code, String function) {
        if (code != 0 | Callbacks.failed) {
            throw failure(code, function);
        }
    }

    /** The same for a call that starts an operation: what a callback threw is told when the operation completes. */
    static void started(int code, String function) {
        if (code != 0 || Callbacks.failed && Callbacks.isErrorOfCall()) {
            throw failure(code, function);
        }
    }

    /** Lets errors on a new window be exceptions: unlike a communicator it inherits nothing from others. */
    static void returnErrors(long window) {
        try {
            long code = (long) Windows.SET.invokeExact(window, ErrhandlerHandle.ERRORS_RETURN.handle());
            done((int) code, "MPI_Win_set_errhandler");
        } catch (Throwable t) {
            throw rethrow(t);
        }
    }

    private static final class Windows {
        private static final MethodHandle SET = Downcall.function("MPI_Win_set_errhandler", "jjj");
    }

    /** The exception for a call that failed, or whose callback did. */
    static RuntimeException failure(int code, String function) {
        Throwable cause = Callbacks.takeFailure();
        int javaCode = Sets.ERROR_CLASS.toJava(code);
        if (code == 0 && cause instanceof Keeping.Closed closed) {
            return closed;
        }
        if (code == 0 && Callbacks.isErrorOfCall(cause)) {
            MpiException hidden = (MpiException) cause;
            return MpiException.of(hidden.code(), hidden.errorClass(), function, function + ": " + hidden.getMessage());
        }
        if (cause != null) {
            return new CallbackException(javaCode, code == 0 ? MpiConstants.SUCCESS : Errors.classOf(code), function,
                    cause);
        }
        GivenCodes.add(javaCode);
        return MpiException.of(javaCode, Errors.classOf(code), function, function + ": " + Errors.text(code));
    }

    /** As {@link #done}, for the tool interface, whose codes are classes. */
    static void doneTool(int code, String function) {
        if (code != 0) {
            int errorClass = Sets.ERROR_CLASS.toJava(code);
            throw MpiException.of(errorClass, errorClass, function, function + ": "
                    + Sets.ERROR_CLASS.name(errorClass));
        }
    }

    /** Passes unchecked exceptions on; method handles declare more than C functions can throw. */
    static RuntimeException rethrow(Throwable t) {
        if (t instanceof Error e) {
            throw e;
        }
        return t instanceof RuntimeException e ? e : new IllegalStateException(t);
    }

    static boolean fits(long value) {
        return value == (int) value;
    }

    /** A value for a function that takes only 32 bits. */
    static long narrow(long value, String function) {
        if (value != (int) value) {
            throw MpiException.of(MpiConstants.ERR_COUNT, MpiConstants.ERR_COUNT, function, function + ": " + value
                    + " does not fit into the 32 bits that this MPI's function takes, and it has no " + function + "_c");
        }
        return value;
    }

    /** The same in a method whose arrays have 32 bits, too; beside it there is one for 64. */
    static long narrowBesideArrays(long value, String function) {
        if (value != (int) value) {
            throw MpiException.of(MpiConstants.ERR_COUNT, MpiConstants.ERR_COUNT, function, function + ": " + value
                    + " does not fit into 32 bits: pass arrays of long, not of int, to call " + function + "_c");
        }
        return value;
    }

    /** Refuses a value that needs 64 bits where there is no function for it. */
    static void requireLarge(boolean present, String function) {
        if (!present) {
            throw MpiException.of(MpiConstants.ERR_COUNT, MpiConstants.ERR_COUNT, function, function
                    + ": a value needs 64 bits, but this " + "MPI has no " + function + "_c");
        }
    }

    /** A handle that C returned. */
    static long handle(long value, boolean wide) {
        return wide ? value : (int) value;
    }

    static long length(Object[] array) {
        return array == null ? 0 : array.length;
    }

    static long length(int[] array) {
        return array == null ? 0 : array.length;
    }

    static long length(long[] array) {
        return array == null ? 0 : array.length;
    }

    static long length(boolean[] array) {
        return array == null ? 0 : array.length;
    }

    static void sameLength(String name, long length, long expected) {
        if (length != expected && length != Lengths.ABSENT) {
            throw new IllegalArgumentException(name + " has " + length + " elements where " + expected
                    + " are expected");
        }
    }

    /** NULL for null, so that a missing buffer is a null pointer. */
    static MemorySegment segment(MemorySegment segment) {
        if (segment == null) {
            return MemorySegment.NULL;
        }
        if (!segment.isNative()) {
            throw new IllegalArgumentException("MPI needs memory outside the Java heap: allocate the segment from an "
                    + "Arena");
        }
        return segment;
    }

    /** The same for a buffer that must have room for elements of a predefined datatype. */
    static MemorySegment segment(MemorySegment segment, long count, DatatypeHandle datatype) {
        if (segment != null) {
            long bytes = segment.byteSize();
            if (bytes != 0) {
                long each = Extents.of(datatype.handle());
                if (each != 0 && (count > bytes || count * each > bytes)) {
                    throw new IllegalArgumentException("a buffer of " + bytes + " bytes is too short for " + count
                            + " elements of " + each + " bytes");
                }
            }
        }
        return segment(segment);
    }

    /** The same for a buffer of so many bytes. */
    static MemorySegment segment(MemorySegment segment, long bytes) {
        if (segment == null && bytes > 0) {
            throw new IllegalArgumentException("a buffer of " + bytes + " bytes is null");
        }
        if (segment != null && segment.byteSize() != 0 && bytes > segment.byteSize()) {
            throw new IllegalArgumentException("a buffer of " + segment.byteSize() + " bytes is too short for " + bytes + " bytes");
        }
        return segment(segment);
    }

    /** The same for memory that MPI writes to. */
    static MemorySegment written(MemorySegment segment) {
        return segment(writable(segment));
    }

    /** The same for a buffer that must have room for elements of a predefined datatype. */
    static MemorySegment written(MemorySegment segment, long count, DatatypeHandle datatype) {
        return segment(writable(segment), count, datatype);
    }

    /** The same for a buffer of so many bytes. */
    static MemorySegment written(MemorySegment segment, long bytes) {
        return segment(writable(segment), bytes);
    }

    private static MemorySegment writable(MemorySegment segment) {
        if (segment != null && segment.isReadOnly()) {
            throw new IllegalArgumentException("MPI writes to this segment, which is read-only");
        }
        return segment;
    }

    /** Class and text of error codes. */
    static final class Errors {

        private static final MethodHandle CLASS = Downcall.function("MPI_Error_class", "jjj");
        private static final MethodHandle STRING = Downcall.function("MPI_Error_string", "jjjj");

        private Errors() {
        }

        static int classOf(int code) {
            Frame frame = Frame.current();
            long mark = frame.mark();
            try {
                long found = frame.cell();
                long result = (long) CLASS.invokeExact((long) code, found);
                return (int) result == 0 ? Sets.ERROR_CLASS.toJava(Frame.getInt(found)) : MpiConstants.ERR_UNKNOWN;
            } catch (Throwable t) {
                throw rethrow(t);
            } finally {
                frame.release(mark);
            }
        }

        static String text(int code) {
            String name = Sets.ERROR_CLASS.name(classOf(code));
            Frame frame = Frame.current();
            long mark = frame.mark();
            try {
                int capacity = Capacities.MAX_ERROR_STRING;
                long text = frame.text(capacity);
                long result = (long) STRING.invokeExact((long) code, text, frame.cell());
                String said = (int) result == 0 ? Frame.getText(text, capacity).strip() : "";
                return said.isEmpty() || said.startsWith(name) ? said.isEmpty() ? name : said : name + ": " + said;
            } catch (Throwable t) {
                throw rethrow(t);
            } finally {
                frame.release(mark);
            }
        }
    }
}

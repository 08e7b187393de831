package mpi;

import dev.mpiglot.low.MpiConstants;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The values of attributes, which MPI knows by numbers. */
final class Held {

    private static final Map<Long, Object> VALUES = new HashMap<>();
    private static long last;

    private Held() {
    }

    /** Gives MPI a value, which it says when it drops. */
    static void set(Object value, Consumer<MemorySegment> call) {
        MemorySegment held = hold(value);
        try {
            call.accept(held);
        } catch (RuntimeException e) {
            drop(held);
            throw e;
        }
    }

    private static synchronized MemorySegment hold(Object value) {
        VALUES.put(++last, value);
        return MemorySegment.ofAddress(last);
    }

    static synchronized Object value(MemorySegment held) {
        return VALUES.get(held.address());
    }

    static synchronized void drop(MemorySegment held) {
        VALUES.remove(held.address());
    }

    /** What MPI asks for when it copies an object. */
    static void copy(MemorySegment in, MemorySegment out, MemorySegment flag) {
        out.set(ValueLayout.JAVA_LONG, 0, hold(value(in)).address());
        flag.set(ValueLayout.JAVA_INT, 0, 1);
    }

    /** Whether a key is one of MPI, whose values are in its memory. */
    static boolean isPredefined(int keyval) {
        return keyval >= MpiConstants.TAG_UB && keyval <= MpiConstants.WIN_MODEL;
    }

    static int integer(MemorySegment at) {
        return at.reinterpret(Integer.BYTES).get(ValueLayout.JAVA_INT, 0);
    }
}

package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Arrays that the collector does not move while a call blocks, so that MPI uses them without a copy. G1 and Shenandoah
 * pin regions and go on; other collectors would wait for the end of the call, so there arrays are copied. The same where
 * the JVM checks the use of JNI, where it is not HotSpot, and on virtual threads, which may go on upon another carrier.
 *
 * <p>Nothing loads this class in a program without large arrays.
 */
final class Pins {

    private static final boolean IS_POSSIBLE = isPossible();
    /** How many arrays were pinned, and how many still are. */
    private static final AtomicLong TAKEN = new AtomicLong();
    private static final AtomicLong HELD = new AtomicLong();

    private Pins() {
    }

    private static boolean isPossible() {
        try {
            JvmFlags jvm = new JvmFlags();
            return (jvm.isSet("UseG1GC") || jvm.isSet("UseShenandoahGC")) && !jvm.isSet("CheckJNICalls")
                    && PinBinding.bind(jvm);
        } catch (Throwable t) { // another JVM, or one without access to native functions
            return false;
        }
    }

    /**
     * The elements of an array, pinned.
     *
     * @param array the array of primitives
     * @param offset where the elements begin, in bytes
     * @param bytes how many bytes they take
     * @param alignment of what the address must be a multiple
     * @param other what the same call has pinned before; null: nothing
     * @return what is to be given back by {@link Staging#release}; null: the elements must be copied
     */
    static Staging take(Object array, long offset, long bytes, long alignment, Staging other) {
        if (!IS_POSSIBLE || Thread.currentThread().isVirtual()) {
            return null;
        }
        long address = PinBinding.pin(array);
        if (address == 0) {
            return null;
        }
        long first = address + offset;
        Staging found = null;
        try {
            if (first % alignment == 0 && isApart(first, bytes, other)) {
                found = Staging.pinned(MemorySegment.ofAddress(first).reinterpret(bytes), array, address);
                TAKEN.incrementAndGet();
                HELD.incrementAndGet();
            }
            return found;
        } finally {
            if (found == null) {
                PinBinding.unpin(array, address);
            }
        }
    }

    /** MPI gets no memory twice: of two buffers in the same elements one is copied. */
    private static boolean isApart(long first, long bytes, Staging other) {
        return other == null || first + bytes <= other.memory().address()
                || other.memory().address() + other.memory().byteSize() <= first;
    }

    static void release(Object array, long address) {
        PinBinding.unpin(array, address);
        HELD.decrementAndGet();
    }

    /** Whether arrays can be pinned here. */
    static boolean arePossible() {
        return IS_POSSIBLE;
    }

    /** How many arrays were pinned so far. */
    static long taken() {
        return TAKEN.get();
    }

    /** How many arrays are pinned now. */
    static long held() {
        return HELD.get();
    }
}

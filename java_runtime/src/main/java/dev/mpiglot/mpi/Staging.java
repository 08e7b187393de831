package dev.mpiglot.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Memory that MPI uses in the place of the program's: outside the heap for copies of elements of arrays, or, in some calls
 * that block, arrays themselves ({@link Pins}).
 *
 * <p>Blocks outside the heap are kept for the next operation: each platform thread keeps a few small ones, which it takes
 * without a lock, and all threads share the others. What a block holds at first is what its last user left.
 *
 * <p>Two blocks of the smallest size stay on the shelf of their thread while they are used: a mark says whether they
 * are. Most calls need no other block, and no list of blocks is changed.
 *
 * <p>A block belongs to one operation from {@link #take} to {@link #release}, so calls within a call, several requests
 * of one thread and exceptions in between do no harm: each takes a block of its own. Any thread may give it back, and
 * keeps it then, unless it stays. A virtual thread keeps none: it may go on upon another carrier, and there may be very
 * many.
 */
final class Staging {

    private static final int SMALLEST = 6;
    private static final int LARGEST = 30;
    /** Arrays of so many bytes and more are pinned where that is possible. */
    private static final long PINNED_FROM = Settings.pinnedFrom();
    /** Blocks above this many bytes are not left to the collector, which does not see how large they are. */
    private static final long LEFT_TO_COLLECTOR = 1L << 22;
    /**
     * What all threads share: so many blocks of one size, and not more than so many bytes together: 64 MiB, or a 16th of
     * the heap, where the arrays are.
     */
    private static final Shelf SHARED = new Shelf(0, LARGEST, 64, Math.max(1L << 26, Runtime.getRuntime().maxMemory() / 16));
    /** What threads keep for themselves, blocks of up to 64 KiB, by thread: of those that came here last. */
    private static final Shelf[] OWN = new Shelf[256];

    /** Another thread that gives back a block that stays does so after it has used it. */
    private static final VarHandle FREE;

    static {
        try {
            FREE = MethodHandles.lookup().findVarHandle(Staging.class, "isFree", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MemorySegment memory;
    private final long bytes;
    private final int place;
    private final boolean stays; // on the shelf of its thread
    private final Object pinned; // the array that MPI uses itself; null: this is a block
    private final long address; // of its first element
    private boolean isFree;

    private Staging(MemorySegment memory, boolean stays) {
        this(memory, stays, null, 0);
    }

    private Staging(MemorySegment memory, boolean stays, Object pinned, long address) {
        this.memory = memory;
        this.stays = stays;
        this.pinned = pinned;
        this.address = address;
        this.isFree = stays;
        this.bytes = memory.byteSize();
        this.place = place(bytes);
    }

    /**
     * Loads the class, which nothing else does in a program without arrays: the compiler does not inline methods with
     * parameters of a class that is not loaded, so it would make objects of loans there.
     */
    static void load() {
    }

    MemorySegment memory() {
        return memory;
    }

    long bytes() {
        return bytes;
    }

    /** Elements of an array that does not move until {@link #release}. */
    static Staging pinned(MemorySegment elements, Object array, long address) {
        return new Staging(elements, false, array, address);
    }

    /** Whether a call that blocks tries to pin so many bytes. */
    static boolean isToPin(long bytes) {
        return bytes >= PINNED_FROM;
    }

    /** Whether this is the program's array, to which nothing need be copied. */
    boolean isPinned() {
        return pinned != null;
    }

    /** A block of at least so many bytes, to be given back with {@link #release}. */
    static Staging take(long bytes) {
        Shelf own = own();
        Staging kept = own == null ? null : own.small(bytes);
        if (kept == null && own != null) {
            kept = own.take(bytes);
        }
        return kept != null ? kept : takeShared(bytes);
    }

    /** What this thread keeps; null: nothing. */
    private static Shelf own() {
        Thread thread = Thread.currentThread();
        Shelf found = OWN[(int) thread.threadId() & OWN.length - 1];
        return found != null && found.owner == thread.threadId() ? found : null;
    }

    private static Staging takeShared(long bytes) {
        Staging kept;
        synchronized (SHARED) {
            kept = SHARED.take(bytes);
        }
        Staging found = kept != null ? kept : made(bytes);
        Backlog.took(found.bytes);
        return found;
    }

    private static Staging made(long bytes) {
        long size = bytes > 1L << LARGEST ? bytes : 1L << place(bytes) + SMALLEST;
        return new Staging(size > LEFT_TO_COLLECTOR ? LargeMemory.allocate(size) : Arena.ofAuto().allocate(size, Long.BYTES),
                false);
    }

    /** A block that stays on the shelf of its thread. */
    private static Staging staying() {
        return new Staging(Arena.ofAuto().allocate(1 << SMALLEST, Long.BYTES), true);
    }

    /** Gives the block back; MPI does not use it any more. */
    void release() {
        if (isFree) {
            throw new IllegalStateException("A block was given back twice.");
        }
        if (stays) {
            FREE.setRelease(this, true);
            return;
        }
        isFree = true;
        if (pinned != null) {
            Pins.release(pinned, address);
            return;
        }
        Shelf own = own();
        if (own == null || !own.put(this)) {
            releaseShared();
        }
    }

    private void releaseShared() {
        Thread thread = Thread.currentThread();
        if (!thread.isVirtual() && own() == null) {
            Shelf own = new Shelf(thread.threadId(), 16, 8, 1L << 18);
            OWN[(int) thread.threadId() & OWN.length - 1] = own;
            if (own.put(this)) {
                return;
            }
        }
        boolean isKept;
        synchronized (SHARED) {
            isKept = SHARED.put(this);
        }
        if (!isKept && bytes > LEFT_TO_COLLECTOR) {
            LargeMemory.free(memory);
        }
    }

    /** The size of a block is 64 bytes times two to the power of its place. */
    private static int place(long bytes) {
        return bytes <= 1 << SMALLEST ? 0 : Long.SIZE - Long.numberOfLeadingZeros(bytes - 1) - SMALLEST;
    }

    /** Free blocks, by size. What stands behind the last free one is stale: leaving it there saves a write. */
    private static final class Shelf {

        private final long owner;
        private final Staging[][] free;
        private final int[] counts;
        private long room; // bytes
        private final Staging first = staying();
        private final Staging second = staying();

        Shelf(long owner, int largest, int most, long room) {
            this.owner = owner;
            this.free = new Staging[largest - SMALLEST + 1][most];
            this.counts = new int[free.length];
            this.room = room;
        }

        /** One of the blocks that stay here; null if both are used or too small. */
        Staging small(long bytes) {
            if (bytes > 1 << SMALLEST) {
                return null;
            }
            Staging found = (boolean) FREE.getAcquire(first) ? first : second;
            if (!(boolean) FREE.getAcquire(found)) {
                return null;
            }
            found.isFree = false;
            return found;
        }

        /** A block of at least so many bytes; null if there is none. */
        Staging take(long bytes) {
            int place = place(bytes);
            if (place >= free.length || counts[place] == 0) {
                return null;
            }
            Staging found = free[place][--counts[place]];
            found.isFree = false;
            room += found.bytes;
            return found;
        }

        /** Keeps a block; false if there is no room for it. */
        boolean put(Staging block) {
            int place = block.place;
            if (place >= free.length || counts[place] == free[place].length || block.bytes > room) {
                return false;
            }
            int index = counts[place]++;
            if (free[place][index] != block) {
                free[place][index] = block;
            }
            room -= block.bytes;
            return true;
        }
    }
}

package dev.mpiglot.low;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The memory of one thread for the outputs and converted inputs of the call it is in: a stack, because a callback
 * may call MPI while an outer call of the same thread is still running.
 */
final class Frame implements Place {

    /** All memory, for reading and writing at addresses that are known to be ours. */
    static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final long SIZE = 16 * 1024;
    /** What is kept for brief calls: no other call of the thread can come between. */
    private static final long CELLS = 128;
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final ThreadLocal<Frame> CURRENT = new ThreadLocal<>();

    /** The frames last used, by thread: looking here first takes half a nanosecond. */
    private static final Frame[] RECENT = new Frame[256];

    /**
     * The thread that came here first, usually that of main. A processor knows the constant address of its cells before
     * it has found out which thread this is, and C's first loads need not wait for that: up to 8 ns of a call.
     */
    private static final Thread FIRST = Thread.currentThread();
    private static final Frame FRAME_OF_FIRST = new Frame(FIRST.threadId());
    private static final MemorySegment CELLS_OF_FIRST = Arena.global().allocate(CELLS, 64);
    private static final long FIRST_CELLS = CELLS_OF_FIRST.address();
    private static boolean taken;
    private static Frame atHand = FIRST.isVirtual() ? null : FRAME_OF_FIRST;
    private static Thread only;

    private final MemorySegment memory;
    private final long owner;
    private final long base;
    private final long limit;
    private long top;
    private Arena overflow;

    private Frame(long owner) {
        this.owner = owner;
        memory = Arena.ofAuto().allocate(SIZE, 8);
        base = memory.address();
        limit = base + SIZE - CELLS;
        top = base;
    }

    /** Memory of {@link #CELLS} bytes for the outputs of a call: to be given back. */
    static long enter() {
        if (Thread.currentThread() == FIRST && !taken) {
            taken = true;
            return FIRST_CELLS;
        }
        return current().push();
    }

    static void leave(long cells) {
        if (cells == FIRST_CELLS) {
            taken = false;
        } else {
            current().pop(cells);
        }
    }

    /** The address of one of those cells, zeroed. */
    static long cell(long address) {
        ALL.set(ValueLayout.JAVA_LONG, address, 0);
        return address;
    }

    static Frame current() {
        if (Thread.currentThread() == FIRST) {
            return FRAME_OF_FIRST;
        }
        Frame frame = mine();
        return frame != null ? frame : find();
    }

    /** The frame of this thread if it is at hand; never that of a virtual thread. */
    static Frame mine() {
        if (Thread.currentThread() == FIRST) {
            return atHand;
        }
        long id = Thread.currentThread().threadId();
        Frame frame = RECENT[place(id)];
        return frame != null && frame.owner == id ? frame : null;
    }

    private static int place(long thread) {
        return (int) thread & RECENT.length - 1;
    }

    private static Frame find() {
        Thread thread = Thread.currentThread();
        Frame frame = CURRENT.get();
        if (frame == null) {
            frame = new Frame(thread.threadId());
            CURRENT.set(frame);
        }
        if (!thread.isVirtual() && (only == null || only == thread)) {
            RECENT[place(thread.threadId())] = frame;
        }
        return frame;
    }

    /** From now on only the frame of this thread is at hand, if it is not null. */
    static void only(Thread thread) {
        only = thread;
        atHand = FIRST.isVirtual() || thread != null && thread != FIRST ? null : FRAME_OF_FIRST;
        Arrays.fill(RECENT, null);
    }

    /** Where the outputs of a brief call stand. */
    long cells() {
        return limit;
    }

    long mark() {
        return top;
    }

    void release(long mark) {
        top = mark;
        if (overflow != null && mark == base) {
            overflow.close();
            overflow = null;
        }
    }

    private long push() {
        long address = top;
        if (CELLS > limit - address) {
            return overflow(CELLS);
        }
        top = address + CELLS;
        return address;
    }

    private void pop(long cells) {
        if (cells >= base && cells < limit) {
            release(cells);
        }
    }

    /** A zeroed cell of eight bytes. */
    long cell() {
        long address = top;
        if (address + 8 > limit) {
            return overflow(8);
        }
        top = address + 8;
        ALL.set(ValueLayout.JAVA_LONG, address, 0);
        return address;
    }

    @Override
    public long allocate(long bytes) {
        long address = room(bytes);
        long end = address + (bytes + 7 & -8);
        for (long i = address; i < end; i += 8) {
            ALL.set(ValueLayout.JAVA_LONG, i, 0);
        }
        return address;
    }

    /** Room for a text of at most so many bytes, empty as yet. */
    long text(long bytes) {
        long address = room(bytes + 1);
        ALL.set(ValueLayout.JAVA_LONG, address, 0);
        ALL.set(ValueLayout.JAVA_BYTE, address + bytes, (byte) 0);
        return address;
    }

    @Override
    public long room(long bytes) {
        long size = Math.max(bytes + 7 & -8, 8);
        long address = top;
        if (size > limit - address) {
            return overflow(size);
        }
        top = address + size;
        return address;
    }

    /** Memory beside the stack, given back when the outermost call has given back its part of the stack. */
    private long overflow(long size) {
        if (overflow == null) {
            overflow = Arena.ofConfined();
        }
        if (top == base) {
            top += 8; // a call within this one, such as a linking, begins above the bottom and does not give it back
        }
        return overflow.allocate(size, 8).address();
    }

    static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT, address);
    }

    static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT, address, value);
    }

    static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    static void putLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    static double getDouble(long address) {
        return ALL.get(ValueLayout.JAVA_DOUBLE, address);
    }

    /** A handle of four (signed) or eight bytes. */
    static long getHandle(long address, boolean wide) {
        return wide ? getLong(address) : getInt(address);
    }

    static void putHandle(long address, long handle, boolean wide) {
        if (wide) {
            putLong(address, handle);
        } else {
            putInt(address, (int) handle);
        }
    }

    /**
     * Memory of MPI or of the program, of unknown size. No memory has an address below 0: Open MPI 4.1 sometimes tells
     * such a one of a window without bytes.
     */
    static MemorySegment at(long address) {
        MemorySegment segment = MemorySegment.ofAddress(address);
        return address <= 0 ? segment : segment.reinterpret(Long.MAX_VALUE - address);
    }

    static MemorySegment getPointer(long address) {
        return at(getLong(address));
    }

    /** A text that MPI wrote; at most {@code capacity} bytes. */
    static String getText(long address, long capacity) {
        int length = lengthOf(address, capacity);
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i += 8) {
            long word = getWord(address + i, capacity - i);
            for (int k = i; k < Math.min(i + 8, length); k++) {
                bytes[k] = (byte) word;
                word >>>= 8;
            }
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int lengthOf(long address, long capacity) {
        for (int length = 0; length < capacity; length += 8) {
            long word = getWord(address + length, capacity - length);
            long zeros = word - LOW_BITS & ~word & HIGH_BITS; // the lowest bit set is in the first byte that is zero
            if (zeros != 0) {
                return (int) Math.min(length + Long.numberOfTrailingZeros(zeros) / 8, capacity);
            }
        }
        return (int) capacity;
    }

    private static long getWord(long address, long available) {
        if (available >= 8) {
            return getLong(address);
        }
        long word = 0;
        for (int i = 0; i < available; i++) {
            word |= (ALL.get(ValueLayout.JAVA_BYTE, address + i) & 0xffL) << 8 * i;
        }
        return word;
    }

    /** Writes bytes and a zero behind them to memory that has room for whole words. */
    static void putText(long address, byte[] bytes) {
        for (int i = 0; i <= bytes.length; i += 8) {
            long word = 0;
            for (int k = Math.min(7, bytes.length - 1 - i); k >= 0; k--) {
                word = word << 8 | bytes[i + k] & 0xff;
            }
            putLong(address + i, word);
        }
    }
}

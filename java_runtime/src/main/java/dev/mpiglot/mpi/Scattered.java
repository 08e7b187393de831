package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;

/** Values that are in no single memory segment, or not side by side there; bytes are counted as if they were. */
abstract sealed class Scattered permits Flags, Grid, Rows, Scattered.Plain {

    abstract long bytes();

    /** What must be open and writable. */
    abstract MemorySegment memory();

    /** Copies bytes from here to other memory. */
    abstract void read(long at, MemorySegment to, long position, long bytes);

    /** Copies bytes from other memory to here. */
    abstract void write(MemorySegment from, long position, long at, long bytes);

    /** Copies elements to the start of other memory, side by side. */
    final void pack(Layout layout, long offset, MemorySegment to) {
        long[] end = {0};
        layout.runs(offset, (at, bytes) -> {
            read(at, to, end[0], bytes);
            end[0] += bytes;
        });
    }

    /** Copies bytes that are side by side, from {@code begin} to {@code end}, to the places of elements. */
    final void unpack(MemorySegment from, long begin, long end, Layout layout, long offset) {
        long[] next = {begin};
        layout.runs(offset, (at, bytes) -> {
            long part = Math.min(bytes, end - next[0]);
            write(from, next[0], at, part);
            next[0] += part;
        });
    }

    /** Copies elements to the same places of other memory; what is at {@code offset} here begins at {@code origin}. */
    final void moveTo(Layout layout, long offset, MemorySegment to, long origin) {
        layout.runs(offset, (at, bytes) -> read(at, to, origin + at - offset, bytes));
    }

    /** Copies the first bytes of elements back from such memory. */
    final void moveFrom(MemorySegment from, long origin, long most, Layout layout, long offset) {
        long[] rest = {most};
        layout.runs(offset, (at, bytes) -> {
            long part = Math.min(bytes, rest[0]);
            write(from, origin + at - offset, at, part);
            rest[0] -= part;
        });
    }

    /** A memory segment, of which others take parts. */
    static final class Plain extends Scattered {

        private final MemorySegment memory;

        Plain(MemorySegment memory) {
            this.memory = memory;
        }

        @Override
        long bytes() {
            return memory.byteSize();
        }

        @Override
        MemorySegment memory() {
            return memory;
        }

        @Override
        void read(long at, MemorySegment to, long position, long bytes) {
            MemorySegment.copy(memory, at, to, position, bytes);
        }

        @Override
        void write(MemorySegment from, long position, long at, long bytes) {
            MemorySegment.copy(from, position, memory, at, bytes);
        }
    }
}

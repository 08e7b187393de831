package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;

/** Runs of bytes of the same length, at equal distances in each of several dimensions. The last dimension is the fastest. */
final class Grid extends Scattered {

    private final Scattered base;
    private final long first; // byte of the base where the first run begins
    private final long[] counts;
    private final long[] strides; // bytes
    private final long run; // bytes
    private final long bytes;

    Grid(Scattered base, long first, long[] counts, long[] strides, long run) {
        this.base = base;
        this.first = first;
        this.counts = counts;
        this.strides = strides;
        this.run = run;
        long all = run;
        for (long count : counts) {
            all *= count;
        }
        this.bytes = all;
    }

    @Override
    long bytes() {
        return bytes;
    }

    @Override
    MemorySegment memory() {
        return base.memory();
    }

    /** The byte of the base where a run begins. */
    private long place(long index) {
        long place = first;
        long rest = index;
        for (int i = counts.length - 1; i >= 0; i--) {
            place += rest % counts[i] * strides[i];
            rest /= counts[i];
        }
        return place;
    }

    @Override
    void read(long at, MemorySegment to, long position, long bytes) {
        long done = 0;
        while (done < bytes) {
            long within = (at + done) % run;
            long part = Math.min(run - within, bytes - done);
            base.read(place((at + done) / run) + within, to, position + done, part);
            done += part;
        }
    }

    @Override
    void write(MemorySegment from, long position, long at, long bytes) {
        long done = 0;
        while (done < bytes) {
            long within = (at + done) % run;
            long part = Math.min(run - within, bytes - done);
            base.write(from, position + done, place((at + done) / run) + within, part);
            done += part;
        }
    }
}

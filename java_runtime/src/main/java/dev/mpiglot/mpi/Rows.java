package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The rows of an array of arrays, one after another. */
final class Rows extends Scattered {

    private final MemorySegment[] rows;
    private final long[] begins; // bytes before each row, and before what would be the next one

    Rows(MemorySegment[] rows) {
        this.rows = rows;
        this.begins = new long[rows.length + 1];
        for (int i = 0; i < rows.length; i++) {
            begins[i + 1] = begins[i] + rows[i].byteSize();
        }
    }

    @Override
    long bytes() {
        return begins[rows.length];
    }

    @Override
    MemorySegment memory() {
        return MemorySegment.ofArray(new byte[0]);
    }

    /** The row that has a byte: of several that begin there the last one, since the others have none. */
    private int row(long at) {
        int found = Arrays.binarySearch(begins, at);
        int row = found < 0 ? -found - 2 : found;
        while (row < rows.length - 1 && begins[row + 1] == at) {
            row++;
        }
        return row;
    }

    @Override
    void read(long at, MemorySegment to, long position, long bytes) {
        long done = 0;
        for (int row = row(at); done < bytes; row++) {
            long within = at + done - begins[row];
            long part = Math.min(rows[row].byteSize() - within, bytes - done);
            MemorySegment.copy(rows[row], within, to, position + done, part);
            done += part;
        }
    }

    @Override
    void write(MemorySegment from, long position, long at, long bytes) {
        long done = 0;
        for (int row = row(at); done < bytes; row++) {
            long within = at + done - begins[row];
            long part = Math.min(rows[row].byteSize() - within, bytes - done);
            MemorySegment.copy(from, position + done, rows[row], within, part);
            done += part;
        }
    }
}

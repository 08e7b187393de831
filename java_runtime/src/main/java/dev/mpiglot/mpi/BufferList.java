package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The elements of buffers of any types for one operation: copies in one block, in which MPI finds them by places in bytes. */
final class BufferList extends Loan {

    private static final long ALIGNMENT = 16;

    private final List<MpiBuffer<?>> buffers;
    private final long[] begins;
    private final Staging copies;

    /** Takes copies, also where something arrives: what comes from nobody stays as it is. */
    BufferList(List<MpiBuffer<?>> buffers) {
        super(null, null);
        this.buffers = buffers;
        this.begins = new long[buffers.size()];
        long end = 0;
        for (int i = 0; i < begins.length; i++) {
            begins[i] = end;
            end = Math.addExact(end, -Math.floorDiv(-buffers.get(i).span(), ALIGNMENT) * ALIGNMENT);
        }
        copies = Staging.take(end);
        copyIn();
    }

    @Override
    Staging block() {
        return copies;
    }

    private MemorySegment copy(int buffer) {
        return copies.memory().asSlice(begins[buffer], buffers.get(buffer).span());
    }

    private void copyIn() {
        for (int i = 0; i < begins.length; i++) {
            buffers.get(i).copyTo(copy(i));
        }
    }

    @Override
    void renew() {
        super.renew();
        copyIn();
    }

    @Override
    void arrived() {
        for (int i = 0; i < begins.length; i++) {
            buffers.get(i).copyFrom(copy(i), Long.MAX_VALUE);
        }
    }

    @Override
    void end() {
        super.end();
        copies.release();
    }

    @Override
    MemorySegment segment() {
        return copies.memory();
    }

    /** One for each buffer, and one at least, as of the next ones: Open MPI refuses arrays without memory. */
    long[] counts() {
        long[] counts = new long[Math.max(1, begins.length)];
        for (int i = 0; i < begins.length; i++) {
            MpiBuffer<?> one = buffers.get(i);
            counts[i] = one.isOfRecords() ? one.count() : one.values();
        }
        return counts;
    }

    long[] places() {
        long[] places = new long[Math.max(1, begins.length)];
        for (int i = 0; i < begins.length; i++) {
            places[i] = begins[i] + buffers.get(i).origin();
        }
        return places;
    }

    DatatypeHandle[] types() {
        DatatypeHandle[] types = new DatatypeHandle[Math.max(1, begins.length)];
        types[0] = DatatypeHandle.BYTE;
        for (int i = 0; i < begins.length; i++) {
            MpiBuffer<?> one = buffers.get(i);
            types[i] = one.isOfRecords() ? one.type().word() : one.type().kind().datatype();
        }
        return types;
    }

    /** Throws unless a process gives itself as much as it gets from itself. */
    static void requireSame(MpiBuffer<?> sent, MpiBuffer<?> received) {
        if (sent.bytes() != received.bytes()) {
            throw new IllegalArgumentException("This process gives itself " + sent + " and gets " + received + ".");
        }
    }
}

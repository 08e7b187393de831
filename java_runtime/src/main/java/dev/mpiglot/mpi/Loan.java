package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.StatusValue;
import java.lang.foreign.MemorySegment;

/**
 * The memory of a buffer for one operation: its own memory, or a copy of its elements, those of an array for example, or
 * an array that is pinned. In a copy the elements are side by side without gaps, or, if they are records, at the same distances.
 */
sealed class Loan permits BufferList {

    static {
        Staging.load();
    }

    private final MpiBuffer<?> buffer;
    private final Staging copy; // or the pinned array; null: the buffer's own memory
    private Loan other; // of the same operation, ends with this one
    private long limit = Long.MAX_VALUE; // bytes that arrive
    private long[] counts; // elements that arrive; null: those before the limit
    private long[] places;

    Loan(MpiBuffer<?> buffer, Staging copy) {
        this.buffer = buffer;
        this.copy = copy;
    }

    /** For elements that are written over as far as a status says. */
    static Loan toFill(MpiBuffer<?> buffer) {
        return toFill(buffer, null);
    }

    /** The same, in a pinned array; null: there is none. */
    static Loan toFill(MpiBuffer<?> buffer, @Nullable Staging pinned) {
        buffer.requireWritable();
        return new Loan(buffer, pinned != null ? pinned : buffer.isCopied() ? Staging.take(buffer.span()) : null);
    }

    /** For elements that MPI reads. */
    static Loan toRead(MpiBuffer<?> buffer) {
        return toRead(buffer, null);
    }

    /** The same, in a pinned array; null: there is none. */
    static Loan toRead(MpiBuffer<?> buffer, @Nullable Staging pinned) {
        return read(buffer, buffer.isCopied(), pinned);
    }

    /** For elements that MPI reduces: basic ones, which have no gaps between them, and records of a class. */
    static Loan toReduce(MpiBuffer<?> buffer) {
        return toReduce(buffer, null);
    }

    /** The same, in a pinned array; null: there is none. */
    static Loan toReduce(MpiBuffer<?> buffer, @Nullable Staging pinned) {
        return read(buffer, buffer.isCopied() || !buffer.isDense() && buffer.type().form() == null, pinned);
    }

    /** Other memory with the same elements. */
    Loan copy() {
        return copyOf(buffer);
    }

    /** The same as single values side by side. */
    static Loan toFillAlike(MpiBuffer<?> buffer) {
        buffer.requireWritable();
        return new Loan(buffer, buffer.isCopied() || !buffer.isDense() ? Staging.take(buffer.span()) : null);
    }

    /** The memory of the copy, or the pinned array; null: the buffer's own is used. */
    Staging block() {
        return copy;
    }

    /** Whether MPI uses other memory than the buffer's own. */
    boolean isCopy() {
        return copy != null;
    }

    /** Other memory for elements that MPI reads. */
    static Loan copyOf(MpiBuffer<?> buffer) {
        return read(buffer, true, null);
    }

    /** For an operation without memory. */
    static Loan ofNothing() {
        return new Loan(null, null);
    }

    /** Only so many bytes arrive. */
    Loan only(long bytes) {
        limit = bytes;
        return this;
    }

    /** Only these elements arrive: what lies between them may be in use by others. */
    Loan only(long[] counts, long[] places) {
        this.counts = counts;
        this.places = places;
        return this;
    }

    private static Loan read(MpiBuffer<?> buffer, boolean copied, @Nullable Staging pinned) {
        Staging copy = pinned != null ? pinned : copied ? Staging.take(buffer.span()) : null;
        if (isToCopy(copy)) {
            buffer.copyTo(copy.memory());
        }
        return new Loan(buffer, copy); // in one place: the compiler would make an object of one that is made in two
    }

    private static boolean isToCopy(@Nullable Staging memory) {
        return memory != null && !memory.isPinned();
    }

    /** Brings what the arrays have now to MPI. */
    void renew() {
        if (other != null) {
            other.renew();
        }
        if (isToCopy(copy)) {
            buffer.copyTo(copy.memory());
        }
    }

    MemorySegment segment() {
        if (copy != null) {
            return buffer.origin() == 0 ? copy.memory() : copy.memory().asSlice(buffer.origin());
        }
        if (buffer.isInPlace()) {
            return MpiConstants.IN_PLACE;
        }
        return buffer.offset() == 0 ? buffer.memory() : buffer.memory().asSlice(buffer.offset());
    }

    /** Whether {@link #type} is one that MPI provides, not made of others as one with gaps is. */
    boolean isOfValues() {
        return !buffer.isOfRecords() && (copy != null || buffer.isDense());
    }

    /** Whether the elements are structures with gaps. */
    boolean isOfGaps() {
        return buffer.isOfRecords() && !buffer.isDense();
    }

    /** How many elements of {@link #type} there are. */
    long count() {
        return isOfValues() ? buffer.values() : buffer.count();
    }

    DatatypeHandle type() {
        return isOfValues() ? buffer.type().kind().datatype() : buffer.type().handle();
    }

    /** Bytes from one element of {@link #type} to the next. */
    long elementBytes() {
        return isOfValues() ? buffer.type().kind().size() : buffer.type().extent();
    }

    /** How many elements of {@link #type} one of the buffer makes. */
    long perElement() {
        return isOfValues() ? buffer.type().values() : 1;
    }

    /** Brings what MPI wrote into the array, all of it unless less is known to arrive. */
    void arrived() {
        if (counts == null) {
            arrived(Math.min(limit, buffer.bytes()));
            return;
        }
        for (int i = 0; isToCopy(copy) && i < counts.length; i++) {
            buffer.copyFrom(copy.memory(), places[i], counts[i]);
        }
    }

    /** Brings what arrived into the array. */
    void arrived(long bytes) {
        if (isToCopy(copy) && bytes > 0) {
            buffer.copyFrom(copy.memory(), bytes);
        }
    }

    /** Brings the message into the array of which MPI has told. */
    Status received(StatusValue found) {
        Status status = Status.of(found);
        arrived(status.bytes());
        return status;
    }

    /** Both buffers of one operation; {@link #end} ends both loans. */
    Loan with(Loan second) {
        other = second;
        return this;
    }

    /** The same memory without the arrays: to be ended in place of this one, and for nothing else. */
    Loan bare() {
        Loan bare = new Loan(null, block());
        bare.other = other == null ? null : other.bare();
        return bare;
    }

    /** How many bytes of copies MPI uses. */
    long copied() {
        return (block() == null ? 0 : block().bytes()) + (other == null ? 0 : other.copied());
    }

    /** Ends the loan; MPI does not use the memory any more. */
    void end() {
        if (other != null) {
            other.end();
        }
        if (copy != null) {
            copy.release();
        }
    }
}

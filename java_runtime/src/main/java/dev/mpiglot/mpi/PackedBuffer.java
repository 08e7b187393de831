package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.HeapCalls;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * Memory into which buffers of several types are packed one after the other, to be one message, and out of which they
 * are unpacked in the same order. {@link #packed} is what to send, {@link #room} where to receive; after a receive,
 * {@link #received} says what came. The external form has the same bytes on every machine and is for files.
 *
 * <pre>{@code
 * PackedBuffer box = PackedBuffer.allocate(world, 1000);
 * box.pack(MpiBuffer.of(counts));
 * box.pack(MpiBuffer.of(values));
 * world.send(box.packed(), 1, 0);
 * }</pre>
 *
 * <p>Threads may share it. An operation that is under way uses its memory at the same time.
 */
public final class PackedBuffer {

    private static final String EXTERNAL = "external32";

    private final Comm comm; // null: external
    private final MpiBuffer<Element.Records> memory;
    private long position;
    private long limit; // behind what is packed or received

    private PackedBuffer(Comm comm, long bytes) {
        this.comm = comm;
        this.memory = MpiBuffer.allocate(Datatype.PACKED, bytes);
    }

    /**
     * Memory for messages.
     *
     * @param comm the communicator of the messages, of both groups or one
     * @param bytes how much, see {@link #sizeOf}
     * @return the memory, without content
     * @throws IllegalArgumentException if the communicator is null or the number negative
     */
    public static PackedBuffer allocate(Comm comm, long bytes) {
        return new PackedBuffer(Arguments.present("comm", comm), bytes);
    }

    /**
     * Memory for the form {@code external32}, which is the same on every machine.
     *
     * @param bytes how much, see {@link #sizeOf}
     * @return the memory, without content
     * @throws IllegalArgumentException if the number is negative
     * @throws UnavailableException if the library packs otherwise, as MPICH 3.4
     */
    public static PackedBuffer external(long bytes) {
        LibraryDefects.refuse(LibraryDefects.PACKS_AS_IN_MEMORY, "MPI_Pack_external");
        return new PackedBuffer(null, bytes);
    }

    /**
     * Tells how much room a buffer needs at most. {@code MPI_Pack_size}, {@code MPI_Pack_external_size} Local.
     *
     * @param data the buffer
     * @return the bytes
     * @throws IllegalArgumentException if the buffer is null or in place
     * @throws IllegalStateException if its type or the communicator is closed
     * @throws UnavailableException if the form is external, the elements are structures, and the
     *     library ends the process then, as MPICH 4.0.2
     * @throws MpiException if MPI reports an error
     */
    public long sizeOf(MpiBuffer<?> data) {
        Datatype<?> type = Call.withElements("data", data).type();
        if (comm == null && type.kind() == Kind.RECORD && type != Datatype.PACKED) {
            LibraryDefects.refuse(LibraryDefects.PACKS_NO_STRUCTURES, "MPI_Pack_external of structures");
        }
        long count = type.kind() == Kind.RECORD ? data.count() : data.values();
        DatatypeHandle word = type.kind() == Kind.RECORD ? type.word() : type.kind().datatype();
        return type.using(() -> comm == null ? Datatypes.packExternalSize(EXTERNAL, count, word)
                : comm.using(() -> Datatypes.packSize(count, word, comm.word())));
    }

    /**
     * Packs the elements of a buffer behind what is packed. {@code MPI_Pack}, {@code MPI_Pack_external} Local.
     *
     * @param data the buffer
     * @throws IllegalArgumentException if it is null, in place or in this memory, or {@link #sizeOf} it is more than is left
     * @throws IllegalStateException if its type or the communicator is closed
     * @throws MpiException if MPI reports an error
     */
    public synchronized void pack(MpiBuffer<?> data) {
        long size = sizeOf(requireOther(data));
        if (size > capacity() - position) {
            throw new IllegalArgumentException("Packing " + data + " needs " + size + " bytes, and " + (capacity() - position)
                    + " of " + capacity() + " are left.");
        }
        if (!moveOnHeap(data, true)) {
            packCopies(data);
        }
        limit = position;
    }

    /** Packs or unpacks an array where it is; false: it is too long for that, or it cannot be done now. */
    private boolean moveOnHeap(MpiBuffer<?> data, boolean packs) {
        MemorySegment elements = comm == null ? null : data.onHeap();
        if (elements == null) {
            return false;
        }
        DatatypeHandle word = data.type().kind().datatype();
        MemorySegment box = memory.memory().asSlice(0, packs ? capacity() : limit);
        long end = data.type().using(() -> comm.using(() -> packs
                ? HeapCalls.pack(elements, data.values(), word, box, position, comm.word())
                : HeapCalls.unpack(box, position, elements, data.values(), word, comm.word())));
        if (end >= 0) {
            position = end;
        }
        return end >= 0;
    }

    private void packCopies(MpiBuffer<?> data) {
        lend(data, () -> Loan.toRead(data, data.pinned(null)), (loan, at) -> {
            if (comm == null) {
                Datatypes.packExternal(EXTERNAL, loan.segment(), loan.count(), loan.type(), memory.memory(), capacity(), at);
            } else {
                Datatypes.pack(loan.segment(), loan.count(), loan.type(), memory.memory(), capacity(), at, comm.word());
            }
        });
    }

    /** MPI may not copy memory to itself. */
    private MpiBuffer<?> requireOther(MpiBuffer<?> data) {
        if (Call.withElements("data", data).memory().asOverlappingSlice(memory.memory()).isPresent()) {
            throw new IllegalArgumentException("The buffer \"data\" is in the memory that is packed to: take other memory.");
        }
        return data;
    }

    /**
     * Unpacks the next elements to a buffer, as many as it has. {@code MPI_Unpack}, {@code MPI_Unpack_external} Local.
     *
     * @param data the buffer
     * @throws IllegalArgumentException if it is null, in place or in this memory, or fewer bytes are left than its elements
     *     take
     * @throws IllegalStateException if its type or the communicator is closed
     * @throws MpiException if MPI reports an error
     */
    public synchronized void unpack(MpiBuffer<?> data) {
        requireOther(data);
        long size = comm == null ? sizeOf(data) : data.bytes();
        if (size > limit - position) {
            throw new IllegalArgumentException("Unpacking " + data + " takes " + size + " bytes, and " + (limit - position)
                    + " of " + limit + " are left.");
        }
        if (!moveOnHeap(data, false)) {
            unpackCopies(data);
        }
    }

    private void unpackCopies(MpiBuffer<?> data) {
        lend(data, () -> Loan.toFill(data, data.pinned(null)), (loan, at) -> {
            if (comm == null) {
                Datatypes.unpackExternal(EXTERNAL, memory.memory(), limit, at, loan.segment(), loan.count(), loan.type());
            } else {
                Datatypes.unpack(memory.memory(), limit, at, loan.segment(), loan.count(), loan.type(), comm.word());
            }
            loan.arrived();
        });
    }

    /** A call of MPI, which moves the position on. */
    @FunctionalInterface
    private interface Step {
        void go(Loan loan, long[] position);
    }

    private void lend(MpiBuffer<?> data, Supplier<Loan> lender, Step step) {
        data.type().using(() -> {
            Loan loan = lender.get();
            long[] at = {position};
            try {
                if (comm == null) {
                    step.go(loan, at);
                } else {
                    comm.using(() -> {
                        step.go(loan, at);
                        return at;
                    });
                }
            } finally {
                loan.end();
            }
            position = at[0];
            return at;
        });
    }

    /** {@return how many bytes there is room for} */
    public long capacity() {
        return memory.count();
    }

    /** {@return the byte where the next elements are packed or unpacked} */
    public synchronized long position() {
        return position;
    }

    /** Goes back to the beginning: to unpack what was packed, or to pack anew. */
    public synchronized void rewind() {
        position = 0;
    }

    /** {@return what is packed, up to the position: a buffer to send or write} */
    public synchronized MpiBuffer<Element.Records> packed() {
        return memory.as(Datatype.PACKED, position);
    }

    /** {@return all of the memory: a buffer to receive or read into} */
    public MpiBuffer<Element.Records> room() {
        return memory;
    }

    /**
     * Goes to the beginning of what was received into {@link #room}; what is behind it cannot be unpacked.
     *
     * @param status the end of the receive
     * @throws IllegalArgumentException if it is null, or longer than the memory
     */
    public synchronized void received(Status status) {
        received(Arguments.present("status", status).bytes());
    }

    /**
     * The same for bytes that were read from a file.
     *
     * @param bytes how many
     * @throws IllegalArgumentException if they are negative, or more than the memory has
     */
    public synchronized void received(long bytes) {
        if (bytes < 0 || bytes > capacity()) {
            throw new IllegalArgumentException(bytes + " bytes cannot be in memory of " + capacity() + ".");
        }
        position = 0;
        limit = bytes;
    }

    @Override
    public String toString() {
        return "packed up to byte " + position() + " of " + capacity();
    }
}

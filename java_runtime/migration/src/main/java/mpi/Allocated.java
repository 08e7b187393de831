package mpi;

import java.lang.foreign.MemorySegment;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The direct buffers that {@code MPI} made. A slice does not tell which bytes of its buffer lie before it; this class does.
 */
final class Allocated extends WeakReference<ByteBuffer> {

    private static final ConcurrentSkipListMap<Long, Allocated> FROM = new ConcurrentSkipListMap<>(); // by address
    private static final ReferenceQueue<ByteBuffer> GONE = new ReferenceQueue<>();

    private final long address;

    private Allocated(ByteBuffer buffer, long address) {
        super(buffer, GONE);
        this.address = address;
    }

    static ByteBuffer make(int bytes) {
        while (GONE.poll() instanceof Allocated gone) {
            FROM.remove(gone.address, gone); // not what was made there since
        }
        ByteBuffer made = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        long address = MemorySegment.ofBuffer(made).address();
        FROM.put(address, new Allocated(made, address));
        return made;
    }

    /** How many bytes before a place belong to the same buffer: 0 where {@code MPI} did not make it. */
    static long before(long place) {
        var found = FROM.floorEntry(place);
        ByteBuffer made = found == null ? null : found.getValue().get();
        return made == null || place - found.getKey() > made.capacity() ? 0 : place - found.getKey();
    }
}

package mpi;

import dev.mpiglot.low.Caching;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.OneSided;
import dev.mpiglot.low.WinHandle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.Buffer;

/** The handle of memory that other processes reach, and what it has. */
abstract class WinBase {

    private WinHandle handle;
    private final Buffer memory; // stays reachable; null: MPI's own, or attached later

    WinBase(WinHandle handle, Buffer memory) {
        this.handle = handle;
        this.memory = memory;
    }

    final WinHandle handle() {
        return handle;
    }

    static long bytes(Buffer buffer, int elements) {
        if (elements < 0) {
            throw new IndexOutOfBoundsException("The size " + elements + " is negative.");
        }
        return (long) elements * Staged.elementBytes(buffer);
    }

    /** A window of the memory of a buffer; an empty buffer gives no memory, whatever size the program names. */
    static WinHandle create(Buffer base, int size, int dispUnit, Info info, Comm comm) throws MPIException {
        return MPIException.of(() -> {
            long named = bytes(base, size);
            long bytes = base.capacity() == 0 ? 0 : named;
            return OneSided.winCreate(Staged.direct(base, Span.of(bytes)), bytes, bytes(base, dispUnit), info.handle(),
                    comm.handle());
        });
    }

    /** Memory of MPI, whose address goes to a buffer, unless that is empty. */
    static WinHandle allocate(int size, int dispUnit, Info info, Comm comm, Buffer base, int flavor)
            throws MPIException {
        return MPIException.of(() -> {
            MemorySegment address = Staged.direct(base, base.capacity() == 0 ? Span.NONE : Span.of(Long.BYTES));
            long bytes = bytes(base, size);
            long unit = bytes(base, dispUnit);
            if (flavor == Win.FLAVOR_SHARED) {
                var made = OneSided.winAllocateShared(bytes, unit, info.handle(), comm.handle());
                tell(address, made.baseptr());
                return made.win();
            }
            var made = OneSided.winAllocate(bytes, unit, info.handle(), comm.handle());
            tell(address, made.baseptr());
            return made.win();
        });
    }

    private static void tell(MemorySegment address, MemorySegment base) {
        if (address.byteSize() > 0) {
            address.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, base.address());
        }
    }

    /**
     * Gives the window back.
     *
     * @throws MPIException if MPI reports an error
     */
    public void free() throws MPIException {
        MPIException.run(() -> OneSided.winFree(handle));
        handle = WinHandle.NULL;
        java.lang.ref.Reference.reachabilityFence(memory);
    }

    /**
     * {@return the processes of the window}
     *
     * @throws MPIException if MPI reports an error
     */
    public Group getGroup() throws MPIException {
        return MPIException.of(() -> new Group(OneSided.winGetGroup(handle)));
    }

    /**
     * {@return the hints of the window}
     *
     * @throws MPIException if MPI reports an error
     */
    public Info getInfo() throws MPIException {
        return MPIException.of(() -> new Info(OneSided.winGetInfo(handle)));
    }

    /**
     * Gives the window hints.
     *
     * @param info hints, or {@code MPI.INFO_NULL}
     * @throws MPIException if MPI reports an error
     */
    public void setInfo(Info info) throws MPIException {
        MPIException.run(() -> OneSided.winSetInfo(handle, info.handle()));
    }

    /**
     * {@return the name of the window}
     *
     * @throws MPIException if MPI reports an error
     */
    public String getName() throws MPIException {
        return MPIException.of(() -> Caching.winGetName(handle));
    }

    /**
     * Names the window.
     *
     * @param name the name
     * @throws MPIException if MPI reports an error
     */
    public void setName(String name) throws MPIException {
        MPIException.run(() -> Caching.winSetName(handle, name));
    }

    /**
     * Says what happens at an error.
     *
     * @param errhandler what happens at an error
     * @throws MPIException if MPI reports an error
     */
    public void setErrhandler(Errhandler errhandler) throws MPIException {
        MPIException.run(() -> Environment.winSetErrhandler(handle, errhandler.handle));
    }

    /**
     * {@return what happens at an error}
     *
     * @throws MPIException if MPI reports an error
     */
    public Errhandler getErrhandler() throws MPIException {
        return MPIException.of(() -> new Errhandler(Environment.winGetErrhandler(handle)));
    }

    /**
     * Does what happens at an error.
     *
     * @param errorCode the code of an error
     * @throws MPIException if MPI reports an error
     */
    public void callErrhandler(int errorCode) throws MPIException {
        MPIException.run(() -> Environment.winCallErrhandler(handle, errorCode));
    }

    /**
     * {@return a key for attributes of windows}
     *
     * @throws MPIException if MPI reports an error
     */
    public static int createKeyval() throws MPIException {
        return MPIException.of(() -> Caching.winCreateKeyval(
            (win, keyval, in, out, flag) -> Held.copy(in, out, flag), (win, keyval, value) -> Held.drop(value)));
    }

    /**
     * Gives a key back.
     *
     * @param keyval the key
     * @throws MPIException if MPI reports an error
     */
    public static void freeKeyval(int keyval) throws MPIException {
        MPIException.run(() -> Caching.winFreeKeyval(new int[] {keyval}));
    }

    /**
     * Sets an attribute.
     *
     * @param keyval the key
     * @param value the value
     * @throws MPIException if MPI reports an error
     */
    public void setAttr(int keyval, Object value) throws MPIException {
        MPIException.run(() -> Held.set(value, held -> Caching.winSetAttr(handle, keyval, held)));
    }

    /**
     * {@return the value of an attribute, or null; {@code MPI.WIN_BASE} is a {@code Long}, others of MPI are
     * integers}
     *
     * @param keyval the key
     * @throws MPIException if MPI reports an error
     */
    public Object getAttr(int keyval) throws MPIException {
        return MPIException.of(() -> Caching.winGetAttr(handle, keyval).map(held ->
            keyval == MPI.WIN_BASE ? (Object) held.address()
                : Held.isPredefined(keyval) ? (Object) Held.integer(held) : Held.value(held)).orElse(null));
    }

    /**
     * Takes an attribute away.
     *
     * @param keyval the key
     * @throws MPIException if MPI reports an error
     */
    public void deleteAttr(int keyval) throws MPIException {
        MPIException.run(() -> Caching.winDeleteAttr(handle, keyval));
    }
}

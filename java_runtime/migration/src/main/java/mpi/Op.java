package mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.OpHandle;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What combines the values of a reduction. */
public final class Op implements Freeable {

    private final UserFunction function; // null: predefined
    private final boolean commutes;
    private final Map<Long, Datatype> types = new ConcurrentHashMap<>(); // that a function was used with, by handle
    private OpHandle handle; // null: MPI has not been asked for it

    Op(OpHandle handle) {
        this.handle = handle;
        function = null;
        commutes = true;
    }

    /**
     * An operation of the program.
     *
     * @param function what combines elements
     * @param commute whether their order does not matter
     */
    public Op(UserFunction function, boolean commute) {
        this.function = java.util.Objects.requireNonNull(function, "The function is null.");
        commutes = commute;
    }

    /** The handle for a call with this type. */
    synchronized OpHandle handle(Datatype type) {
        if (function != null) {
            types.put(type.handle().handle(), type);
        }
        return handle();
    }

    private OpHandle handle() {
        if (handle == null) {
            handle = Collectives.opCreate(this::combine, commutes);
        }
        return handle;
    }

    private void combine(MemorySegment in, MemorySegment inOut, int count, DatatypeHandle handle)
            throws MPIException {
        Datatype type = types.get(handle.handle());
        if (type == null) {
            throw new MPIException("MPI combines elements of a type that no call of this operation had.");
        }
        long bytes = type.span(count).onlyAfter();
        function.combine(in.asSlice(0, bytes), inOut.asSlice(0, bytes), count, type);
    }

    /** {@return whether the order of the values does not matter} */
    public boolean isCommutative() {
        return commutes;
    }

    @Override
    public synchronized void free() throws MPIException {
        MPIException.run(() -> Collectives.opFree(handle()));
        handle = OpHandle.NULL;
    }

    /** {@return whether the operation has been freed} */
    public synchronized boolean isNull() {
        return handle != null && handle.equals(OpHandle.NULL);
    }
}

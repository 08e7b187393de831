package mpi;

import dev.mpiglot.low.OneSided;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;

/** Memory that other processes reach. Buffers are direct, and in use until the operations are complete. */
public final class Win extends WinEpochs implements Freeable {

    /** No window. */
    public static final int WIN_NULL = 0;
    /** Memory of one process. */
    public static final int FLAVOR_PRIVATE = 0;
    /** Memory that processes of one machine share. */
    public static final int FLAVOR_SHARED = 1;

    private final List<Buffer> attached = new ArrayList<>(); // stays reachable

    /**
     * A window over a buffer.
     *
     * @param base the memory, a direct buffer
     * @param size how many of its elements
     * @param dispUnit how many elements one unit of a displacement is
     * @param info hints, or {@code MPI.INFO_NULL}
     * @param comm the processes that reach the memory
     * @throws MPIException if MPI reports an error
     */
    public Win(Buffer base, int size, int dispUnit, Info info, Comm comm) throws MPIException {
        super(create(base, size, dispUnit, info, comm), base);
    }

    /**
     * A window over memory of MPI.
     *
     * @param size how many elements of the kind that the buffer has
     * @param dispUnit how many elements one unit of a displacement is
     * @param info hints, or {@code MPI.INFO_NULL}
     * @param comm the processes that reach the memory
     * @param base a direct buffer of 8 bytes or more, which gets the address of the memory
     * @param flavor {@code FLAVOR_PRIVATE} or {@code FLAVOR_SHARED}
     * @throws MPIException if MPI reports an error
     */
    public Win(int size, int dispUnit, Info info, Comm comm, Buffer base, int flavor) throws MPIException {
        super(allocate(size, dispUnit, info, comm, base, flavor), null);
    }

    /**
     * A window without memory, to which some is attached later.
     *
     * @param info hints, or {@code MPI.INFO_NULL}
     * @param comm the processes that reach the memory
     * @throws MPIException if MPI reports an error
     */
    public Win(Info info, Comm comm) throws MPIException {
        super(MPIException.of(() -> OneSided.winCreateDynamic(info.handle(), comm.handle())), null);
    }

    /** A displacement of other memory. */
    private static int at(int disp) {
        if (disp < 0) {
            throw new IndexOutOfBoundsException("The displacement " + disp + " is negative.");
        }
        return disp;
    }

    /** What an operation reads of the elements of this process: {@code NO_OP} reads nothing. */
    private static Span read(Span elements, Op op) {
        return op == MPI.NO_OP ? Span.NONE : elements;
    }

    /** A number of elements of other memory. */
    private static int many(int count) {
        if (count < 0) {
            throw new IndexOutOfBoundsException("The count " + count + " is negative.");
        }
        return count;
    }

    /**
     * Attaches memory.
     *
     * @param base the memory, a direct buffer
     * @param size how many elements of the buffer
     * @throws MPIException if MPI reports an error
     */
    public void attach(Buffer base, int size) throws MPIException {
        MPIException.run(() -> {
            OneSided.winAttach(handle(), Staged.direct(base, Span.of(bytes(base, size))), bytes(base, size));
            attached.add(base);
        });
    }

    /**
     * Takes memory back.
     *
     * @param base the memory, a direct buffer
     * @throws MPIException if MPI reports an error
     */
    public void detach(Buffer base) throws MPIException {
        MPIException.run(() -> {
            OneSided.winDetach(handle(), Staged.direct(base, Span.of(Staged.elementBytes(base))));
            attached.removeIf(one -> one == base);
        });
    }

    /**
     * Writes elements to other memory.
     *
     * @param origin a direct buffer of this process
     * @param orgCount how many of its elements
     * @param orgType their type
     * @param targetRank the rank of the process whose window it is
     * @param targetDisp where its elements begin, in units of that window
     * @param targetCount how many of its elements
     * @param targetType the type of the element
     * @throws MPIException if MPI reports an error
     */
    public void put(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
            Datatype targetType) throws MPIException {
        MPIException.run(() -> OneSided.put(Staged.direct(origin, orgType.span(orgCount)), orgCount, orgType.handle(),
                targetRank, at(targetDisp), many(targetCount), targetType.handle(), handle()));
    }

    /**
     * {@return the operation of {@link #put}, which goes on}
     *
     * @param origin a direct buffer of this process
     * @param orgCount how many of its elements
     * @param orgType their type
     * @param targetRank the rank of the process whose window it is
     * @param targetDisp where its elements begin, in units of that window
     * @param targetCount how many of its elements
     * @param targetType the type of the element
     * @throws MPIException if MPI reports an error
     */
    public Request rPut(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
            Datatype targetType) throws MPIException {
        return MPIException.of(() -> Request.access(CommBase.begin(origin, orgType.span(orgCount), data ->
            OneSided.rput(data, orgCount, orgType.handle(), targetRank, at(targetDisp), many(targetCount),
                    targetType.handle(), handle()))));
    }

    /**
     * Reads elements of other memory.
     *
     * @param origin a direct buffer of this process
     * @param orgCount how many of its elements
     * @param orgType their type
     * @param targetRank the rank of the process whose window it is
     * @param targetDisp where its elements begin, in units of that window
     * @param targetCount how many of its elements
     * @param targetType the type of the element
     * @throws MPIException if MPI reports an error
     */
    public void get(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
            Datatype targetType) throws MPIException {
        MPIException.run(() -> OneSided.get(Staged.direct(origin, orgType.span(orgCount)), orgCount, orgType.handle(),
                targetRank, at(targetDisp), many(targetCount), targetType.handle(), handle()));
    }

    /**
     * {@return the operation of {@link #get}, which goes on}
     *
     * @param origin a direct buffer of this process
     * @param orgCount how many of its elements
     * @param orgType their type
     * @param targetRank the rank of the process whose window it is
     * @param targetDisp where its elements begin, in units of that window
     * @param targetCount how many of its elements
     * @param targetType the type of the element
     * @throws MPIException if MPI reports an error
     */
    public Request rGet(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
            Datatype targetType) throws MPIException {
        return MPIException.of(() -> Request.access(CommBase.begin(origin, orgType.span(orgCount), data ->
            OneSided.rget(data, orgCount, orgType.handle(), targetRank, at(targetDisp), many(targetCount),
                    targetType.handle(), handle()))));
    }

    /**
     * Combines elements with those of other memory, in their place.
     *
     * @param origin a direct buffer of this process
     * @param orgCount how many of its elements
     * @param orgType their type
     * @param targetRank the rank of the process whose window it is
     * @param targetDisp where its elements begin, in units of that window
     * @param targetCount how many of its elements
     * @param targetType the type of the element
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public void accumulate(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType, Op op) throws MPIException {
        MPIException.run(() -> OneSided.accumulate(Staged.direct(origin, orgType.span(orgCount)), orgCount,
                orgType.handle(), targetRank, at(targetDisp), many(targetCount), targetType.handle(),
                op.handle(targetType), handle()));
    }

    /**
     * {@return the operation of {@link #accumulate}, which goes on}
     *
     * @param origin a direct buffer of this process
     * @param orgCount how many of its elements
     * @param orgType their type
     * @param targetRank the rank of the process whose window it is
     * @param targetDisp where its elements begin, in units of that window
     * @param targetCount how many of its elements
     * @param targetType the type of the element
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public Request rAccumulate(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
            int targetCount, Datatype targetType, Op op) throws MPIException {
        return MPIException.of(() -> Request.access(CommBase.begin(origin, orgType.span(orgCount), data ->
            OneSided.raccumulate(data, orgCount, orgType.handle(), targetRank, at(targetDisp), many(targetCount),
                    targetType.handle(), op.handle(targetType), handle()))));
    }

    /**
     * Reads elements of other memory and combines others with them, in their place.
     *
     * @param origin a direct buffer of this process
     * @param orgCount how many of its elements
     * @param orgType their type
     * @param resultAddr a direct buffer for what was there before
     * @param resultCount how many elements go there
     * @param resultType their type
     * @param targetRank the rank of the process whose window it is
     * @param targetDisp where its elements begin, in units of that window
     * @param targetCount how many of its elements
     * @param targetType the type of the element
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public void getAccumulate(Buffer origin, int orgCount, Datatype orgType, Buffer resultAddr, int resultCount,
            Datatype resultType, int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op)
            throws MPIException {
        MPIException.run(() -> {
            MemorySegment data = Staged.direct(origin, read(orgType.span(orgCount), op));
            MemorySegment result = Staged.direct(resultAddr, resultType.span(resultCount));
            OneSided.getAccumulate(data, orgCount, orgType.handle(), result, resultCount, resultType.handle(),
                    targetRank, at(targetDisp), many(targetCount), targetType.handle(), op.handle(targetType),
                    handle());
        });
    }

    /**
     * {@return the operation of {@link #getAccumulate}, which goes on}
     *
     * @param origin a direct buffer of this process
     * @param orgCount how many of its elements
     * @param orgType their type
     * @param resultAddr a direct buffer for what was there before
     * @param resultCount how many elements go there
     * @param resultType their type
     * @param targetRank the rank of the process whose window it is
     * @param targetDisp where its elements begin, in units of that window
     * @param targetCount how many of its elements
     * @param targetType the type of the element
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public Request rGetAccumulate(Buffer origin, int orgCount, Datatype orgType, Buffer resultAddr, int resultCount,
            Datatype resultType, int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op)
            throws MPIException {
        return MPIException.of(() -> Request.access(CommBase.begin(origin, read(orgType.span(orgCount), op), resultAddr,
                resultType.span(resultCount), (data, result) ->
            OneSided.rgetAccumulate(data, orgCount, orgType.handle(), result, resultCount, resultType.handle(),
                    targetRank, at(targetDisp), many(targetCount), targetType.handle(), op.handle(targetType),
                    handle()))));
    }

    /**
     * Reads an element of other memory, and writes another one if it has a value.
     *
     * @param origin a direct buffer of this process
     * @param compareAddr the value that must be there, in a direct buffer
     * @param resultAddr a direct buffer for what was there before
     * @param targetType the type of the element
     * @param targetRank the rank of the process whose window it is
     * @param targetDisp where its elements begin, in units of that window
     * @throws MPIException if MPI reports an error
     */
    public void compareAndSwap(Buffer origin, Buffer compareAddr, Buffer resultAddr, Datatype targetType,
            int targetRank, int targetDisp) throws MPIException {
        MPIException.run(() -> {
            Span bytes = targetType.span(1);
            OneSided.compareAndSwap(Staged.direct(origin, bytes), Staged.direct(compareAddr, bytes),
                    Staged.direct(resultAddr, bytes), targetType.handle(), targetRank, at(targetDisp), handle());
        });
    }

    /**
     * Reads an element of other memory and combines one with it.
     *
     * @param origin a direct buffer of this process
     * @param resultAddr a direct buffer for what was there before
     * @param dataType the type of the element
     * @param targetRank the rank of the process whose window it is
     * @param targetDisp where its elements begin, in units of that window
     * @param op what combines elements
     * @throws MPIException if MPI reports an error
     */
    public void fetchAndOp(Buffer origin, Buffer resultAddr, Datatype dataType, int targetRank, int targetDisp, Op op)
            throws MPIException {
        MPIException.run(() -> {
            Span bytes = dataType.span(1);
            OneSided.fetchAndOp(Staged.direct(origin, read(bytes, op)), Staged.direct(resultAddr, bytes), dataType.handle(),
                    targetRank, at(targetDisp), op.handle(dataType), handle());
        });
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.Infos;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Functions that some libraries have wrong, with the arguments of the functions of {@code dev.mpiglot.low}. There,
 * another function does the same, or the call is refused before anything is sent ({@link LibraryDefects}).
 */
final class Instead {

    /** The hints that divisions by types have: those of a communicator need not be passed on. */
    private static final String[] HINTS = {"mpi_hw_resource_type", "mpi_pset_name"};
    private static final String[] NONE = {};

    private Instead() {
    }

    /** {@code MPI_Comm_split_type}, or with the hints that it uses only; with SHARED all are right. */
    static CommHandle commSplitType(CommHandle comm, int type, int key, InfoHandle hints) {
        if (!LibraryDefects.HINTS_CRASH || hints.equals(InfoHandle.NULL) || type == SplitType.SHARED.value()) {
            return Communicators.commSplitType(comm, type, key, hints);
        }
        InfoHandle used = Infos.infoCreate();
        try {
            for (String hint : Library.load().has("MPI_Info_get_string") ? HINTS : NONE) { // since MPI 4.0, as they
                Infos.infoGetString(hints, hint).ifPresent(value -> Infos.infoSet(used, hint, value));
            }
            return Communicators.commSplitType(comm, type, key, used);
        } finally {
            Infos.infoFree(used);
        }
    }

    /** {@code MPI_Gather_init}, or with the same parts {@code MPI_Gatherv_init}. */
    static RequestHandle gatherInit(MemorySegment sent, long sentCount, DatatypeHandle sentType, MemorySegment received,
            long receivedCount, DatatypeHandle receivedType, int root, Call call, InfoHandle info) {
        if (!LibraryDefects.GATHERS_WRONGLY) {
            return Collectives.gatherInit(sent, sentCount, sentType, received, receivedCount, receivedType, root,
                    call.comm(), info);
        }
        boolean isRoot = received != null;
        return Collectives.gathervInit(sent, sentCount, sentType, received, isRoot ? counts(call, receivedCount) : null,
                isRoot ? places(call, receivedCount) : null, receivedType, root, call.comm(), info);
    }

    /** {@code MPI_Scatter_init}, or with the same parts {@code MPI_Scatterv_init}. */
    static RequestHandle scatterInit(MemorySegment sent, long sentCount, DatatypeHandle sentType,
            MemorySegment received,
            long receivedCount, DatatypeHandle receivedType, int root, Call call, InfoHandle info) {
        if (!LibraryDefects.SCATTERS_WRONGLY) {
            return Collectives.scatterInit(sent, sentCount, sentType, received, receivedCount, receivedType, root,
                    call.comm(), info);
        }
        boolean isRoot = sent != null;
        return Collectives.scattervInit(sent, isRoot ? counts(call, sentCount) : null,
                isRoot ? places(call, sentCount) : null, sentType, received, receivedCount, receivedType, root,
                call.comm(), info);
    }

    /** {@code MPI_Allgather_init}, or with the same parts {@code MPI_Allgatherv_init}. */
    static RequestHandle allgatherInit(MemorySegment sent, long sentCount, DatatypeHandle sentType,
            MemorySegment received, long receivedCount, DatatypeHandle receivedType, Call call, InfoHandle info) {
        if (!LibraryDefects.ALLGATHERS_WRONGLY) {
            return Collectives.allgatherInit(sent, sentCount, sentType, received, receivedCount, receivedType,
                    call.comm(), info);
        }
        return Collectives.allgathervInit(sent, sentCount, sentType, received, counts(call, receivedCount),
                places(call, receivedCount), receivedType, call.comm(), info);
    }

    private static long[] counts(Call call, long count) {
        long[] counts = new long[call.ranks()];
        Arrays.fill(counts, count);
        return counts;
    }

    private static long[] places(Call call, long count) {
        long[] places = new long[call.ranks()];
        Arrays.setAll(places, rank -> rank * count);
        return places;
    }

    /** {@code MPI_Isendrecv}, or a receive from nobody if nobody is sent to. */
    static RequestHandle isendrecv(MemorySegment sent, long sentCount, DatatypeHandle sentType, int dest, int sendTag,
            MemorySegment received, long receivedCount, DatatypeHandle receivedType, int source, int receiveTag,
            Call call) {
        refuseDerived("MPI_Isendrecv", sentType);
        return isWithNobody(dest, source)
                ? PointToPoint.irecv(received, receivedCount, receivedType, source, receiveTag, call.comm())
                : PointToPoint.isendrecv(sent, sentCount, sentType, dest, sendTag, received, receivedCount, receivedType,
                        source, receiveTag, call.comm());
    }

    /** {@code MPI_Isendrecv_replace}, or a receive from nobody if nobody is sent to. */
    static RequestHandle isendrecvReplace(MemorySegment data, long count, DatatypeHandle type, int dest, int sendTag,
            int source, int receiveTag, Call call) {
        refuseDerived("MPI_Isendrecv_replace", type);
        return isWithNobody(dest, source) ? PointToPoint.irecv(data, count, type, source, receiveTag, call.comm())
                : PointToPoint.isendrecvReplace(data, count, type, dest, sendTag, source, receiveTag, call.comm());
    }

    /** {@code MPI_Bsend}, unless what it packs is not received. */
    static void bsend(MemorySegment data, long count, DatatypeHandle type, int dest, int tag, Call call) {
        call.refuseGaps(LibraryDefects.PACKED_IS_TRUNCATED, "MPI_Bsend");
        PointToPoint.bsend(data, count, type, dest, tag, call.comm());
    }

    /** {@code MPI_Ibsend}, unless what it packs is not received. */
    static RequestHandle ibsend(MemorySegment data, long count, DatatypeHandle type, int dest, int tag, Call call) {
        call.refuseGaps(LibraryDefects.PACKED_IS_TRUNCATED, "MPI_Ibsend");
        return PointToPoint.ibsend(data, count, type, dest, tag, call.comm());
    }

    /** {@code MPI_Bsend_init}, where needed before each start, and unless what it packs is not received. */
    static RequestHandle bsendInit(MemorySegment data, long count, DatatypeHandle type, int dest, int tag, Call call) {
        call.refuseGaps(LibraryDefects.PACKED_IS_TRUNCATED, "MPI_Bsend_init");
        CommHandle comm = call.comm();
        Supplier<RequestHandle> preparation = () -> PointToPoint.bsendInit(data, count, type, dest, tag, comm);
        if (LibraryDefects.BUFFERS_ONCE) {
            call.preparedAgainBy(preparation);
        }
        return preparation.get();
    }

    private static boolean isWithNobody(int dest, int source) {
        return LibraryDefects.EXCHANGES_WITH_NOBODY_HANG && dest == Comm.PROC_NULL && source == Comm.PROC_NULL;
    }

    private static void refuseDerived(String function, DatatypeHandle sent) {
        if (LibraryDefects.EXCHANGES_FREE_TYPES != null && !Kind.isProvided(sent)) {
            LibraryDefects.refuse(LibraryDefects.EXCHANGES_FREE_TYPES, function + " of a type that the program has made");
        }
    }
}

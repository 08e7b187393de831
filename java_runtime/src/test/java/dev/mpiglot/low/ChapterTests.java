package dev.mpiglot.low;

import dev.mpiglot.mpi.Check;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.MpiException;
import dev.mpiglot.mpi.UnavailableException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** One call or two of each chapter, with results that tell whether arguments and outputs went where they should. */
public final class ChapterTests {

    private ChapterTests() {
    }

    public static void namesAreKeptWholeOrRefused(Comm world) {
        CommHandle comm = Communicators.commDup(world.handle());
        DatatypeHandle type = Datatypes.typeDup(DatatypeHandle.INT);
        String longest = "n".repeat(Capacities.MAX_OBJECT_NAME - 2);
        String inTwo = "ü".repeat(longest.length() / 2 + 1); // fewer characters, more bytes
        Caching.commSetName(comm, longest);
        Caching.typeSetName(type, longest);
        for (String more : new String[] {longest + "n", inTwo}) {
            Check.fails(IllegalArgumentException.class, () -> Caching.commSetName(comm, more));
            Check.fails(IllegalArgumentException.class, () -> Caching.typeSetName(type, more));
        }
        Check.equal(Caching.commGetName(comm), longest);
        Check.equal(Caching.typeGetName(type), longest);
        Datatypes.typeFree(type);
        Communicators.commFree(comm);
    }

    public static void textsOfErrorsAreKeptWholeOrRefused(Comm world) {
        int code = Generalized.addErrorCode(Generalized.addErrorClass());
        String most = "e".repeat(Capacities.MAX_ERROR_STRING - 2);
        Check.fails(IllegalArgumentException.class, () -> Generalized.addErrorString(code, most + "e"));
        Generalized.addErrorString(code, most);
        Check.isTrue(Environment.errorString(code).contains(most), Environment.errorString(code));
    }

    public static void textsGoBothWays(Comm world) {
        CommHandle comm = Communicators.commDup(world.handle());
        Caching.commSetName(comm, "größer");
        Check.equal(Caching.commGetName(comm), "größer");
        Communicators.commFree(comm);
        InfoHandle info = Infos.infoCreate();
        Infos.infoSet(info, "key", "a value");
        Check.equal(Infos.infoGetNkeys(info), 1);
        Check.equal(Infos.infoGetNthkey(info, 0), "key");
        if (Library.load().has("MPI_Info_get_string")) {
            Check.equal(Infos.infoGetString(info, "key"), Optional.of("a value"));
            Check.equal(Infos.infoGetString(info, "no such key"), Optional.empty());
        }
        Infos.infoFree(info);
        Check.isTrue(Environment.getLibraryVersion().startsWith(Library.load().version().substring(0, 5)), "version");
    }

    public static void windowsAreWrittenByOthers(Comm world) {
        int right = (world.rank() + 1) % world.size();
        OneSided.WinAllocateResult window = OneSided.winAllocate(4096, 4, InfoHandle.NULL,
                world.handle()); // of 8 bytes MPICH 4.0.2 gives all but rank 0 a wrong address, in C too
        window.baseptr().set(ValueLayout.JAVA_INT, 0, -1);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(4);
            value.set(ValueLayout.JAVA_INT, 0, world.rank());
            OneSided.winFence(0, window.win());
            OneSided.put(value, 1, DatatypeHandle.INT, right, 0, 1, DatatypeHandle.INT, window.win());
            OneSided.winFence(0, window.win());
        }
        Check.equal(window.baseptr().get(ValueLayout.JAVA_INT, 0), (world.rank() + world.size() - 1) % world.size());
        OneSided.winFree(window.win());
    }

    public static void countsPerRankAreConverted(Comm world) {
        int size = world.size();
        int[] counts = new int[size];
        int[] places = new int[size];
        int total = 0;
        for (int i = 0; i < size; i++) {
            counts[i] = i + 1;
            places[i] = total;
            total += counts[i];
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocate(4L * counts[world.rank()]);
            for (int i = 0; i < counts[world.rank()]; i++) {
                own.setAtIndex(ValueLayout.JAVA_INT, i, world.rank());
            }
            MemorySegment all = arena.allocate(4L * total);
            Collectives.allgatherv(own, counts[world.rank()], DatatypeHandle.INT, all, counts, places,
                    DatatypeHandle.INT, world.handle());
            checkBlocks(all, counts, places);
            all.fill((byte) 0);
            long[] wideCounts = java.util.Arrays.stream(counts).asLongStream().toArray();
            long[] widePlaces = java.util.Arrays.stream(places).asLongStream().toArray();
            Collectives.allgatherv(own, counts[world.rank()], DatatypeHandle.INT, all, wideCounts, widePlaces,
                    DatatypeHandle.INT, world.handle());
            checkBlocks(all, counts, places);
        }
    }

    private static void checkBlocks(MemorySegment all, int[] counts, int[] places) {
        for (int rank = 0; rank < counts.length; rank++) {
            for (int i = 0; i < counts[rank]; i++) {
                Check.equal(all.getAtIndex(ValueLayout.JAVA_INT, places[rank] + i), rank);
            }
        }
    }

    public static void positionsAreReadAndChanged(Comm world) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(4);
            value.set(ValueLayout.JAVA_INT, 0, 77);
            MemorySegment packed = arena.allocate(64);
            long[] position = {0};
            Datatypes.pack(value, 1, DatatypeHandle.INT, packed, 64, position, world.handle());
            Datatypes.pack(value, 1, DatatypeHandle.INT, packed, 64, position, world.handle());
            Check.isTrue(position[0] >= 8, "position " + position[0]);
            MemorySegment both = arena.allocate(8);
            position[0] = 0;
            Datatypes.unpack(packed, 64, position, both, 2, DatatypeHandle.INT, world.handle());
            Check.equal(both.getAtIndex(ValueLayout.JAVA_INT, 1), 77);
        }
    }

    public static void matchedProbesGiveMessages(Comm world) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(4);
            value.set(ValueLayout.JAVA_INT, 0, 5);
            RequestHandle sent = PointToPoint.isend(value, 1, DatatypeHandle.INT, world.rank(), 8, world.handle());
            StatusValue status = new StatusValue();
            MessageHandle message = PointToPoint.mprobe(MpiConstants.ANY_SOURCE, 8, world.handle(), status);
            Check.equal(Datatypes.getCount(status, DatatypeHandle.INT), 1L);
            MemorySegment got = arena.allocate(4);
            PointToPoint.mrecv(got, 1, DatatypeHandle.INT, message, null);
            Check.equal(got.get(ValueLayout.JAVA_INT, 0), 5);
            PointToPoint.wait(sent, null);
            Check.isTrue(PointToPoint.improbe(MpiConstants.ANY_SOURCE, 8, world.handle(), null).isEmpty(),
                    "a message is left");
        }
    }

    public static void anyCompletedRequestIsFound(Comm world) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(8);
            RequestHandle[] requests =
                    {PointToPoint.irecv(buffer, 1, DatatypeHandle.INT, world.rank(), 1, world.handle()),
                PointToPoint.irecv(buffer.asSlice(4), 1, DatatypeHandle.INT, world.rank(), 2, world.handle())};
            Check.isTrue(PointToPoint.testany(requests, null).isEmpty(), "complete too early");
            PointToPoint.send(arena.allocate(4), 1, DatatypeHandle.INT, world.rank(), 2, world.handle());
            Check.equal(PointToPoint.waitany(requests, null), 1);
            Check.equal(requests[1].handle(), RequestHandle.NULL.handle());
            PointToPoint.send(arena.allocate(4), 1, DatatypeHandle.INT, world.rank(), 1, world.handle());
            int[] indices = new int[2];
            Check.equal(PointToPoint.waitsome(requests, indices, null), 1);
            Check.equal(indices[0], 0);
            Check.equal(PointToPoint.waitany(requests, null), MpiConstants.UNDEFINED);
        }
    }

    public static void theToolInterfaceTellsItsVariables(Comm world) {
        Tools.tInitThread(MpiConstants.THREAD_SINGLE);
        int number = Tools.tCvarGetNum();
        Check.isTrue(number > 0, "no variables");
        Tools.TCvarGetInfoResult first = Tools.tCvarGetInfo(0);
        Check.isTrue(!first.name().isEmpty(), "no name");
        Check.equal(Tools.tCvarGetIndex(first.name()), 0);
        // No MPI_T_finalize: after it MPI_Win_allocate of MPICH 3.4.3 is a fault of memory access, in C too.
    }

    public static void largeCountsAreRefusedWhereThereIsNoFunction(Comm world) {
        long large = 1L << 33;
        if (!Library.load().has("MPI_Type_contiguous_c")) {
            MpiException e =
                    Check.fails(MpiException.class, () -> Datatypes.typeContiguous(large, DatatypeHandle.BYTE));
            Check.equal(e.kind(), ErrorClass.ERR_COUNT);
        } else {
            DatatypeHandle type = Datatypes.typeContiguous(large, DatatypeHandle.BYTE);
            Check.equal(Datatypes.typeSize(type), large);
            Datatypes.typeFree(type);
        }
    }

    public static void missingFunctionsSayThatTheyAreMissing(Comm world) {
        if (!Library.load().has("MPI_Session_init")) {
            UnavailableException e = Check.fails(UnavailableException.class,
                    () -> Sessions.sessionInit(InfoHandle.NULL, ErrhandlerHandle.ERRORS_RETURN));
            Check.isTrue(e.getMessage().contains("MPI_Session_init"), e.getMessage());
        } else {
            SessionHandle session = Sessions.sessionInit(InfoHandle.NULL, ErrhandlerHandle.ERRORS_RETURN);
            Check.isTrue(Sessions.sessionGetNumPsets(session, InfoHandle.NULL) > 0, "no process sets");
            Sessions.sessionFinalize(session);
        }
    }

    public static void macrosAreFunctionsHere(Comm world) {
        Check.equal(Datatypes.aintAdd(40, 2), 42L);
        Check.equal(Datatypes.aintDiff(40, 42), -2L);
        if (Library.load().has("MPI_Comm_c2f") || Library.load().macro("MPI_Comm_c2f")) {
            Check.equal(Conversions.commF2c(Conversions.commC2f(world.handle())), world.handle());
        }
        if (Library.load().has("MPI_Comm_toint")) {
            Check.equal(Conversions.commFromint(Conversions.commToint(world.handle())), world.handle());
        }
    }

    public static void processesKnowTheirTime(Comm world) {
        double before = Environment.wtime();
        Check.isTrue(Environment.wtick() > 0 && Environment.wtime() >= before, "the clock goes backwards");
    }
}

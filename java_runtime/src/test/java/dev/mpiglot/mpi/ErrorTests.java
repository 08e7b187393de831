package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.ErrorClass;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.mpi.Element.Ints;
import java.nio.file.Path;
import java.util.Map;

/** Mistakes come back as exceptions, and MPI goes on. */
public final class ErrorTests {

    private static final Map<Integer, Class<? extends MpiException>> OWN = Map.ofEntries(
            Map.entry(MpiConstants.ERR_TRUNCATE, TruncatedException.class),
            Map.entry(MpiConstants.ERR_RANK, RankException.class),
            Map.entry(MpiConstants.ERR_ROOT, RootException.class),
            Map.entry(MpiConstants.ERR_TAG, TagException.class),
            Map.entry(MpiConstants.ERR_COUNT, CountException.class),
            Map.entry(MpiConstants.ERR_TYPE, DatatypeException.class),
            Map.entry(MpiConstants.ERR_COMM, CommException.class),
            Map.entry(MpiConstants.ERR_NO_MEM, NoMemoryException.class),
            Map.entry(MpiConstants.ERR_NO_SPACE, NoSpaceException.class),
            Map.entry(MpiConstants.ERR_QUOTA, QuotaException.class),
            Map.entry(MpiConstants.ERR_NO_SUCH_FILE, MissingFileException.class),
            Map.entry(MpiConstants.ERR_FILE_EXISTS, FileExistsException.class),
            Map.entry(MpiConstants.ERR_ACCESS, FileAccessException.class),
            Map.entry(MpiConstants.ERR_FILE_IN_USE, FileInUseException.class),
            Map.entry(MpiConstants.ERR_READ_ONLY, ReadOnlyFileException.class),
            Map.entry(MpiConstants.ERR_SPAWN, SpawnException.class),
            Map.entry(MpiConstants.ERR_PROC_FAILED, ProcessFailedException.class),
            Map.entry(MpiConstants.ERR_PROC_FAILED_PENDING, ProcessFailedException.class),
            Map.entry(MpiConstants.ERR_PROC_ABORTED, ProcessAbortedException.class),
            Map.entry(MpiConstants.ERR_REVOKED, RevokedException.class));

    private ErrorTests() {
    }

    public static void classesThatProgramsCatchHaveExceptionsOfTheirOwn(Comm world) {
        for (int errorClass : OWN.keySet()) {
            MpiException e = MpiException.of(99, errorClass, "MPI_Send", "text");
            Check.equal(e.getClass(), OWN.get(errorClass));
            Check.equal(e.errorClass(), errorClass);
            Check.equal(e.code() + e.function() + e.getMessage(), "99MPI_Sendtext");
        }
        for (ErrorClass kind : ErrorClass.values()) {
            MpiException e = MpiException.of(99, kind.value(), "MPI_Send", "text");
            Check.equal(e.getClass(), OWN.getOrDefault(kind.value(), MpiException.class));
            Check.equal(e.kind(), kind);
        }
    }

    public static void objectsAndNumbersThatAreNoneAreNamed(Comm world) {
        Check.fails(CommException.class, () -> Communicators.commSize(CommHandle.NULL));
        Check.fails(DatatypeException.class, () -> Datatypes.typeSize(DatatypeHandle.NULL));
        Check.fails(CountException.class, () -> Datatypes.typeContiguous(-1, DatatypeHandle.INT));
    }

    public static void memoryThatIsNotThereIsNamed(Comm world) {
        Check.fails(NoMemoryException.class, () -> AllTests.mpi().allocMem(1L << 60, null));
    }

    public static void aRankOutOfRangeIsNamed(Comm world) {
        RankException e = Check.fails(RankException.class, () -> world.send(new int[1], 9999, 0));
        Check.equal(e.kind(), ErrorClass.ERR_RANK);
        Check.equal(e.errorClass(), MpiConstants.ERR_RANK);
        Check.equal(e.function(), "MPI_Send");
        Check.isTrue(e.getMessage().startsWith("MPI_Send: ") && e.getMessage().length() > 20, e.getMessage());
    }

    public static void theLibrarysOwnSpecialValuesAreNoSpecialValuesHere(Comm world) {
        for (int rank = -10; rank < 0; rank++) {
            int wrong = rank;
            if (wrong != Comm.PROC_NULL && wrong != Comm.ANY_SOURCE) {
                RankException e = Check.fails(RankException.class, () -> world.recv(new int[1], wrong, 0));
                Check.equal(e.kind(), ErrorClass.ERR_RANK);
            }
        }
    }

    public static void aNegativeTagIsRefused(Comm world) {
        TagException e = Check.fails(TagException.class, () -> world.send(new int[1], world.rank(), -77));
        Check.equal(e.kind(), ErrorClass.ERR_TAG);
    }

    public static void aMessageThatIsTooLongIsATruncation(Comm world) {
        try (Comm alone = world.split(world.rank(), 0)) {
            Request sent = alone.isend(new int[] {1, 2, 3}, 0, 0);
            TruncatedException e = Check.fails(TruncatedException.class, () -> alone.recv(new int[2], 0, 0));
            Check.equal(e.kind(), ErrorClass.ERR_TRUNCATE);
            ended(sent);
        }
    }

    public static void awaitAllNamesTheErrorOfTheRequestThatFailed(Comm world) {
        try (Comm alone = world.split(world.rank(), 0)) {
            int[] fine = new int[1];
            Request[] receives = {alone.irecv(new int[2], 0, 1), alone.irecv(fine, 0, 2)};
            Request long3 = alone.isend(new int[] {1, 2, 3}, 0, 1);
            Request short1 = alone.isend(new int[] {4}, 0, 2);
            TruncatedException e = Check.fails(TruncatedException.class, () -> Request.awaitAll(receives));
            Check.equal(e.kind(), ErrorClass.ERR_TRUNCATE);
            Check.equal(fine[0], 4);
            ended(long3);
            ended(short1);
        }
    }

    /** The sender of a message that was truncated may or may not be told. */
    private static void ended(Request request) {
        try {
            request.await();
        } catch (TruncatedException e) {
            Check.equal(e.kind(), ErrorClass.ERR_TRUNCATE);
        }
    }

    public static void whatAnOperationThrowsComesOutOfTheReduction(Comm world) {
        try (Op<Ints> broken = Op.ofInts(true, (a, b) -> {
            throw new IllegalStateException("no sum today");
        })) {
            if (world.size() > 1) {
                CallbackException e = null;
                try {
                    world.allreduce(new int[1], broken);
                } catch (CallbackException caught) {
                    e = caught;
                }
                int[] told = {e == null ? 0 : 1};
                if (e != null) {
                    Check.equal(e.getCause().getMessage(), "no sum today");
                    Check.equal(e.function(), "MPI_Allreduce");
                }
                world.allreduce(told, Op.SUM);
                Check.isTrue(told[0] > 0, "nobody was told");
            }
            int[] values = {1};
            world.allreduce(values, Op.SUM);
            Check.equal(values[0], world.size());
        }
    }

    public static void mpiCannotBeStartedTwice(Comm world) {
        LibraryException e = Check.fails(LibraryException.class, Mpi::init);
        Check.isTrue(e.getMessage().contains("second time"), e.getMessage());
    }

    public static void mpiIsEndedByTheThreadThatStartedIt(Comm world) throws InterruptedException {
        Throwable[] thrown = new Throwable[1];
        Thread other = new Thread(() -> {
            try {
                dev.mpiglot.low.Environment.finalizeMpi();
            } catch (Throwable t) {
                thrown[0] = t;
            }
        });
        other.start();
        other.join();
        Check.isTrue(thrown[0] instanceof LibraryException, "threw " + thrown[0]);
    }

    public static void anotherLibraryIsRefused(Comm world) {
        Check.fails(LibraryException.class, () -> Library.load(Path.of("/nonexistent/libmpi.so")));
    }
}

package dev.mpiglot.mpi;

/** What a package beside this one, such as Open MPI's {@code mpi}, must avoid in the loaded library, too. */
public final class AvoidedDefects {

    private AvoidedDefects() {
    }

    /**
     * {@return whether {@code MPI_Test} of an access to a window may crash, unlike {@code MPI_Testall} of that alone:
     * requests-after-persistent-collectives}
     */
    public static boolean accessesCrashInTest() {
        return LibraryDefects.ACCESSES_CRASH_IN_TEST;
    }

    /** {@return whether a read of a file that has begun may never be complete: iread-beyond-the-end} */
    public static boolean readsHang() {
        return LibraryDefects.READS_HANG;
    }

    /**
     * {@return whether a thread that calls MPI may crash while an access to a file is under way:
     * file-requests-of-threads}
     */
    public static boolean filesCrashThreads() {
        return LibraryDefects.FILES_CRASH_THREADS;
    }
}

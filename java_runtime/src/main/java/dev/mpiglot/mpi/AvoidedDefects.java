package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.FileHandle;
import dev.mpiglot.low.InputOutput;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.StatusValue;
import java.lang.foreign.MemorySegment;

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

    /**
     * Makes a write of all processes of a file, and returns when the data of this one is in the file, which another one
     * may write: collective-write-returns-early. Collective.
     *
     * @param file the file
     * @param write the write, by one of MPI's blocking collective functions
     */
    public static void writeTogether(FileHandle file, Runnable write) {
        try {
            write.run();
        } finally {
            if (LibraryDefects.WRITES_RETURN_EARLY) {
                readNothing(file);
            }
        }
    }

    /** A collective read of no bytes, by all processes whatever became of the write: the mode is the same on all. */
    private static void readNothing(FileHandle file) {
        try {
            int neverRead = MpiConstants.MODE_WRONLY | MpiConstants.MODE_SEQUENTIAL; // or not what was written
            if ((InputOutput.fileGetAmode(file) & neverRead) == 0) {
                InputOutput.fileReadAtAll(file, 0, MemorySegment.NULL, 0, DatatypeHandle.BYTE, new StatusValue());
            }
        } catch (MpiException e) {
            // it is not asked for: the write tells what is wrong
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Library;
import java.util.regex.Pattern;

/** What the loaded library does wrong, where this package can do the same in another way. */
final class LibraryDefects {

    /**
     * Whether {@code MPI_Reduce} may end in a crash if the root is not rank 0: MPICH 3.4 and 4.0 follow {@code IN_PLACE}
     * there above 2 KiB, and 3.4 a receive buffer of rank 0 that is missing. Relatives of MPICH count as older ones unless
     * they are known to be right.
     */
    static final boolean REDUCE_NEEDS_BOTH_BUFFERS = !Pattern
            .compile("Open MPI v|Intel\\(R\\) MPI|MPICH Version:\\s*(4\\.[1-9]|[5-9])").matcher(Library.load().version())
            .lookingAt();

    /**
     * Whether the address of a window's memory is rounded down to a multiple of 16 (window-not-at-16-bytes).
     */
    static final boolean ROUNDS_WINDOWS = Pattern.compile("MPICH Version:\\s*4\\.0").matcher(Library.load().version())
            .lookingAt();

    /**
     * Whether a call returns no error after an error handler of the program has been called
     * (error-handler-hides-code).
     */
    static final boolean HIDES_CODES = Pattern.compile("MPICH Version:\\s*(4\\.[2-9]|[5-9]|\\d\\d)")
            .matcher(Library.load().version()).lookingAt();

    /**
     * Whether handlers that end the job crash: MPICH 4.0 when it gets ERRORS_ABORT (errors-abort-crashes), later ones
     * since the call goes on after the job was ended (abort-returns).
     */
    static final boolean FATAL_CRASHES = Pattern.compile("MPICH Version:\\s*([4-9]|\\d\\d)")
            .matcher(Library.load().version()).lookingAt();

    /** Whether a program that has closed all its sessions crashes in the next one (second-session-crashes). */
    static final boolean ENDS_WITH_SESSION = !Pattern.compile("MPICH Version:\\s*(4\\.[3-9]|[5-9]|\\d\\d)")
            .matcher(Library.load().version()).lookingAt();

    /** Whether blocks in turn around a dimension that is distributed lie in wrong places (darray-of-cyclic-blocks). */
    static final boolean MISPLACES_BLOCKS = Library.load().version().startsWith("Intel(R) MPI");

    /**
     * Whether {@code MPI_T_finalize} may be called: in others new communicators crash after it
     * (communicators-crash-after-tools), or it does itself after MPI_Finalize (tools-end-after-mpi).
     */
    static final boolean ENDS_VARIABLES = Pattern
            .compile("Open MPI v[5-9]|Intel\\(R\\) MPI Library 202(1\\.1[5-9]|[2-9])|MPICH Version:\\s*(4\\.[3-9]|[5-9]|\\d\\d)")
            .matcher(Library.load().version()).lookingAt();

    private static final boolean COUNTS_FOR_PSM2 = Library.load().version().startsWith("Open MPI v4.");
    private static final boolean UNLOADS_VARIABLES = Pattern.compile("Open MPI v4\\.(0|1\\.[0-7])\\b")
            .matcher(Library.load().version()).lookingAt();
    /** In names of variables that parts of Open MPI share. */
    private static final Pattern SHARED = Pattern.compile("(^|_)(psm2|ucx|ofi|verbs|cuda)(_|$)");

    /** Whether reading the variable may crash (psm2-counts-crash, shared-variables-unloaded). */
    static boolean isUnusable(String variable) {
        return COUNTS_FOR_PSM2 && variable.startsWith("mtl_psm2_")
                || UNLOADS_VARIABLES && SHARED.matcher(variable).find();
    }

    private LibraryDefects() {
    }
}

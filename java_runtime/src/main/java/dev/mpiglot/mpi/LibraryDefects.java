package dev.mpiglot.mpi;

import dev.mpiglot.low.Library;
import java.util.regex.Pattern;

/**
 * What the loaded library does wrong, as provision/matrix.json says: known from its version text, asked once. All ranks
 * that load the same library know the same.
 */
final class LibraryDefects {

    private static final String VERSION = Library.load().version();
    private static final String VENDOR = vendor(VERSION);
    /** Relatives of MPICH with another name: they have the defects of old releases unless it is known to be otherwise. */
    private static final boolean IS_RELATIVE = VENDOR.equals("other");
    private static final int RELEASE = release(VERSION);
    private static final DefectTable[] ROWS = DefectTable.rows();

    /** Whether {@code MPI_Reduce} follows {@code IN_PLACE} or a missing buffer of rank 0 where another rank is the root. */
    static final boolean REDUCE_NEEDS_BOTH_BUFFERS = IS_RELATIVE || has("reduce-in-place-on-other-roots")
            || has("reduce-null-receive-buffer");

    /** Whether the address of a window's memory is rounded down to a multiple of 16. */
    static final boolean ROUNDS_WINDOWS = has("window-not-at-16-bytes") || has("small-shared-allocation");

    /** Whether a window crashes for which there is no memory. */
    static final boolean CRASHES_WITHOUT_MEMORY = has("no-memory-for-window");

    /** Whether a call returns no error after an error handler of the program has been called. */
    static final boolean HIDES_CODES = has("error-handler-hides-code");

    /** Whether handlers that end the job crash: when they are set, or since the call goes on after the job was ended. */
    static final boolean FATAL_CRASHES = has("errors-abort-crashes") || has("abort-returns");

    /** Whether a program that has closed all its sessions crashes in the next one. */
    static final boolean ENDS_WITH_SESSION = IS_RELATIVE || has("second-session-crashes");

    /** Whether blocks in turn around a dimension that is distributed lie in wrong places. */
    static final boolean MISPLACES_BLOCKS = has("darray-of-cyclic-blocks");

    /** Whether {@code MPI_T_finalize} may be called: in others it crashes, or new communicators do after it. */
    static final boolean ENDS_VARIABLES = !IS_RELATIVE && !has("communicators-crash-after-tools")
            && !has("crashes-after-tools-finalize") && !has("tools-end-after-mpi");

    /** Whether the level of threads is told when variables are opened for the first time only. */
    static final boolean LEAVES_LEVEL = has("tools-leave-level");

    /** Whether the functions for jobs that survive failures end the job. */
    static final boolean ENDS_IN_SHRINK = IS_RELATIVE || has("no-fault-tolerance") || has("no-agreement");

    /** Which persistent collectives are made with the function of parts of different sizes. */
    static final boolean GATHERS_WRONGLY = has("persistent-gather");
    static final boolean SCATTERS_WRONGLY = has("persistent-scatter");
    static final boolean ALLGATHERS_WRONGLY = has("persistent-allgather");

    /** Whether a division by types ends in a crash where the hints are a communicator's. */
    static final boolean HINTS_CRASH = has("split-type-with-hints");

    /** Whether an exchange that is under way with nobody never ends. */
    static final boolean EXCHANGES_WITH_NOBODY_HANG = has("isendrecv-with-nobody");

    /** Whether a persistent buffered send sends other bytes when it is started again. */
    static final boolean BUFFERS_ONCE = has("persistent-bsend-sends-others");

    /** Whether MPI_Test of an access to a window may crash after a persistent collective was freed; MPI_Testall does not. */
    static final boolean ACCESSES_CRASH_IN_TEST = has("requests-after-persistent-collectives");

    /** Whether a read that has begun is never complete if it reaches beyond the end of the file. */
    static final boolean READS_HANG = has("iread-beyond-the-end");

    /** Whether a thread that calls MPI may crash while an access to a file is under way. */
    static final boolean FILES_CRASH_THREADS = has("file-requests-of-threads");

    /** Whether a collective write returns while another process still writes its data. */
    static final boolean WRITES_RETURN_EARLY = has("collective-write-returns-early");

    /** Sentences of what is refused; null where the library is right. */
    static final String READS_TELL_TOO_MUCH = sentence("strided-read-tells-too-much");
    static final String EXCHANGES_FREE_TYPES = sentence("isendrecv-frees-derived-type");
    static final String SESSIONS_NEED_OTHERS = sentence("session-alone-crashes");
    static final String ATOMICS_NEED_OTHERS = sentence("atomics-abort-on-one-process");
    static final String PACKS_AS_IN_MEMORY = sentence("pack-external-keeps-byte-order");

    static final String PACKS_NO_STRUCTURES = sentence("pack-external-of-structures");

    static final String PACKED_IS_TRUNCATED = sentence("contiguous-message-to-gaps-truncated");

    // Builds of other releases than those of the matrix have that network, too: all of Open MPI 4.
    private static final boolean COUNTS_FOR_PSM2 = VERSION.startsWith("Open MPI v4.") || has("psm2-counts-crash")
            || has("psm2-variables-crash");
    private static final boolean UNLOADS_VARIABLES = has("shared-variables-unloaded");

    /** In names of variables that parts of Open MPI share. */
    private static final class Shared {
        static final Pattern NAME = Pattern.compile("(^|_)(psm2|ucx|ofi|verbs|cuda)(_|$)");
    }

    private LibraryDefects() {
    }

    /** Whether reading the variable may crash. */
    static boolean isUnusable(String variable) {
        return COUNTS_FOR_PSM2 && variable.startsWith("mtl_psm2_")
                || UNLOADS_VARIABLES && Shared.NAME.matcher(variable).find();
    }

    /** Throws if the library has the defect of a sentence; to be called before anything is sent. */
    static void refuse(String sentence, String function) {
        if (sentence != null) {
            throw UnavailableException.ofDefect(function, sentence);
        }
    }

    private static boolean has(String id) {
        return sentence(id) != null;
    }

    /** The sentence of a defect if the library has it, else null. */
    private static String sentence(String id) {
        for (DefectTable row : ROWS) {
            if (row.id().equals(id) && row.vendor().equals(VENDOR) && RELEASE >= row.first() && RELEASE < row.end()) {
                return row.sentence();
            }
        }
        return null;
    }

    static String vendor(String version) {
        return version.startsWith("MPICH Version:") ? "mpich"
                : version.startsWith("Open MPI v") ? "openmpi"
                : version.startsWith("Intel(R) MPI Library ") ? "intelmpi" : "other";
    }

    /** The first number of a text as a release: 4.0.2 is 4_000_002. */
    static int release(String version) {
        int at = 0;
        while (at < version.length() && !isDigit(version, at)) {
            at++;
        }
        int number = 0;
        for (int part = 0; part < 3; part++) {
            int value = 0;
            while (isDigit(version, at)) {
                value = 10 * value + version.charAt(at++) - '0';
            }
            number = 1000 * number + value;
            at = at < version.length() && version.charAt(at) == '.' ? at + 1 : version.length();
        }
        return number;
    }

    private static boolean isDigit(String text, int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }
}

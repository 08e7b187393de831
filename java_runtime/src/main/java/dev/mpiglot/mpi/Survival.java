package dev.mpiglot.mpi;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Extensions;
import dev.mpiglot.low.FailureMode;
import dev.mpiglot.low.GroupHandle;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.MpiConstants;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a job needs that goes on after processes have failed. Open MPI 5.0.11 crashes a process that is making a
 * communicator when another one revokes it, so processes that have made one wait for the others. Messages of a revoked
 * communicator that are on their way reach the next one that gets its number, so it is not freed.
 */
final class Survival {

    private static final String NO_FUNCTIONS =
            "this MPI does not go on after a process has failed; Open MPI 5 does";
    private static final String NOT_STARTED =
            "the failure of a process ends this job; start it with mpiexec --with-ft ulfm";

    /** Of which communicator others were made, by handles. */
    private static final Map<Long, Long> PARENTS = new ConcurrentHashMap<>();

    private static volatile boolean known;
    private static volatile String missing;

    private Survival() {
    }

    /** Why this program cannot survive the failure of a process, which stays so while MPI runs; null: it can. */
    static String missing() {
        if (!known) {
            if (!Environment.initialized() || Environment.finalized()) {
                return NOT_STARTED; // sessions alone, for example
            }
            missing = !Library.load().has("MPIX_Comm_shrink") ? NO_FUNCTIONS
                    : LibraryDefects.ENDS_IN_SHRINK ? "this MPI has the functions, but ends the job in them; Open MPI 5 does not"
                    : FailureMode.isEnabled() ? null : NOT_STARTED;
            known = true;
        }
        return missing;
    }

    /** Throws then; {@code method} is what the program calls. */
    static void require(String method) {
        String sentence = missing();
        if (sentence != null) {
            throw UnavailableException.ofMissing(method, sentence);
        }
    }

    /** A communicator was made of another one, by all processes of that one. */
    static void made(CommHandle parent, CommHandle child) {
        note(parent, child);
        if (missing() == null) {
            Collectives.barrier(parent);
        }
    }

    /** The same, by all of its own processes. */
    static void madeAmongMakers(CommHandle parent, CommHandle child) {
        note(parent, child);
        if (missing() == null) {
            Collectives.barrier(child);
        }
    }

    /** The same where nobody waits. */
    static void note(CommHandle parent, CommHandle child) {
        if (missing() == null && child.handle() != CommHandle.NULL.handle()) {
            PARENTS.put(child.handle(), parent.handle());
        }
    }

    /** Before a communicator is freed: what was made of it was made of its parent. */
    private static void forget(CommHandle comm) {
        long own = comm.handle();
        Long parent = PARENTS.remove(own);
        for (long child : childrenOf(own)) {
            if (parent == null) {
                PARENTS.remove(child);
            } else {
                PARENTS.put(child, parent);
            }
        }
    }

    private static List<Long> childrenOf(long handle) {
        List<Long> found = new ArrayList<>();
        PARENTS.forEach((child, parent) -> {
            if (parent == handle) {
                found.add(child);
            }
        });
        return found;
    }

    /** Revokes a communicator and those that were made of it. */
    static void revoke(CommHandle comm) {
        try {
            Extensions.commRevoke(comm);
        } finally {
            childrenOf(comm.handle()).forEach(child -> revoke(new CommHandle(child)));
        }
    }

    /** A communicator of those that are left, once all of them have made it. */
    static CommHandle shrink(CommHandle comm) {
        try {
            return Extensions.commShrink(comm);
        } finally {
            try {
                Extensions.commAgree(comm, new int[1]);
            } catch (ProcessFailedException theyHaveMadeIt) {
                // agreement is reached
            }
        }
    }

    /** Does a collective operation on a communicator. */
    static void run(Runnable operation, CommHandle comm) {
        try {
            operation.run();
        } catch (MpiException e) {
            throw named(e, comm);
        }
    }

    /**
     * An error of a collective operation, by its right name: some of Open MPI 5.0.11, MPI_Barrier for one, fail with
     * MPI_ERR_OTHER when a process has failed or the communicator is revoked meanwhile.
     */
    static MpiException named(MpiException thrown, CommHandle comm) {
        if (thrown.errorClass() != MpiConstants.ERR_OTHER || missing() != null) {
            return thrown;
        }
        int right = Extensions.commIsRevoked(comm) ? MpiConstants.ERR_REVOKED
                : isAnyFailed(comm) ? MpiConstants.ERR_PROC_FAILED : thrown.errorClass();
        return right == thrown.errorClass() ? thrown
                : MpiException.of(thrown.code(), right, thrown.function(), thrown.getMessage()
                        + (right == MpiConstants.ERR_REVOKED ? ", since a process has revoked the communicator"
                                : ", since a process has failed"));
    }

    private static boolean isAnyFailed(CommHandle comm) {
        if (!Library.load().has("MPIX_Comm_get_failed")) {
            return false;
        }
        GroupHandle dead = Extensions.commGetFailed(comm);
        try {
            return Communicators.groupSize(dead) > 0;
        } finally {
            if (dead.handle() != GroupHandle.EMPTY.handle()) {
                Communicators.groupFree(dead);
            }
        }
    }

    /** Does what frees a communicator, later if the thread is in a step that may be repeated. */
    static void end(Runnable free) {
        if (!Resilient.isDeferred(free)) {
            Progress.finishOnPlatform(free);
        }
    }

    /** Whether a communicator that is to be freed must stay. */
    static boolean stays(CommHandle comm) {
        if (missing() != null) {
            return false;
        }
        forget(comm);
        return Extensions.commIsRevoked(comm);
    }
}

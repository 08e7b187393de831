package dev.mpiglot.mpi;

import java.util.List;
import java.util.Map;

/** What certain libraries do wrong in C as well: tests that cannot pass there, with the reason. */
final class KnownDefects {

    private KnownDefects() {
    }

    private static final String LOST = "messages to oneself are lost on one process when threads wait for them";

    /** On more than {@code ranks} processes the test is run. */
    private record Defect(String test, String library, int ranks, String reason) {

        Defect(String test, String library, String reason) {
            this(test, library, Integer.MAX_VALUE, reason);
        }
    }

    private static final List<Defect> ALL = List.of(
            new Defect("awaitAllNamesTheErrorOfTheRequestThatFailed", "Open MPI v",
                    "MPI_Waitall returns MPI_SUCCESS although a message was truncated"),
            new Defect("allThreadsGetTheErrorOfARequest", "Open MPI v",
                    "MPI_Wait returns MPI_SUCCESS although a message was truncated"),
            new Defect("aStageEndsWithTheErrorOfItsRequestOnly", "Open MPI v",
                    "MPI_Testany returns MPI_SUCCESS although a message was truncated"),
            new Defect("oneOfTheThreadsWaitsAndAllGetItsResult", "MPICH Version:\t4.0.2", 1, LOST),
            new Defect("threadsMayWaitForTheSameRequestsInAnyOrder", "MPICH Version:\t4.0.2", 1, LOST),
            new Defect("waitingForAllWithholdsNone", "MPICH Version:\t4.0.2", 1, LOST),
            new Defect("manyThreadsShareTheResults", "MPICH Version:\t4.0.2", 1, LOST),
            new Defect("anyWaitsUntilAMessageComes", "MPICH Version:\t4.0.2", 1, LOST),
            new Defect("allThreadsGetTheErrorOfARequest", "MPICH Version:\t4.0.2", 1, LOST),
            new Defect("allKindsOfWaitersGetTheResult", "MPICH Version:\t4.0.2", 1, LOST));

    /** Tests that meet a defect of provision/matrix.json. */
    private static final Map<String, String> IDS = Map.of("requestsKeepTheStubsOfErrorHandlers", "error-after-free-crashes",
            "aMatrixIsWrittenInParts", "array-in-file-view-aborts", "probesOfWrongRanksAndClosedCommunicatorsAreRefused", "matched-probe-takes-any-rank");
    private static final List<String> HERE = List.of(System.getenv().getOrDefault("MPIGLOT_DEFECTS", "").split(","));

    /** Why a test is not run with a library on so many processes, or null. */
    static String reason(String test, String library, int ranks) {
        for (Defect defect : ALL) {
            if (defect.test.equals(test) && library.startsWith(defect.library) && ranks <= defect.ranks) {
                return defect.reason;
            }
        }
        String id = IDS.get(test);
        return id != null && has(id) ? id : null;
    }

    /** Whether the library has a defect of provision/matrix.json. */
    static boolean has(String id) {
        return HERE.contains(id);
    }
}

package dev.mpiglot.mpi;

import java.util.List;

/** What certain libraries do wrong in C as well: tests that cannot pass there, with the reason. */
final class KnownDefects {

    private KnownDefects() {
    }

    private record Defect(String test, String library, String reason) {
    }

    private static final List<Defect> ALL = List.of(
            new Defect("awaitAllNamesTheErrorOfTheRequestThatFailed", "Open MPI v",
                    "MPI_Waitall returns MPI_SUCCESS although a message was truncated"),
            new Defect("allThreadsGetTheErrorOfARequest", "Open MPI v",
                    "MPI_Wait returns MPI_SUCCESS although a message was truncated"));

    /** Why a test is not run with a library, or null. */
    static String reason(String test, String library) {
        for (Defect defect : ALL) {
            if (defect.test.equals(test) && library.startsWith(defect.library)) {
                return defect.reason;
            }
        }
        return null;
    }
}

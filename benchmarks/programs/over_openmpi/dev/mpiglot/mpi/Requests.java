package dev.mpiglot.mpi;

import java.util.List;

/** Several operations under way. */
public final class Requests {

    private Requests() {
    }

    public static void awaitAll(List<Request> requests) {
        mpi.Request[] pending = requests.stream().map(Request::open).toArray(mpi.Request[]::new);
        Calls.run(() -> mpi.Request.waitAll(pending));
        requests.forEach(Request::complete);
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;
import java.util.List;

/** Several operations under way. */
public final class Requests {

    private Requests() {
    }

    public static void awaitAll(List<Request> requests) {
        PointToPoint.waitall(requests.stream().map(Request::low).toArray(RequestHandle[]::new), null);
        requests.forEach(Request::complete);
    }
}

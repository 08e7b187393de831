package dev.mpiglot.mpi;

import dev.mpiglot.low.Environment;
import dev.mpiglot.low.ErrorClass;
import dev.mpiglot.low.GivenCodes;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;
import dev.mpiglot.low.StatusValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Requests that one thread asks for together. */
final class Several {

    private final List<Request> requests = new ArrayList<>();

    Several(List<Request> given) {
        for (Request request : Arguments.present("requests", given)) {
            if (request == null) {
                throw new IllegalArgumentException("The request " + requests.size() + " of several is null.");
            }
            requests.add(request);
        }
    }

    /** What MPI said of one request that is complete: its status or its error; whether it was the request's. */
    @FunctionalInterface
    interface Settle {
        boolean settle(Request request, StatusValue found, RuntimeException thrown);
    }

    /**
     * Asks MPI once for requests that it ends by itself. Where several fail at once, Open MPI ends them all in
     * MPI_Testany and tells the first error only; MPI_Testsome has a status for each. Where a process may fail, it ends
     * in MPI_Testsome, too, requests that it does not tell of; so each is asked for alone.
     *
     * @return an error that belongs to none of them, or with which one is not complete; null: none
     */
    static RuntimeException ask(List<Request> plain, Settle keeper) {
        if (plain.size() < 2 || Survival.missing() == null) {
            RuntimeException left = null;
            for (Request request : plain) {
                RuntimeException own = askOne(request, keeper);
                left = left == null ? own : left;
            }
            return left;
        }
        RequestHandle[] handles = plain.stream().map(Request::handle).toArray(RequestHandle[]::new);
        StatusValue[] found = new StatusValue[handles.length];
        int[] indices = new int[handles.length];
        for (int i = 0; i < found.length; i++) {
            found[i] = new StatusValue();
            indices[i] = -1; // a call that fails does not return how many it tells of
        }
        int told = found.length;
        RuntimeException whole = null;
        try {
            told = PointToPoint.testsome(handles, indices, found);
        } catch (RuntimeException e) {
            whole = e;
        }
        RuntimeException left = null;
        boolean settled = false;
        for (int i = 0; i < told && indices[i] >= 0; i++) {
            RuntimeException own = of(whole, found[i]);
            if (keeper.settle(plain.get(indices[i]), found[i], own)) {
                settled = true;
            } else if (own != null) {
                left = own;
            }
        }
        if (whole != null) { // one that failed after MPI had looked, and is ended all the same
            for (Request request : plain) {
                settled |= keeper.settle(request, new StatusValue(), whole);
            }
        }
        return left == null && !settled ? whole : left;
    }

    private static RuntimeException askOne(Request request, Settle keeper) {
        StatusValue found = new StatusValue();
        RuntimeException thrown = null;
        try {
            PointToPoint.test(request.handle(), found);
        } catch (RuntimeException e) {
            thrown = e;
        }
        return keeper.settle(request, found, thrown) ? null : thrown;
    }

    /** Asks once for one: accesses where MPI_Test may crash in MPI_Testall, with no others, which would change that. */
    static boolean testOne(RequestHandle handle, @Nullable StatusValue found, Request.Work work) {
        if (work != Request.Work.ACCESS || !LibraryDefects.ACCESSES_CRASH_IN_TEST) {
            return PointToPoint.test(handle, found);
        }
        StatusValue told = found == null ? new StatusValue() : found;
        try {
            return PointToPoint.testall(new RequestHandle[] {handle}, new StatusValue[] {told});
        } catch (MpiException e) {
            throw of(e, told);
        }
    }

    /** Those that are complete, at most so many, after asking once. */
    List<Requests.Completed> test(int most) {
        if (most == 1) { // what is known before
            List<Requests.Completed> known = take(most);
            if (!known.isEmpty()) {
                return known;
            }
        }
        poll();
        return take(most);
    }

    /** The same, waiting for one. */
    List<Requests.Completed> await(int most) {
        boolean isLeftToOthers = Progress.isNeeded();
        List<Requests.Completed> found = test(most);
        for (int round = 0; found.isEmpty() && isAnyLeft(); round++) {
            if (isLeftToOthers) {
                follow();
            } else if (Thread.currentThread().isInterrupted()) {
                throw interrupted();
            } else {
                Progress.relax(round);
                poll();
            }
            found = take(most);
        }
        return found;
    }

    private static CancelledException interrupted() {
        return CancelledException.ofWait("result of several operations");
    }

    private List<Requests.Completed> take(int most) {
        List<Requests.Completed> found = new ArrayList<>();
        for (int i = 0; i < requests.size() && found.size() < most; i++) {
            requests.get(i).takeResult(i).ifPresent(found::add);
        }
        return List.copyOf(found);
    }

    private boolean isAnyLeft() {
        return requests.stream().anyMatch(Request::isWanted);
    }

    /** Asks once for those that nobody else asks for. */
    private void poll() {
        List<Request> mine = new ArrayList<>();
        for (Request request : requests) {
            if (request.isWanted() && request.claim(false)) {
                mine.add(request);
            }
        }
        RuntimeException thrown = null;
        try {
            thrown = ask(mine.stream().filter(request -> !request.isAskedAlone()).toList(), Request::settleClaimed);
            for (Request request : mine) {
                if (request.isAskedAlone()) {
                    RuntimeException own = request.askClaimed();
                    thrown = thrown == null ? own : thrown;
                }
            }
        } finally {
            mine.forEach(Request::releaseClaimed);
        }
        if (thrown != null) {
            throw thrown;
        }
    }

    /** Lets the progress thread ask, and waits until one is complete. */
    private void follow() {
        CompletableFuture<?>[] ends = requests.stream().filter(Request::isWanted).map(Request::followed)
                .toArray(CompletableFuture<?>[]::new);
        if (ends.length == 0) {
            return;
        }
        try {
            CompletableFuture.anyOf(ends).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted();
        } catch (ExecutionException e) {
            if (requests.stream().noneMatch(request -> request.hasFailedWith(e.getCause()))) {
                throw Progress.ownOf(e.getCause());
            }
        }
    }

    Optional<List<Status>> testAll() {
        poll();
        if (!requests.stream().allMatch(Request::isComplete)) {
            return Optional.empty();
        }
        return Optional.of(awaitAll());
    }

    List<Status> awaitAll() {
        List<Request> mine = new ArrayList<>();
        for (Request request : requests) {
            if (!Progress.isNeeded() && !request.isAskedAlone() && request.claim(false)) {
                mine.add(request);
            }
        }
        RuntimeException first = mine.isEmpty() ? null : askClaimed(mine);
        List<Status> found = new ArrayList<>();
        for (Request request : requests) { // one by one: others may wait for those that are complete before the last one
            try {
                found.add(request.await());
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
        return List.copyOf(found);
    }

    /** Asks once for requests that nobody else asks for; returns the first failure, or null. */
    private static RuntimeException askClaimed(List<Request> mine) {
        RequestHandle[] handles = new RequestHandle[mine.size()];
        StatusValue[] found = new StatusValue[mine.size()];
        for (int i = 0; i < handles.length; i++) {
            handles[i] = mine.get(i).handle();
            found[i] = new StatusValue();
        }
        RuntimeException whole = null;
        RuntimeException first = null;
        try {
            PointToPoint.testall(handles, found);
        } catch (RuntimeException e) {
            whole = e;
        } finally {
            for (int i = 0; i < handles.length; i++) {
                RuntimeException own = of(whole, found[i]);
                first = first == null ? own : first;
                if (!mine.get(i).settleClaimed(found[i], own)) {
                    mine.get(i).releaseClaimed();
                }
            }
        }
        return first == null ? whole : first;
    }

    /** The error of one operation among several. */
    private static RuntimeException of(RuntimeException whole, StatusValue found) {
        if (!(whole instanceof MpiException e) || e.kind() != ErrorClass.ERR_IN_STATUS) {
            return whole;
        }
        int code = found.error();
        if (code == MpiConstants.SUCCESS || code == MpiConstants.ERR_PENDING) {
            return null;
        }
        GivenCodes.add(code);
        return MpiException.of(code, Environment.errorClass(code), e.function(),
                e.function() + ": " + Environment.errorString(code));
    }
}

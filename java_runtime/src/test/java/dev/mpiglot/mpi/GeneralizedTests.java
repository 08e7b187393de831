package dev.mpiglot.mpi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Operations of the program that are requests of MPI. */
public final class GeneralizedTests {

    private GeneralizedTests() {
    }

    private static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1;
    }

    public static void aRequestEndsWhenTheProgramCompletesIt(Comm world) {
        GeneralizedRequest operation = GeneralizedRequest.start();
        Request request = operation.request();
        Check.equal(request.test(), Optional.empty());
        Check.isTrue(operation.request() == request, "another request");
        operation.complete(new Status(3, 4, 16));
        Check.equal(request.await(), new Status(3, 4, 16));
        Check.equal(request.test().orElseThrow(), new Status(3, 4, 16));
        Check.fails(IllegalStateException.class, operation::complete);
        operation.close();
        request.close();
    }

    public static void functionsAreCalledInOrder(Comm world) {
        List<String> calls = new ArrayList<>();
        GeneralizedRequest operation = GeneralizedRequest.start(new GeneralizedRequest.Operation() {
            @Override
            public Status query(Status given) {
                calls.add("query");
                return new Status(given.source(), given.tag(), 8);
            }

            @Override
            public void free() {
                calls.add("free");
            }

            @Override
            public void cancel(boolean isComplete) {
                calls.add("cancel " + isComplete);
            }
        });
        operation.request().cancel();
        Check.equal(operation.request().test(), Optional.empty());
        operation.complete(new Status(1, 2, 0));
        Check.equal(operation.request().await(), new Status(1, 2, 8));
        Check.equal(calls, List.of("cancel false", "query", "free"));
    }

    public static void otherThreadsCompleteRequests(Comm world) throws Exception {
        GeneralizedRequest operation = GeneralizedRequest.start();
        Thread worker = Thread.ofPlatform().daemon().start(() -> {
            pause();
            operation.complete();
        });
        operation.request().await();
        worker.join();
        GeneralizedRequest second = GeneralizedRequest.start();
        Check.equal(second.request().await(Duration.ofMillis(20)), Optional.empty());
        Thread.ofVirtual().start(second::complete).join();
        Check.isTrue(second.request().await(Duration.ofSeconds(Check.PATIENCE)).isPresent(), "not complete");
        GeneralizedRequest third = GeneralizedRequest.start();
        AtomicReference<Status> found = new AtomicReference<>();
        Thread waiter = Thread.ofVirtual().start(() -> found.set(third.request().await()));
        third.complete(new Status(0, 0, 1));
        waiter.join();
        Check.equal(found.get(), new Status(0, 0, 1));
        GeneralizedRequest fourth = GeneralizedRequest.start();
        fourth.complete();
        fourth.request().completion().toCompletableFuture().get(Check.PATIENCE, TimeUnit.SECONDS);
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void requestsAreAwaitedTogetherWithMessages(Comm world) {
        GeneralizedRequest operation = GeneralizedRequest.start();
        int[] got = new int[1];
        Request receive = world.irecv(got, world.rank(), 8);
        List<Request> both = List.of(operation.request(), receive);
        Check.equal(Requests.testAll(both), Optional.empty());
        Request send = world.isend(new int[] {6}, world.rank(), 8);
        Check.equal(Requests.awaitAny(both).orElseThrow().index(), 1);
        operation.complete(new Status(0, 0, 2));
        Check.equal(Requests.awaitAny(both).orElseThrow().index(), 0);
        Check.equal(Requests.awaitAll(both).get(0).bytes(), 2L);
        send.await();
        Check.equal(got[0], 6);
    }

    public static void aFailureIsTheRequestsError(Comm world) {
        GeneralizedRequest operation = GeneralizedRequest.start();
        operation.completeExceptionally(new Refused());
        Check.fails(Refused.class, () -> operation.request().await());
        Check.fails(Refused.class, () -> Requests.awaitAll(operation.request()));
        world.barrier();
    }

    public static void whatFunctionsThrowIsTheRequestsError(Comm world) {
        for (int which = 0; which < 3; which++) {
            int broken = which;
            GeneralizedRequest operation = GeneralizedRequest.start(new GeneralizedRequest.Operation() {
                @Override
                public Status query(Status given) {
                    return throwIf(broken == 0, given);
                }

                @Override
                public void free() {
                    throwIf(broken == 1, null);
                }

                @Override
                public void cancel(boolean isComplete) {
                    throwIf(broken == 2, null);
                }
            });
            operation.request().cancel();
            operation.complete();
            Check.fails(Refused.class, () -> operation.request().await());
            world.barrier();
        }
        GeneralizedRequest nothing = GeneralizedRequest.start(new GeneralizedRequest.Operation() {
            @Override
            public Status query(Status given) {
                return null;
            }
        });
        nothing.complete();
        Check.equal(nothing.request().await().bytes(), 0L);
    }

    private static Status throwIf(boolean isBroken, Status given) {
        if (isBroken) {
            throw new Refused();
        }
        return given;
    }

    public static void operationsAreCancelledIfTheyWant(Comm world) {
        GeneralizedRequest[] made = new GeneralizedRequest[1];
        made[0] = GeneralizedRequest.start(new GeneralizedRequest.Operation() {
            @Override
            public void cancel(boolean isComplete) {
                if (!isComplete) {
                    made[0].completeCancelled();
                }
            }
        });
        made[0].request().cancel();
        CancelledException e = Check.fails(CancelledException.class, () -> made[0].request().await());
        Check.isTrue(!e.isUnderWay(), "under way");
        Check.fails(IllegalStateException.class, made[0]::complete);
        GeneralizedRequest next = GeneralizedRequest.start();
        GeneralizedRequest first = GeneralizedRequest.start(new GeneralizedRequest.Operation() {
            @Override
            public void free() {
                next.complete();
            }
        });
        first.complete();
        Requests.awaitAll(first.request(), next.request());
        GeneralizedRequest closed = GeneralizedRequest.start();
        closed.close();
        closed.close();
        Check.fails(CancelledException.class, () -> closed.request().await());
    }

    public static void wrongUseOfOperationsIsRefused(Comm world) {
        Check.fails(IllegalArgumentException.class, () -> GeneralizedRequest.start(null));
        try (GeneralizedRequest operation = GeneralizedRequest.start()) {
            Check.fails(IllegalArgumentException.class, () -> operation.complete(null));
            Check.fails(IllegalArgumentException.class, () -> operation.completeExceptionally(null));
        }
    }

    public static void manyOperationsAreLeftToMpisEnd(Comm world) {
        for (int i = 0; i < 1000; i++) {
            GeneralizedRequest operation = GeneralizedRequest.start();
            operation.request().close();
            operation.complete();
        }
    }

    public static void manyThreadsComplete(Comm world) throws Exception {
        for (int round = 0; round < 20; round++) {
            List<GeneralizedRequest> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(GeneralizedRequest.start());
            }
            Thread worker = Thread.ofPlatform().daemon().start(() -> all.forEach(GeneralizedRequest::complete));
            Check.equal(Requests.awaitAll(all.stream().map(GeneralizedRequest::request).toList()).size(), 8);
            worker.join();
        }
    }
}

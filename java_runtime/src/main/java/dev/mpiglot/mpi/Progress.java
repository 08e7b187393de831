package dev.mpiglot.mpi;

import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Generalized;
import dev.mpiglot.low.ThreadLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The thread that asks MPI for requests whose threads do not: virtual threads, which would hold their carrier during a
 * call that blocks, and threads that wait no longer than they want to. It runs while there are such requests.
 */
final class Progress {

    /** So often in a row it finds nothing before it pauses between its questions, and so long it pauses then. */
    private static final int EAGER_ROUNDS = 2_000;
    private static final long PAUSE_NS = 50_000;
    /**
     * So many questions come between two yields, a power of two. Some operations do a little in each question (a message
     * of many: iallgatherv-sends-single-elements); on a core with other programs, each yield takes their slice of time.
     */
    private static final int EAGER_QUESTIONS = 128;
    /** So many requests are asked for in one call of MPI, which copies all their handles. */
    private static final int BLOCK = 64;

    private static final Executor BLOCKING = Executors.newCachedThreadPool(Thread.ofPlatform().daemon()
            .name("mpiglot-blocking-", 0).factory());
    private static final ConcurrentLinkedQueue<Request> ARRIVING = new ConcurrentLinkedQueue<>();
    private static final ConcurrentLinkedQueue<Question<?>> QUESTIONS = new ConcurrentLinkedQueue<>();
    private static final List<Request> PENDING = new ArrayList<>(); // of the thread alone
    private static final Map<Request.Work, Integer> RUNNING = new ConcurrentHashMap<>(); // what was given to BLOCKING
    private static volatile ThreadLevel provided;
    private static volatile ThreadLevel ofSession; // the first one, where MPI was not started otherwise
    private static volatile boolean ended;
    private static volatile boolean asleep;
    private static volatile Thread thread;

    private Progress() {
    }

    /** Whether this thread must not block in MPI; throws if it has to wait and cannot. */
    static boolean isNeeded() {
        boolean needed = Thread.currentThread().isVirtual();
        if (needed) {
            require();
        }
        return needed;
    }

    /** Only where all threads may call MPI at any time can another thread ask for a request. */
    static void require() {
        if (!isPossible()) {
            throw new IllegalStateException("Waiting on virtual threads, with a limit or for a stage needs "
                    + "ThreadLevel.MULTIPLE; this program started MPI with "
                    + (provided == null ? ofSession : provided) + ".");
        }
    }

    /** Whether another thread than the one that started MPI can ask. */
    static boolean isPossible() {
        if (provided == null) {
            if (ofSession != null && !Environment.initialized()) {
                return ofSession == ThreadLevel.MULTIPLE;
            }
            provided = ThreadLevel.of(Generalized.queryThread());
        }
        return provided == ThreadLevel.MULTIPLE;
    }

    /** A session has begun, without another start of MPI. */
    static void provide(ThreadLevel level) {
        ofSession = ofSession == null ? level : ofSession;
    }

    /** Between two questions of a thread that waits: now and then the core is for others as well. */
    static void relax(int round) {
        if (yieldsAfter(round)) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    /** Whether a thread gives its core away after this question; rounds below zero follow the largest. */
    static boolean yieldsAfter(int round) {
        return (round & EAGER_QUESTIONS - 1) == EAGER_QUESTIONS - 1;
    }

    /** A request that was taken is to be cancelled: not only after a pause. */
    static void wake() {
        if (asleep) {
            LockSupport.unpark(thread);
        }
    }

    /** Takes a request that the caller has claimed, until it is complete. */
    static void take(Request request) {
        ARRIVING.add(request);
        wakeOrStart();
        if (ended && ARRIVING.remove(request)) {
            request.release(late());
        }
    }

    /** What MPI answers; a virtual thread leaves it to the progress thread to ask again. */
    static <T> T answerTo(Supplier<Optional<T>> ask) {
        Optional<T> now = ask.get();
        if (now.isPresent()) {
            return now.get();
        }
        Question<T> question = new Question<>(ask);
        QUESTIONS.add(question);
        wakeOrStart();
        if (ended && QUESTIONS.remove(question)) {
            question.fail(late());
        }
        return question.await();
    }

    /** Something was begun that the program may drop. */
    static void watch() {
        if (!ended) {
            wakeOrStart();
        }
    }

    private static void wakeOrStart() {
        if (asleep) {
            LockSupport.unpark(thread);
        } else if (thread == null) {
            start();
        }
    }

    private static RuntimeException late() {
        return ClosedException.of("MPI was closed before the operation was complete.");
    }

    private static synchronized void start() {
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("mpiglot-progress").unstarted(Progress::run);
            thread.start();
        }
    }

    /** MPI ends: no question comes after this. */
    static void end() {
        ended = true;
        Thread running;
        synchronized (Progress.class) {
            running = thread;
        }
        LockSupport.unpark(running);
        boolean interrupted = false;
        while (running != null && running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run() {
        int idle = 0;
        while (!ended) {
            for (Request one = ARRIVING.poll(); one != null; one = ARRIVING.poll()) {
                PENDING.add(one);
                idle = 0;
            }
            Backlog.askInBackground();
            if (PENDING.isEmpty() && QUESTIONS.isEmpty()) {
                sleep();
            } else if (isAnyComplete()) {
                idle = 0;
            } else if (++idle < EAGER_ROUNDS) {
                Thread.yield();
            } else {
                pause();
            }
        }
        for (Request one = ARRIVING.poll(); one != null; one = ARRIVING.poll()) {
            PENDING.add(one);
        }
        PENDING.forEach(request -> request.release(late()));
        for (Question<?> one = QUESTIONS.poll(); one != null; one = QUESTIONS.poll()) {
            one.fail(late());
        }
    }

    private static void sleep() {
        asleep = true;
        if (ARRIVING.isEmpty() && QUESTIONS.isEmpty() && !ended) {
            LockSupport.parkNanos(Backlog.pause());
        }
        asleep = false;
    }

    private static void pause() {
        asleep = true;
        if (ARRIVING.isEmpty() && !ended) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        asleep = false;
    }

    private static boolean isAnyComplete() {
        PENDING.forEach(Request::cancelTaken);
        for (int from = 0; from < PENDING.size(); from += BLOCK) {
            ask(PENDING.subList(from, Math.min(from + BLOCK, PENDING.size())));
        }
        boolean isAnswered = QUESTIONS.removeIf(Question::isSettled);
        return PENDING.removeIf(Request::isDone) || isAnswered;
    }

    private static void ask(List<Request> all) {
        List<Request> requests = new ArrayList<>();
        for (Request request : all) {
            if (request.isAskedAlone()) {
                request.askTaken();
            } else {
                requests.add(request);
            }
        }
        RuntimeException thrown = Several.ask(requests, Request::settleTaken);
        if (thrown != null && requests.size() == 1) {
            requests.get(0).release(thrown);
        } else if (thrown != null) { // of one of them, perhaps, with which it is not complete
            requests.forEach(request -> ask(List.of(request)));
        }
    }

    /**
     * Does on a platform thread what blocks and what no other call may stand for: a nonblocking collective operation does
     * not match the blocking one that another process may have called. If the caller is interrupted, it goes on there.
     */
    static <T> T onPlatform(Call call, Supplier<T> action) {
        return onPlatform(call, Request.Work.COLLECTIVE, action);
    }

    private static <T> T onPlatform(Call call, Request.Work work, Supplier<T> action) {
        if (!isNeeded()) {
            return action.get();
        }
        CompletableFuture<T> end = begin(work, action);
        try {
            return end.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            call.goesOnUntil(end);
            throw CancelledException.ofWait(work.toString());
        } catch (ExecutionException e) {
            throw ownOf(e.getCause());
        }
    }

    private static <T> CompletableFuture<T> begin(Request.Work work, Supplier<T> action) {
        RUNNING.merge(work, 1, Integer::sum);
        return CompletableFuture.supplyAsync(() -> {
            try {
                return action.get();
            } finally {
                RUNNING.computeIfPresent(work, (same, count) -> count > 1 ? count - 1 : null);
            }
        }, BLOCKING);
    }

    /** How many operations are under way on platform threads in place of virtual ones. */
    static Map<Request.Work, Integer> running() {
        return Map.copyOf(RUNNING);
    }

    static void runOnPlatform(Call call, Runnable action) {
        runOnPlatform(call, Request.Work.COLLECTIVE, action);
    }

    /** The same for an operation that is no collective one, but whose nonblocking form not every library has. */
    static void runOnPlatform(Call call, Request.Work work, Runnable action) {
        if (!isNeeded()) {
            action.run();
            return;
        }
        onPlatform(call, work, () -> {
            action.run();
            return null;
        });
    }

    /** The same, without an end by interruption. */
    static void finishOnPlatform(Runnable action) {
        if (!isNeeded()) {
            action.run();
            return;
        }
        try {
            begin(Request.Work.COLLECTIVE, () -> {
                action.run();
                return null;
            }).join();
        } catch (CompletionException e) {
            throw ownOf(e.getCause());
        }
    }

    /**
     * Does something on another thread, and waits for its end. A virtual thread waits until it is interrupted, too.
     *
     * @param limit how long it waits
     * @return the end if it did not come in time; null: it came
     */
    static CompletableFuture<?> takePart(Runnable action, Duration limit) {
        CompletableFuture<?> end = begin(Request.Work.COLLECTIVE, () -> {
            action.run();
            return null;
        });
        long until = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        try {
            while (!interrupted || !Thread.currentThread().isVirtual()) {
                try {
                    end.get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
                    return null;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return end;
        } catch (TimeoutException e) {
            return end;
        } catch (ExecutionException e) {
            throw ownOf(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static RuntimeException ownOf(Throwable cause) {
        return cause instanceof RuntimeException own ? own : new IllegalStateException(cause);
    }
}

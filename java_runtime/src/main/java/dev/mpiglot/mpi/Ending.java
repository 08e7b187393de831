package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Output;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Ends the job when this process cannot go on while MPI runs: else the other processes would wait for it for ever, and
 * some launchers would take the job for a success.
 */
final class Ending {

    private static final int CODE = 1;
    /** How long the library may take to end the job. */
    private static final long PATIENCE_MS = 10_000;

    /** Of the MPI that runs. */
    private static volatile Ending current;

    private final int rank;
    private final Duration limit;
    private final Thread hook = new Thread(this::programEnds, "mpiglot-end");
    private boolean over;
    private volatile Thread closer;

    /**
     * Looks after this process until MPI has ended.
     *
     * @param limit how long it waits for others that may wait for it
     */
    Ending(int rank, Duration limit) {
        this.rank = rank;
        this.limit = limit;
        current = this;
        Thread.UncaughtExceptionHandler others = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught(others, thread, failure));
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** This thread ends MPI: others that are refused after this do not end the job. */
    void begins() {
        closer = Thread.currentThread();
    }

    /** MPI has ended: from now on the process ends as any other. */
    synchronized void over() {
        over = true;
    }

    private synchronized boolean isOver() {
        return over;
    }

    private void uncaught(Thread.UncaughtExceptionHandler others, Thread thread, Throwable failure) {
        if (!isOver() && !isRefused(thread, failure)) {
            fail(thread, failure);
        } else if (others != null) {
            others.uncaughtException(thread, failure);
        } else {
            tell("Exception in thread \"" + thread.getName() + "\"", failure);
        }
    }

    private boolean isRefused(Thread thread, Throwable failure) {
        return closer != null && closer != thread && isRefusal(failure);
    }

    private static boolean isRefusal(Throwable failure) {
        return failure != null && (failure instanceof ClosedException || isRefusal(failure.getCause()));
    }

    /** Ends the job because of what a thread threw. Does not return while MPI runs. */
    void fail(Thread thread, Throwable failure) {
        end(() -> tell(process(thread) + " failed and ends the job:", failure));
    }

    /** Ends the job because MPI cannot be closed. Does not return while MPI runs. */
    void leave(String left, Duration limit) {
        end(() -> System.err.println(process(Thread.currentThread()) + " ends the job: it closed MPI, and "
                + seconds(limit) + " seconds later there was still under way: " + left + "."));
    }

    /** Ends the job unless MPI has ended in time or the thread that is returned is interrupted. */
    Thread leaveAfter(Duration limit) {
        return endAfter(limit, "it closed MPI, and " + seconds(limit) + " seconds later other processes had not; if an "
                + "exception left the block of MPI here, Mpi.run tells it, and if the others need longer, it waits for them.");
    }

    /**
     * Does what waits for other processes. After a mistake here, another thread does it, where MPI allows that: this one
     * waits for it no longer than the limit. Elsewhere the wait has no end, and a sentence is told after the limit.
     *
     * @return the end of what goes on in another thread; null: it is done
     */
    static CompletableFuture<?> guarded(RuntimeException mistake, Runnable action) {
        Ending here = current; // null: MPI was started by the layer below
        if (mistake == null || here == null) {
            Progress.finishOnPlatform(action);
            return null;
        }
        if (Progress.isPossible()) {
            return Progress.takePart(action, here.limit);
        }
        String process = here.process(Thread.currentThread());
        Thread teller = after(here.limit, () -> System.err.println(process + " takes part in a collective operation in spite of a "
                + "mistake, and " + seconds(here.limit) + " seconds later that has not ended: " + mistake.getMessage()));
        try {
            action.run();
        } finally {
            teller.interrupt();
        }
        return null;
    }

    /** What is told with a mistake when the other processes have not come in time. */
    static IllegalStateException late() {
        Ending here = current;
        return new IllegalStateException("The other processes have not come to the operation within "
                + seconds(here.limit) + " seconds. A thread takes part when they come.");
    }

    private Thread endAfter(Duration limit, String why) {
        String process = process(Thread.currentThread());
        return after(limit, () -> end(() -> System.err.println(process + " ends the job: " + why)));
    }

    /** Does something after a time unless the thread that is returned is interrupted before. */
    private static Thread after(Duration limit, Runnable action) {
        return Thread.ofPlatform().daemon().name("mpiglot-close").start(() -> {
            try {
                Thread.sleep(limit);
            } catch (InterruptedException itHasEnded) {
                return;
            }
            action.run();
        });
    }

    /** The program ends: by System.exit, by a signal, or because no thread is left. */
    private void programEnds() {
        if (isOver()) {
            return;
        }
        StackTraceElement[] bySignal = stackOf("java.lang.Terminator", null).getValue();
        if (bySignal.length > 0) {
            return; // which the launcher has sent, or sees
        }
        Map.Entry<Thread, StackTraceElement[]> exit = stackOf("java.lang.Runtime", "exit");
        Throwable where = new IllegalStateException(exit.getKey() == null ? "The program ended before MPI was closed."
                : "System.exit was called before MPI was closed.");
        where.setStackTrace(Arrays.stream(exit.getValue()).dropWhile(call -> call.getClassName().startsWith("java.lang."))
                .toArray(StackTraceElement[]::new));
        fail(exit.getKey() == null ? Thread.currentThread() : exit.getKey(), where);
    }

    private static Map.Entry<Thread, StackTraceElement[]> stackOf(String className, String method) {
        for (Map.Entry<Thread, StackTraceElement[]> one : Thread.getAllStackTraces().entrySet()) {
            if (Arrays.stream(one.getValue()).anyMatch(call -> call.getClassName().startsWith(className)
                    && (method == null || call.getMethodName().equals(method)))) {
                return one;
            }
        }
        return new java.util.AbstractMap.SimpleEntry<>(null, new StackTraceElement[0]);
    }

    private static double seconds(Duration limit) {
        return limit.toMillis() / 1000.0;
    }

    private String process(Thread thread) {
        return "Process " + rank + ", thread \"" + thread.getName() + "\",";
    }

    /** In one piece, since other processes write at the same time. */
    private static void tell(String what, Throwable failure) {
        StringWriter text = new StringWriter();
        text.write(what + System.lineSeparator());
        failure.printStackTrace(new PrintWriter(text, true));
        System.err.print(text);
    }

    private synchronized void end(Runnable said) {
        if (over) {
            return;
        }
        Thread.ofPlatform().daemon().name("mpiglot-halt").start(() -> {
            pause(PATIENCE_MS);
            Runtime.getRuntime().halt(CODE);
        });
        try {
            said.run();
            Output.arrive();
            Environment.abort(CommHandle.WORLD, CODE);
        } catch (Throwable notForThisThread) {
            System.err.println(notForThisThread.getMessage());
        }
        Runtime.getRuntime().halt(CODE);
    }

    private static void pause(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

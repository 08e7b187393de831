package dev.mpiglot.mpi;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * What is asked of MPI until there is an answer, on behalf of a virtual thread: by the progress thread, since many virtual
 * threads that ask by themselves would leave no carrier to others.
 */
final class Question<T> {

    private final Supplier<Optional<T>> ask;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private volatile boolean unwanted;

    Question(Supplier<Optional<T>> ask) {
        this.ask = ask;
    }

    /** For the progress thread: asks once; whether there is no more to ask. */
    boolean isSettled() {
        if (unwanted) {
            fail(CancelledException.ofProbe());
        } else {
            try {
                ask.get().ifPresent(answer::complete);
            } catch (RuntimeException e) {
                fail(e);
            }
        }
        return answer.isDone();
    }

    void fail(RuntimeException reason) {
        answer.completeExceptionally(reason);
    }

    /** Waits for the answer. An interruption ends that, unless the answer came first: a message is not lost. */
    T await() {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            unwanted = true;
            Progress.wake();
        } catch (ExecutionException e) {
            throw Progress.ownOf(e.getCause());
        }
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw Progress.ownOf(e.getCause());
        }
    }
}

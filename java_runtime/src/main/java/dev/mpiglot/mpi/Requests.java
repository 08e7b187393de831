package dev.mpiglot.mpi;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Questions about several requests at once, of any kind: those that a {@link Persistent} operation gives, too. All are
 * local. They may be asked by any thread, also about requests for which other threads wait.
 *
 * <p>{@link #awaitAny}, {@link #awaitSome}, {@link #testAny} and {@link #testSome} give each result once, to one of the
 * threads that ask, so that a loop around them ends. They pass over a request whose result somebody has, from here or
 * from the request itself ({@link Request#await()}, {@link Request#test}), and one that was closed before it was
 * complete. MPI does the same with requests that are inactive. A request that is listed twice counts where it comes first.
 *
 * <p>An operation that failed or was cancelled is complete as well: {@link Completed#status} throws then what
 * {@link Request#await()} would. So an error of one operation hides no other's result.
 *
 * <p>A list that is null and a request that is null are refused with an {@link IllegalArgumentException} before MPI is
 * asked.
 */
public final class Requests {

    private Requests() {
    }

    /**
     * A request that is complete.
     *
     * @param index where it is in the list, from 0
     * @param status what is known of the message; null if the operation failed
     * @param failure why there is no status: a {@link MpiException} or a {@link CancelledException}; null if
     *     the operation did not fail
     */
    public record Completed(int index, @Nullable Status status, @Nullable RuntimeException failure) {

        /**
         * Tells the result.
         *
         * @return what is known of the message
         * @throws MpiException if the operation failed
         * @throws CancelledException if the receive was cancelled
         */
        @Override
        public Status status() {
            if (failure != null) {
                throw failure;
            }
            return status;
        }
    }

    /**
     * Waits until all operations are complete. If the thread is interrupted, the receives among them are cancelled, and
     * the others go on. {@code MPI_Waitall}
     *
     * @param requests the operations; results that somebody has are given again
     * @return what is known of each message, in the same order; nothing for an empty list
     * @throws MpiException if one of them failed: the first error, after all are complete
     * @throws CancelledException if a receive was cancelled or the thread interrupted
     * @throws IllegalStateException on a virtual thread, if MPI was started below {@code ThreadLevel.MULTIPLE}
     */
    public static List<Status> awaitAll(List<Request> requests) {
        return new Several(requests).awaitAll();
    }

    /**
     * Asks whether all operations are complete. {@code MPI_Testall}
     *
     * @param requests the operations; results that somebody has are given again
     * @return what is known of each message, in the same order, if all are complete: at once for an empty list
     * @throws MpiException if all are complete and one of them failed: the first error
     * @throws CancelledException if all are complete and a receive was cancelled
     */
    public static Optional<List<Status>> testAll(List<Request> requests) {
        return new Several(requests).testAll();
    }

    /**
     * Waits until one of the operations is complete. If the thread is interrupted, all go on and can be waited for again.
     * {@code MPI_Waitany}
     *
     * @param requests the operations
     * @return one that is complete; empty if there is none whose result nobody has
     * @throws CancelledException if the thread is interrupted
     * @throws MpiException if MPI reports an error that belongs to none of them
     * @throws IllegalStateException on a virtual thread, if MPI was started below {@code ThreadLevel.MULTIPLE}
     */
    public static Optional<Completed> awaitAny(List<Request> requests) {
        return first(new Several(requests).await(1));
    }

    /**
     * Asks whether one of the operations is complete. {@code MPI_Testany}
     *
     * @param requests the operations
     * @return one that is complete; empty if none is whose result nobody has
     * @throws MpiException if MPI reports an error that belongs to none of them
     */
    public static Optional<Completed> testAny(List<Request> requests) {
        return first(new Several(requests).test(1));
    }

    /**
     * Waits until at least one of the operations is complete. If the thread is interrupted, all go on and can be waited
     * for again. {@code MPI_Waitsome}
     *
     * @param requests the operations
     * @return all that are complete, in the order of the list; empty if there is none whose result nobody has
     * @throws CancelledException if the thread is interrupted
     * @throws MpiException if MPI reports an error that belongs to none of them
     * @throws IllegalStateException on a virtual thread, if MPI was started below {@code ThreadLevel.MULTIPLE}
     */
    public static List<Completed> awaitSome(List<Request> requests) {
        return new Several(requests).await(Integer.MAX_VALUE);
    }

    /**
     * Asks which of the operations are complete. {@code MPI_Testsome}
     *
     * @param requests the operations
     * @return all that are complete, in the order of the list; empty if none is whose result nobody has
     * @throws MpiException if MPI reports an error that belongs to none of them
     */
    public static List<Completed> testSome(List<Request> requests) {
        return new Several(requests).test(Integer.MAX_VALUE);
    }

    /**
     * The same as {@link #awaitAll(List)}.
     *
     * @param requests the operations
     * @return what is known of each message, in the same order
     * @throws MpiException if one of them failed
     * @throws CancelledException if a receive was cancelled or the thread interrupted
     */
    public static List<Status> awaitAll(Request... requests) {
        return awaitAll(list(requests));
    }

    /**
     * The same as {@link #testAll(List)}.
     *
     * @param requests the operations
     * @return what is known of each message, in the same order, if all are complete
     * @throws MpiException if all are complete and one of them failed
     * @throws CancelledException if all are complete and a receive was cancelled
     */
    public static Optional<List<Status>> testAll(Request... requests) {
        return testAll(list(requests));
    }

    /**
     * The same as {@link #awaitAny(List)}.
     *
     * @param requests the operations
     * @return one that is complete; empty if there is none whose result nobody has
     * @throws CancelledException if the thread is interrupted
     */
    public static Optional<Completed> awaitAny(Request... requests) {
        return awaitAny(list(requests));
    }

    /**
     * The same as {@link #testAny(List)}.
     *
     * @param requests the operations
     * @return one that is complete; empty if none is whose result nobody has
     */
    public static Optional<Completed> testAny(Request... requests) {
        return testAny(list(requests));
    }

    /**
     * The same as {@link #awaitSome(List)}.
     *
     * @param requests the operations
     * @return all that are complete, in the same order; empty if there is none whose result nobody has
     * @throws CancelledException if the thread is interrupted
     */
    public static List<Completed> awaitSome(Request... requests) {
        return awaitSome(list(requests));
    }

    /**
     * The same as {@link #testSome(List)}.
     *
     * @param requests the operations
     * @return all that are complete, in the same order; empty if none is whose result nobody has
     */
    public static List<Completed> testSome(Request... requests) {
        return testSome(list(requests));
    }

    private static List<Request> list(Request... requests) {
        return requests == null ? null : Arrays.asList(requests);
    }

    private static Optional<Completed> first(List<Completed> found) {
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
    }
}

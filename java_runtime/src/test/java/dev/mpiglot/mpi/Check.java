package dev.mpiglot.mpi;

import java.util.Arrays;
import java.util.Objects;
import java.util.Set;

/** What tests assert. */
public final class Check {

    /** Seconds that no wait of a test reaches unless something hangs, on a machine that does much else as well. */
    public static final long PATIENCE = 600;
    /** Runs of `ci/test` that leave out what takes long: its full size is tested by the matrix run, and by hand. */
    private static final Set<String> SHORT_RUNS = Set.of("gate", "quick", "changed");

    private Check() {
    }

    /** Whether tests have their full size. */
    public static boolean isWhole() {
        return !SHORT_RUNS.contains(System.getenv().getOrDefault("MPIGLOT_TIER", ""));
    }

    public static void equal(Object found, Object expected) {
        if (!Objects.deepEquals(found, expected)) {
            throw new AssertionError("found " + show(found) + " instead of " + show(expected));
        }
    }

    public static void isTrue(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    /** A statement of a test. */
    @FunctionalInterface
    public interface Statement {
        void run() throws Exception;
    }

    /** What the statement throws, which must be of the given type. */
    public static <T extends Throwable> T fails(Class<T> type, Statement statement) {
        try {
            statement.run();
        } catch (Throwable t) {
            if (type.isInstance(t)) {
                return type.cast(t);
            }
            throw new AssertionError("threw " + t + " instead of a " + type.getSimpleName(), t);
        }
        throw new AssertionError("threw nothing instead of a " + type.getSimpleName());
    }

    /** Runs statements at the same time, each on a thread of its own; throws what one of them throws. */
    public static void together(Statement... statements) {
        Throwable[] thrown = new Throwable[statements.length];
        Thread[] threads = new Thread[statements.length];
        for (int i = 0; i < threads.length; i++) {
            int own = i;
            threads[i] = Thread.ofPlatform().daemon().start(() -> {
                try {
                    statements[own].run();
                } catch (Throwable t) {
                    thrown[own] = t;
                }
            });
        }
        for (int i = 0; i < threads.length; i++) {
            isTrue(ends(threads[i]), "statement " + i + " did not end");
            if (thrown[i] != null) {
                throw new AssertionError("statement " + i, thrown[i]);
            }
        }
    }

    private static boolean ends(Thread thread) {
        try {
            return thread.join(java.time.Duration.ofSeconds(PATIENCE));
        } catch (InterruptedException e) {
            return false;
        }
    }

    private static String show(Object value) {
        String text = Arrays.deepToString(new Object[] {value});
        return text.substring(1, text.length() - 1);
    }
}

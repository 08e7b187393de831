package dev.mpiglot.mpi;

import java.util.Arrays;
import java.util.Objects;

/** What tests assert. */
public final class Check {

    private Check() {
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

    private static String show(Object value) {
        String text = Arrays.deepToString(new Object[] {value});
        return text.substring(1, text.length() - 1);
    }
}

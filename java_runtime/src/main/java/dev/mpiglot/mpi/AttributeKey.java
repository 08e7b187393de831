package dev.mpiglot.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * What attributes of communicators, datatypes and windows are found by: objects of the program that are kept with an
 * object of MPI until that is closed ({@link Comm#setAttribute}). One key is for any number of objects of all three
 * kinds, each with its own value. Local.
 *
 * <p>What its functions throw does not reach MPI: it comes out of the call of this package that made MPI call them,
 * after that is done.
 *
 * @param <T> the type of the values
 */
public final class AttributeKey<T> implements AutoCloseable {

    /** All values of all keys, by what MPI has in their place: numbers, never used again. */
    private static final Map<Long, Object> VALUES = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong();
    /** What a function has thrown that MPI has called on this thread. */
    private static final ThreadLocal<RuntimeException> THROWN = new ThreadLocal<>();

    private final UnaryOperator<T> copy; // null: values are not copied
    private final Consumer<T> deleted;
    private final Map<ObjectKind, Integer> keys = new EnumMap<>(ObjectKind.class);
    private boolean closed;

    private AttributeKey(UnaryOperator<T> copy, Consumer<T> deleted) {
        this.copy = copy;
        this.deleted = deleted;
    }

    /**
     * Makes a key whose values stay with the object that they were given to: duplicates do not have them.
     *
     * @param <T> the type of the values
     * @return the key
     */
    public static <T> AttributeKey<T> create() {
        return new AttributeKey<>(null, value -> {
        });
    }

    /**
     * Makes a key whose values duplicates get as well ({@link Comm#dup} and its like), but for those of which
     * {@code copy} makes null.
     *
     * @param <T> the type of the values
     * @param copy makes the duplicate's value of the value; {@code UnaryOperator.identity()} for the same one. What it
     *     throws comes out of the duplication, once all have taken part
     * @param deleted gets each value that is replaced or deleted, or whose object is closed
     * @return the key
     * @throws IllegalArgumentException if an argument is null
     */
    public static <T> AttributeKey<T> create(UnaryOperator<T> copy, Consumer<T> deleted) {
        return new AttributeKey<>(Arguments.present("copy", copy), Arguments.present("deleted", deleted));
    }

    /** MPI's number for the key. */
    synchronized int number(ObjectKind kind) {
        if (closed) {
            throw ClosedException.of("The key is closed: close it when no call needs it any more.");
        }
        return keys.computeIfAbsent(kind, one -> one.create(this));
    }

    /** What MPI shall have in place of a value. */
    static MemorySegment hold(Object value) {
        long number = NUMBERS.incrementAndGet();
        VALUES.put(number, value);
        return MemorySegment.ofAddress(number);
    }

    static void drop(MemorySegment held) {
        VALUES.remove(held.address());
    }

    /** The value in place of which MPI has something. */
    @SuppressWarnings("unchecked")
    Optional<T> value(MemorySegment held) {
        return Optional.ofNullable((T) VALUES.get(held.address()));
    }

    /** How many values there are. */
    static int count() {
        return VALUES.size();
    }

    /** Called by MPI. */
    void copy(MemorySegment in, MemorySegment out, MemorySegment flag) {
        T made = null;
        if (copy != null) {
            try {
                made = value(in).map(copy).orElse(null);
            } catch (RuntimeException e) {
                keep(e);
            }
        }
        flag.set(ValueLayout.JAVA_INT, 0, made == null ? 0 : 1);
        if (made != null) {
            out.set(ValueLayout.JAVA_LONG, 0, hold(made).address());
        }
    }

    /** Called by MPI. */
    void deleted(MemorySegment held) {
        Optional<T> value = value(held);
        drop(held);
        try {
            value.ifPresent(deleted);
        } catch (RuntimeException e) {
            keep(e);
        }
    }

    private static void keep(RuntimeException e) {
        RuntimeException first = THROWN.get();
        if (first == null) {
            THROWN.set(e);
        } else if (first != e) {
            first.addSuppressed(e);
        }
    }

    /** What functions have thrown on this thread, once; null: nothing. */
    static RuntimeException takeThrown() {
        RuntimeException thrown = THROWN.get();
        THROWN.remove();
        return thrown;
    }

    /** Does something in which MPI may call functions of keys, and throws what they have thrown. */
    static void during(Runnable action) {
        try {
            action.run();
        } finally {
            RuntimeException thrown = takeThrown();
            if (thrown != null) {
                throw thrown;
            }
        }
    }

    /**
     * Ends the use of the key. Values stay with their objects until those are closed, and {@code deleted} gets them
     * then. Closing again does nothing. {@code MPI_Comm_free_keyval}, {@code MPI_Type_free_keyval},
     * {@code MPI_Win_free_keyval}
     *
     * @throws MpiException if MPI reports an error
     */
    @Override
    public synchronized void close() {
        closed = true;
        keys.forEach(ObjectKind::free);
        keys.clear();
    }
}

package dev.mpiglot.mpi;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * What a process gives to an operation that learns the lengths of the others. Whoever has nothing that can be sent tells a
 * length of -1, so that no other process waits for it.
 *
 * @param buffer the elements, all of them; null if there is a reason
 * @param lengths the elements of each part
 * @param reason why there are none; null: there are
 * @param <E> the type of the single values
 */
record Given<E extends Element>(MpiBuffer<E> buffer, int[] lengths, CodecException reason) {

    /** How a message of an object begins. */
    static final byte WHOLE = 0;
    static final byte FAILED = 1;

    /** What finds out whether everything is there. */
    private interface Maker<E extends Element> {
        Given<E> make();
    }

    private static <E extends Element> Given<E> of(int parts, Maker<E> maker) {
        try {
            return maker.make();
        } catch (IllegalArgumentException | IllegalStateException e) {
            return none(parts, new CodecException("This process gives nothing that can be sent", e));
        }
    }

    /** Nothing, and why. */
    static <E extends Element> Given<E> none(int parts, CodecException reason) {
        int[] none = new int[parts];
        Arrays.fill(none, -1);
        return new Given<>(null, none, reason);
    }

    /** One part, all of a buffer. */
    static <E extends Element> Given<E> whole(Supplier<MpiBuffer<E>> made) {
        return of(1, () -> {
            MpiBuffer<E> buffer = Call.withElements("sent", made.get());
            buffer.requireOpen();
            if (buffer.count() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("The count of " + buffer + " is larger than an int can tell.");
            }
            return new Given<>(buffer, new int[] {(int) buffer.count()}, null);
        });
    }

    /** One array for each receiver. */
    static <A, E extends Element> Given<E> rows(ArrayKind<A, E> kind, A[] rows, int parts) {
        return of(parts, () -> {
            Arguments.length("parts", Arguments.present("parts", rows).length, parts, "receiver");
            MpiBuffer<E> buffer = kind.bufferOfRows().apply(rows);
            return new Given<>(buffer, Arrays.stream(rows).mapToInt(Array::getLength).toArray(), null);
        });
    }

    /** Parts of a buffer, one for each receiver, one after another. */
    static <E extends Element> Given<E> parts(MpiBuffer<E> whole, int[] counts, int parts) {
        return of(parts, () -> {
            Call.withElements("sent", whole).requireOpen();
            Amounts.places(null, Amounts.of("sentCounts", counts, parts, "receivers"), "sent", whole);
            return new Given<>(whole, counts.clone(), null);
        });
    }

    /** What neighbours are told of each part: its length, and the bytes of an element. */
    int[] pairs() {
        int[] pairs = new int[2 * lengths.length];
        for (int i = 0; i < lengths.length; i++) {
            pairs[2 * i] = lengths[i];
            pairs[2 * i + 1] = reason == null ? Math.toIntExact(buffer.type().bytes()) : 0;
        }
        return pairs;
    }

    /** The lengths of such pairs. */
    static int[] lengths(int[] pairs) {
        int[] lengths = new int[pairs.length / 2];
        Arrays.setAll(lengths, i -> pairs[2 * i]);
        return lengths;
    }

    /** The bytes of such pairs, for a process that does not know the type. */
    static int[] bytes(int[] pairs) {
        int[] bytes = new int[pairs.length / 2];
        Arrays.setAll(bytes, i -> Math.multiplyExact(Math.max(0, pairs[2 * i]), pairs[2 * i + 1]));
        return bytes;
    }

    /** The lengths; 0 for those that have none. */
    static int[] orNone(int[] lengths) {
        return Arrays.stream(lengths).map(length -> Math.max(0, length)).toArray();
    }

    /** Throws if this process, or one that has told its length, gives nothing; {@code failure} says what of that one. */
    void requireAll(int[] lengths, IntFunction<CodecException> failure) {
        if (reason != null) {
            throw reason;
        }
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] < 0) {
                throw failure.apply(i);
            }
        }
    }

    static CodecException failure(String who, int index) {
        return new CodecException(who + " " + index + " gives nothing that can be sent.", null);
    }

    static long sum(int[] lengths) {
        return Arrays.stream(lengths).asLongStream().sum();
    }

    /** How many elements one array gets; throws if no array can have as many. */
    static int total(int[] lengths) {
        long sum = sum(lengths);
        if (sum > Integer.MAX_VALUE) {
            throw new CodecException("All processes together give " + sum + " elements, more than an array can have: take "
                    + "allgatherv or gatherv of buffers.", null);
        }
        return (int) sum;
    }
}

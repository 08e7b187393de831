package dev.mpiglot.mpi;

import dev.mpiglot.mpi.Element.Integral;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** What one operation uses: buffers of one form, which it makes, and objects of MPI for values of their type. */
final class FormUses {

    final Comm world;
    final Cart ring;
    final Objects objects;
    final int rank;
    final int ranks;
    final int n; // elements for each rank
    final Op<Integral> op;
    private final Forms.Form form;
    private final int round;
    private final List<Forms.Held> made = new ArrayList<>();

    /** Windows and files, by the type of their values. */
    interface Objects {
        Window<Integral> window(Kind kind);

        Window<Integral> dynamic(Kind kind);

        MpiFile file(Kind kind);
    }

    @SuppressWarnings("unchecked")
    FormUses(Comm world, Cart ring, Objects objects, Forms.Form form, int n, int round) {
        this(world, ring, objects, form, n, round, (Op<Integral>) (form.kind() == Kind.BOOLEAN ? Op.LOR : Op.MAX));
    }

    FormUses(Comm world, Cart ring, Objects objects, Forms.Form form, int n, int round, Op<Integral> op) {
        this.world = world;
        this.ring = ring;
        this.objects = objects;
        this.rank = world.rank();
        this.ranks = world.size();
        this.n = n;
        this.form = form;
        this.round = round;
        this.op = op;
    }

    Kind kind() {
        return form.kind();
    }

    /** Whether the values are 0 and 1: in a {@code boolean[]}, or in the bytes that it is compared with. */
    boolean isLogical() {
        return form.kind() == Kind.BOOLEAN || form.name().equals("bits");
    }

    Window<Integral> window() {
        return objects.window(kind());
    }

    MpiFile file() {
        return objects.file(kind());
    }

    int right() {
        return (rank + 1) % ranks;
    }

    int left() {
        return (rank + ranks - 1) % ranks;
    }

    private int value(long i) {
        return (int) ((i * 31 + rank * 17L + round * 7L + made.size() * 5L) % (isLogical() ? 2 : 100));
    }

    /** The operations are tried with every type of values, as if it were one of the whole numbers. */
    @SuppressWarnings("unchecked")
    private MpiBuffer<Integral> keep(int[] values) {
        Forms.Held held = form.maker().make(values);
        made.add(held);
        return (MpiBuffer<Integral>) held.buffer();
    }

    /** A buffer of values that other processes and other rounds have not. */
    MpiBuffer<Integral> sent(int length) {
        int[] values = new int[length];
        for (int i = 0; i < length; i++) {
            values[i] = value(i);
        }
        return keep(values);
    }

    /** A buffer to receive into. */
    MpiBuffer<Integral> room(int length) {
        int[] values = new int[length];
        Arrays.fill(values, 1);
        return keep(values);
    }

    int[] counts() {
        int[] counts = new int[ranks];
        Arrays.fill(counts, n);
        return counts;
    }

    int[] twice() {
        return new int[] {n, n};
    }

    /** Where parts of {@link #apart} begin, with an element between one and the next. */
    int[] places() {
        int[] places = new int[ranks];
        Arrays.setAll(places, i -> i * (n + 1));
        return places;
    }

    /** A buffer of a part for each rank, and an element that belongs to none behind each. */
    MpiBuffer<Integral> apart() {
        return sent(ranks * (n + 1));
    }

    int[] twoPlaces() {
        return new int[] {n + 1, 0};
    }

    List<MpiBuffer<?>> several(Supplier<MpiBuffer<Integral>> maker, int count) {
        List<MpiBuffer<?>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(maker.get());
        }
        return all;
    }

    /** Starts an operation twice; does nothing where the library has no such one. */
    static void twice(Supplier<Persistent> preparation) {
        Persistent made;
        try {
            made = preparation.get();
        } catch (UnavailableException e) {
            return;
        }
        try (made) {
            made.start().await();
            made.start().await();
        }
    }

    /** What all buffers have now. */
    int[][] contents() {
        return made.stream().map(one -> one.contents().get()).toArray(int[][]::new);
    }
}

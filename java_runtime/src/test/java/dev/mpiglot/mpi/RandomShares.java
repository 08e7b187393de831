package dev.mpiglot.mpi;

import dev.mpiglot.mpi.GuardedBuffer.Shape;
import dev.mpiglot.mpi.RandomPlayer.End;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Random collective operations of the plan: parts of different sizes, scans, results in other buffers. */
@SuppressWarnings({"rawtypes", "unchecked"})
final class RandomShares {

    private final RandomTests tests;
    private final RandomPlayer p;
    private final Comm comm;
    private final int rank;
    private final int size;

    RandomShares(RandomTests tests, RandomPlayer p) {
        this.tests = tests;
        this.p = p;
        this.comm = p.comm;
        this.rank = p.rank;
        this.size = p.size;
    }

    /** A blocking operation or, as all processes draw it, one that is begun. */
    private void draw(String name, Check.Statement blocking, Supplier<Request> begun, Runnable after) {
        if (p.together.nextBoolean()) {
            p.once(name, End.RIGHT, p.anywhere(blocking), after);
        } else {
            p.begin("i" + name, begun, after);
        }
    }

    void reductions() {
        Kind kind = tests.kind();
        int n = Math.max(1, tests.length());
        int key = p.together.nextInt(100);
        int root = p.together.nextInt(size);
        boolean adds = kind != Kind.CHAR && p.together.nextBoolean();
        Op op = adds ? Op.SUM : Op.MAX;
        int way = p.together.nextInt(5);
        boolean inPlace = p.together.nextBoolean();
        int parts = way == 4 ? size : 1;
        GuardedBuffer sent = inPlace ? null : tests.exactly(kind, n * parts).holds(RandomTests.from(rank, key));
        GuardedBuffer got = tests.exactly(kind, inPlace ? n * parts : n);
        if (inPlace) {
            got.holds(RandomTests.from(rank, key));
        }
        MpiBuffer out = inPlace ? MpiBuffer.inPlace() : sent.buffer;
        MpiBuffer in = got.buffer;
        switch (way) {
            case 0 -> draw("allreduce apart", () -> comm.allreduce(out, in, op), () -> comm.iallreduce(out, in, op),
                    () -> got.becomes(n, combined(size, key, 0, adds)));
            case 1 -> draw("reduce apart", () -> comm.reduce(out, in, op, root), () -> comm.ireduce(out, in, op, root),
                    () -> got.becomes(rank == root ? n : 0, combined(size, key, 0, adds)));
            case 2 -> draw("scan", () -> comm.scan(out, in, op), () -> comm.iscan(out, in, op),
                    () -> got.becomes(n, combined(rank + 1, key, 0, adds)));
            case 3 -> draw("exscan", () -> comm.exscan(out, in, op), () -> comm.iexscan(out, in, op),
                    () -> got.becomes(rank == 0 ? 0 : n, combined(rank, key, 0, adds)));
            default -> draw("reduceScatterBlock", () -> comm.reduceScatterBlock(out, in, op),
                    () -> comm.ireduceScatterBlock(out, in, op), () -> {
                        got.becomesAnything();
                        got.becomes(n, combined(size, key, rank * n, adds));
                    });
        }
    }

    private IntUnaryOperator combined(int ranks, int key, int first, boolean adds) {
        return i -> {
            int all = 0;
            for (int r = 0; r < ranks; r++) {
                int value = RandomTests.from(r, key).applyAsInt(first + i);
                all = adds ? all + value : Math.max(all, value);
            }
            return all;
        };
    }

    /** Values of each rank, and where they are in a buffer of all. */
    private final class Places {

        private final int[] values = new int[size];
        private final int[] counts = new int[size];
        private final int[] at = new int[size];
        private final Shape shape;
        private final int length;

        Places(Shape shape, IntUnaryOperator ofRank) {
            this.shape = shape;
            int end = 0;
            for (int r = 0; r < size; r++) {
                values[r] = ofRank.applyAsInt(r);
                counts[r] = values[r] / shape.values();
                at[r] = end + p.alone.nextInt(3);
                end = at[r] + counts[r];
            }
            length = end + p.alone.nextInt(3);
        }

        GuardedBuffer buffer(IntUnaryOperator given) {
            return p.buffer(shape, length).holds(given);
        }

        /** What the buffer has where the value of a rank is the given one, {@code 11} between the parts. */
        IntUnaryOperator all(java.util.function.IntBinaryOperator ofRank) {
            return i -> {
                for (int r = 0; r < size; r++) {
                    int inside = i - at[r] * shape.values();
                    if (inside >= 0 && inside < values[r]) {
                        return ofRank.applyAsInt(r, inside);
                    }
                }
                return 11;
            };
        }

        void arrived(GuardedBuffer got, java.util.function.IntBinaryOperator ofRank) {
            got.becomes(length * shape.values(), all(ofRank));
        }
    }

    void parts() {
        Kind kind = tests.kind();
        int key = p.together.nextInt(100);
        int root = p.together.nextInt(size);
        int n = tests.length();
        int step = p.together.nextInt(3);
        IntUnaryOperator length = r -> (r + step) % 3 == 0 ? 0 : n + 6 * r;
        boolean here = rank == root;
        int own = length.applyAsInt(rank);
        switch (p.together.nextInt(4)) {
            case 0 -> {
                Places whole = new Places(tests.shapeFor(kind, length, size), length);
                GuardedBuffer sent = tests.exactly(kind, own).holds(RandomTests.from(rank, key));
                GuardedBuffer got = whole.buffer(i -> 11);
                draw("allgatherv", () -> comm.allgatherv(sent.buffer, got.buffer, whole.counts, whole.at),
                        () -> comm.iallgatherv(sent.buffer, got.buffer, whole.counts, whole.at),
                        () -> whole.arrived(got, (r, i) -> RandomTests.from(r, key).applyAsInt(i)));
            }
            case 1 -> {
                Places whole = here ? new Places(tests.shapeFor(kind, length, size), length) : null;
                GuardedBuffer sent = tests.exactly(kind, own).holds(RandomTests.from(rank, key));
                GuardedBuffer got = here ? whole.buffer(i -> 11) : null;
                MpiBuffer in = here ? got.buffer : null;
                int[] counts = here ? whole.counts : null;
                int[] at = here ? whole.at : null;
                draw("gatherv", () -> comm.gatherv(sent.buffer, in, counts, at, root),
                        () -> comm.igatherv(sent.buffer, in, counts, at, root), () -> {
                            if (here) {
                                whole.arrived(got, (r, i) -> RandomTests.from(r, key).applyAsInt(i));
                            }
                        });
            }
            case 2 -> {
                Places whole = here ? new Places(tests.shapeFor(kind, length, size), length) : null;
                IntUnaryOperator all = here ? whole.all((r, i) -> RandomTests.from(r, key).applyAsInt(i)) : null;
                MpiBuffer out = here ? whole.buffer(all).buffer : null;
                int[] counts = here ? whole.counts : null;
                int[] at = here ? whole.at : null;
                GuardedBuffer got = tests.exactly(kind, own);
                draw("scatterv", () -> comm.scatterv(out, counts, at, got.buffer, root),
                        () -> comm.iscatterv(out, counts, at, got.buffer, root),
                        () -> got.becomes(own, RandomTests.from(rank, key)));
            }
            default -> {
                IntUnaryOperator crossed = r -> length.applyAsInt(rank + r); // as much in both directions
                Places out = new Places(tests.shapeFor(kind, crossed, size), crossed);
                Places in = new Places(tests.shapeFor(kind, crossed, size), crossed);
                GuardedBuffer sent = out.buffer(out.all((r, i) -> RandomTests.from(rank, key + r).applyAsInt(i)));
                GuardedBuffer got = in.buffer(i -> 11);
                draw("alltoallv", () -> comm.alltoallv(sent.buffer, out.counts, out.at, got.buffer, in.counts, in.at),
                        () -> comm.ialltoallv(sent.buffer, out.counts, out.at, got.buffer, in.counts, in.at),
                        () -> in.arrived(got, (r, i) -> RandomTests.from(r, key + rank).applyAsInt(i)));
            }
        }
    }
}

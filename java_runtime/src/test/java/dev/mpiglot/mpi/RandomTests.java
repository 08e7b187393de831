package dev.mpiglot.mpi;

import dev.mpiglot.mpi.GuardedBuffer.Shape;
import dev.mpiglot.mpi.RandomPlayer.End;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Random calls of this package, right and wrong ones. None may end the process, wait without end, or change a byte that
 * is not its own. A right call must succeed and bring the right values; a wrong one must throw.
 *
 * <p>All processes draw the same operations from one seed, and each draws its own buffers, threads and ways to wait.
 * {@code MPIGLOT_RANDOM_CALLS} and {@code MPIGLOT_RANDOM_SEED} say how many calls each process makes, and which;
 * {@code MPIGLOT_RANDOM_TRACE} names them as they are made.
 */
@SuppressWarnings({"rawtypes", "unchecked"})
public final class RandomTests {

    /** Of each process: 100,000 in all, on two processes with three libraries. */
    private static final int AT_THE_GATE = 17_000;
    /** Of each of more processes, which wait for each other longer where there are fewer cores. */
    private static final int OF_MORE_PROCESSES = 2_000;
    private static final int NOWHERE = -7777;
    private static final int LARGE = 50_000;

    private final RandomPlayer p;
    private final Comm comm;
    private final int rank;
    private final int size;
    private final Map<Kind, List<Shape>> shapes = new LinkedHashMap<>();
    private final Datatype closed = Datatype.contiguous(1, Datatype.INT);

    private RandomTests(RandomPlayer p) {
        this.p = p;
        this.comm = p.comm;
        this.rank = p.rank;
        this.size = p.size;
        for (Kind kind : Kind.NUMBERS) {
            Datatype<?> type = Datatype.of(kind);
            Shape pairs = Shape.vector(type, 2, 2, 3);
            shapes.put(kind, List.of(Shape.basic(type), Shape.basic(type), pairs, pairs.spread(), Shape.vector(type, 1, 3, 3),
                    Shape.basic(type).spread()));
        }
        closed.close();
    }

    /** Calls that need more time than the gate has. */
    static int moreCalls() {
        return number("MPIGLOT_RANDOM_CALLS", 0);
    }

    static int seed() {
        return number("MPIGLOT_RANDOM_SEED", 33);
    }

    private static int number(String variable, int usual) {
        String text = System.getenv(variable);
        return text == null ? usual : Integer.parseInt(text);
    }

    public static void randomCallsDoWhatTheySay(Comm world) {
        int seed = seed();
        int calls = number("MPIGLOT_RANDOM_CALLS", world.size() > 2 ? OF_MORE_PROCESSES : AT_THE_GATE);
        if (world.rank() == 0) {
            System.out.println(calls + " random calls of each process, seed " + seed);
        }
        try (Comm apart = world.dup()) {
            new RandomTests(new RandomPlayer(apart, seed, calls)).play();
        }
    }

    private void play() {
        Map<Runnable, Integer> kinds = new LinkedHashMap<>();
        kinds.put(this::ring, 4);
        kinds.put(this::myself, 12);
        kinds.put(this::nobody, 6);
        kinds.put(this::wrongMessages, 10);
        kinds.put(this::otherTypes, 1);
        kinds.put(this::truncated, 1);
        kinds.put(this::cancelled, 10);
        kinds.put(this::dropped, 1);
        kinds.put(this::interruptedSend, 1);
        kinds.put(this::collectives, 6);
        RandomShares shares = new RandomShares(this, p);
        kinds.put(shares::reductions, 3);
        kinds.put(shares::parts, 3);
        kinds.put(this::mistakesOfOne, 3);
        kinds.put(this::communicators, 1);
        kinds.put(this::local, 10);
        p.play(kinds);
        shapes.values().forEach(all -> all.stream().filter(shape -> !shape.isBasic()).forEach(shape -> shape.type().close()));
    }

    Kind kind() {
        return Kind.values()[p.together.nextInt(Kind.NUMBERS.size())];
    }

    /** Any layout of values of this type, drawn by this process alone. */
    private Shape shape(Kind kind) {
        return shapes.get(kind).get(p.alone.nextInt(shapes.get(kind).size()));
    }

    static IntUnaryOperator from(int rank, int key) {
        return i -> (rank * 5 + i * 3 + key) % 30; // sums fit into a byte: some libraries saturate
    }

    /** So many values in some layout that can have exactly so many, which other processes need not take. */
    GuardedBuffer exactly(Kind kind, int values) {
        Shape drawn = shape(kind);
        Shape shape = values % drawn.values() == 0 ? drawn : shapes.get(kind).get(0);
        return p.buffer(shape, values / shape.values());
    }

    /** Any layout in which each rank's part is whole elements. */
    Shape shapeFor(Kind kind, IntUnaryOperator ofRank, int ranks) {
        Shape drawn = shape(kind);
        boolean fits = java.util.stream.IntStream.range(0, ranks).allMatch(r -> ofRank.applyAsInt(r) % drawn.values() == 0);
        return fits ? drawn : shapes.get(kind).get(0);
    }

    int length() {
        return p.together.nextInt(300) == 0 ? 12 * (500 + p.together.nextInt(500)) : p.together.nextInt(25);
    }

    private void arrived(Status status, int source, int tag, GuardedBuffer got, int values, int key) {
        p.require(status.source() == source && status.tag() == tag, "the status is " + status);
        p.require(status.bytes() == values * got.buffer.type().kind().size(), "the status is " + status);
        got.becomes(values, from(source, key));
    }

    /** Room for a message, in a layout that libraries can receive messages to oneself in. */
    private GuardedBuffer room(Kind kind, int source, int values) {
        boolean whole = source == rank && p.lacks("recv-of-odd-size-from-self");
        Shape shape = whole ? shapes.get(kind).get(0) : shape(kind);
        return p.buffer(shape, (values + shape.values() - 1) / shape.values() + p.alone.nextInt(3));
    }

    /** Each process sends to the next one. */
    private void ring() {
        Kind kind = kind();
        int n = length();
        int key = p.together.nextInt(100);
        int tag = p.nextTag();
        int source = p.alone.nextBoolean() ? p.previous : Comm.ANY_SOURCE;
        GuardedBuffer out = exactly(kind, n).holds(from(rank, key));
        Status[] status = {null};
        if (p.together.nextInt(3) == 0) {
            GuardedBuffer in = room(kind, p.previous, n);
            p.once("sendrecv", End.RIGHT, p.anywhere(() -> status[0] = comm.sendrecv(out.buffer, p.next, in.buffer, source, tag)),
                    () -> arrived(status[0], p.previous, tag, in, n, key));
        } else if (p.alone.nextBoolean()) {
            p.begin("isend", () -> comm.isend(out.buffer, p.next, tag), () -> { });
            GuardedBuffer in = room(kind, p.previous, n);
            p.once("recv", End.RIGHT, p.anywhere(() -> status[0] = comm.recv(in.buffer, source, tag)),
                    () -> arrived(status[0], p.previous, tag, in, n, key));
        } else {
            p.begin("isend before irecv", () -> comm.isend(out.buffer, p.next, tag), () -> { });
            receiveLater(kind, p.previous, source, n, tag, key);
        }
    }

    private void receiveLater(Kind kind, int sender, int source, int n, int tag, int key) {
        GuardedBuffer in = room(kind, sender, n);
        Request[] made = {null};
        made[0] = p.begin("irecv", () -> comm.irecv(in.buffer, source, tag),
                () -> arrived(made[0].await(), sender, tag, in, n, key));
    }

    /** Each process sends to itself, and no other one needs to do the same. */
    private void myself() {
        Kind kind = kind();
        int n = p.alone.nextInt(40);
        int key = p.alone.nextInt(100);
        int tag = p.nextTag();
        Status[] status = {null};
        switch (p.alone.nextInt(3)) {
            case 0 -> {
                GuardedBuffer out = exactly(kind, n).holds(from(rank, key));
                GuardedBuffer in = room(kind, rank, n);
                p.once("sendrecv with oneself", End.RIGHT,
                        p.anywhere(() -> status[0] = comm.sendrecv(out.buffer, rank, in.buffer, rank, tag)),
                        () -> arrived(status[0], rank, tag, in, n, key));
            }
            case 1 -> {
                receiveLater(kind, rank, rank, n, tag, key);
                GuardedBuffer out = exactly(kind, n).holds(from(rank, key));
                p.once("send to oneself", End.RIGHT, p.anywhere(() -> comm.send(out.buffer, rank, tag)));
            }
            default -> {
                GuardedBuffer out = exactly(kind, n).holds(from(rank, key));
                Request sent = p.begin("isend to oneself", () -> comm.isend(out.buffer, rank, tag), () -> { });
                GuardedBuffer in = room(kind, rank, n);
                p.once("recv from oneself", End.RIGHT, p.anywhere(() -> status[0] = comm.recv(in.buffer, rank, tag)),
                        () -> arrived(status[0], rank, tag, in, n, key));
                if (p.alone.nextBoolean()) {
                    p.call("await at once", End.RIGHT, sent::await);
                }
            }
        }
    }

    private void nobody() {
        Kind kind = kind();
        GuardedBuffer out = p.buffer(shape(kind), p.alone.nextInt(5)).holds(from(rank, 1));
        Status[] status = {null};
        switch (p.alone.nextInt(5)) {
            case 0 -> p.once("send to nobody", End.RIGHT, p.anywhere(() -> comm.send(out.buffer, Comm.PROC_NULL, 1)));
            case 1 -> p.once("recv from nobody", End.RIGHT,
                    p.anywhere(() -> status[0] = comm.recv(out.buffer, Comm.PROC_NULL, 1)),
                    () -> p.require(status[0].source() == Comm.PROC_NULL && status[0].bytes() == 0, "the status is " + status[0]));
            case 2 -> p.begin("isend to nobody", () -> comm.isend(out.buffer, Comm.PROC_NULL, 1), () -> { });
            case 3 -> p.begin("irecv from nobody", () -> comm.irecv(out.buffer, Comm.PROC_NULL, 1), () -> { });
            default -> {
                GuardedBuffer in = p.buffer(shape(kind), 2);
                p.once("sendrecv with nobody", End.RIGHT,
                        p.anywhere(() -> comm.sendrecv(out.buffer, Comm.PROC_NULL, in.buffer, Comm.PROC_NULL, 1)));
            }
        }
    }

    private void wrongMessages() {
        MpiBuffer data = p.buffer(shape(kind()), p.alone.nextInt(4)).buffer;
        int far = p.alone.nextBoolean() ? size + p.alone.nextInt(9) : NOWHERE;
        MpiBuffer bad = switch (p.alone.nextInt(3)) {
            case 0 -> null;
            case 1 -> MpiBuffer.inPlace();
            default -> MpiBuffer.of(new int[3]).as(closed, 2);
        };
        MpiBuffer any = p.alone.nextBoolean() ? data : bad;
        p.once("a wrong message", End.WRONG, p.anywhere(switch (p.alone.nextInt(11)) {
            case 0 -> () -> comm.send(any, far, 1);
            case 1 -> () -> comm.send(any, rank, NOWHERE);
            case 2 -> () -> comm.recv(any, far, 1);
            case 3 -> () -> comm.recv(any, rank, NOWHERE);
            case 4 -> () -> comm.isend(any, far, 1);
            case 5 -> () -> comm.irecv(any, far, 1);
            case 6 -> () -> comm.isend(bad, rank, 1);
            case 7 -> () -> comm.irecv(bad, rank, 1);
            case 8 -> () -> comm.sendrecv(bad, rank, data, rank, 1);
            case 9 -> () -> comm.sendrecv(data, far, any, rank, NOWHERE);
            default -> () -> comm.send((int[]) null, rank, 1);
        }));
    }

    /** Messages that are received as values of another type. */
    private void otherTypes() {
        int tag = p.nextTag();
        GuardedBuffer out = exactly(kind(), 8 * p.together.nextInt(4)).holds(from(rank, 2));
        p.begin("isend of another type", () -> comm.isend(out.buffer, p.next, tag), () -> { });
        Kind received = kind();
        GuardedBuffer in = p.buffer(shapes.get(received).get(0), 32 * Long.BYTES / received.size());
        p.once("recv of another type", End.EITHER, () -> comm.recv(in.buffer, p.previous, tag), in::becomesAnything);
    }

    /** Messages that are longer than their room. To oneself, some libraries give no error or write beside, in plain C. */
    private void truncated() {
        if (size == 1) {
            return;
        }
        Kind kind = kind();
        int n = 2 + p.together.nextInt(20);
        int tag = p.nextTag();
        GuardedBuffer out = exactly(kind, n).holds(from(rank, 3));
        p.begin("isend of too much", () -> comm.isend(out.buffer, p.next, tag), () -> { });
        GuardedBuffer in = p.buffer(shapes.get(kind).get(0), p.alone.nextInt(n - 1) + 1);
        p.call("recv of too much", End.WRONG, p.anywhere(p.alone.nextBoolean() ? () -> comm.recv(in.buffer, p.previous, tag)
                : () -> {
                    Request receive = comm.irecv(in.buffer, p.previous, tag);
                    try {
                        receive.await();
                    } finally {
                        p.call("await of too much again", End.WRONG, receive::await);
                        p.call("close of too much", End.RIGHT, receive::close);
                    }
                }));
        if (!in.isCopied()) {
            in.becomesAnything();
        }
        p.once("look at what was too much", End.RIGHT, () -> { });
    }

    /** Receives that no message comes for, and some that one comes for at the same time. */
    private void cancelled() {
        Kind kind = kind();
        int tag = p.nextTag();
        int n = 1 + p.alone.nextInt(6);
        int way = p.alone.nextInt(p.loses ? 4 : 6);
        GuardedBuffer in = p.buffer(shapes.get(kind).get(0), n);
        if (way == 5) {
            p.once("recv on an interrupted virtual thread", End.WRONG,
                    () -> p.elsewhere(true, () -> comm.recv(in.buffer, rank, tag)));
            return;
        }
        Request[] made = {null};
        p.call("irecv to be cancelled", End.RIGHT, () -> made[0] = comm.irecv(in.buffer, rank, tag));
        Request receive = made[0];
        switch (way) {
            case 0 -> p.once("close before a message", End.RIGHT, receive::close);
            case 1 -> {
                p.call("cancel", End.RIGHT, receive::cancel);
                p.once("await when cancelled", End.WRONG, receive::await);
            }
            case 2 -> {
                Thread.currentThread().interrupt();
                p.call("await when interrupted", End.WRONG, receive::await);
                p.require(Thread.interrupted(), "the interruption is lost");
                p.once("test when cancelled", End.WRONG, receive::test);
            }
            case 3 -> {
                GuardedBuffer out = p.buffer(shapes.get(kind).get(0), n).holds(from(rank, 4));
                p.begin("isend to what is cancelled", () -> comm.isend(out.buffer, rank, tag), () -> { });
                p.call("cancel with a message", End.RIGHT, receive::cancel);
                if (p.call("await with a message", End.EITHER, receive::await)) {
                    in.becomes(n, from(rank, 4));
                } else {
                    p.call("recv of what is left", End.RIGHT, () -> comm.recv(in.buffer, rank, tag));
                    in.becomes(n, from(rank, 4));
                }
                p.look("a message to what is cancelled", List.of(in));
            }
            default -> {
                p.call("await for a moment", End.RIGHT,
                        () -> p.require(receive.await(Duration.ofNanos(1000)).isEmpty(), "a message out of nothing"));
                p.call("cancel on a virtual thread", End.RIGHT, () -> p.elsewhere(false, receive::cancel));
                p.once("awaitAll when cancelled", End.WRONG, () -> Request.awaitAll(receive, receive));
            }
        }
    }

    /** Sends and receives whose requests nobody keeps, or that are closed while they are under way. */
    private void dropped() {
        Kind kind = kind();
        int n = 1 + length();
        int tag = p.nextTag();
        boolean closes = p.alone.nextBoolean();
        GuardedBuffer out = exactly(kind, n).holds(from(rank, 5));
        p.once("isend to be dropped", End.RIGHT, () -> {
            Request request = comm.isend(out.buffer, p.next, tag);
            if (closes && !p.loses) {
                request.close();
            }
        });
        receiveLater(kind, p.previous, p.previous, n, tag, 5);
    }

    /** A large message, on a virtual thread that is interrupted: the send goes on. */
    private void interruptedSend() {
        if (p.loses) {
            return;
        }
        int n = p.together.nextInt(20) == 0 ? LARGE : 3;
        int tag = p.nextTag();
        GuardedBuffer out = p.buffer(shapes.get(Kind.INT).get(0), n).holds(from(rank, 6));
        p.once("send on an interrupted virtual thread", End.EITHER,
                () -> p.elsewhere(true, () -> comm.send(out.buffer, p.next, tag)));
        receiveLater(Kind.INT, p.previous, p.previous, n, tag, 6);
    }

    private int sum(int i, int key) {
        int sum = 0;
        for (int r = 0; r < size; r++) {
            sum += from(r, key).applyAsInt(i);
        }
        return sum;
    }

    private int most(int i, int key) {
        int most = 0;
        for (int r = 0; r < size; r++) {
            most = Math.max(most, from(r, key).applyAsInt(i));
        }
        return most;
    }

    private IntUnaryOperator gathered(int n, int key) {
        return i -> from(i / n, key).applyAsInt(i % n);
    }

    /** One right collective operation. */
    private void collectives() {
        Kind kind = kind();
        int root = p.together.nextInt(size);
        int n = Math.max(1, length());
        int key = p.together.nextInt(100);
        boolean here = rank == root;
        boolean adds = kind != Kind.CHAR && p.together.nextBoolean();
        Op op = adds ? Op.SUM : Op.MAX;
        IntUnaryOperator reduced = adds ? i -> sum(i, key) : i -> most(i, key);
        switch (p.together.nextInt(9)) {
            case 0 -> p.once("barrier", End.RIGHT, p.anywhere(comm::barrier));
            case 1 -> {
                GuardedBuffer data = exactly(kind, n).holds(from(rank, key));
                p.once("bcast", End.RIGHT, p.anywhere(() -> comm.bcast(data.buffer, root)),
                        () -> data.becomes(n, from(root, key)));
            }
            case 2 -> {
                GuardedBuffer data = exactly(kind, n).holds(from(rank, key));
                p.once("reduce", End.RIGHT, p.anywhere(() -> comm.reduce(data.buffer, op, root)),
                        () -> data.becomes(here ? n : 0, reduced));
            }
            case 3 -> {
                GuardedBuffer data = exactly(kind, n).holds(from(rank, key));
                p.once("allreduce", End.RIGHT, p.anywhere(() -> comm.allreduce(data.buffer, op)),
                        () -> data.becomes(n, reduced));
            }
            case 4 -> {
                GuardedBuffer data = p.buffer(shapes.get(kind).get(0), n).holds(from(rank, key));
                p.begin("iallreduce", () -> comm.iallreduce(data.buffer, op), () -> data.becomes(n, reduced));
            }
            case 5 -> {
                GuardedBuffer sent = exactly(kind, n).holds(from(rank, key));
                GuardedBuffer got = here || p.alone.nextBoolean() ? whole(kind, n) : null;
                p.once("gather", End.RIGHT, p.anywhere(() -> comm.gather(sent.buffer, got == null ? null : got.buffer, root)), () -> {
                    if (here) {
                        got.becomes(n * size, gathered(n, key));
                    }
                });
            }
            case 6 -> {
                boolean alike = p.lacks("allgather-of-mixed-types");
                GuardedBuffer sent = (alike ? p.buffer(shapes.get(kind).get(0), n) : exactly(kind, n)).holds(from(rank, key));
                GuardedBuffer got = whole(kind, n);
                p.once("allgather", End.RIGHT, p.anywhere(() -> comm.allgather(sent.buffer, got.buffer)),
                        () -> got.becomes(n * size, gathered(n, key)));
            }
            case 7 -> {
                GuardedBuffer sent = here ? whole(kind, n).holds(gathered(n, key)) : null;
                GuardedBuffer got = exactly(kind, n);
                p.once("scatter", End.RIGHT, p.anywhere(() -> comm.scatter(sent == null ? null : sent.buffer, got.buffer, root)),
                        () -> got.becomes(n, from(rank, key)));
            }
            default -> {
                GuardedBuffer sent = whole(kind, n).holds(i -> from(rank, i / n + key).applyAsInt(i % n));
                GuardedBuffer got = whole(kind, n);
                p.once("alltoall", End.RIGHT, p.anywhere(() -> comm.alltoall(sent.buffer, got.buffer)),
                        () -> got.becomes(n * size, i -> from(i / n, rank + key).applyAsInt(i % n)));
            }
        }
    }

    /** Room for the parts of all ranks: their values divide among the ranks as elements do. */
    private GuardedBuffer whole(Kind kind, int n) {
        Shape drawn = shape(kind);
        Shape shape = n % drawn.values() == 0 ? drawn : shapes.get(kind).get(0);
        return p.buffer(shape, n * size / shape.values());
    }

    /** One collective operation in which one process has a buffer or an operation that does not fit. */
    private void mistakesOfOne() {
        boolean wrong = p.together.nextInt(size) == rank;
        int n = 1 + length();
        int all = n * size;
        int root = p.together.nextInt(size);
        boolean atRoot = wrong && rank == root;
        End end = End.of(wrong);
        GuardedBuffer one = p.buffer(shapes.get(Kind.INT).get(0), n);
        GuardedBuffer other = p.buffer(shapes.get(Kind.INT).get(0), all);
        GuardedBuffer sent = p.buffer(shapes.get(Kind.INT).get(0), all);
        MpiBuffer part = wrong && p.alone.nextBoolean() ? null : one.buffer;
        MpiBuffer parts = wrong && part != null
                ? p.buffer(shapes.get(Kind.INT).get(0), all + 1 + p.alone.nextInt(3)).buffer : other.buffer;
        MpiBuffer ended = wrong ? one.buffer.as(closed, n) : one.buffer;
        int[] counts = new int[size];
        java.util.Arrays.fill(counts, n);
        Check.Statement statement = switch (p.together.nextInt(13)) {
            case 0 -> () -> comm.allgather(part, parts);
            case 1 -> () -> comm.alltoall(wrong ? null : sent.buffer, other.buffer);
            case 2 -> () -> comm.bcast(ended, root);
            case 3 -> () -> comm.allreduce(ended, Op.SUM);
            case 4 -> () -> comm.reduce(ended, Op.MAX, root);
            case 5 -> () -> comm.iallreduce(ended, Op.SUM).await();
            case 6 -> () -> comm.gather(ended, other.buffer, root);
            case 7 -> () -> comm.scan(ended, Op.SUM);
            case 8 -> () -> comm.iallgather(part, parts).await();
            case 9 -> () -> comm.reduceScatterBlock(sent.buffer, ended, Op.MAX);
            case 10 -> () -> comm.allgatherv(ended, other.buffer, counts);
            case 11 -> () -> comm.alltoallv(sent.buffer, counts, wrong ? null : other.buffer, counts);
            default -> () -> comm.scatter(other.buffer, ended, root);
        };
        Runnable anything = () -> {
            one.becomesAnything();
            other.becomesAnything();
        };
        p.once("a mistake of one process" + (atRoot ? " at the root" : ""), end, p.anywhere(statement), anything);
    }

    private void communicators() {
        int way = p.together.nextInt(4);
        List<Comm> made = new ArrayList<>();
        p.call("dup or split", End.RIGHT, p.anywhere(() -> made.add(way == 0 ? comm.split(rank % 2, -rank) : comm.dup())));
        Comm own = made.get(0);
        if (way == 3 && !p.loses) { // the operation goes on, and keeps the communicator open until it is complete
            boolean interrupted = p.together.nextInt(size) == rank;
            p.call("barrier, perhaps interrupted", End.EITHER, () -> p.elsewhere(interrupted, own::barrier));
            p.call("close when nobody uses it", End.RIGHT, () -> {
                while (!p.call("close", End.EITHER, own::close)) {
                    Thread.yield();
                }
            });
        } else {
            int[] sum = {1};
            p.call("allreduce of the new one", End.RIGHT, () -> own.allreduce(sum, Op.SUM));
            p.require(sum[0] == own.size(), "the sum is " + sum[0]);
            p.call("close", End.RIGHT, own::close);
        }
        p.call("close again", End.RIGHT, own::close);
        p.call("barrier when closed", End.WRONG, own::barrier);
        p.call("isend when closed", End.WRONG, () -> own.isend(new int[1], 0, 0));
        p.call("rank when closed", End.WRONG, own::rank);
    }

    /** What needs no other process. */
    private void local() {
        GuardedBuffer data = p.buffer(shape(Kind.INT), 1 + p.alone.nextInt(5));
        MpiBuffer buffer = data.buffer;
        long far = p.alone.nextBoolean() ? -1000 - p.alone.nextInt(9) : 1000 + p.alone.nextLong(Long.MAX_VALUE / 2);
        switch (p.alone.nextInt(9)) {
            case 0 -> p.once("getInt far away", End.WRONG, () -> buffer.getInt(far));
            case 1 -> p.once("setInt far away", End.WRONG, () -> buffer.setInt(far, 1));
            case 2 -> p.once("setLong of ints", End.WRONG, () -> buffer.setLong(0, 1));
            case 3 -> p.once("as far away", End.WRONG, () -> buffer.as(Datatype.LONG, 1, far));
            case 4 -> p.once("shifted far away", End.WRONG, () -> buffer.shiftedBy(far));
            case 5 -> p.once("as many", End.WRONG, () -> buffer.as(Datatype.BYTE, far));
            case 6 -> p.once("vector of closed", End.WRONG, () -> Datatype.vector(1, 1, 1, closed));
            case 7 -> p.once("awaitAll of null", End.WRONG, () -> Request.awaitAll((Request) null));
            default -> p.once("a type", End.RIGHT, () -> {
                Datatype type = Datatype.vector(p.alone.nextInt(4), p.alone.nextInt(4), p.alone.nextInt(9) - 4, Datatype.SHORT);
                type.close();
                type.close();
                p.call("handle when closed", End.WRONG, type::handle);
            });
        }
    }
}

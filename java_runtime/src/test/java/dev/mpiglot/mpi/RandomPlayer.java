package dev.mpiglot.mpi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Makes the calls of one process for {@link RandomTests}, and looks at what each does. */
final class RandomPlayer {

    /** How a call must end. */
    enum End {
        RIGHT, WRONG, EITHER;

        static End of(boolean mistaken) {
            return mistaken ? WRONG : RIGHT;
        }
    }

    /** What is found to be wrong; ends the job, because the other processes cannot know of it. */
    private static final class Finding extends Error {

        private static final long serialVersionUID = 1;

        Finding(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** An operation that was begun, what it uses, and what to look at once it is complete. */
    private record Begun(Request request, List<GuardedBuffer> used, Runnable after) {
    }

    private static final int TURNS = 200;
    private static final boolean TRACE = System.getenv("MPIGLOT_RANDOM_TRACE") != null;
    private static final long SECONDS = Check.PATIENCE;
    private static volatile RandomPlayer playing;

    final Comm comm;
    final int rank;
    final int size;
    final int next;
    final int previous;
    final Random together; // draws the same in all processes
    final Random alone;
    final boolean loses; // messages to oneself, when other threads wait for them
    private final long seed;
    private final int limit;
    private final String[] last = new String[12];
    private final List<Begun> begun = new ArrayList<>();
    private final List<GuardedBuffer> used = new ArrayList<>();
    private int calls;
    private int tag;

    RandomPlayer(Comm comm, long seed, int limit) {
        this.comm = comm;
        this.rank = comm.rank();
        this.size = comm.size();
        this.next = (rank + 1) % size;
        this.previous = (rank + size - 1) % size;
        this.seed = seed;
        this.limit = limit;
        this.together = new Random(seed);
        this.alone = new Random(31 * seed + rank + 1);
        this.loses = KnownDefects.reason("waitingForAllWithholdsNone", dev.mpiglot.low.Library.load().version(), size) != null;
    }

    boolean lacks(String defect) {
        return KnownDefects.has(defect);
    }

    /** Makes all the calls. Their number differs between the processes, the number of turns does not. */
    void play(Map<Runnable, Integer> kinds) {
        List<Runnable> drawn = new ArrayList<>();
        kinds.forEach((kind, weight) -> {
            for (int i = 0; i < weight; i++) {
                drawn.add(kind);
            }
        });
        int[] fewest = {0};
        playing = this;
        try {
            while (fewest[0] < limit) {
                for (int i = 0; i < TURNS; i++) {
                    drawn.get(together.nextInt(drawn.size())).run();
                }
                finish();
                fewest[0] = calls;
                comm.allreduce(fewest, Op.MIN);
            }
        } catch (RuntimeException | Error e) {
            System.err.println(where());
            e.printStackTrace();
            comm.abort(1);
        }
        playing = null;
    }

    /** Which random call this process makes; nothing if it makes none. */
    static String where() {
        RandomPlayer one = playing;
        if (one == null) {
            return "";
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < one.last.length; i++) {
            names.add(one.last[(one.calls + i) % one.last.length]);
        }
        return "rank " + one.rank + " of " + one.size + ", seed " + one.seed + ", random call " + one.calls
                + ", the last ones: " + String.join(", ", names);
    }

    /** A buffer for the next call. */
    GuardedBuffer buffer(GuardedBuffer.Shape shape, int count) {
        GuardedBuffer made = new GuardedBuffer(shape, count, alone.nextBoolean(), alone.nextInt(3));
        used.add(made);
        return made;
    }

    /** A tag that no other message of this turn has. */
    int nextTag() {
        tag = (tag + 1) % 30_000;
        return tag;
    }

    void require(boolean condition, String what) {
        if (!condition) {
            throw new Finding(what, null);
        }
    }

    /** Makes one call; whether it threw nothing. */
    boolean call(String name, End end, Check.Statement statement) {
        last[calls % last.length] = name;
        calls++;
        if (TRACE) {
            System.err.println(rank + ": " + calls + " " + name + " " + end);
        }
        Throwable thrown = null;
        try {
            statement.run();
        } catch (Finding e) {
            throw e;
        } catch (Throwable t) {
            thrown = t;
        }
        boolean isKnown = thrown instanceof MpiException || thrown instanceof IllegalArgumentException
                || thrown instanceof IllegalStateException || thrown instanceof NullPointerException
                || thrown instanceof CancelledException || thrown instanceof UnsupportedOperationException
                || thrown instanceof IndexOutOfBoundsException || thrown instanceof ArithmeticException;
        if (thrown != null && (end == End.RIGHT || !isKnown)) {
            throw new Finding(name + " threw", thrown);
        }
        require(thrown != null || end != End.WRONG, name + " threw nothing");
        return thrown == null;
    }

    /** Makes one call that begins nothing, then looks at its memory. */
    boolean once(String name, End end, Check.Statement statement, Runnable after) {
        List<GuardedBuffer> mine = List.copyOf(used);
        used.clear();
        boolean right = call(name, end, statement);
        if (right) {
            after.run();
        }
        look(name, mine);
        return right;
    }

    void once(String name, End end, Check.Statement statement) {
        once(name, end, statement, () -> { });
    }

    /** Begins an operation, which a later call completes. */
    Request begin(String name, java.util.function.Supplier<Request> start, Runnable after) {
        Request[] made = {null};
        call(name, End.RIGHT, () -> made[0] = start.get());
        begun.add(new Begun(made[0], List.copyOf(used), after));
        used.clear();
        return made[0];
    }

    void look(String name, List<GuardedBuffer> memory) {
        for (GuardedBuffer one : memory) {
            String difference = one.difference();
            require(difference == null, "after " + name + " " + difference);
        }
    }

    /** Does the same on a virtual thread, interrupted before if so wanted, and throws what it throws. */
    void elsewhere(boolean interrupted, Check.Statement statement) throws Exception {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                statement.run();
                end.complete(null);
            } catch (Throwable t) {
                end.completeExceptionally(t);
            }
        });
        try {
            end.get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception own) {
                throw own;
            }
            throw new Finding("on a virtual thread", e.getCause());
        }
    }

    /** Does it on this thread or, now and then, on a virtual one. */
    Check.Statement anywhere(Check.Statement statement) {
        return loses || alone.nextInt(8) != 0 ? statement : () -> elsewhere(false, statement);
    }

    /** Completes what was begun, in one of many ways. */
    private void finish() {
        List<Request> left = new ArrayList<>(begun.stream().map(Begun::request).toList());
        java.util.Collections.shuffle(left, alone);
        Request[] all = left.toArray(Request[]::new);
        switch (alone.nextInt(loses ? 2 : 8)) {
            case 0 -> call("awaitAll", End.RIGHT, () -> Request.awaitAll(all));
            case 1 -> {
                for (Request one : all) {
                    call("test until complete", End.RIGHT, () -> {
                        while (one.test().isEmpty()) {
                            Thread.yield();
                        }
                    });
                }
            }
            case 2 -> {
                Request[] twice = Arrays.copyOf(all, 2 * all.length);
                System.arraycopy(all, 0, twice, all.length, all.length);
                call("awaitAll on a virtual thread", End.RIGHT, () -> elsewhere(false, () -> Request.awaitAll(twice)));
            }
            case 3 -> {
                for (Request one : all) {
                    call("await with a limit", End.RIGHT, () -> {
                        Optional<Status> found = one.await(Duration.ZERO);
                        found = found.isPresent() ? found : one.await(Duration.ofSeconds(SECONDS));
                        require(found.isPresent(), "not complete in time");
                    });
                }
            }
            case 4 -> {
                for (Request one : all) {
                    call("completion", End.RIGHT, () -> one.completion().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS));
                }
            }
            case 5 -> call("awaitAny", End.RIGHT, anywhere(() -> {
                for (int i = 0; Requests.awaitAny(all).isPresent(); i++) {
                    require(i < all.length, "a result was given twice");
                }
            }));
            case 6 -> call("awaitSome", End.RIGHT, anywhere(() -> {
                int given = 0;
                for (var found = Requests.awaitSome(all); !found.isEmpty(); found = Requests.awaitSome(all)) {
                    given += found.size();
                }
                require(given <= all.length, "a result was given twice");
            }));
            default -> { }
        }
        for (Begun one : begun) {
            call("await", End.RIGHT, one.request()::await);
            if (alone.nextInt(4) == 0) {
                call("close when complete", End.RIGHT, one.request()::close);
                call("await again", End.RIGHT, one.request()::await);
            }
            one.after().run();
            look("the end of what was begun", one.used());
        }
        begun.clear();
    }
}

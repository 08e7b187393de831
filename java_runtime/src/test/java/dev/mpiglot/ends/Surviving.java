package dev.mpiglot.ends;

import dev.mpiglot.mpi.Cart;
import dev.mpiglot.mpi.Codec;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.CommRequest;
import dev.mpiglot.mpi.Group;
import dev.mpiglot.mpi.Mpi;
import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.MpiException;
import dev.mpiglot.mpi.Op;
import dev.mpiglot.mpi.ProcessFailedException;
import dev.mpiglot.mpi.RemoteFailureException;
import dev.mpiglot.mpi.Request;
import dev.mpiglot.mpi.Resilient;
import dev.mpiglot.mpi.RevokedException;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.UncheckedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Processes that are killed, and what the others do then: tests/generators/test_java_surviving.py starts this program. The
 * arguments: what, a seed, how many processes die, and a file that says in the end that all is right.
 */
public final class Surviving {

    private static final int KILL = 9;
    private static final int STEPS = 20;
    private static final int MIXES = 10;
    private static final int TAG = 3;
    private static final int LARGE = 1 << 18; // 1 MiB
    private static final long PATIENCE_S = 20;
    private static final Codec<Integer> INTEGERS = Codec.serialized(ObjectInputFilter.Config.createFilter("java.lang.*;!*"));

    private Surviving() {
    }

    public static void main(String[] args) {
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            switch (args[0]) {
                case "possible" -> System.out.println(world.survivesFailures());
                case "calls" -> calls(world);
                case "operations" -> operations(world);
                case "anybody" -> anybody(world);
                case "virtual" -> virtual(world);
                case "thrown" -> thrown(world);
                case "lose" -> SurvivingStates.lose(world);
                case "steps", "loop", "states" -> {
                    int dead = Integer.parseInt(args[2]);
                    Path file = Path.of(args[3]);
                    Runnable timer = world.rank() < 1 || world.rank() > dead ? () -> { }
                            : () -> dieWithinASecond(100 * Long.parseLong(args[1]) + world.rank());
                    if (args[0].equals("states")) {
                        SurvivingStates.run(world, file, timer);
                    } else {
                        timer.run();
                        if (args[0].equals("steps")) {
                            steps(world, file);
                        } else {
                            loop(world, file);
                        }
                    }
                }
                case "uncaught" -> {
                    if (world.rank() == 1) {
                        die();
                    }
                    world.recv(new int[1], 1, TAG);
                }
                default -> throw new IllegalArgumentException(args[0]);
            }
        });
    }

    static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    static void expect(Class<? extends Exception> kind, String what, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            if (!kind.isInstance(e)) {
                throw e;
            }
            return;
        }
        throw new AssertionError(what);
    }

    static void die() {
        try {
            Linker linker = Linker.nativeLinker();
            int code = (int) linker.downcallHandle(linker.defaultLookup().find("raise").orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)).invokeExact(KILL);
            throw new AssertionError("raise returned " + code);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static void dieWithinASecond(long seed) {
        Thread.ofPlatform().daemon().start(() -> {
            pause(new Random(seed).nextInt(1000));
            die();
        });
    }

    static void pause(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void agreeAgain(Comm comm) {
        try { // all have acknowledged once all have come to an agreement
            comm.agree(true);
        } catch (ProcessFailedException e) {
            require(e.function().equals("MPIX_Comm_agree"), e.function());
        }
    }

    /** Rank 1 dies: what each call says. */
    private static void calls(Comm world) {
        require(world.survivesFailures(), "the job survives failures");
        Comm comm = world.dup();
        Comm half = comm.split(comm.rank() % 2, 0);
        Comm other;
        try (CommRequest made = comm.idup()) {
            other = made.await();
        }
        Cart line = comm.createCart(new int[] {comm.size()}, new boolean[1], false);
        comm.dup().close();
        require(!comm.isRevoked(), "not revoked");
        try (Group none = comm.failed()) {
            require(none.size() == 0 && comm.ack() == 0, "nobody has failed");
        }
        require(comm.agree(true) && comm.agree(6) == 6, "agreement of all");
        require(!comm.agree(comm.rank() != 2) && comm.agree(comm.rank() == 2 ? 5 : 6) == 4, "and of some");
        if (comm.rank() == 1) {
            die();
        }
        expect(ProcessFailedException.class, "a receive", () -> comm.recv(new int[1], 1, TAG));
        expect(ProcessFailedException.class, "a request", () -> comm.irecv(new int[1], 1, TAG).await());
        try (Group dead = comm.failed(); Group all = comm.group()) {
            require(dead.size() == 1 && dead.translateRanks(new int[1], all)[0] == 1, "who has failed");
        }
        expect(ProcessFailedException.class, "agreement without acknowledgement", () -> comm.agree(true));
        require(comm.ack() == 1, "one is acknowledged");
        agreeAgain(comm);
        require(comm.agree(true) && !comm.agree(comm.rank() != 0), "agreement of those left");
        Comm rest = comm.shrink();
        require(rest.size() == comm.size() - 1 && rest.rank() == comm.rank() - (comm.rank() > 1 ? 1 : 0), "those left");
        int[] sum = {comm.rank()};
        rest.allreduce(sum, Op.SUM);
        require(sum[0] == comm.size() * (comm.size() - 1) / 2 - 1, "they compute");
        if (comm.rank() == 0) {
            comm.revoke();
        }
        expect(RevokedException.class, "a receive", () -> comm.recv(new int[1], comm.rank(), TAG));
        require(comm.isRevoked(), "it knows");
        comm.revoke();
        expect(RevokedException.class, "a part", () -> half.recv(new int[1], half.rank(), TAG));
        expect(RevokedException.class, "a duplicate", other::barrier);
        expect(RevokedException.class, "a grid", line::barrier);
        expect(RevokedException.class, "another duplicate", comm::dup);
        require(!rest.isRevoked() && !world.isRevoked(), "others are not");
        List.of(line, other, half, comm).forEach(Comm::close);
        rest.barrier();
        rest.close();
    }

    /** What meets a failure, or what was revoked, says so: at once, or by its request. */
    private static void operations(Comm world) {
        int[] all = new int[world.size()];
        List<Consumer<Comm>> calls = List.of(
                on -> on.recv(new int[1], 1, TAG),
                on -> on.ssend(MpiBuffer.of(new int[1]), 1, TAG),
                on -> on.probe(1, TAG),
                on -> on.sendrecv(new int[1], 1, new int[1], 1, TAG),
                Comm::barrier,
                on -> on.allreduce(new int[1], Op.SUM),
                on -> on.allgather(new int[1], all),
                on -> on.alltoall(new int[on.size()], new int[on.size()]),
                on -> on.allreduceObject(INTEGERS, 1, Integer::sum),
                on -> on.irecv(new int[1], 1, TAG).await(),
                on -> on.isend(new int[LARGE], 1, TAG).await(),
                on -> on.iallreduce(new int[1], Op.SUM).await(),
                on -> on.ibarrier().await(),
                on -> Request.awaitAll(on.irecv(new int[1], 1, TAG), on.isend(new int[LARGE], 1, TAG)));
        List<Comm> comms = calls.stream().map(each -> world.dup()).toList();
        Comm revoked = world.dup();
        if (world.rank() == 1) {
            die();
        }
        for (int i = 0; i < calls.size(); i++) {
            Consumer<Comm> call = calls.get(i);
            Comm comm = comms.get(i);
            try {
                call.accept(comm);
                throw new AssertionError("call " + i + " goes well");
            } catch (ProcessFailedException | RevokedException e) {
                comm.revoke(); // for those that wait for this process
            }
        }
        Request open = revoked.irecv(new int[1], 0, TAG);
        revoked.revoke();
        expect(RevokedException.class, "what was under way", open::await);
        for (Consumer<Comm> each : calls) {
            try {
                each.accept(revoked);
                throw new AssertionError("revoked");
            } catch (RevokedException | ProcessFailedException e) {
                // Open MPI may see first that the other process is dead.
            }
        }
    }

    /** A receive from anybody goes on when a process has failed, once that is acknowledged. */
    private static void anybody(Comm world) {
        Comm comm = world.dup();
        if (comm.rank() == 1) {
            die();
        }
        if (comm.rank() == 0) {
            int[] got = new int[1];
            Request request = comm.irecv(got, Comm.ANY_SOURCE, TAG);
            expect(ProcessFailedException.class, "from anybody", request::await);
            expect(ProcessFailedException.class, "a stage", () -> {
                try {
                    request.await(Duration.ofSeconds(PATIENCE_S));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            try (Request dropped = comm.irecv(new int[1], Comm.ANY_SOURCE, TAG + 1)) {
                expect(ProcessFailedException.class, "to be closed", dropped::await);
            }
            require(comm.ack() == 1, "one is acknowledged");
            comm.send(new int[1], 2, TAG);
            request.await();
            require(got[0] == 2, "the message of rank 2");
        } else if (comm.rank() == 2) {
            comm.recv(new int[1], 0, TAG);
            comm.send(new int[] {2}, 0, TAG);
        }
        agreeLast(comm);
    }

    private static void agreeLast(Comm comm) {
        comm.ack();
        agreeAgain(comm);
    }

    /** Virtual threads, for which another thread asks, are told, too; also by what another process revokes. */
    private static void virtual(Comm world) throws InterruptedException, ExecutionException, TimeoutException {
        Comm comm = world.dup();
        Comm waiting = world.dup();
        if (comm.rank() == 1) {
            die();
        }
        List<CompletableFuture<Void>> ends = List.of(
                inVirtual(() -> expect(ProcessFailedException.class, "a receive", () -> comm.recv(new int[1], 1, TAG))),
                inVirtual(() -> expect(ProcessFailedException.class, "from anybody",
                        () -> comm.recv(new int[1], Comm.ANY_SOURCE, TAG + 1))),
                inVirtual(() -> expect(MpiException.class, "a barrier", waiting::barrier)),
                inVirtual(() -> expect(RevokedException.class, "revoked", () -> waiting.recv(new int[1], 0, TAG + 2))));
        ends.get(0).get(PATIENCE_S, TimeUnit.SECONDS);
        ends.get(1).get(PATIENCE_S, TimeUnit.SECONDS);
        if (comm.rank() == 2) {
            waiting.revoke();
        }
        for (CompletableFuture<Void> each : ends) {
            each.get(PATIENCE_S, TimeUnit.SECONDS);
        }
        agreeLast(comm); // what is revoked earlier ends the receives of a process that is slower
        comm.revoke();
    }

    private static CompletableFuture<Void> inVirtual(Runnable action) {
        return CompletableFuture.runAsync(action, task -> Thread.ofVirtual().start(task));
    }

    /** Different kinds of communication, with a communicator of their own and requests under way. */
    static void mix(Comm comm, int step) {
        int size = comm.size();
        int rank = comm.rank();
        int[] before = new int[1];
        int[] sum = {step};
        Request receive = comm.irecv(before, (rank + size - 1) % size, TAG);
        Request reduction = comm.iallreduce(sum, Op.SUM);
        comm.send(new int[] {step + rank}, (rank + 1) % size, TAG);
        List<Integer> ranks = comm.allgatherObjects(INTEGERS, rank);
        require(ranks.get(size - 1) == size - 1, "objects");
        try (Comm half = comm.split(rank % 2, 0)) {
            int[] ones = {1};
            half.allreduce(ones, Op.SUM);
            require(ones[0] == (size + (rank + 1) % 2) / 2, "half of them");
        }
        int[] parts = new int[size];
        comm.alltoall(Collections.nCopies(size, rank).stream().mapToInt(each -> each).toArray(), parts);
        require(parts[size - 1] == size - 1, "parts of all");
        receive.await();
        reduction.await();
        require(before[0] == step + (rank + size - 1) % size, "the neighbour");
        require(sum[0] == step * size, "all are in the same step");
        pause(2);
    }

    private static void mixes(Comm comm) {
        for (int i = 0; i < MIXES; i++) {
            mix(comm, i);
        }
    }

    private static void steps(Comm world, Path file) {
        Comm comm = world;
        for (int step = 0; step < STEPS; step++) {
            int[] done = new int[1];
            Comm left = Resilient.run(comm, on -> {
                done[0] = 0;
                mixes(on);
                done[0] = on.size();
            });
            require(done[0] == left.size(), "the last repetition");
            comm.close();
            comm = left;
        }
        finish(comm, file);
    }

    /** The same by the single calls. What a step has got may lack what the dead were to give: any exception may be of that. */
    private static void loop(Comm world, Path file) {
        Comm comm = world.shrink(); // not dup, which fails if a process dies meanwhile
        for (int step = 0; step < STEPS; step++) {
            Throwable thrown = null;
            boolean failed = false;
            boolean well = false;
            try {
                mixes(comm);
            } catch (RuntimeException | AssertionError e) {
                thrown = e;
                comm.revoke();
            }
            try {
                well = comm.agree(thrown == null);
            } catch (ProcessFailedException e) {
                failed = true;
            }
            if (!well) {
                if (!failed && thrown != null && !(thrown instanceof MpiException)) {
                    throw new AssertionError(thrown);
                }
                comm.revoke();
                Comm left = comm.shrink();
                comm.close();
                comm = left;
                step--;
            }
        }
        finish(comm, file);
    }

    static void finish(Comm comm, Path file) {
        if (comm.rank() == 0) {
            try {
                Files.writeString(file, "right");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        comm.close();
    }

    /** What else a step throws ends it on all processes, also on those that wait for that one. */
    private static void thrown(Comm world) {
        Consumer<Comm> mistake = comm -> {
            if (comm.rank() == 2) {
                throw new UnsupportedOperationException("a mistake");
            }
        };
        List<Consumer<Comm>> waits = List.of(comm -> { }, Comm::barrier, comm -> comm.recv(new int[1], 2, TAG),
                comm -> comm.irecv(new int[1], 2, TAG).await());
        for (Consumer<Comm> wait : waits) {
            expectThrown(world, mistake.andThen(wait));
            expectThrown(world, comm -> {
                try (Comm part = comm.split(0, 0); Request open = part.irecv(new int[1], Comm.ANY_SOURCE, TAG)) {
                    require(!part.isNull() && open.handle() != null, "a part");
                    mistake.accept(part);
                    wait.accept(part);
                }
            });
        }
        int[] times = new int[1];
        Comm rest = Resilient.run(world, comm -> { // a mistake that a failure has brought about
            if (++times[0] > 1) {
                return;
            }
            if (comm.rank() == 1) {
                die();
            }
            try {
                comm.barrier();
            } catch (MpiException e) {
                throw new IllegalStateException("of a failure", e);
            }
        });
        require(times[0] == 2 && rest.size() == world.size() - 1, "again");
        SurvivingStates.thrown(rest);
        rest.close();
    }

    private static void expectThrown(Comm world, Consumer<Comm> step) {
        int[] times = new int[1];
        expect(world.rank() == 2 ? UnsupportedOperationException.class : RemoteFailureException.class, "thrown", () ->
                Resilient.run(world, comm -> {
                    times[0]++;
                    step.accept(comm);
                }));
        require(times[0] == 1, "it is not repeated");
    }
}

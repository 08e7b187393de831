package dev.mpiglot.ends;

import dev.mpiglot.mpi.Codec;
import dev.mpiglot.mpi.CodecException;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Op;
import dev.mpiglot.mpi.RemoteFailureException;
import dev.mpiglot.mpi.Resilient;
import dev.mpiglot.mpi.StateLostException;
import dev.mpiglot.mpi.SurvivingProgram;
import dev.mpiglot.mpi.Survivors;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

/** Steps with copies of states, of processes that are killed ({@link Surviving}). */
final class SurvivingStates {

    private static final int VALUES = 50_000;
    private static final int STEPS = 150;
    private static final int WARM = 3;
    private static final int LEAST = 3;
    private static final int AT = 3;
    private static final int LAST = 6;

    /** Each value is on one process; the step tells how often all have grown. */
    private record Part(int step, int[] values) implements Serializable {
    }

    private static final Codec<Part> PARTS = Codec.serialized(
            ObjectInputFilter.Config.createFilter("dev.mpiglot.ends.**;java.lang.*;!*"));
    private static final Codec<Integer> NUMBERS = Codec.serialized(ObjectInputFilter.Config.createFilter("java.lang.*;!*"));

    private SurvivingStates() {
    }

    /** Moves values around, in different kinds of communication. */
    private static final class Values implements SurvivingProgram<Part> {

        private Runnable timer; // of a process that dies; started once, after some steps, which are slow

        Values(Runnable timer) {
            this.timer = timer;
        }

        @Override
        public Part begin(Comm comm) {
            return new Part(0, IntStream.range(0, VALUES).filter(i -> i % comm.size() == comm.rank()).toArray());
        }

        @Override
        public Part step(Comm comm, Part state) {
            if (timer != null && state.step == WARM) {
                timer.run();
                timer = null;
            }
            Surviving.mix(comm, state.step);
            int[] values = state.values;
            for (int i = 0; i < values.length; i++) { // of this state itself: a copy is restored after a failure
                values[i]++;
            }
            Part made = new Part(state.step + 1, moved(comm, values));
            requireAll(comm, made);
            return made;
        }

        private static int[] moved(Comm comm, int[] values) {
            int[] count = new int[1];
            int right = (comm.rank() + 1) % comm.size();
            int left = (comm.rank() + comm.size() - 1) % comm.size();
            comm.sendrecv(new int[] {values.length}, right, count, left, 1);
            int[] got = new int[count[0]];
            comm.sendrecv(values, right, got, left, 1);
            return got;
        }

        @Override
        public boolean isDone(Part state) {
            return state.step == STEPS;
        }

        @Override
        public Part join(Comm comm, List<Part> parts) {
            Surviving.require(parts.stream().allMatch(one -> one.step == parts.get(0).step), "parts of one step");
            return new Part(parts.get(0).step,
                    parts.stream().flatMapToInt(one -> IntStream.of(one.values)).toArray());
        }
    }

    private static void requireAll(Comm comm, Part part) {
        long[] sums = {part.values.length, IntStream.of(part.values).asLongStream().sum()};
        comm.allreduce(sums, Op.SUM);
        Surviving.require(sums[0] == VALUES, "no value is lost or there twice");
        Surviving.require(sums[1] == (long) VALUES * (VALUES - 1) / 2 + (long) VALUES * part.step, "all have the same step");
    }

    /** Two copies: so two may die at the same time. */
    static void run(Comm world, Path file, Runnable timer) {
        try (Survivors<Part> left = Resilient.run(world, new Values(timer), PARTS, 2)) {
            Surviving.require(left.state().step == STEPS, "the last step");
            Surviving.finish(left.comm(), file);
        }
    }

    private static SurvivingProgram<Integer> counting(ObjIntConsumer<Comm> step) {
        return new SurvivingProgram<>() {

            @Override
            public Integer begin(Comm comm) {
                return 0;
            }

            @Override
            public Integer step(Comm comm, Integer state) {
                step.accept(comm, state);
                comm.barrier();
                return state + 1;
            }

            @Override
            public boolean isDone(Integer state) {
                return state == LAST;
            }

            @Override
            public Integer join(Comm comm, List<Integer> parts) {
                return parts.get(0);
            }
        };
    }

    /** One copy of each state, and two neighbours die. */
    static void lose(Comm world) {
        Surviving.expect(StateLostException.class, "both", () -> Resilient.run(world, counting((comm, step) -> {
            if (step == AT && (world.rank() == 1 || world.rank() == 2)) {
                Surviving.die();
            }
        }), NUMBERS, 1));
    }

    /** What the program throws on one process, on the others that wait for it, too. */
    static void thrown(Comm world) {
        int last = world.size() - 1;
        for (int at : new int[] {0, 1, LAST - 1}) {
            Surviving.expect(world.rank() == last ? UnsupportedOperationException.class : RemoteFailureException.class,
                    "thrown", () -> Resilient.run(world, counting((comm, step) -> {
                        if (step == at && comm.rank() == last) {
                            throw new UnsupportedOperationException("a mistake");
                        }
                    }), NUMBERS, 1));
        }
        Codec<Integer> fails = new Codec<>() {
            @Override
            public byte[] encode(Integer object) throws Exception {
                if (object == AT && world.rank() == last) {
                    throw new IllegalStateException("a mistake");
                }
                return NUMBERS.encode(object);
            }

            @Override
            public Integer decode(byte[] bytes) throws Exception {
                return NUMBERS.decode(bytes);
            }
        };
        Surviving.expect(world.rank() == last ? CodecException.class : RemoteFailureException.class, "a codec",
                () -> Resilient.run(world, counting((comm, step) -> { }), fails, 1));
        Surviving.expect(IllegalArgumentException.class, "no copy",
                () -> Resilient.run(world, counting((comm, step) -> { }), NUMBERS, 0));
        try (Survivors<Integer> left = Resilient.run(world, counting((comm, step) -> { }), NUMBERS, world.size() + LEAST)) {
            Surviving.require(left.state() == LAST && left.comm().size() == world.size(), "all of them");
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.mpi.Element.Integral;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Every form of a buffer in every operation does what an array of the same values does. */
public final class BufferFormsTests {

    private static final int[] LENGTHS = {0, 1, 1000, 100_000};

    private BufferFormsTests() {
    }

    /** Windows and files that all operations share. */
    private static final class Made implements FormUses.Objects, AutoCloseable {

        private final Comm world;
        private final String path;
        private final Map<Kind, Window<Integral>> windows = new EnumMap<>(Kind.class);
        private final Map<Kind, Window<Integral>> dynamic = new EnumMap<>(Kind.class);
        private final Map<Kind, MpiFile> files = new EnumMap<>(Kind.class);

        Made(Comm world, String path) {
            this.world = world;
            this.path = path;
        }

        @Override
        @SuppressWarnings("unchecked")
        public Window<Integral> window(Kind kind) {
            return windows.computeIfAbsent(kind, one -> world.allocateWindow((Datatype<Integral>) Datatype.of(kind),
                    LENGTHS[LENGTHS.length - 1], null));
        }

        @Override
        @SuppressWarnings("unchecked")
        public Window<Integral> dynamic(Kind kind) {
            return dynamic.computeIfAbsent(kind,
                    one -> world.createDynamicWindow((Datatype<Integral>) Datatype.of(kind), null));
        }

        @Override
        public MpiFile file(Kind kind) {
            return files.computeIfAbsent(kind, one -> {
                MpiFile file = world.openFile(path + kind, FileMode.READ_WRITE, FileMode.CREATE);
                file.setView(FileView.of(0, Datatype.of(kind)));
                return file;
            });
        }

        @Override
        public void close() {
            windows.values().forEach(Window::close);
            dynamic.values().forEach(Window::close);
            files.values().forEach(MpiFile::close);
        }
    }

    public static void everyFormDoesInEveryOperationWhatAnArrayDoes(Comm world) throws Exception {
        AllTests.mpi().attachBuffer(4L * 8 * LENGTHS[3]);
        FileTests.inFolder(world, path -> {
            try (Made made = new Made(world, path);
                    Cart ring = world.createCart(new int[] {world.size()}, new boolean[] {true}, false);
                    Arena arena = Arena.ofShared()) {
                List<Forms.Form> forms = Forms.all(arena);
                // Pairs take turns, others with another seed: a wait for others takes longer than all else.
                int each = RandomTests.moreCalls() > 0 ? 1 : world.size() == 1 ? 7 : 59 * (world.size() - 1);
                int round = RandomTests.seed();
                for (Forms.Form form : forms) {
                    for (String name : FormOperations.ALL.keySet()) {
                        if (++round % (form.isTriedFully() || each == 1 ? each : 10 * each) == 0) {
                            compare(name, form, n -> new FormUses(world, ring, made, n.form, n.length, n.round), round);
                        }
                    }
                }
            }
        });
        AllTests.mpi().detachBuffer();
    }

    private record Try(Forms.Form form, int length, int round) {
    }

    /** Every pair has one of the lengths, and one in thirteen the largest: the operations and forms take turns. */
    private static void compare(String name, Forms.Form form, java.util.function.Function<Try, FormUses> maker, int round) {
        int length = round % 13 == 7 ? LENGTHS[3] : LENGTHS[round % 3];
        FormUses uses = maker.apply(new Try(form, length, round));
        FormUses plain = maker.apply(new Try(Forms.plain(form.kind()), length, round));
        try {
            FormOperations.ALL.get(name).run(uses);
            FormOperations.ALL.get(name).run(plain);
            Check.equal(uses.contents(), plain.contents());
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(name + " of " + length + " " + form.kind() + " in " + form.name(), e);
        }
    }

    private static void refused(Class<? extends RuntimeException> type, String part, Check.Statement statement) {
        String told = Check.fails(type, statement).getMessage();
        Check.isTrue(told.contains(part), told);
    }

    public static void elementsThatAreNotThereAreRefused(Comm world) {
        int[] array = new int[5];
        for (int[] ends : new int[][] {{-1, 2}, {3, 2}, {0, 6}, {6, 6}}) {
            refused(IndexOutOfBoundsException.class, "not in an array of 5", () ->
                    MpiBuffer.of(array, ends[0], ends[1]));
        }
        Check.equal(MpiBuffer.of(array, 5, 5).count(), 0L);
        MemorySegment bytes = MemorySegment.ofArray(new byte[10]);
        refused(IllegalArgumentException.class, "no whole number", () -> MpiBuffer.of(bytes, Datatype.INT));
        refused(IllegalArgumentException.class, "of 10 bytes", () -> MpiBuffer.of(bytes, Datatype.INT, 3));
        Check.equal(MpiBuffer.of(bytes, Datatype.INT, 2).count(), 2L);
        refused(IllegalArgumentException.class, "null", () -> MpiBuffer.of((int[]) null, 0, 0));
        refused(IllegalArgumentException.class, "null", () -> MpiBuffer.of((MemorySegment) null, Datatype.INT));
        refused(IllegalArgumentException.class, "null", () -> MpiBuffer.of((IntBuffer) null));
        try (Datatype<Element.Ints> column = Datatype.vector(2, 1, 2, Datatype.INT)) {
            refused(IllegalArgumentException.class, "gaps", () -> MpiBuffer.of(MemorySegment.ofArray(array), column));
            Check.equal(MpiBuffer.of(MemorySegment.ofArray(array), column, 1).count(), 1L);
        }
    }

    public static void shapesThatAreNotThereAreRefused(Comm world) {
        MpiBuffer<Element.Ints> ten = MpiBuffer.of(new int[10]);
        for (long[] wrong : new long[][] {{-1, 1, 1}, {1, -1, 1}, {2, 3, 2}, {2, 3, 8}, {1, 11, 11}, {4, 1, 4},
            {3, 1, Long.MAX_VALUE}}) {
            Check.fails(IllegalArgumentException.class, () -> ten.strided(wrong[0], wrong[1], wrong[2]));
        }
        Check.equal(ten.strided(2, 3, 7).count(), 6L);
        Check.equal(ten.strided(0, 3, 7).count(), 0L);
        for (int[][] wrong : new int[][][] {{{3, 3}, {0, 0}, {1, 1}}, {{2, 5}, {0, 0}, {3, 1}}, {{2, 5}, {0, 2}, {1, 1}},
            {{2, 5}, {0}, {1, 1}}, {{}, {}, {}}, {{2, 5}, {-1, 0}, {1, 1}}, {{2, 5}, {0, 0}, null}}) {
            Check.fails(IllegalArgumentException.class, () -> ten.view(wrong[0], wrong[1], wrong[2]));
        }
        refused(IllegalArgumentException.class, "Row 1 is null", () -> MpiBuffer.rows(new double[][] {{1}, null}));
        refused(IllegalArgumentException.class, "has no values", () -> ten.strided(2, 3, 7).getInt(0));
        Check.fails(IllegalStateException.class, () -> ten.strided(2, 3, 7).segment());
    }

    public static void shapesOfShapesAndLayoutsOfThemMeanTheSame(Comm world) {
        double[][] rows = {{0, 1, 2}, {3}, {}, {4, 5, 6, 7, 8, 9, 10, 11}};
        double[] got = new double[3];
        world.sendrecv(MpiBuffer.rows(rows).view(new int[] {3, 4}, new int[] {0, 1}, new int[] {3, 2}),
                Ring.right(world), MpiBuffer.of(got), Ring.left(world), 1);
        Check.equal(got, new double[] {1, 5, 9});
        try (Datatype<Element.Doubles> column = Datatype.vector(3, 1, 4, Datatype.DOUBLE)) {
            world.sendrecv(MpiBuffer.of(new double[] {-1, -5, -9}), Ring.right(world),
                    MpiBuffer.rows(rows).as(column, 1, 2), Ring.left(world), 1);
        }
        Check.equal(rows, new double[][] {{0, 1, -1}, {3}, {}, {4, 5, -5, 7, 8, 9, -9, 11}});
    }

    public static void logicReducesBooleans(Comm world) {
        boolean[] last = {true, world.rank() == world.size() - 1, false};
        boolean[] and = last.clone();
        world.allreduce(MpiBuffer.of(and), Op.LAND);
        Check.equal(and, new boolean[] {true, world.size() == 1, false});
        boolean[] or = last.clone();
        world.allreduce(MpiBuffer.of(or), Op.LOR);
        Check.equal(or, new boolean[] {true, true, false});
        boolean[] odd = last.clone();
        world.allreduce(MpiBuffer.of(odd), Op.LXOR);
        Check.equal(odd, new boolean[] {world.size() % 2 == 1, true, false});
        MpiBuffer<Element.Booleans> whole = MpiBuffer.of(odd);
        whole.setBoolean(2, true);
        Check.isTrue(whole.getBoolean(2) && odd[2], "a value that was set");
    }

    public static void anyByteThatIsNot0IsTrue(Comm world) {
        boolean[] got = new boolean[3];
        world.sendrecv(MpiBuffer.of(new byte[] {0, 2, -1}), Ring.right(world), MpiBuffer.of(got), Ring.left(world), 1);
        Check.equal(got, new boolean[] {false, true, true});
    }

    public static void buffersOfAnotherByteOrderAreRefused(Comm world) {
        refused(IllegalArgumentException.class, "BIG_ENDIAN values", () ->
                MpiBuffer.of(ByteBuffer.allocate(8).asIntBuffer()));
        Check.equal(MpiBuffer.of(ByteBuffer.allocate(8)).count(), 8L);
        Check.fails(IllegalArgumentException.class, () -> MpiBuffer.of(CharBuffer.wrap("text")));
    }

    public static void readOnlyMemoryIsSentAndNotReceivedInto(Comm world) {
        int[] array = {1, 2, 3};
        List<MpiBuffer<Element.Ints>> all =
                List.of(MpiBuffer.of(MemorySegment.ofArray(array).asReadOnly(), Datatype.INT),
                MpiBuffer.of(IntBuffer.wrap(array).asReadOnlyBuffer()));
        for (MpiBuffer<Element.Ints> one : all) {
            int[] got = new int[3];
            world.sendrecv(one, Ring.right(world), MpiBuffer.of(got), Ring.left(world), 1);
            Check.equal(got, array);
            String told = "read-only";
            refused(IllegalArgumentException.class, told, () -> world.recv(one, Ring.left(world), 1));
            refused(IllegalArgumentException.class, told, () -> world.irecv(one, Ring.left(world), 1));
            refused(IllegalArgumentException.class, told,
                    () -> world.sendrecv(MpiBuffer.of(array), Ring.right(world), one, Ring.left(world), 1));
            refused(IllegalArgumentException.class, told, () -> world.allreduce(one, Op.SUM));
            refused(IllegalArgumentException.class, told, () -> world.iallreduce(one, Op.SUM).await());
            Check.equal(array, new int[] {1, 2, 3});
        }
    }

    public static void aClosedArenaIsAnExceptionAndNoCrash(Comm world) {
        Request request;
        MpiBuffer<Element.Ints> early;
        try (Arena arena = Arena.ofShared()) {
            early = MpiBuffer.of(arena.allocate(40), Datatype.INT);
            request = world.irecv(early, Ring.left(world), 1);
        }
        world.send(new int[10], Ring.right(world), 1);
        refused(ClosedException.class, "closed", request::await);
        refused(ClosedException.class, "closed", () -> world.send(early, Ring.right(world), 1));
        refused(ClosedException.class, "closed", () -> world.bcast(early, 0));
    }

    public static void memoryOfAnotherThreadIsRefused(Comm world) throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MpiBuffer<Element.Ints> own = MpiBuffer.of(arena.allocate(4), Datatype.INT);
            own.setInt(0, 7);
            world.sendrecv(own, Ring.right(world), MpiBuffer.of(new int[1]), Ring.left(world), 1);
            Check.together(() -> refused(IllegalStateException.class, "another thread", () -> world.send(own, 0, 1)));
        }
    }

    public static void theProgramCanForgetMemoryInUse(Comm world) {
        Request request = world.irecv(MpiBuffer.of(ByteBuffer.allocateDirect(1 << 20)), Ring.left(world), 1);
        System.gc();
        world.send(new byte[1 << 20], Ring.right(world), 1);
        Check.equal(request.await().count(Datatype.BYTE).getAsLong(), 1L << 20);
    }
}

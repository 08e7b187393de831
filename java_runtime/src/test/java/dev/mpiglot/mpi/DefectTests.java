package dev.mpiglot.mpi;

import dev.mpiglot.low.Seek;
import dev.mpiglot.mpi.Element.Ints;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** What some libraries do wrong does not reach the program: provision/matrix.json has it, {@link LibraryDefects} asks. */
public final class DefectTests {

    private DefectTests() {
    }

    /** In MPICH 4.0.2 the process ends: split-type-with-hints. */
    public static void aDivisionByTypesTakesTheHintsOfACommunicator(Comm world) {
        for (SplitType type : SplitType.values()) {
            try (Info hints = world.info()) {
                hints.set("mpi_hw_resource_type", "mpi_shared_memory");
                int before = hints.keys().size();
                try (Comm part = world.splitType(type, -world.rank(), hints)) {
                    Check.isTrue(type != SplitType.UNDEFINED || part.isNull(), "a communicator of nothing");
                    Check.isTrue(type != SplitType.SHARED || part.rank() == world.size() - 1 - world.rank(),
                            "another order than that of the keys");
                } catch (UnavailableException e) {
                    Check.isTrue(type.name().contains("GUIDED"), type + " is not there");
                }
                Check.equal(hints.keys().size(), before);
            }
        }
    }

    /** The root gives its part in place, and every rank is the root once. */
    public static void persistentPartsMayBeInPlace(Comm world) {
        if (!dev.mpiglot.low.Library.load().has("MPI_Gather_init")) {
            return;
        }
        int ranks = world.size();
        for (int root = 0; root < ranks; root++) {
            boolean isRoot = world.rank() == root;
            MpiBuffer<Ints> all = MpiBuffer.of(new int[3 * ranks]);
            MpiBuffer<Ints> mine = MpiBuffer.of(new int[3]);
            MpiBuffer<Ints> none = MpiBuffer.inPlace();
            try (Persistent gather = world.gatherInit(isRoot ? none : mine, isRoot ? all : null, root);
                    Persistent scatter = world.scatterInit(isRoot ? all : null, isRoot ? none : mine, root)) {
                for (int round = 0; round < 3; round++) {
                    for (int i = 0; i < 3; i++) {
                        mine.setInt(i, 100 * world.rank() + 10 * i + round);
                        all.setInt(3 * world.rank() + i, mine.getInt(i));
                    }
                    gather.start().await();
                    for (int i = 0; isRoot && i < 3 * ranks; i++) {
                        Check.equal(all.getInt(i), 100 * (i / 3) + 10 * (i % 3) + round);
                        all.setInt(i, all.getInt(i) + 5);
                    }
                    scatter.start().await();
                    for (int i = 0; i < 3; i++) {
                        Check.equal(isRoot ? all.getInt(3 * root + i) : mine.getInt(i),
                                100 * world.rank() + 10 * i + round + 5);
                    }
                }
            }
        }
    }

    /** In Intel MPI, MPI_Test crashes for requests in place of persistent collectives: requests-after-persistent-collectives. */
    @SuppressWarnings("try") // the epoch
    public static void accessesFollowPersistentCollectives(Comm world) {
        if (!dev.mpiglot.low.Library.load().has("MPI_Allreduce_init")) {
            return;
        }
        for (int round = 0; round < 20; round++) { // their memory is that of the accesses
            List<Persistent> used = List.of(world.allreduceInit(MpiBuffer.of(new int[] {1}), Op.SUM),
                    world.bcastInit(MpiBuffer.of(new int[] {1}), 0), world.barrierInit());
            used.forEach(one -> one.start().await());
            used.forEach(Persistent::close);
        }
        int to = Ring.right(world);
        try (Window<Ints> window = world.allocateWindow(Datatype.INT, 8, null)) {
            MpiBuffer<Ints> got = MpiBuffer.allocate(Datatype.INT, 8);
            MpiBuffer<Ints> old = MpiBuffer.allocate(Datatype.INT, 1);
            MpiBuffer<Ints> two = MpiBuffer.of(new int[] {2});
            for (int round = 0; round < 5; round++) {
                window.memory().setInt(0, 5);
                world.barrier();
                try (Epoch epoch = window.lockAll()) {
                    window.rget(got, to, 0).await();
                    Request.awaitAll(window.rput(two, to, 1), window.rput(two, to, 2), world.ibarrier());
                    Requests.awaitAny(List.of(window.rput(two, to, 3), window.rget(got, to, 0)));
                    window.rput(two, to, 4).completion().toCompletableFuture().join();
                    if (LibraryDefects.ATOMICS_NEED_OTHERS == null || world.size() > 1) {
                        window.raccumulate(two, to, 0, Op.SUM).await();
                        window.rgetAccumulate(two, old, to, 0, Op.SUM).await();
                        Check.equal(old.getInt(0), 7);
                    }
                    window.flushAll();
                }
                world.barrier();
            }
        }
    }

    /** In Open MPI two threads complete the same request: file-requests-of-threads. */
    public static void filesAreWrittenWhileAnotherThreadCallsMpi(Comm world) throws Exception {
        int rank = world.rank();
        FileTests.inFolder(world, path -> {
            AtomicBoolean isOver = new AtomicBoolean(!Progress.isPossible());
            try (Comm apart = AllTests.mpi().self().dup();
                    MpiFile file = apart.openFile(path + rank, FileMode.CREATE, FileMode.READ_WRITE)) {
                Thread other = Thread.ofPlatform().start(() -> {
                    while (!isOver.get()) {
                        dev.mpiglot.low.PointToPoint.iprobe(0, 5, apart.handle(), null);
                    }
                });
                file.setView(FileView.of(0, Datatype.INT));
                int[] got = new int[8];
                for (int round = 0; round < 300; round++) {
                    int[] data = {round, rank, 2, 3, 4, 5, 6, 7};
                    Request.awaitAll(file.iwriteAt(0, MpiBuffer.of(data)), file.iwriteAt(8, MpiBuffer.of(data)));
                    file.iwriteAtAll(16, MpiBuffer.of(data)).await();
                    try (SplitTransfer begun = file.writeAtAllBegin(24, MpiBuffer.of(data))) {
                        Check.equal(begun.end(), 8L);
                    }
                    file.ireadAt(8L * (round % 4), MpiBuffer.of(got)).await();
                    Check.equal(got, data);
                }
                isOver.set(true);
                other.join();
            }
        });
    }

    /** In MPICH 4.0.2 they hang on one process and end several: isendrecv-with-nobody. */
    public static void exchangesWithNobodyEnd(Comm world) {
        if (!dev.mpiglot.low.Library.load().has("MPI_Isendrecv")) {
            return;
        }
        int[] got = {7, 8};
        world.isendrecv(MpiBuffer.of(new int[] {1, 2}), Comm.PROC_NULL, 1, MpiBuffer.of(got), Comm.PROC_NULL, 1)
                .await();
        Check.equal(got, new int[] {7, 8});
        world.isendrecvReplace(MpiBuffer.of(got), Comm.PROC_NULL, 1, Comm.PROC_NULL, 1).await();
        Check.equal(got, new int[] {7, 8});
        world.isendrecv(MpiBuffer.of(new int[] {world.rank(), 2}), Ring.right(world), 1, MpiBuffer.of(got),
                Ring.left(world), 1).await();
        Check.equal(got, new int[] {Ring.left(world), 2});
    }

    /** In MPICH 4.0.2 the type is released once too often: isendrecv-frees-derived-type. */
    public static void exchangesOfMadeTypesAreRightOrRefused(Comm world) {
        if (!dev.mpiglot.low.Library.load().has("MPI_Isendrecv")) {
            return;
        }
        try (Datatype<Ints> column = Datatype.vector(2, 1, 2, Datatype.INT);
                MpiMemory memory = AllTests.mpi().allocMem(32, null);
                MpiMemory other = AllTests.mpi().allocMem(32, null)) {
            MpiBuffer<Ints> sent = memory.buffer(Datatype.INT);
            MpiBuffer<Ints> received = other.buffer(Datatype.INT);
            for (int i = 0; i < 8; i++) {
                sent.setInt(i, 10 * world.rank() + i);
                received.setInt(i, -1);
            }
            Check.Statement exchange = () -> world.isendrecv(sent.as(column, 1), Ring.right(world), 1,
                    received.as(column, 1), Ring.left(world), 1).await();
            if (KnownDefects.has("isendrecv-frees-derived-type")) {
                String told = Check.fails(UnavailableException.class, exchange).getMessage();
                Check.isTrue(told.contains("released once too often"), told);
                Check.fails(UnavailableException.class,
                        () -> world.isendrecvReplace(sent.as(column, 1), Ring.right(world), 1, Ring.left(world), 1));
            } else {
                run(exchange);
                Check.equal(received.getInt(2), 10 * Ring.left(world) + 2);
                Check.equal(received.getInt(1), -1);
            }
        }
    }

    private static void run(Check.Statement statement) {
        try {
            statement.run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** A graph of which nobody has edges, made in every way. */
    public static void graphsMayHaveNoEdges(Comm world) {
        int[] none = {};
        try (Graph graph = world.createGraph(new int[world.size()][0], false)) {
            Check.equal(graph.neighbors(), none);
            Check.equal(graph.edges(), new int[world.size()][0]);
            world.mapGraph(new int[world.size()][0]);
            exchange(graph, 0, 0);
        }
        try (Graph graph = world.createGraph(new int[0][], false)) {
            Check.isTrue(graph.isNull(), "a graph of no ranks");
        }
        try (DistGraph graph = world.createDistGraphAdjacent(none, none, null, false)) {
            Check.equal(graph.sources(), List.of());
            exchange(graph, 0, 0);
        }
        try (DistGraph graph = world.createDistGraphAdjacent(List.of(), List.of(), null, false)) {
            Check.equal(graph.destinations(), List.of());
            exchange(graph, 0, 0);
        }
        try (DistGraph graph = world.createDistGraph(Map.of(), null, false)) {
            exchange(graph, 0, 0);
        }
        try (DistGraph graph = world.createDistGraph(List.of(), null, false)) {
            exchange(graph, 0, 0);
        }
    }

    /** In a row, its ends have neighbours on one side only. */
    public static void aProcessMayHaveNeighboursOnOneSide(Comm world) {
        int rank = world.rank();
        int[] before = rank == 0 ? new int[0] : new int[] {rank - 1};
        int[] behind = rank == world.size() - 1 ? new int[0] : new int[] {rank + 1};
        try (DistGraph row = world.createDistGraphAdjacent(before, behind, null, false)) {
            exchange(row, before.length, behind.length);
        }
    }

    /** Every operation among neighbours; each gets what the process before it gives. */
    private static void exchange(Neighborhood comm, int in, int out) {
        int rank = comm.rank();
        int[] given = {rank, 10 * rank};
        int[] parts = out == 0 ? new int[0] : given;
        int[] wanted = in == 0 ? new int[0] : new int[] {rank - 1, 10 * (rank - 1)};
        int[] two = {2};
        int[] fromEach = Arrays.copyOf(two, in);
        int[] toEach = Arrays.copyOf(two, out);
        int[] got = new int[2 * in];
        comm.neighborAllgather(MpiBuffer.of(given), MpiBuffer.of(got));
        Check.equal(got, wanted);
        Arrays.fill(got, 0);
        comm.neighborAllgatherv(MpiBuffer.of(given), MpiBuffer.of(got), fromEach);
        Check.equal(got, wanted);
        Arrays.fill(got, 0);
        comm.neighborAlltoall(MpiBuffer.of(parts), MpiBuffer.of(got));
        Check.equal(got, wanted);
        Arrays.fill(got, 0);
        comm.neighborAlltoallv(MpiBuffer.of(parts), toEach, MpiBuffer.of(got), fromEach);
        Check.equal(got, wanted);
        Arrays.fill(got, 0);
        List<MpiBuffer<Ints>> sent = out == 0 ? List.of() : List.of(MpiBuffer.of(given));
        List<MpiBuffer<Ints>> received = in == 0 ? List.of() : List.of(MpiBuffer.of(got));
        comm.neighborAlltoallw(sent, received);
        Check.equal(got, wanted);
        Arrays.fill(got, 0);
        comm.ineighborAlltoall(MpiBuffer.of(parts), MpiBuffer.of(got)).await();
        Check.equal(got, wanted);
    }

    /** Which release a text tells, and which ranges it lies in. */
    public static void releasesAreReadFromVersionTexts(Comm world) {
        Check.equal(LibraryDefects.release("MPICH Version:\t4.0.2\nMPICH Release date: Thu"), 4_000_002);
        Check.equal(LibraryDefects.release("Open MPI v4.1.4, package: Debian"), 4_001_004);
        Check.equal(LibraryDefects.release("Intel(R) MPI Library 2021.14 for Linux"), 2_021_014_000);
        Check.equal(LibraryDefects.release("MPICH Version:      5.0.2"), 5_000_002);
        Check.equal(LibraryDefects.release("no number"), 0);
        Check.equal(LibraryDefects.vendor("MPICH Version:\t4.0.2"), "mpich");
        Check.equal(LibraryDefects.vendor("MVAPICH Version:\t4.0.2"), "other");
        for (DefectTable row : DefectTable.rows()) {
            Check.isTrue(row.first() < row.end() && row.sentence().endsWith("."), row.toString());
        }
    }

    private interface Reading {
        Object begin(MpiFile file, MpiBuffer<Ints> data);
    }

    /** In Open MPI a read that has begun is never complete there: iread-beyond-the-end. */
    public static void readsThatHaveBegunEndWhereTheFileDoes(Comm world) throws Exception {
        Reading alone = (file, data) -> file.iread(data);
        Reading ordered = (file, data) -> file.readOrderedBegin(data);
        List<Reading> all = List.of(alone, (file, data) -> file.ireadAt(1, data), (file, data) -> file.ireadShared(data),
                (file, data) -> file.ireadAll(data), (file, data) -> file.ireadAtAll(1, data),
                (file, data) -> file.readAllBegin(data), (file, data) -> file.readAtAllBegin(1, data), ordered);
        FileTests.inFolder(world, path -> {
            try (MpiFile file = world.openFile(path, FileMode.READ_WRITE, FileMode.CREATE)) {
                file.setView(FileView.of(0, Datatype.INT));
                file.writeAtAll(0, MpiBuffer.of(new int[] {5, 6, 7}));
                for (Reading reading : all) {
                    file.seek(1, Seek.SET);
                    world.barrier();
                    file.seekShared(1, Seek.SET);
                    int[] got = {-1, -1, -1, -1};
                    boolean isShared = reading == all.get(2) || reading == ordered;
                    boolean isFirst = !isShared || world.size() == 1; // else another process may read the same elements
                    switch (reading.begin(file, MpiBuffer.of(got))) {
                        case Request request -> {
                            long bytes = request.await().bytes();
                            Check.isTrue(!isFirst || reading != alone || bytes == 8, bytes + " bytes were read");
                        }
                        case SplitTransfer split -> {
                            long values = split.end();
                            Check.isTrue(!isFirst || values == 2, values + " values were read");
                        }
                        default -> throw new AssertionError();
                    }
                    int[] sum = {got[0]};
                    if (isShared) {
                        world.allreduce(sum, Op.MAX);
                    }
                    Check.equal(sum[0], 6);
                    Check.isTrue(!isFirst || got[1] == 7, "the last element is missing");
                    Check.isTrue(world.size() > 1 || got[2] == -1, "more was read"); // collective-read-tells-too-much
                }
            }
        });
    }
}

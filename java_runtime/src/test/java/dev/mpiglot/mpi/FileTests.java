package dev.mpiglot.mpi;

import dev.mpiglot.low.ErrorClass;
import dev.mpiglot.low.Seek;
import dev.mpiglot.mpi.Element.Ints;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Files: what opens them, views, and reads and writes of all kinds. */
public final class FileTests {

    private static final FileMode[] NEW = {FileMode.READ_WRITE, FileMode.CREATE};

    private FileTests() {
    }

    /** What a test does with the path of a file that there is not yet. */
    interface Body {
        void run(String path) throws Exception;
    }

    private static void refused(String part, Check.Statement statement) {
        String told = Check.fails(IllegalArgumentException.class, statement).getMessage();
        Check.isTrue(told.contains(part), told);
    }

    /** Runs a test with a new folder, which all processes know and which is deleted at the end. */
    static void inFolder(Comm world, Body body) throws Exception {
        byte[] name = new byte[500];
        if (world.rank() == 0) {
            byte[] made = Files.createTempDirectory("mpiglot").toString().getBytes(StandardCharsets.UTF_8);
            System.arraycopy(made, 0, name, 0, made.length);
        }
        world.bcast(name, 0);
        Path folder = Path.of(new String(name, StandardCharsets.UTF_8).replace("\0", ""));
        try {
            body.run(folder.resolve("data").toString());
        } finally {
            world.barrier();
            if (world.rank() == 0) {
                delete(folder);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
    }

    /** Makes what was written visible to the other processes. */
    static void show(Comm world, MpiFile file) {
        file.sync();
        world.barrier();
        file.sync();
    }

    private static int next(Comm world) {
        return (world.rank() + 1) % world.size();
    }

    private static MpiFile ofInts(Comm world, String path) {
        MpiFile file = world.openFile(path, NEW);
        file.setView(FileView.of(0, Datatype.INT));
        return file;
    }

    public static void placesAreWrittenAndRead(Comm world) throws Exception {
        inFolder(world, path -> {
            try (MpiFile file = ofInts(world, path)) {
                int[] sent = {world.rank(), world.rank() + 100};
                Check.equal(file.writeAt(2L * world.rank(), MpiBuffer.of(sent)), 2L);
                show(world, file);
                int[] got = {-1, -1, -1};
                Check.equal(file.readAt(2L * next(world), MpiBuffer.of(got).as(Datatype.INT, 2)), 2L);
                Check.equal(got, new int[] {next(world), next(world) + 100, -1});
                MpiBuffer<Ints> outside = MpiBuffer.allocate(Datatype.INT, 2);
                Check.equal(file.readAtAll(2L * next(world), outside), 2L);
                Check.equal(outside.getInt(1), next(world) + 100);
                Check.equal(file.size(), 8L * world.size());
                world.barrier();
                outside.setInt(0, -world.rank());
                Check.equal(file.writeAtAll(2L * world.rank(), outside), 2L);
                show(world, file);
                file.readAt(2L * next(world), MpiBuffer.of(got));
                Check.equal(got[0], -next(world));
            }
            Check.equal(Files.size(Path.of(path)), 8L * world.size());
        });
    }

    public static void bytesAreSeenWithoutAView(Comm world) throws Exception {
        inFolder(world, path -> {
            try (MpiFile file = world.openFile(path, NEW)) {
                Check.equal(file.writeAtAll(3L * world.rank(), MpiBuffer.of(new byte[] {1, 2, (byte) world.rank()})),
                        3L);
                show(world, file);
                byte[] got = new byte[3];
                file.readAt(3L * next(world), MpiBuffer.of(got));
                Check.equal(got, new byte[] {1, 2, (byte) next(world)});
                file.seek(0, Seek.SET);
                short[] two = new short[1];
                Check.equal(file.read(MpiBuffer.of(two)), 1L);
                Check.equal(file.position(), 2L);
                refused("set a view", () -> file.writeAt(0, MpiBuffer.of(new int[1])));
            }
        });
    }

    public static void filesEnd(Comm world) throws Exception {
        inFolder(world, path -> {
            try (MpiFile file = ofInts(world, path)) {
                file.setSize(12);
                int[] got = {7, 7, 7, 7};
                Check.equal(file.readAt(1, MpiBuffer.of(got)), 2L);
                Check.equal(got, new int[] {0, 0, 7, 7});
                Check.equal(file.readAtAll(5, MpiBuffer.of(got)), 0L);
                Check.equal(got, new int[] {0, 0, 7, 7});
            }
        });
    }

    public static void viewsInterleave(Comm world) throws Exception {
        inFolder(world, path -> {
            int size = world.size();
            try (MpiFile file = world.openFile(path, NEW);
                    Datatype<Ints> seen = Datatype.INT.resized(4L * size)) {
                file.setView(FileView.of(4L * world.rank(), Datatype.INT, seen));
                Check.equal(file.byteOffset(2), 4L * (2 * size + world.rank()));
                Check.equal(file.writeAll(MpiBuffer.of(new int[] {world.rank(), world.rank() + 10})), 2L);
                Check.equal(file.position(), 2L);
                file.seek(-1, Seek.CUR);
                int[] got = new int[3];
                show(world, file);
                Check.equal(file.readAll(MpiBuffer.of(got)), 1L);
                Check.equal(got, new int[] {world.rank() + 10, 0, 0});
                FileView view = file.view();
                Check.equal(view, new FileView(4L * world.rank(), Datatype.INT, seen, FileView.NATIVE));
                file.setView(FileView.of(0, Datatype.INT));
                int[] all = new int[2 * size];
                Check.equal(file.readAtAll(0, MpiBuffer.of(all)), 2L * size);
                for (int i = 0; i < size; i++) {
                    Check.equal(all[i], i);
                    Check.equal(all[size + i], i + 10);
                }
            }
        });
    }

    /** Each process has two columns of a matrix of three rows. */
    public static void aMatrixIsWrittenInParts(Comm world) throws Exception {
        inFolder(world, path -> {
            int width = 2 * world.size();
            try (MpiFile file = world.openFile(path, NEW);
                    Datatype<Ints> columns = Datatype.subarray(new int[] {3, width}, new int[] {3, 2},
                            new int[] {0, 2 * world.rank()}, dev.mpiglot.low.Order.C, Datatype.INT)) {
                file.setView(FileView.of(0, Datatype.INT, columns));
                int[] own = new int[6];
                for (int i = 0; i < 6; i++) {
                    own[i] = width * (i / 2) + 2 * world.rank() + i % 2;
                }
                Check.equal(file.writeAll(MpiBuffer.of(own)), 6L);
                file.setView(FileView.of(0, Datatype.INT));
                show(world, file);
                int[] all = new int[3 * width];
                Check.equal(file.readAtAll(0, MpiBuffer.of(all)), 3L * width);
                Check.equal(all, java.util.stream.IntStream.range(0, 3 * width).toArray());
            }
        });
    }

    /** Packed bytes and structures. */
    public static void recordsAreWritten(Comm world) throws Exception {
        inFolder(world, path -> {
            try (MpiFile file = world.openFile(path, NEW);
                    Datatype<Element.Records> pair = Datatype.struct(new int[] {1, 1}, new long[] {0, 8},
                            java.util.List.of(Datatype.LONG, Datatype.INT));
                    Datatype<Element.Records> dense = pair.resized(12)) {
                byte[] memory = new byte[32];
                memory[0] = (byte) world.rank();
                memory[24] = 9;
                memory[28] = 7;
                refused("set a view", () -> file.writeAt(0, MpiBuffer.of(memory).as(pair, 2)));
                file.setView(FileView.of(0, dense));
                Check.equal(file.writeAt(2L * world.rank(), MpiBuffer.of(memory).as(pair, 2)), 24L);
                show(world, file);
                byte[] all = new byte[24 * world.size()];
                Check.equal(file.readAtAll(0, MpiBuffer.of(all).as(dense, 2L * world.size())), 24L * world.size());
                for (int i = 0; i < world.size(); i++) {
                    Check.equal(all[24 * i], (byte) i);
                    Check.equal(all[24 * i + 20], (byte) 9);
                }
                if (!KnownDefects.has("pack-external-keeps-byte-order")) {
                    PackedBuffer box = PackedBuffer.external(24);
                    box.received(file.readAt(0, box.room()));
                    Check.equal(box.position(), 0L);
                }
            }
        });
    }

    public static void viewsAreRefused(Comm world) throws Exception {
        inFolder(world, path -> {
            try (MpiFile file = world.openFile(path, NEW);
                    Datatype<Ints> gaps = Datatype.vector(2, 1, 2, Datatype.INT);
                    Datatype<Ints> three = Datatype.contiguous(3, Datatype.INT)) {
                refused("null", () -> file.setView(null));
                refused("from 0 to", () -> file.setView(FileView.of(-1, Datatype.INT)));
                refused("side by side", () -> file.setView(FileView.of(0, gaps)));
                refused("int elements", () -> file.setView(FileView.of(0, Datatype.LONG, gaps)));
                refused("no multiple", () -> file.setView(FileView.of(0, three, gaps)));
                try (Datatype<Ints> back = Datatype.indexedBlock(1, new int[] {2, 0}, Datatype.INT)) {
                    refused("go back", () -> file.setView(FileView.of(0, Datatype.INT, back)));
                }
                if (world.size() > 1) {
                    refused(world.rank() == 0 ? "null" : "Another process",
                            () -> file.setView(world.rank() == 0 ? null : FileView.of(0, Datatype.INT)));
                }
                file.setView(FileView.of(0, three));
                refused("no whole elements", () -> file.writeAt(0, MpiBuffer.of(new int[2])));
                long farthest = Long.MAX_VALUE / 4 / 12;
                refused("from 0 to " + farthest, () -> file.byteOffset(farthest + 1));
                Check.equal(file.byteOffset(5), 60L);
            }
        });
    }

    public static void processesShareAPosition(Comm world) throws Exception {
        inFolder(world, path -> {
            int size = world.size();
            try (MpiFile file = ofInts(world, path)) {
                Check.equal(file.writeShared(MpiBuffer.of(new int[] {world.rank()})), 1L);
                world.barrier();
                Check.equal(file.sharedPosition(), (long) size);
                show(world, file);
                file.seekShared(0, Seek.SET);
                int[] got = {-1};
                Check.equal(file.readShared(MpiBuffer.of(got)), 1L);
                int[] sum = {got[0]};
                world.allreduce(sum, Op.SUM);
                Check.equal(sum[0], size * (size - 1) / 2);
                file.seekShared(0, Seek.SET);
                Check.equal(file.writeOrdered(MpiBuffer.of(new int[] {world.rank(), 50})), 2L);
                show(world, file);
                file.seekShared(0, Seek.SET);
                int[] two = {-1, -1};
                Check.equal(file.readOrdered(MpiBuffer.of(two)), 2L);
                Check.equal(two, new int[] {world.rank(), 50});
                refused("from 0 to", () -> file.seekShared(-1, Seek.SET));
                file.iwriteShared(MpiBuffer.of(new int[] {9})).await();
                world.barrier();
                Check.equal(file.sharedPosition(), 3L * size);
                show(world, file);
                file.seekShared(2L * size, Seek.SET);
                file.ireadShared(MpiBuffer.of(got)).await();
                Check.equal(got[0], 9);
            }
        });
    }

    public static void positionsMove(Comm world) throws Exception {
        inFolder(world, path -> {
            try (MpiFile file = ofInts(world, path)) {
                file.setSize(40);
                file.seek(4, Seek.SET);
                file.seek(3, Seek.CUR);
                Check.equal(file.position(), 7L);
                file.seek(-1, Seek.END);
                Check.equal(file.position(), 9L);
                refused("from 0 to", () -> file.seek(-10, Seek.CUR));
                refused("from 0 to", () -> file.seek(-1, Seek.SET));
                refused("from 0 to", () -> file.seek(Long.MIN_VALUE, Seek.END));
                refused("null", () -> file.seek(1, null));
                Check.equal(file.position(), 9L);
                world.barrier();
                file.seek(world.rank(), Seek.SET);
                Check.equal(file.write(MpiBuffer.of(new int[] {world.rank() + 1})), 1L);
                show(world, file);
                file.seek(next(world), Seek.SET);
                int[] got = new int[1];
                Check.equal(file.read(MpiBuffer.of(got)), 1L);
                Check.equal(got[0], next(world) + 1);
            }
        });
    }

    public static void requestsEnd(Comm world) throws Exception {
        inFolder(world, path -> {
            int rank = world.rank();
            try (MpiFile file = ofInts(world, path)) {
                int[] sent = {rank};
                Request first = file.iwriteAt(4L * rank, MpiBuffer.of(sent));
                Request second = file.iwriteAt(4L * rank + 1, MpiBuffer.of(new int[] {rank + 1}));
                sent[0] = -1; // the call has copied it
                Request.awaitAll(first, second);
                file.iwriteAtAll(4L * rank + 2, MpiBuffer.of(new int[] {rank + 2})).await();
                file.seek(4L * rank + 3, Seek.SET);
                file.iwrite(MpiBuffer.of(new int[] {rank + 3})).await();
                show(world, file);
                int[] got = new int[4];
                Status status = file.ireadAt(4L * rank, MpiBuffer.of(got)).await();
                Check.equal(status.count(Datatype.INT).getAsLong(), 4L);
                Check.equal(got, new int[] {rank, rank + 1, rank + 2, rank + 3});
                file.seek(4L * rank + 2, Seek.SET);
                file.iread(MpiBuffer.of(got).as(Datatype.INT, 1)).await();
                file.ireadAll(MpiBuffer.of(got).as(Datatype.INT, 1, 1)).await();
                file.ireadAtAll(4L * next(world), MpiBuffer.of(got).as(Datatype.INT, 1, 2)).await();
                Check.equal(got, new int[] {rank + 2, rank + 3, next(world), rank + 3});
                world.barrier(); // all have read
                file.seek(4L * rank, Seek.SET);
                file.iwriteAll(MpiBuffer.of(new int[] {7})).await();
                refused("null", () -> file.iwriteAtAll(0, null));
                file.iwriteAt(4L * rank, MpiBuffer.of(new int[] {8})); // complete before the file is closed
            }
            Check.equal(Files.size(Path.of(path)), 16L * world.size());
        });
    }

    /** Processes read alone, and at once, what they wrote with all others: collective-write-returns-early. */
    public static void whatAllHaveWrittenIsThere(Comm world) throws Exception {
        inFolder(world, path -> {
            int wrong = 0;
            try (MpiFile file = ofInts(world, path)) {
                for (int round = 0; round < 96; round++) {
                    int[] sent = new int[1 + 40 * (round / 4 % 4)];
                    Arrays.fill(sent, 1000 * world.rank() + round);
                    long place = (long) sent.length * world.rank();
                    file.seek(place, Seek.SET);
                    file.seekShared(0, Seek.SET);
                    switch (round % 4) {
                        case 0 -> file.writeAtAll(place, MpiBuffer.of(sent));
                        case 1 -> file.writeAll(MpiBuffer.of(sent));
                        case 2 -> file.writeOrdered(MpiBuffer.of(sent));
                        default -> file.writeOrderedBegin(MpiBuffer.of(sent)).end();
                    }
                    int[] got = new int[sent.length];
                    if (round / 16 % 2 == 0) {
                        file.readAt(place, MpiBuffer.of(got));
                    } else {
                        file.ireadAt(place, MpiBuffer.of(got)).await();
                    }
                    wrong += Arrays.equals(got, sent) ? 0 : 1;
                    world.barrier();
                }
            }
            try (MpiFile file = world.openFile(path, FileMode.WRITE_ONLY)) {
                Check.equal(file.writeAtAll(world.rank(), MpiBuffer.of(new byte[1])), 1L);
            }
            Check.equal(wrong, 0);
        });
    }

    public static void twoHalvesMakeOneTransfer(Comm world) throws Exception {
        inFolder(world, path -> {
            int rank = world.rank();
            try (MpiFile file = ofInts(world, path)) {
                SplitTransfer written = file.writeAtAllBegin(rank, MpiBuffer.of(new int[] {rank}));
                String told = Check.fails(IllegalStateException.class, () -> file.readAll(MpiBuffer.of(new int[1])))
                        .getMessage();
                Check.isTrue(told.contains("end it first"), told);
                Check.equal(written.end(), 1L);
                Check.fails(IllegalStateException.class, written::end);
                written.close();
                show(world, file);
                int[] got = {-1, -1, -1};
                SplitTransfer read = file.readAtAllBegin(next(world), MpiBuffer.of(got).as(Datatype.INT, 1));
                Check.equal(read.end(), 1L);
                file.seek(rank, Seek.SET);
                Check.equal(file.readAllBegin(MpiBuffer.of(got).as(Datatype.INT, 1, 1)).end(), 1L);
                file.readOrderedBegin(MpiBuffer.of(got).as(Datatype.INT, 1, 2)).close();
                Check.equal(got, new int[] {next(world), rank, rank});
                file.seek(rank, Seek.SET);
                Check.equal(file.writeAllBegin(MpiBuffer.of(new int[] {rank + 5})).end(), 1L);
                if (rank == 0) {
                    refused("null", () -> file.writeOrderedBegin(null));
                } else {
                    Check.equal(file.writeOrderedBegin(MpiBuffer.of(new int[] {rank + 6})).end(), 1L);
                }
                file.writeAllBegin(MpiBuffer.of(new int[1])); // ended with the file
            }
        });
    }

    public static void filesTellOfThemselves(Comm world) throws Exception {
        inFolder(world, path -> {
            try (Info hints = Info.ofMap(Map.of("cb_buffer_size", "65536"));
                    MpiFile file = world.openFile(path, hints, NEW);
                    Info told = file.info();
                    Group group = file.group()) {
                Check.equal(group.size(), world.size());
                Check.isTrue(told.size() >= 0, "no hints");
                file.setInfo(hints);
                refused("null", () -> file.setInfo(null));
                Check.isTrue(!file.isAtomic(), "atomic");
                file.setAtomic(true);
                Check.isTrue(file.isAtomic(), "not atomic");
                file.setAtomic(false);
                file.preallocate(100);
                Check.equal(file.size(), 100L);
                file.setSize(10);
                Check.equal(file.size(), 10L);
                Check.equal(file.typeExtent(Datatype.DOUBLE).getAsLong(), 8L);
                refused("null", () -> file.typeExtent(null));
                refused("from 0 to", () -> file.preallocate(-1));
                refused("from 0 to", () -> file.setSize(Long.MAX_VALUE));
            }
        });
    }

    public static void modesAreRefused(Comm world) throws Exception {
        inFolder(world, path -> {
            refused("need one of", () -> world.openFile(path, FileMode.CREATE));
            refused("cannot be made", () -> world.openFile(path, FileMode.READ_ONLY, FileMode.CREATE));
            refused("empty", () -> world.openFile("", NEW));
            refused("null", () -> world.openFile(null, NEW));
            refused("null", () -> world.openFile(path, (FileMode) null));
            if (world.size() > 1) {
                refused(world.rank() == 0 ? "empty" : "Another process",
                        () -> world.openFile(world.rank() == 0 ? "" : path, NEW));
                FileMode own = world.rank() == 0 ? FileMode.READ_WRITE : FileMode.WRITE_ONLY;
                refused("different modes", () -> world.openFile(path, own, FileMode.CREATE));
            }
            Check.isTrue(!Files.exists(Path.of(path)), "a file was made");
        });
    }

    public static void errorsHaveTheirClass(Comm world) throws Exception {
        inFolder(world, path -> {
            MissingFileException none =
                    Check.fails(MissingFileException.class, () -> world.openFile(path, FileMode.READ_ONLY));
            Check.equal(none.kind(), ErrorClass.ERR_NO_SUCH_FILE);
            world.barrier();
            if (world.rank() == 0) {
                none = Check.fails(MissingFileException.class, () -> MpiFile.delete(path));
                Check.equal(none.kind(), ErrorClass.ERR_NO_SUCH_FILE);
                Files.writeString(Path.of(path), "text");
                MpiFile.delete(path);
                Check.isTrue(!Files.exists(Path.of(path)), "not deleted");
                refused("empty", () -> MpiFile.delete(""));
            }
        });
    }

    public static void closedFilesSaySo(Comm world) throws Exception {
        inFolder(world, path -> {
            MpiFile file = world.openFile(path, NEW);
            Check.equal(file.modes(), Set.of(NEW));
            file.close();
            file.close();
            for (Check.Statement use : new Check.Statement[] {file::size, file::handle, file::view, file::sync,
                    () -> file.writeAt(0, MpiBuffer.of(new byte[1])), () -> file.readAll(MpiBuffer.of(new byte[1])),
                    () -> file.setSize(1)}) {
                String told = Check.fails(IllegalStateException.class, use).getMessage();
                Check.isTrue(told.contains("closed"), told);
            }
        });
    }

    public static void mistakesOfOneAreItsOwn(Comm world) throws Exception {
        inFolder(world, path -> {
            try (MpiFile file = ofInts(world, path)) {
                refused("null", () -> file.writeAt(0, null));
                refused("inPlace", () -> file.writeAt(0, MpiBuffer.inPlace()));
                refused("from 0 to", () -> file.writeAt(-1, MpiBuffer.of(new int[1])));
                refused("from 0 to", () -> file.readAt(Long.MAX_VALUE / 4, MpiBuffer.of(new int[1])));
                refused("double elements", () -> file.writeAt(0, MpiBuffer.of(new double[1])));
                Check.equal(file.size(), 0L);
                world.barrier(); // all have asked
                if (world.rank() == 0) {
                    refused("null", () -> file.writeAtAll(0, null));
                    refused("from 0 to", () -> file.writeAtAll(-1, MpiBuffer.of(new int[1])));
                } else {
                    Check.equal(file.writeAtAll(world.rank(), MpiBuffer.of(new int[] {5})), 1L);
                    Check.equal(file.writeAtAll(world.rank(), MpiBuffer.of(new int[] {6})), 1L);
                }
                refused(world.rank() == 0 ? "from 0 to" : world.size() == 1 ? "" : "Another process", () -> {
                    file.setSize(world.rank() == 0 ? -1 : 80);
                });
                show(world, file);
                Check.equal(file.size(), world.size() == 1 ? 0L : 4L * world.size());
            }
            try (MpiFile file = world.openFile(path, FileMode.READ_ONLY)) {
                String told = Check.fails(IllegalStateException.class, () -> file.writeAll(MpiBuffer.of(new byte[1])))
                        .getMessage();
                Check.isTrue(told.contains("READ_ONLY"), told);
            }
        });
    }

    /** Closed with MPI, by what runs the tests. */
    public static void aFileMayStayOpen(Comm world) throws Exception {
        MpiFile[] left = new MpiFile[1];
        inFolder(world, path -> left[0] = world.openFile(path, FileMode.READ_WRITE, FileMode.CREATE));
        Check.equal(left[0].size(), 0L);
    }

    /** How many elements each process asks for, by turns. */
    private static final int[][] ASKED = {{0, 1, 3}, {3, 0, 2}, {2, 2, 1}, {1, 5, 0}};

    /** Files of all lengths end within what is read: collective-read-tells-too-much. */
    public static void orderedReadsTellWhatWasThere(Comm world) throws Exception {
        inFolder(world, path -> {
            try (MpiFile file = world.openFile(path, NEW); Datatype<Ints> every = Datatype.INT.resized(8)) {
                List<String> wrong = new ArrayList<>();
                for (int turn = 0; turn < 2 * ASKED.length; turn++) {
                    int displacement = turn % 3 * 4;
                    FileView view = turn % 2 == 0 ? FileView.of(displacement, Datatype.INT)
                            : FileView.of(displacement, Datatype.INT, every);
                    readInOrder(world, file, view, turn % ASKED.length, 3 * turn % 5, wrong);
                }
                Check.isTrue(wrong.isEmpty(), wrong.size() + " reads are wrong, the first one " + wrong.stream().findFirst());
            }
        });
    }

    private static void readInOrder(Comm world, MpiFile file, FileView view, int turn, int start, List<String> wrong) {
        file.setView(FileView.of(0, Datatype.INT));
        file.setSize(0);
        file.writeAtAll(0, MpiBuffer.of(new int[] {100, 101, 102, 103, 104, 105, 106, 107, 108, 109}));
        file.setView(view);
        for (int length = 10; length >= 0; length -= Check.isWhole() ? 1 : 3) {
            file.setSize(4L * length);
            file.seekShared(start, Seek.SET);
            readTwice(world, file, view, turn, start, length, wrong);
        }
    }

    /** Reads twice: the second read begins where the first one ends, whether that is in the file or not. */
    private static void readTwice(Comm world, MpiFile file, FileView view, int turn, int start, int length,
            List<String> wrong) {
        int skipped = (int) view.displacement() / 4;
        int step = (int) view.filetype().extent() / 4;
        int seen = Math.max(0, (length - skipped + step - 1) / step);
        int next = start;
        for (int round = 0; round < 2; round++) {
            int first = 0;
            for (int rank = 0; rank < world.size(); rank++) {
                int more = ASKED[turn][(rank + round) % 3];
                if (rank == world.rank()) {
                    first = next;
                }
                next += more;
            }
            int asked = ASKED[turn][(world.rank() + round) % 3];
            int[] got = new int[asked + 1];
            Arrays.fill(got, -1);
            MpiBuffer<Ints> data = MpiBuffer.of(got).as(Datatype.INT, asked);
            boolean split = (length + round) % 2 == 0;
            long told = split ? file.readOrderedBegin(data).end() : file.readOrdered(data);
            int there = Math.clamp(seen - first, 0, asked);
            int[] expected = new int[asked + 1];
            Arrays.fill(expected, -1);
            for (int i = 0; i < there; i++) {
                expected[i] = 100 + skipped + step * (first + i);
            }
            if (told != there || !Arrays.equals(got, expected)) {
                wrong.add(told + " instead of " + there + " of " + asked + " from " + first + " on, " + length
                        + " numbers in the file, " + seen + " seen, split: " + split + ", got " + Arrays.toString(got));
            }
        }
    }

    /** How a process reads: alone, with all others, or at the shared position while no other one reads. */
    private enum Way {
        READ, READ_AT, READ_SHARED, IREAD, IREAD_AT, IREAD_SHARED, READ_ALL, READ_AT_ALL, IREAD_ALL, IREAD_AT_ALL, READ_ORDERED;

        private long told(MpiFile file, int from, MpiBuffer<Ints> data) {
            if (this == READ || this == IREAD || this == READ_ALL || this == IREAD_ALL) {
                file.seek(from, Seek.SET);
            }
            return switch (this) {
                case READ -> file.read(data);
                case READ_AT -> file.readAt(from, data);
                case READ_SHARED -> file.readShared(data);
                case IREAD -> ended(file.iread(data));
                case IREAD_AT -> ended(file.ireadAt(from, data));
                case IREAD_SHARED -> ended(file.ireadShared(data));
                case READ_ALL -> file.readAll(data);
                case READ_AT_ALL -> file.readAtAll(from, data);
                case IREAD_ALL -> ended(file.ireadAll(data));
                case IREAD_AT_ALL -> ended(file.ireadAtAll(from, data));
                case READ_ORDERED -> file.readOrdered(data);
            };
        }

        private static long ended(Request begun) {
            return begun.await().count(Datatype.INT).getAsLong();
        }
    }

    /** Where the numbers of a buffer lie: side by side or at every second place, in an array or in memory that MPI uses. */
    private enum Memory {
        ARRAY, ARRAY_WITH_GAPS, OUTSIDE, OUTSIDE_WITH_GAPS
    }

    private static final int ASKED_EACH = 4;
    private static int turns; // of this test

    /** A view of ints: so many side by side from so many to so many, after those before it. */
    private record Seen(int before, int block, int step) {

        private int place(int index) {
            return before + index / block * step + index % block;
        }

        private FileView view(Datatype<Ints> filetype) {
            return FileView.of(4L * before, Datatype.INT, filetype);
        }
    }

    /** Files of all lengths end within what is read: strided-read-tells-too-much. */
    public static void readsTellWhatWasThere(Comm world) throws Exception {
        inFolder(world, path -> {
            List<String> wrong = new ArrayList<>();
            try (MpiFile file = world.openFile(path, NEW);
                    Datatype<Ints> every = Datatype.INT.resized(8);
                    Datatype<Ints> two = Datatype.contiguous(2, Datatype.INT);
                    Datatype<Ints> pairs = two.resized(12)) {
                for (int before = 0; before < 3; before += 2) {
                    readAllLengths(world, file, new Seen(before, 1, 1), Datatype.INT, every, wrong);
                    readAllLengths(world, file, new Seen(before, 1, 2), every, every, wrong);
                    readAllLengths(world, file, new Seen(before, 2, 3), pairs, every, wrong);
                }
            }
            Check.isTrue(wrong.isEmpty(), wrong.size() + " reads are wrong, the first one " + wrong.stream().findFirst());
        });
    }

    private static void readAllLengths(Comm world, MpiFile file, Seen seen, Datatype<Ints> filetype, Datatype<Ints> every,
            List<String> wrong) {
        file.setView(FileView.of(0, Datatype.INT));
        file.setSize(0);
        file.writeAtAll(0, MpiBuffer.of(new int[] {100, 101, 102, 103, 104, 105, 106, 107, 108}));
        file.setView(seen.view(filetype));
        for (int length = 9; length >= 0; length -= Check.isWhole() ? 1 : 3) {
            file.setSize(4L * length);
            for (int from = 0; from <= 5; from += Check.isWhole() ? 1 : 2) {
                readInAllWays(world, file, seen, length, from, every, wrong);
            }
        }
    }

    /** By turns for what needs all processes, which may take long. */
    private static void readInAllWays(Comm world, MpiFile file, Seen seen, int length, int from, Datatype<Ints> every,
            List<String> wrong) {
        for (Way way : List.of(Way.READ, Way.READ_AT, Way.IREAD, Way.IREAD_AT)) {
            for (Memory memory : Memory.values()) {
                read(file, seen, length, from, way, memory, every, wrong);
            }
        }
        int turn = turns++;
        Memory memory = Memory.values()[(turn / 2 + turn / 12) % 4];
        List<Way> together = List.of(Way.READ_ALL, Way.READ_AT_ALL, Way.IREAD_ALL, Way.IREAD_AT_ALL);
        read(file, seen, length, from, together.get(turn / 8 % 4), memory, every, wrong);
        file.seekShared(from, Seek.SET);
        if (turn % 3 == 0) {
            read(file, seen, length, from + ASKED_EACH * world.rank(), Way.READ_ORDERED, memory, every, wrong);
        } else if (turn / 3 % world.size() == world.rank()) {
            read(file, seen, length, from, turn % 2 == 0 ? Way.READ_SHARED : Way.IREAD_SHARED, memory, every, wrong);
        }
    }

    private static void read(MpiFile file, Seen seen, int length, int from, Way way, Memory memory, Datatype<Ints> every,
            List<String> wrong) {
        String told = read(file, seen, length, from, way, memory, every);
        if (told != null) {
            wrong.add(told + ": " + way + " into " + memory + " from " + from + " on, " + length + " numbers, " + seen);
        }
    }

    /** What was wrong, or null. */
    private static String read(MpiFile file, Seen seen, int length, int from, Way way, Memory memory, Datatype<Ints> every) {
        int asked = ASKED_EACH;
        int step = memory == Memory.ARRAY_WITH_GAPS || memory == Memory.OUTSIDE_WITH_GAPS ? 2 : 1;
        int[] array = new int[2 * asked];
        Arrays.fill(array, -1);
        MpiBuffer<Ints> outside = MpiBuffer.allocate(Datatype.INT, 2 * asked);
        long told = way.told(file, from, switch (memory) {
            case ARRAY -> MpiBuffer.of(array).as(Datatype.INT, asked);
            case ARRAY_WITH_GAPS -> MpiBuffer.of(array).strided(asked, 1, 2);
            case OUTSIDE -> outside.as(Datatype.INT, asked);
            case OUTSIDE_WITH_GAPS -> outside.as(every, asked);
        });
        boolean isArray = memory == Memory.ARRAY || memory == Memory.ARRAY_WITH_GAPS;
        int there = 0;
        int[] expected = new int[2 * asked];
        Arrays.fill(expected, -1);
        for (int i = 0; i < asked && seen.place(from + i) < length; i++) {
            expected[step * i] = 100 + seen.place(from + i);
            there++;
            if (!isArray && outside.getInt(step * i) != expected[step * i]) {
                return "number " + i + " is " + outside.getInt(step * i);
            }
        }
        if (isArray && !Arrays.equals(array, expected)) {
            return Arrays.toString(array) + " instead of " + Arrays.toString(expected);
        }
        return told == there ? null : told + " instead of " + there;
    }

    /** There the shared position is all that there is. */
    public static void sequentialReadsTellWhatWasThere(Comm world) throws Exception {
        inFolder(world, path -> {
            if (world.rank() == 0) {
                Files.write(Path.of(path), new byte[] {1, 2, 3});
            }
            world.barrier();
            try (MpiFile file = world.openFile(path, FileMode.READ_ONLY, FileMode.SEQUENTIAL);
                    Datatype<Element.Bytes> every = Datatype.BYTE.resized(2)) {
                if (world.rank() == 0) {
                    Check.equal(file.readShared(MpiBuffer.allocate(Datatype.BYTE, 4).as(every, 2)), 2L);
                    Check.equal(file.readShared(MpiBuffer.allocate(Datatype.BYTE, 4).as(every, 2)), 1L);
                    Check.equal(file.readShared(MpiBuffer.allocate(Datatype.BYTE, 4).as(every, 2)), 0L);
                }
            }
        });
    }

    /** Where it matters which process is the first, a library that does not tell it is not believed. */
    public static void processesThatReadTogetherGetWhatIsThere(Comm world) throws Exception {
        inFolder(world, path -> {
            try (MpiFile file = ofInts(world, path); Datatype<Ints> every = Datatype.INT.resized(8)) {
                file.writeAtAll(0, MpiBuffer.of(new int[] {0, -1, 1, -1, 2}));
                file.setView(FileView.of(0, Datatype.INT, every));
                for (int round = 0; round < 8; round++) {
                    file.seekShared(0, Seek.SET);
                    int[] sums = {0, 0}; // of how many were read, of those that could not know
                    MpiBuffer<Ints> data = MpiBuffer.of(new int[2]);
                    try {
                        sums[0] = (int) (round % 2 == 0 ? file.readShared(data) : Way.ended(file.ireadShared(data)));
                    } catch (UnavailableException e) {
                        sums[1] = 1;
                        Check.isTrue(e.getMessage().contains("at the end of a file"), e.getMessage());
                    }
                    world.allreduce(sums, Op.SUM);
                    int all = Math.min(3, 2 * world.size());
                    Check.isTrue(sums[0] == all || sums[0] < all && sums[1] > 0, Arrays.toString(sums));
                    Check.isTrue(sums[1] == 0 || world.size() > 1 && KnownDefects.has("strided-read-tells-too-much"), "refused");
                }
            }
        });
    }
}

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import mpi.Datatype;
import mpi.File;
import mpi.FileView;
import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/** Processes write a file together and read it in all ways. */
class Files extends Checked {

    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int MODE = MPI.MODE_CREATE | MPI.MODE_RDWR;

    private static int rank;
    private static int size;

    public static void main(String[] args) throws MPIException, java.io.IOException {
        MPI.InitThread(args, MPI.THREAD_MULTIPLE);
        rank = WORLD.getRank();
        size = WORLD.getSize();
        byte[] name = new byte[1000];
        if (rank == 0) {
            byte[] made = java.nio.file.Files.createTempFile("mpi", ".bin").toString().getBytes();
            System.arraycopy(made, 0, name, 0, made.length);
        }
        WORLD.bcast(name, name.length, MPI.BYTE, 0);
        String path = new String(name).trim();
        about(path);
        places(path);
        positions(path);
        shared(path);
        written(path);
        oneAfterTheOther(path);
        beyond(path);
        gaps(path);
        several(path);
        threads(path);
        mistakes(path);
        if (rank == 0) {
            File.delete(path);
            System.out.println("files: " + size);
        }
        MPI.Finalize();
    }

    private static File open(String path) throws MPIException {
        File file = new File(WORLD, path, MODE);
        file.setSize(0);
        file.setView(0, MPI.INT, MPI.INT, "native");
        return file;
    }

    private static void about(String path) throws MPIException {
        Info info = new Info();
        File file = new File(WORLD, path, MODE, info);
        FileView first = file.getView();
        require(first.getDisp() == 0 && first.getEType() == MPI.BYTE && "native".equals(first.getDataRep()), "a view");
        file.preallocate(64);
        require(file.getSize() == 64 && file.getGroup().getSize() == size, "getSize");
        require((file.getAMode() & MPI.MODE_RDWR) != 0, "getAMode");
        file.setInfo(info);
        require(file.getInfo().size() >= 0, "getInfo");
        Datatype every = Datatype.createResized(MPI.INT, 0, 4 * size);
        every.commit();
        file.setView(4L * rank, MPI.INT, every, "native", info);
        require(file.getView().getFileType() == every && file.getByteOffset(1) == 4L * (rank + size), "setView");
        require(file.getTypeExtent(MPI.INT) == 1, "getTypeExtent");
        file.setAtomicity(true);
        require(file.getAtomicity(), "getAtomicity");
        file.setAtomicity(false);
        file.sync();
        file.setErrhandler(MPI.ERRORS_RETURN);
        file.setErrhandler(file.getErrhandler());
        file.callErrhandler(MPI.ERR_FILE);
        file.writeAll(new int[] {rank, 10 + rank}, 2, MPI.INT);
        file.setView(0, MPI.INT, MPI.INT, "native");
        int[] all = new int[2 * size];
        file.readAtAll(0, all, 2 * size, MPI.INT);
        require(all[rank] == rank && all[size + rank] == 10 + rank, "a view of every so many elements");
        file.close();
        every.free();
        info.free();
    }

    private static void places(String path) throws MPIException {
        File file = open(path);
        int next = (rank + 1) % size;
        require(file.writeAt(rank, new int[] {rank}, 1, MPI.INT).getCount(MPI.INT) == 1, "writeAt");
        again(file);
        int[] came = {0, 7};
        Status status = file.readAt(next, came, 1, MPI.INT);
        require(came[0] == next && came[1] == 7 && status.getCount(MPI.INT) == 1, "readAt");
        again(file);
        IntBuffer one = MPI.newIntBuffer(1).put(0, 100 + rank);
        file.iWriteAt(rank, one, 1, MPI.INT).waitFor();
        again(file);
        file.iReadAt(next, one, 1, MPI.INT).waitFor();
        require(one.get(0) == 100 + next, "iReadAt");
        again(file);
        file.writeAtAll(rank, new int[] {200 + rank}, 1, MPI.INT);
        file.iReadAtAll(rank, one, 1, MPI.INT).waitFor();
        require(one.get(0) == 200 + rank, "iReadAtAll");
        file.iWriteAtAll(rank, one.put(0, 300 + rank), 1, MPI.INT).waitFor();
        int[] array = {400 + rank};
        file.writeAtAllBegin(rank, array, 1, MPI.INT);
        file.writeAtAllEnd(array);
        array[0] = 0;
        file.readAtAllBegin(rank, array, 1, MPI.INT);
        require(file.readAtAllEnd(array).getCount(MPI.INT) == 1 && array[0] == 400 + rank, "readAtAllEnd");
        again(file);
        int[] many = new int[size + 1];
        Arrays.fill(many, -1);
        require(file.readAt(0, many, size + 1, MPI.INT).getCount(MPI.INT) == size && many[size] == -1, "the end");
        file.close();
    }

    /** All see what was written. */
    private static void again(File file) throws MPIException {
        file.sync();
        WORLD.barrier();
        file.sync();
    }

    private static void positions(String path) throws MPIException {
        File file = open(path);
        file.seek(2L * rank, MPI.SEEK_SET);
        file.write(new int[] {rank}, 1, MPI.INT);
        require(file.getPosition() == 2L * rank + 1, "getPosition");
        IntBuffer one = MPI.newIntBuffer(1).put(0, 50 + rank);
        file.iWrite(one, 1, MPI.INT).waitFor();
        again(file);
        file.seek(2L * rank, MPI.SEEK_SET);
        int[] came = new int[1];
        file.read(came, 1, MPI.INT);
        file.iRead(one.put(0, 0), 1, MPI.INT).waitFor();
        require(came[0] == rank && one.get(0) == 50 + rank, "read");
        file.seek(-2, MPI.SEEK_CUR);
        file.iWriteAll(one.put(0, 60 + rank), 1, MPI.INT).waitFor();
        file.seek(-1, MPI.SEEK_CUR);
        file.readAll(came, 1, MPI.INT);
        file.seek(-1, MPI.SEEK_CUR);
        file.iReadAll(one.put(0, 0), 1, MPI.INT).waitFor();
        require(came[0] == 60 + rank && one.get(0) == 60 + rank, "readAll");
        file.seek(2L * rank, MPI.SEEK_SET);
        file.writeAllBegin(one.put(0, 70 + rank), 1, MPI.INT);
        file.writeAllEnd(one);
        file.seek(-1, MPI.SEEK_CUR);
        file.readAllBegin(one.put(0, 0), 1, MPI.INT);
        file.readAllEnd(one);
        require(one.get(0) == 70 + rank, "readAllEnd");
        file.close();
    }

    private static void shared(String path) throws MPIException {
        File file = open(path);
        file.writeOrdered(new int[] {rank}, 1, MPI.INT);
        require(file.getPositionShared() == size, "getPositionShared");
        WORLD.barrier();
        file.seekShared(0, MPI.SEEK_SET);
        int[] came = new int[1];
        file.readOrdered(came, 1, MPI.INT);
        require(came[0] == rank, "readOrdered");
        file.seekShared(0, MPI.SEEK_SET);
        int[] halves = {80 + rank};
        file.writeOrderedBegin(halves, 1, MPI.INT);
        file.writeOrderedEnd(halves);
        file.seekShared(0, MPI.SEEK_SET);
        file.readOrderedBegin(came, 1, MPI.INT);
        file.readOrderedEnd(came);
        require(came[0] == 80 + rank, "readOrderedEnd");
        file.seekShared(0, MPI.SEEK_SET);
        file.writeShared(new int[] {5}, 1, MPI.INT);
        IntBuffer one = MPI.newIntBuffer(1).put(0, 5);
        file.iWriteShared(one, 1, MPI.INT).waitFor();
        again(file);
        file.seekShared(0, MPI.SEEK_SET);
        file.readShared(came, 1, MPI.INT);
        file.iReadShared(one.put(0, 0), 1, MPI.INT).waitFor();
        require(came[0] == 5 && one.get(0) == 5, "readShared");
        file.close();
    }

    /** Processes read alone what they wrote with all others: collective-write-returns-early. */
    private static void written(String path) throws MPIException {
        File file = open(path);
        for (int round = 0; round < 96; round++) {
            int[] sent = new int[1 + 40 * (round / 6 % 4)];
            Arrays.fill(sent, 1000 * rank + round);
            long place = (long) sent.length * rank;
            file.seek(place, MPI.SEEK_SET);
            file.seekShared(0, MPI.SEEK_SET);
            WORLD.barrier();
            switch (round % 6) {
                case 0 -> file.writeAtAll(place, sent, sent.length, MPI.INT);
                case 1 -> file.writeAll(sent, sent.length, MPI.INT);
                case 2 -> file.writeOrdered(sent, sent.length, MPI.INT);
                case 3 -> {
                    file.writeAtAllBegin(place, sent, sent.length, MPI.INT);
                    file.writeAtAllEnd(sent);
                }
                case 4 -> {
                    file.writeAllBegin(sent, sent.length, MPI.INT);
                    file.writeAllEnd(sent);
                }
                default -> {
                    file.writeOrderedBegin(sent, sent.length, MPI.INT);
                    file.writeOrderedEnd(sent);
                }
            }
            int[] came = new int[sent.length];
            file.readAt(place, came, came.length, MPI.INT);
            require(Arrays.equals(came, sent), "what all wrote");
            WORLD.barrier();
        }
        file.close();
    }

    /** To begin waits for no other process, whether it is done at once or not. */
    private static void oneAfterTheOther(String path) throws MPIException {
        File file = open(path);
        file.seek(rank, MPI.SEEK_SET);
        IntBuffer[] data = {MPI.newIntBuffer(1).put(0, 7 + rank), MPI.newIntBuffer(1), MPI.newIntBuffer(1).put(0, 9),
            MPI.newIntBuffer(1)};
        for (int way = 0; way < 4; way++) {
            again(file);
            if (rank > 0) {
                WORLD.recv(new int[1], 1, MPI.INT, rank - 1, way);
            }
            Request begun = switch (way) {
                case 0 -> file.iWriteAtAll(rank, data[0], 1, MPI.INT);
                case 1 -> file.iReadAtAll(rank, data[1], 1, MPI.INT);
                case 2 -> file.iWriteAll(data[2], 1, MPI.INT);
                default -> file.iReadAll(data[3], 1, MPI.INT);
            };
            if (rank + 1 < size) {
                WORLD.send(new int[1], 1, MPI.INT, rank + 1, way);
            }
            begun.waitFor();
            if (way == 2) {
                file.seek(-1, MPI.SEEK_CUR);
            }
        }
        require(data[1].get(0) == 7 + rank && data[3].get(0) == 9, "one after the other");
        file.close();
    }

    /** What Open MPI never ends if it begins it: iread-beyond-the-end. */
    private static void beyond(String path) throws MPIException {
        File file = open(path);
        file.writeAtAll(rank, new int[] {rank}, 1, MPI.INT);
        again(file);
        IntBuffer four = MPI.newIntBuffer(4);
        Request begun = file.iReadAt(size - 1L, four, 4, MPI.INT);
        require(begun.waitStatus().getCount(MPI.INT) == 1 && four.get(0) == size - 1 && begun.isNull(), "waitStatus");
        begun.waitFor();
        begun = file.iReadAt(size, four, 4, MPI.INT);
        Status status = begun.getStatus();
        while (status == null) {
            Thread.onSpinWait();
            status = begun.getStatus();
        }
        require(status.getCount(MPI.INT) == 0 && !begun.isNull(), "getStatus");
        require(begun.getStatus().getCount(MPI.INT) == 0 && !begun.isNull(), "getStatus again");
        status = begun.testStatus();
        while (status == null) {
            Thread.onSpinWait();
            status = begun.testStatus();
        }
        require(status.getCount(MPI.INT) == 0 && begun.isNull(), "testStatus");
        Request[] some = {file.iReadAt(size, four, 4, MPI.INT), file.iReadAt(size - 1L, MPI.newIntBuffer(2), 2, MPI.INT)};
        Status[] all = Request.waitAllStatus(some);
        require(all[0].getCount(MPI.INT) == 0 && all[1].getCount(MPI.INT) == 1, "waitAllStatus");
        IntBuffer sent = MPI.newIntBuffer(1);
        some = new Request[] {WORLD.iRecv(sent, 1, MPI.INT, rank, 7), file.iReadAt(size - 1L, four, 4, MPI.INT)};
        Status first = Request.waitAnyStatus(some);
        require(first.getIndex() == 1 && first.getCount(MPI.INT) == 1, "waitAnyStatus");
        require(Request.testAnyStatus(some) == null && Request.testAllStatus(some) == null, "the other one is left");
        some[1] = file.iReadAt(size - 1L, four, 4, MPI.INT);
        require(Arrays.equals(Request.waitSome(some), new int[] {1}), "waitSome");
        WORLD.send(new int[] {3}, 1, MPI.INT, rank, 7);
        Request.waitAll(some);
        require(sent.get(0) == 3 && Request.waitSome(some) == null, "waitAll");
        file.iReadAt(size, four, 4, MPI.INT).free();
        int[] array = new int[4];
        file.readAtAllBegin(size - 1L, array, 4, MPI.INT);
        file.readAtAllEnd(array);
        require(array[0] == size - 1, "readAtAllEnd");
        WORLD.barrier();
        file.close();
    }

    /** Reads of which libraries tell more than there is: strided-read-tells-too-much, collective-read-tells-too-much. */
    private static void gaps(String path) throws MPIException {
        File file = open(path);
        file.writeAtAll(0, new int[] {0, -1, 1, -1, 2}, 5, MPI.INT);
        Datatype every = Datatype.createResized(MPI.INT, 0, 8);
        every.commit();
        for (int way = 0; way < 28; way++) {
            boolean isView = way % 2 == 0;
            file.setView(0, MPI.INT, isView ? every : MPI.INT, "native");
            int there = isView ? 2 : 4;
            IntBuffer came = MPI.newIntBuffer(12);
            for (int i = 0; i < 12; i++) {
                came.put(i, 7);
            }
            boolean isShared = way / 4 % 7 > 4;
            file.seek(1, MPI.SEEK_SET);
            for (int turn = 0; turn < (isShared ? size : 1); turn++) { // alone: else it matters who is the first
                WORLD.barrier();
                file.seekShared(1, MPI.SEEK_SET);
                if (!isShared || turn == rank) {
                    Datatype type = way / 2 % 2 == 0 ? MPI.INT : every;
                    int count = readWith(file, way / 4 % 7, came, type).getCount(MPI.INT);
                    require(count == there, way + ": " + count + " of " + there);
                    require(!isView || came.get(0) == 1 && came.get(type == MPI.INT ? 1 : 2) == 2, "what was there");
                }
            }
        }
        WORLD.barrier();
        file.close();
        every.free();
    }

    private static Status readWith(File file, int way, IntBuffer came, Datatype type) throws MPIException {
        return switch (way) {
            case 0 -> file.read(came, 6, type);
            case 1 -> file.readAt(1, came, 6, type);
            case 2 -> Request.waitAllStatus(new Request[] {file.iRead(came, 6, type)})[0];
            case 3 -> file.iReadAt(1, came, 6, type).waitStatus();
            case 4 -> file.readAtAll(1, came, 6, type);
            case 5 -> file.readShared(came, 6, type);
            default -> file.iReadShared(came, 6, type).waitStatus();
        };
    }

    /** Several accesses at a time, with which MPICH ends the job if it is asked for two: file-requests-in-testall. */
    private static void several(String path) throws MPIException {
        File file = open(path);
        IntBuffer[] data = {MPI.newIntBuffer(1), MPI.newIntBuffer(1), MPI.newIntBuffer(1)};
        for (int way = 0; way < 6; way++) {
            for (int kind = 0; kind < 3; kind++) {
                IntBuffer sent = data[2];
                Request message = WORLD.iRecv(sent, 1, MPI.INT, rank, 9);
                data[0].put(0, 10 * way + kind);
                data[1].put(0, 100 + 10 * way + kind);
                Request first = write(file, kind, 0, data[0]);
                Request second = write(file, kind, 1, data[1]);
                // not all processes wait in the same order
                Request[] three = rank % 2 == 0 ? new Request[] {first, message, second} : new Request[] {second, message, first};
                boolean[] isOver = new boolean[3];
                isOver[1] = true;
                files(way, three, isOver);
                require(isOver[0] && isOver[2] && first.isNull() && second.isNull() && !message.isNull(), "files " + way);
                WORLD.send(new int[] {way}, 1, MPI.INT, rank, 9);
                message.waitFor();
                require(sent.get(0) == way, "a message beside files");
                again(file);
                int[] came = new int[2];
                file.readAt(2L * rank, came, 2, MPI.INT);
                require(kind == 2 || came[0] == 10 * way + kind && came[1] == 100 + 10 * way + kind, "what was written");
                WORLD.barrier();
            }
        }
        for (int round = 0; round < 60; round++) { // MPICH ends where one is complete before the other
            int count = round % 2 == 0 ? 1 : 10_000;
            IntBuffer[] parts = {MPI.newIntBuffer(count), MPI.newIntBuffer(count)};
            long place = 2L * count * rank;
            int kind = round % 3;
            Request[] two = new Request[2];
            for (int i = 0; i < 2; i++) {
                two[i] = kind == 0 ? file.iWriteAt(place + (long) i * count, parts[i], count, MPI.INT)
                        : kind == 1 ? file.iReadAt(place + (long) i * count, parts[i], count, MPI.INT)
                        : file.iWriteShared(parts[i], count, MPI.INT);
            }
            Status[] all = Request.testAllStatus(two);
            while (all == null) {
                all = Request.testAllStatus(two);
            }
            require(kind == 1 || all[0].getCount(MPI.INT) == count && all[1].getCount(MPI.INT) == count, "testAllStatus");
        }
        WORLD.barrier();
        file.close();
    }

    private static Request write(File file, int kind, int place, IntBuffer data) throws MPIException {
        return switch (kind) {
            case 0 -> file.iWriteAt(2L * rank + place, data, 1, MPI.INT);
            case 1 -> file.iWriteAtAll(2L * rank + place, data, 1, MPI.INT);
            default -> file.iWriteShared(data, 1, MPI.INT);
        };
    }

    /** Asks in one of six ways until only the message in the middle is left. */
    private static void files(int way, Request[] three, boolean[] isOver) throws MPIException {
        Request[] files = {three[0], three[2]};
        switch (way) {
            case 0 -> {
                while (!Request.testAll(files)) {
                    Thread.onSpinWait();
                }
                require(!Request.testAll(three), "testAll");
            }
            case 1 -> require(Request.waitAllStatus(files)[1].getCount(MPI.INT) == 1, "waitAll");
            case 2 -> {
                isOver[Request.waitAny(three)] = true;
                isOver[Request.waitAny(three)] = true;
                require(Request.testAny(three) == MPI.UNDEFINED, "testAny");
            }
            case 3 -> {
                for (int left = 2; left > 0; left--) {
                    Status one = Request.testAnyStatus(three);
                    while (one == null) {
                        one = Request.testAnyStatus(three);
                    }
                    require(one.getCount(MPI.INT) == 1, "testAnyStatus");
                    isOver[one.getIndex()] = true;
                }
            }
            default -> {
                for (int left = 2; left > 0;) {
                    int[] some = way == 4 ? Request.waitSome(three) : Request.testSome(three);
                    require(some.length > 0 || way == 5, "waitSome");
                    for (int index : some) {
                        isOver[index] = true;
                        left--;
                    }
                }
                require(Request.testSome(three).length == 0 && Request.waitSome(files) == null, "none is left");
            }
        }
        if (way < 2) {
            isOver[0] = true;
            isOver[2] = true;
        }
    }

    /** Where Open MPI crashes if a thread calls MPI meanwhile: file-requests-of-threads. */
    private static void threads(String path) throws MPIException {
        File file = open(path);
        AtomicBoolean isOver = new AtomicBoolean(MPI.queryThread() != MPI.THREAD_MULTIPLE);
        Thread other = new Thread(() -> {
            try {
                while (!isOver.get()) {
                    MPI.COMM_SELF.iProbe(0, 5);
                    Thread.yield();
                }
            } catch (MPIException e) {
                throw new IllegalStateException(e);
            }
        });
        other.start();
        IntBuffer data = MPI.newIntBuffer(8);
        IntBuffer came = MPI.newIntBuffer(8);
        for (int round = 0; round < 100; round++) {
            Request[] writes = {file.iWriteAt(16L * rank, data.put(0, round), 8, MPI.INT),
                file.iWriteAt(16L * rank + 8, data, 8, MPI.INT)};
            Request.waitAll(writes);
            file.iReadAt(16L * rank + 8, came, 8, MPI.INT).waitFor();
            require(came.get(0) == round, "a file of threads");
        }
        isOver.set(true);
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        WORLD.barrier();
        file.close();
    }

    private static void mistakes(String path) throws MPIException {
        File file = new File(MPI.COMM_SELF, path, MPI.MODE_RDWR);
        Requests.refused(() -> new File(MPI.COMM_SELF, path + "/none", MPI.MODE_RDONLY));
        Requests.refused(() -> new File(null, path, MPI.MODE_RDONLY));
        Requests.refused(() -> new File(MPI.COMM_SELF, null, MPI.MODE_RDONLY));
        Requests.refused(() -> file.readAt(0, new int[1], 2, MPI.INT));
        Requests.refused(() -> file.readAt(0, null, 1, MPI.INT));
        Requests.refused(() -> file.iRead(MPI.newIntBuffer(1), -1, MPI.INT));
        Requests.refused(() -> file.readAllEnd(new int[1]));
        Requests.refused(() -> file.setView(0, null, MPI.INT, "native"));
        Requests.refused(() -> File.delete(path + "/none"));
        file.close();
        Requests.refused(file::getSize);
        Requests.refused(file::close);
        WORLD.barrier();
    }
}

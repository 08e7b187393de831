package file;

import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Datatype;
import dev.mpiglot.mpi.Element.Ints;
import dev.mpiglot.mpi.FileMode;
import dev.mpiglot.mpi.FileView;
import dev.mpiglot.mpi.Mpi;
import dev.mpiglot.mpi.MpiFile;
import dev.mpiglot.mpi.Op;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A file that all processes write together: {@code file.SharedFile [PATH]}. It is a matrix, of which each process has
 * some columns. Then each process reads some rows, and the first one the whole file without MPI; every byte is
 * compared. The file must be new, and is gone at the end; without a path it is in the folder for temporary files.
 */
public final class SharedFile {

    private static final int ROWS = 600;
    private static final int COLUMNS = 500;

    private SharedFile() {
    }

    public static void main(String[] args) {
        if (args.length > 1 || args.length == 1 && args[0].isEmpty()) {
            System.err.println("usage: file.SharedFile [PATH]");
            System.exit(2);
        }
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            String path = args.length == 1 ? args[0] : agree(world);
            write(world, path);
            read(world, path);
            if (world.rank() == 0) {
                compare(path);
                MpiFile.delete(path);
                System.out.printf("%d bytes are right: columns of %d processes, read as rows%n",
                        ROWS * COLUMNS * Integer.BYTES, world.size());
            }
        });
    }

    /** A path that the first process chooses. */
    private static String agree(Comm world) {
        byte[] bytes = {};
        if (world.rank() == 0) {
            String name = "mpiglot-" + UUID.randomUUID();
            bytes = Path.of(System.getProperty("java.io.tmpdir"), name).toString().getBytes(StandardCharsets.UTF_8);
        }
        int[] length = {bytes.length};
        world.bcast(length, 0);
        if (world.rank() != 0) {
            bytes = new byte[length[0]];
        }
        world.bcast(bytes, 0);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int value(int row, int column) {
        return row * 1_000_003 + column * 7919;
    }

    private static int start(int all, int process, int processes) {
        return all * process / processes;
    }

    private static void write(Comm world, String path) {
        int first = start(COLUMNS, world.rank(), world.size());
        int columns = start(COLUMNS, world.rank() + 1, world.size()) - first;
        int[] own = new int[ROWS * columns];
        for (int i = 0; i < own.length; i++) {
            own[i] = value(i / columns, first + i % columns);
        }
        try (MpiFile file = world.openFile(path, FileMode.CREATE, FileMode.EXCLUSIVE, FileMode.WRITE_ONLY);
                Datatype<Ints> part = Datatype.vector(ROWS, columns, COLUMNS, Datatype.INT)) {
            file.setView(FileView.of((long) first * Integer.BYTES, Datatype.INT, part));
            file.writeAll(MpiBuffer.of(own));
        }
    }

    private static void read(Comm world, String path) {
        int first = start(ROWS, world.rank(), world.size());
        int rows = start(ROWS, world.rank() + 1, world.size()) - first;
        int[] own = new int[rows * COLUMNS];
        try (MpiFile file = world.openFile(path, FileMode.READ_ONLY)) {
            file.setView(FileView.of(0, Datatype.INT));
            file.readAtAll((long) first * COLUMNS, MpiBuffer.of(own));
        }
        long[] wrong = {0};
        for (int i = 0; i < own.length; i++) {
            wrong[0] += own[i] == value(first + i / COLUMNS, i % COLUMNS) ? 0 : 1;
        }
        world.allreduce(wrong, Op.SUM);
        if (wrong[0] != 0) {
            throw new IllegalStateException(wrong[0] + " values were read that nobody has written there.");
        }
    }

    /** Without MPI. */
    private static void compare(String path) throws IOException {
        ByteBuffer wanted = ByteBuffer.allocate(ROWS * COLUMNS * Integer.BYTES).order(ByteOrder.nativeOrder());
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            wanted.putInt(value(i / COLUMNS, i % COLUMNS));
        }
        if (!ByteBuffer.wrap(Files.readAllBytes(Path.of(path))).equals(wanted.flip())) {
            throw new IllegalStateException("The file has other bytes than those that were written.");
        }
    }
}

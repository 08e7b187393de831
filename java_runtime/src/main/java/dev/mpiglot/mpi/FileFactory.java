package dev.mpiglot.mpi;

import dev.mpiglot.low.FileHandle;
import dev.mpiglot.low.InputOutput;
import java.util.ArrayList;
import java.util.List;

/** The methods of {@link Comm} that open files. If a process cannot take part, all throw and no file is open. */
abstract sealed class FileFactory extends WindowFactory permits PartitionFactory {

    /**
     * Opens a file for all processes of this communicator. {@code MPI_File_open} Collective.
     *
     * @param path its path, of the same file on all processes; some libraries take a prefix such as {@code ufs:}
     * @param hints hints for MPI; null: none
     * @param modes what for, the same on all processes
     * @return the file, to be closed by all processes
     * @throws IllegalArgumentException if an argument is null, the path is empty, or no file is opened with these modes,
     *     here or on another process: on all
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI cannot open the file: its {@code kind()} is
     *     {@code ErrorClass.ERR_NO_SUCH_FILE} where there is none
     */
    public MpiFile openFile(String path, @Nullable Info hints, FileMode... modes) {
        try (Call call = within()) {
            int[] bits = {0};
            agree((Comm) this, () -> {
                requirePath(path);
                bits[0] = FileMode.bits(modes);
                if (hints != null) {
                    hints.handle();
                }
            }, bits);
            List<FileHandle> made = new ArrayList<>(1);
            call.takePart(() -> made.add(Info.during(call, hints,
                    info -> InputOutput.fileOpen(word(), path, bits[0], info))));
            return new MpiFile(made.get(0), ((Comm) this).dup(), FileMode.of(bits[0]));
        }
    }

    /**
     * The same without hints. {@code MPI_File_open} Collective.
     *
     * @param path its path, of the same file on all processes
     * @param modes what for, the same on all processes
     * @return the file, to be closed by all processes
     * @throws IllegalArgumentException if an argument is null, the path is empty, or no file is opened with these modes,
     *     here or on another process: on all
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI cannot open the file: its {@code kind()} is
     *     {@code ErrorClass.ERR_NO_SUCH_FILE} where there is none
     */
    public MpiFile openFile(String path, FileMode... modes) {
        return openFile(path, null, modes);
    }

    /** Throws unless a file can have this path. */
    static void requirePath(String path) {
        if (Arguments.present("path", path).isEmpty() || path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("The path of a file is empty or holds the character NUL.");
        }
    }

    /**
     * Throws on all processes if something is wrong on one, or if they give different numbers: nobody begins what not
     * all begin.
     */
    static void agree(Comm comm, Runnable check, int... alike) {
        RuntimeException mistake = Parts.mistakeOf(check);
        int[] told = new int[1 + 2 * alike.length];
        told[0] = mistake == null ? 0 : 1;
        for (int i = 0; i < alike.length; i++) {
            told[2 * i + 1] = alike[i];
            told[2 * i + 2] = -alike[i];
        }
        comm.allreduce(told, Op.MAX);
        if (mistake != null) {
            throw mistake;
        }
        if (told[0] != 0) {
            throw new IllegalArgumentException("Another process could not take part: its arguments are wrong.");
        }
        for (int i = 0; i < alike.length; i++) {
            if (told[2 * i + 1] != -told[2 * i + 2]) {
                throw new IllegalArgumentException("The processes give different modes: they must be the same.");
            }
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.FileHandle;
import dev.mpiglot.low.InputOutput;
import java.util.ArrayList;
import java.util.List;

/** The methods of {@link Comm} that open files. If a process cannot take part, all throw and no file is open. */
public sealed interface FileOpening permits Comm {

    private Comm comm() {
        return (Comm) this;
    }

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
    default MpiFile openFile(String path, @Nullable Info hints, FileMode... modes) {
        try (Call call = comm().within()) {
            int[] bits = {0};
            MpiFile.agree(comm(), () -> {
                MpiFile.requirePath(path);
                bits[0] = FileMode.bits(modes);
                if (hints != null) {
                    hints.handle();
                }
            }, bits);
            List<FileHandle> made = new ArrayList<>(1);
            call.takePart(() -> made.add(Info.during(call, hints,
                    info -> InputOutput.fileOpen(comm().word(), path, bits[0], info))));
            return new MpiFile(made.get(0), comm().dup(), FileMode.of(bits[0]));
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
    default MpiFile openFile(String path, FileMode... modes) {
        return openFile(path, null, modes);
    }
}

package dev.mpiglot.low;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where the MPI library may be, best guess first. */
final class Candidates {

    private static final List<String> MPICH = List.of("libmpi.so.12", "libmpich.so.12");
    private static final List<String> OMPI = List.of("libmpi.so.40");
    private static final List<String> ANY = List.of("libmpi.so");
    private static final List<String> ABI = List.of("libmpi_abi.so.1", "libmpi_abi.so.0");

    /** An installation's own library comes first; the loader is asked for the one that is the same everywhere. */
    private static final List<String> MPICH_NAMES = joined(List.of(MPICH, ABI));
    private static final List<String> OMPI_NAMES = joined(List.of(OMPI, ABI));
    private static final List<String> FOLDER_NAMES = joined(List.of(MPICH, OMPI, ANY, ABI));
    private static final List<String> LOADER_NAMES = joined(List.of(ABI.reversed(), MPICH, OMPI, ANY));

    /** Programs that start ranks, and the libraries that go with them. */
    private static final Map<String, List<String>> LAUNCHERS = Map.ofEntries(
            Map.entry("hydra_pmi_proxy", MPICH_NAMES), Map.entry("hydra_bstrap_proxy", MPICH_NAMES),
            Map.entry("mpiexec.hydra", MPICH_NAMES), Map.entry("mpiexec.gforker", MPICH_NAMES),
            Map.entry("orterun", OMPI_NAMES), Map.entry("orted", OMPI_NAMES),
            Map.entry("prterun", OMPI_NAMES), Map.entry("prted", OMPI_NAMES), Map.entry("prte", OMPI_NAMES));
    private static final List<String> FOLDERS = List.of("lib", "lib64", "lib/release", "lib/x86_64-linux-gnu",
            "lib/aarch64-linux-gnu");
    private static final int ANCESTORS = 8;

    private Candidates() {
    }

    private static List<String> joined(List<List<String>> lists) {
        return lists.stream().flatMap(List::stream).toList();
    }

    /** Files or names to give to the loader, in order. */
    static List<String> find(String where) {
        String asked = where != null ? where : setting();
        if (asked != null) {
            return Files.isDirectory(Path.of(asked)) ? inFolder(Path.of(asked), FOLDER_NAMES) : List.of(asked);
        }
        Set<String> found = new LinkedHashSet<>(ofLauncher());
        found.addAll(ofEnvironment());
        found.addAll(LOADER_NAMES);
        return List.copyOf(found);
    }

    private static String setting() {
        String property = System.getProperty("mpiglot.mpi");
        String value = property != null ? property : System.getenv("MPIGLOT_MPI");
        return value == null || value.isBlank() ? null : value;
    }

    private static List<String> inFolder(Path folder, List<String> names) {
        List<String> files = new ArrayList<>();
        for (String sub : FOLDERS) {
            for (String name : names) {
                Path file = folder.resolve(sub).resolve(name);
                if (Files.exists(file)) {
                    files.add(file.toString());
                }
            }
        }
        if (files.isEmpty()) {
            throw new LibraryException("No MPI library in " + folder + " (looked for " + String.join(", ", names)
                    + " in its " + String.join(", ", FOLDERS) + "). Set MPIGLOT_MPI to the library's file.");
        }
        return files;
    }

    /** The library of the installation that the launcher among this process's ancestors belongs to. */
    private static List<String> ofLauncher() {
        ProcessHandle process = ProcessHandle.current();
        for (int i = 0; i < ANCESTORS; i++) {
            process = process.parent().orElse(null);
            if (process == null) {
                return List.of();
            }
            Path program = program(process.pid());
            List<String> names = program == null ? null : LAUNCHERS.get(program.getFileName().toString());
            if (names != null) {
                return besideLauncher(program, names);
            }
        }
        return List.of();
    }

    private static List<String> besideLauncher(Path program, List<String> names) {
        Path bin = program.getParent();
        List<String> files = new ArrayList<>();
        if (bin != null && bin.getParent() != null) {
            for (String name : names) {
                for (String folder : FOLDERS) {
                    Path file = bin.getParent().resolve(folder).resolve(name);
                    if (Files.exists(file)) {
                        files.add(file.toString());
                    }
                }
            }
        }
        files.addAll(names);
        return files;
    }

    private static Path program(long pid) {
        try {
            return Path.of("/proc", Long.toString(pid), "exe").toRealPath();
        } catch (IOException e) {
            return null;
        }
    }

    private static List<String> ofEnvironment() {
        Map<String, String> environment = System.getenv();
        if (environment.containsKey("OMPI_COMM_WORLD_SIZE")) {
            return OMPI_NAMES;
        }
        if (environment.containsKey("I_MPI_ROOT") && environment.containsKey("PMI_SIZE")) {
            return inFolderOrNone(Path.of(environment.get("I_MPI_ROOT")));
        }
        return environment.containsKey("HYDI_CONTROL_FD") || environment.containsKey("PMI_SIZE") ? MPICH_NAMES : List.of();
    }

    private static List<String> inFolderOrNone(Path folder) {
        return Files.isDirectory(folder) ? inFolder(folder, MPICH_NAMES) : MPICH_NAMES;
    }
}

package dev.mpiglot.low;

import dev.mpiglot.mpi.LibraryException;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
        List<String> all = new ArrayList<>();
        for (List<String> list : lists) {
            all.addAll(list);
        }
        return all;
    }

    /** Files or names to give to the loader, in order. */
    static List<String> find(String where) {
        String asked = where != null ? where : setting();
        if (asked != null) {
            return Files.isDirectory(Path.of(asked)) ? inFolder(Path.of(asked), FOLDER_NAMES) : List.of(asked);
        }
        List<String> found = new ArrayList<>();
        for (String name : joined(List.of(ofLauncher(), ofEnvironment(), LOADER_NAMES))) {
            if (!found.contains(name)) {
                found.add(name);
            }
        }
        return found;
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
        String process = "self";
        for (int i = 0; i < ANCESTORS; i++) {
            process = parent(process);
            if (process == null) {
                return List.of();
            }
            Path program = program(process);
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

    /** The process that started one; null if nobody knows. {@link ProcessHandle} would load thread pools. */
    private static String parent(String process) {
        try (FileInputStream file = new FileInputStream("/proc/".concat(process).concat("/stat"))) {
            String text = new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
            String[] words = text.substring(text.lastIndexOf(')') + 1).strip().split(" "); // behind the name: state, parent
            return words.length < 2 || words[1].equals("0") ? null : words[1];
        } catch (IOException e) {
            return null;
        }
    }

    private static Path program(String process) {
        try {
            return Path.of("/proc", process, "exe").toRealPath();
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

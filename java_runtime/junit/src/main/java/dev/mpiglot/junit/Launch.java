package dev.mpiglot.junit;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** The command that starts a job. */
final class Launch {

    private static final List<String> NAMES = List.of("mpiexec", "mpiexec.mpich", "mpiexec.openmpi", "mpirun");

    private Launch() {
    }

    /** The words of the command. */
    static List<String> command(Class<?> tests, Method method, int ranks, Path folder) {
        List<String> command = new ArrayList<>(launcher());
        command.addAll(List.of("-n", Integer.toString(ranks)));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!option.startsWith("-agentlib:jdwp") && !option.startsWith("-Xrunjdwp")) { // one debugger, one process
                command.add(option);
            }
        }
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath(tests), Rank.class.getName()));
        command.addAll(List.of(folder.toString(), tests.getName(), method.getDeclaringClass().getName(),
                method.getName(), Rank.types(method)));
        return command;
    }

    /** The launcher that goes with the MPI that the ranks will load. */
    private static List<String> launcher() {
        String asked = System.getenv("MPIEXEC");
        if (asked != null && !asked.isBlank()) {
            return List.of(asked.strip().split("\\s+"));
        }
        String property = System.getProperty("mpiglot.mpi");
        String library = property != null ? property : System.getenv("MPIGLOT_MPI");
        if (library != null && !library.isBlank()) {
            return List.of(ofLibrary(Path.of(library)));
        }
        return List.of(onPath(NAMES));
    }

    private static String ofLibrary(Path library) {
        for (Path folder = library; folder != null; folder = folder.getParent()) {
            Path bin = folder.resolve("bin");
            for (String name : namesFor(library.getFileName().toString())) {
                if (Files.isExecutable(bin.resolve(name))) {
                    return bin.resolve(name).toString();
                }
            }
        }
        return onPath(namesFor(library.getFileName().toString()));
    }

    /** What the launcher may be called if the library has this name: where two are installed, names tell them apart. */
    private static List<String> namesFor(String library) {
        if (library.startsWith("libmpi.so.40")) {
            return List.of("mpiexec.openmpi", "mpiexec");
        }
        return library.startsWith("libmpich.so") || library.startsWith("libmpi.so.12")
                ? List.of("mpiexec.mpich", "mpiexec.hydra", "mpiexec") : NAMES;
    }

    private static String onPath(List<String> names) {
        for (String name : names) {
            for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
                Path file = Path.of(folder, name);
                if (Files.isExecutable(file)) {
                    return file.toString();
                }
            }
        }
        throw new IllegalStateException("No launcher of MPI: PATH has none of " + String.join(", ", names)
                + ". Set MPIEXEC to the command.");
    }

    /** The class path of this process, with what other class loaders have given it. */
    private static String classPath(Class<?> tests) {
        Set<String> path = new LinkedHashSet<>();
        for (String property : List.of("java.class.path", "jdk.module.path")) {
            for (String entry : System.getProperty(property, "").split(File.pathSeparator)) {
                path.add(entry);
            }
        }
        for (Class<?> type : List.of(tests, Launch.class, dev.mpiglot.mpi.Mpi.class, Test.class,
                TestAbortedException.class)) {
            CodeSource source = type.getProtectionDomain().getCodeSource();
            if (source != null) {
                addFile(path, source.getLocation());
            }
        }
        if (tests.getClassLoader() instanceof URLClassLoader loader) { // as of Surefire in Maven's own JVM: forkCount=0
            for (URL url : loader.getURLs()) {
                addFile(path, url);
            }
        }
        path.remove("");
        return String.join(File.pathSeparator, path);
    }

    private static void addFile(Set<String> path, URL url) {
        if (url != null && url.getProtocol().equals("file")) {
            try {
                path.add(Path.of(url.toURI()).toString());
            } catch (URISyntaxException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

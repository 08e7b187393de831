package dev.mpiglot.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The folder by which the ranks of a job and the process that started it talk to each other. */
record Folder(Path path) {

    static final String PASSED = "passed";
    static final String ABORTED = "aborted\n"; // by an assumption; the reason follows
    private static final String OUTCOME = "outcome-";
    private static final String STACKS = "stacks-";
    private static final String LATE = "late";
    private static final String END = "end";
    private static final String OUTPUT = "output";
    private static final String OWNER = "owner";

    static Folder make() throws IOException {
        Folder folder = new Folder(Files.createTempDirectory("mpiglot-test-"));
        folder.write(OWNER, Long.toString(ProcessHandle.current().pid()));
        return folder;
    }

    Path output() {
        return path.resolve(OUTPUT);
    }

    /** Asks all ranks for their stacks. */
    void askForStacks() throws IOException {
        Files.createFile(path.resolve(LATE));
    }

    boolean isAskedForStacks() {
        return Files.exists(path.resolve(LATE));
    }

    /** Asks all ranks to end, whatever they do. */
    void askToEnd() throws IOException {
        Files.createFile(path.resolve(END));
    }

    /** {@return the process that started the job} */
    long owner() throws IOException {
        return Long.parseLong(Files.readString(path.resolve(OWNER)));
    }

    boolean isAskedToEnd() {
        return Files.exists(path.resolve(END)) || !Files.isDirectory(path);
    }

    void outcome(int rank, String text) throws IOException {
        write(OUTCOME + rank, text);
    }

    void stacks(int rank, String text) throws IOException {
        write(STACKS + rank, text);
    }

    Map<Integer, String> outcomes() throws IOException {
        return read(OUTCOME);
    }

    Map<Integer, String> stacks() throws IOException {
        return read(STACKS);
    }

    private void write(String name, String text) throws IOException {
        Path part = path.resolve("." + name);
        Files.writeString(part, text);
        Files.move(part, path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private Map<Integer, String> read(String prefix) throws IOException {
        Map<Integer, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.startsWith(prefix)) {
                    found.put(Integer.parseInt(name.substring(prefix.length())), Files.readString(file));
                }
            }
        }
        return found;
    }

    /** Removes the folder; what cannot be removed stays. */
    void remove() {
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(path);
        } catch (IOException stays) {
            // It is a temporary folder.
        }
    }
}

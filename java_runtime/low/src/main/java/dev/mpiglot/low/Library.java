package dev.mpiglot.low;

import dev.mpiglot.mpi.LibraryException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The MPI library of this process: found and loaded once, then recognised by what it says of itself.
 *
 * <p>Nothing here starts MPI. {@link #load()} is called by the first use of any MPI function or constant;
 * calling it first gives its failure as a clean {@link LibraryException}.
 */
public final class Library {

    private static volatile Library loaded;

    private final Loader loader;
    /** Another one from the start of MPI on, if the library has other constants than its text promised. */
    private volatile Table table;

    private Library(Loader loader, Table table) {
        this.loader = loader;
        this.table = table;
    }

    /**
     * Loads the library that {@code MPIGLOT_MPI} (or the system property {@code mpiglot.mpi}) names, else the one
     * that the launcher of this process belongs to, else the first that the system's loader finds.
     *
     * @return the library of this process
     * @throws LibraryException if none is found or the one found cannot be served; says what was tried
     */
    public static Library load() {
        Library library = loaded;
        return library != null ? library : loadFrom(null);
    }

    /**
     * Loads a certain library.
     *
     * @param where a library file, or the folder of an MPI installation
     * @return the library of this process
     * @throws LibraryException if it cannot be loaded or served, or another one is loaded already
     */
    public static Library load(Path where) {
        return loadFrom(where.toString());
    }

    private static synchronized Library loadFrom(String where) {
        if (loaded == null) {
            Build.check();
            Downcall.requireAccess();
            Loader loader = Loader.open(where);
            loaded = new Library(loader, Table.choose(loader));
        } else if (where != null && !loaded.loader.isAt(where)) {
            throw new LibraryException("This process already uses " + loaded.path() + "; a process can use one MPI "
                    + "only, so name " + where + " before the first use of MPI.");
        }
        return loaded;
    }

    /** {@return the file that was loaded} */
    public Path path() {
        return loader.path();
    }

    /** {@return what the library says of itself (MPI_Get_library_version)} */
    public String version() {
        return loader.version();
    }

    /** {@return the file and what the library calls itself, in one line} */
    public String title() {
        return path() + " (" + Table.firstLine(version()) + ")";
    }

    /** {@return the name of the table of constants in use, such as {@code openmpi-4.1.4}} */
    public String table() {
        return table.name();
    }

    /** {@return the binary interface: {@code mpich}, {@code ompi} or {@code abi}} */
    public String abi() {
        return loader.abi();
    }

    /** {@return remarks a user should see, for example that the library's version is not one that was tested} */
    public List<String> remarks() {
        return table.remarks();
    }

    /**
     * Tells whether the library has a function.
     *
     * @param function the C name, such as {@code MPI_Send_c}
     * @return whether it can be called
     */
    public boolean has(String function) {
        return symbol(function).address() != 0;
    }

    /**
     * Takes another table where the library has the constants of that one and not those that its text promised. Only
     * libraries of the standard ABI disagree, as Intel's and MPICH's do. Constants that were read before stay as they are.
     *
     * @param isLastCode whether the library keeps the last error code under a key
     */
    void measure(LongPredicate isLastCode) {
        if (!abi().equals("abi")) {
            return;
        }
        // Only this key is asked for where it is right: under another's, MPICH has the size of the universe, for which
        // it asks a launcher and waits for ever if there is none.
        boolean standard = isLastCode.test(MpiConstants.LASTUSEDCODE);
        if (standard == table.hasStandardKeys()) {
            return;
        }
        for (Release release : Release.of(abi()).reversed()) { // later ones first
            Table other = table.instead(release, path());
            if (standard ? other.hasStandardKeys() : isLastCode.test(other.constant("MPI_LASTUSEDCODE", loader))) {
                table = other;
                return;
            }
        }
    }

    /** The address of a symbol as the whole process sees it, so that preloaded tools are called; NULL if absent. */
    MemorySegment symbol(String name) {
        return loader.global(name);
    }

    /** Whether handles of a type take eight bytes (else four). */
    boolean wide(String handleType) {
        int size = table.size(handleType);
        // A newer library than the table's may have it: where communicators are pointers, all handles are.
        return (size != 0 ? size : table.size("MPI_Comm")) == 8;
    }

    /** The value of a constant, of {@code otherwise} where this MPI lacks it. */
    long constant(String name, String otherwise) {
        Long value = table.constant(name, loader);
        if (value == null) {
            value = otherwise == null ? null : table.constant(otherwise, loader);
        }
        return value == null ? 0 : value;
    }

    /** The value of an integer constant, or null where this MPI lacks it. */
    Long integer(String name) {
        return table.constant(name, loader);
    }

    /** Whether this MPI has a macro where others have a function. */
    boolean macro(String function) {
        return table.size("macro.".concat(function)) != 0;
    }

    /** Size of MPI_Status and offsets of its public fields. */
    int status(String what) {
        return table.size("MPI_Status.".concat(what));
    }
}

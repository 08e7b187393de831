package dev.mpiglot.low;

import dev.mpiglot.mpi.LibraryException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Loads the MPI library into the global scope and finds out which one it is. */
final class Loader {

    private static final int RTLD_NOW = 2;
    private static final int RTLD_NOLOAD = 4;
    private static final int RTLD_GLOBAL = 0x100;
    private static final int VERSION_CAPACITY = 16384;
    private static final long TEXT_CAPACITY = 4096;
    private static final long INFORMATION_SIZE = 32; // of Dl_info

    private final MemorySegment handle;
    private final Path path;
    private final String version;
    private final String standard;
    private final Family family;

    private Loader(MemorySegment handle, Path path, String version, String standard, Family family) {
        this.handle = handle;
        this.path = path;
        this.version = version;
        this.standard = standard;
        this.family = family;
    }

    /** Opens the library at {@code where}, or the first of the usual places. */
    static Loader open(String where) {
        CLibrary.keepFaultHandler();
        Signals.save();
        CLibrary.dlerror(); // linked now, since whatever the JVM links meanwhile would free the text
        List<String> tried = new ArrayList<>();
        for (String candidate : Candidates.find(where)) {
            MemorySegment handle = CLibrary.dlopen(candidate, RTLD_NOW | RTLD_GLOBAL, tried);
            if (handle.address() != 0) {
                Signals.restore();
                return identify(handle, candidate);
            }
        }
        throw new LibraryException("No MPI library could be loaded. Set MPIGLOT_MPI to the library's file or to the "
                + "folder of an MPI installation. Tried:\n" + String.join("\n", tried));
    }

    private static Loader identify(MemorySegment handle, String candidate) {
        MemorySegment own = CLibrary.dlsym(handle, "PMPI_Init");
        if (own.address() == 0) {
            throw new LibraryException(candidate + " is no MPI library: it has no function PMPI_Init.");
        }
        Path path = real(CLibrary.owner(own));
        MemorySegment seen = CLibrary.dlsym(MemorySegment.NULL, "PMPI_Init");
        if (seen.address() != own.address()) {
            throw new LibraryException(path + " was loaded, but PMPI_Init of this process belongs to "
                    + CLibrary.owner(seen) + ": two MPI libraries in one process cannot work. Unload or do not preload "
                    + "the other one, or set MPIGLOT_MPI to it.");
        }
        String version = askVersion(handle);
        return new Loader(handle, path, version, askStandard(handle), familyOf(handle));
    }

    /** The function that may be called before MPI is initialised and looks alike in every MPI. */
    private static String askVersion(MemorySegment handle) {
        MemorySegment address = CLibrary.dlsym(handle, "MPI_Get_library_version");
        if (address.address() == 0) {
            throw new LibraryException("The MPI library is older than MPI 3.0 (it has no MPI_Get_library_version); "
                    + "a newer one is needed.");
        }
        MethodHandle ask = Downcall.at(address, "jjj");
        Frame frame = Frame.current();
        long mark = frame.mark();
        try {
            long text = frame.allocate(VERSION_CAPACITY);
            long code = (long) ask.invokeExact(text, frame.cell());
            return (int) code == 0 ? Frame.getText(text, VERSION_CAPACITY).strip() : "";
        } catch (Throwable t) {
            throw Call.rethrow(t);
        } finally {
            frame.release(mark);
        }
    }

    /** The version of the standard that the library says it has, which may be asked for at any time too. */
    private static String askStandard(MemorySegment handle) {
        MemorySegment address = CLibrary.dlsym(handle, "MPI_Get_version");
        if (address.address() == 0) {
            return "";
        }
        int[] told = numbers(address);
        return told[0] < 0 ? "" : Integer.toString(told[0]).concat(".").concat(Integer.toString(told[1]));
    }

    /** The first family whose sign the library bears; null if there is none. */
    private static Family familyOf(MemorySegment handle) {
        for (Family family : Family.all()) {
            MemorySegment sign = CLibrary.dlsym(handle, family.symbol());
            if (sign.address() != 0 && (!family.answers() || numbers(sign)[0] > 0)) {
                return family;
            }
        }
        return null;
    }

    /** The two integers that a function tells; -1 if it fails. */
    private static int[] numbers(MemorySegment function) {
        MethodHandle ask = Downcall.at(function, "jjj");
        Frame frame = Frame.current();
        long mark = frame.mark();
        try {
            long major = frame.cell();
            long minor = frame.cell();
            long code = (long) ask.invokeExact(major, minor);
            return (int) code == 0 ? new int[] {Frame.getInt(major), Frame.getInt(minor)} : new int[] {-1, -1};
        } catch (Throwable t) {
            throw Call.rethrow(t);
        } finally {
            frame.release(mark);
        }
    }

    private static Path real(String file) {
        try {
            return Path.of(file).toRealPath();
        } catch (IOException e) {
            return Path.of(file);
        }
    }

    MemorySegment global(String name) {
        MemorySegment found = CLibrary.dlsym(MemorySegment.NULL, name);
        return found.address() != 0 ? found : CLibrary.dlsym(handle, name);
    }

    Path path() {
        return path;
    }

    String version() {
        return version;
    }

    /** The version of the standard that the library says it has. */
    String standard() {
        return standard;
    }

    /** The family of the library, by the signs that it bears; null if it bears none. */
    Family family() {
        return family;
    }

    /** The file of the library that has a function, or a sentence that there is none. */
    static String ownerOf(long address) {
        return CLibrary.owner(MemorySegment.ofAddress(address));
    }

    /** Whether a library that is loaded is an agent of the JVM, such as a profiler. */
    static boolean isAgent(String file) {
        MemorySegment handle = CLibrary.dlopen(file, RTLD_NOW | RTLD_NOLOAD, new ArrayList<>());
        return handle.address() != 0 && CLibrary.dlsym(handle, "Agent_OnLoad").address() != 0;
    }

    String abi() {
        return family == null ? "" : family.key();
    }

    boolean exports(String symbol) {
        return global(symbol).address() != 0;
    }

    boolean isAt(String where) {
        Path asked = real(where);
        return Files.isDirectory(asked) ? path.startsWith(asked) : path.equals(asked);
    }

    /** The functions of the C library that loading needs, all through one shape of call. */
    private static final class CLibrary {

        private static final String SHAPE = "jjj";
        private static final MethodHandle DLOPEN = Downcall.c("dlopen", SHAPE);
        private static final MethodHandle DLSYM = Downcall.c("dlsym", SHAPE);
        private static final MethodHandle DLERROR = Downcall.c("dlerror", SHAPE); // takes none, and none hurts

        private CLibrary() {
        }

        /** Loads a library; what is wrong with it is added to the complaints while the file's name still stands. */
        static MemorySegment dlopen(String file, int flags, List<String> complaints) {
            Frame frame = Frame.current();
            long mark = frame.mark();
            try {
                long handle = (long) DLOPEN.invokeExact(Convert.text(frame, file), (long) flags);
                if (handle == 0) {
                    complaints.add("  ".concat(dlerror()));
                }
                return MemorySegment.ofAddress(handle);
            } catch (Throwable t) {
                throw Call.rethrow(t);
            } finally {
                frame.release(mark);
            }
        }

        static MemorySegment dlsym(MemorySegment handle, String name) {
            Frame frame = Frame.current();
            long mark = frame.mark();
            try {
                return MemorySegment.ofAddress((long) DLSYM.invokeExact(handle.address(), Convert.text(frame, name)));
            } catch (Throwable t) {
                throw Call.rethrow(t);
            } finally {
                frame.release(mark);
            }
        }

        static String dlerror() {
            try {
                long text = (long) DLERROR.invokeExact(0L, 0L);
                return text == 0 ? "unknown error" : Frame.getText(text, TEXT_CAPACITY);
            } catch (Throwable t) {
                throw Call.rethrow(t);
            }
        }

        /** The file of the library that an address belongs to. */
        static String owner(MemorySegment address) {
            Frame frame = Frame.current();
            long mark = frame.mark();
            try {
                long information = frame.allocate(INFORMATION_SIZE);
                long found = (long) Downcall.c("dladdr", SHAPE).invokeExact(address.address(), information);
                return (int) found == 0 ? "an unknown library" : Frame.getPointer(information).getString(0);
            } catch (Throwable t) {
                throw Call.rethrow(t);
            } finally {
                frame.release(mark);
            }
        }

        /** UCX, which some MPIs load, would replace the JVM's own handler for SIGSEGV; then null checks kill the JVM. */
        static void keepFaultHandler() {
            if (System.getenv("UCX_ERROR_SIGNALS") != null) {
                return;
            }
            Frame frame = Frame.current();
            long mark = frame.mark();
            try {
                MethodHandle setenv = Downcall.c("setenv", "jjjj");
                long ignored = (long) setenv.invokeExact(Convert.text(frame, "UCX_ERROR_SIGNALS"),
                        Convert.text(frame, ""), 0L);
            } catch (Throwable t) {
                throw Call.rethrow(t);
            } finally {
                frame.release(mark);
            }
        }
    }
}

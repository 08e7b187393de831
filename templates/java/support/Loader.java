package dev.mpiglot.low;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Loads the MPI library into the global scope and finds out which one it is. */
final class Loader {

    private static final int RTLD_NOW = 2;
    private static final int RTLD_GLOBAL = 0x100;
    private static final int VERSION_CAPACITY = 16384;
    private static final long PATH_CAPACITY = 4096;

    private final MemorySegment handle;
    private final Path path;
    private final String version;
    private final String abi;

    private Loader(MemorySegment handle, Path path, String version, String abi) {
        this.handle = handle;
        this.path = path;
        this.version = version;
        this.abi = abi;
    }

    /** Opens the library at {@code where}, or the first of the usual places. */
    static Loader open(String where) {
        CLibrary.keepFaultHandler();
        List<String> tried = new ArrayList<>();
        for (String candidate : Candidates.find(where)) {
            MemorySegment handle = CLibrary.dlopen(candidate, RTLD_NOW | RTLD_GLOBAL);
            if (handle.address() != 0) {
                return identify(handle, candidate);
            }
            tried.add("  " + CLibrary.dlerror());
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
        return new Loader(handle, path, askVersion(handle), abiOf(handle, path));
    }

    /** The function that may be called before MPI is initialised and looks alike in every MPI. */
    private static String askVersion(MemorySegment handle) {
        MemorySegment address = CLibrary.dlsym(handle, "MPI_Get_library_version");
        if (address.address() == 0) {
            throw new LibraryException("The MPI library is older than MPI 3.0 (it has no MPI_Get_library_version); "
                    + "a newer one is needed.");
        }
        MethodHandle ask = Linker.nativeLinker().downcallHandle(address, FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(VERSION_CAPACITY);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            int code = (int) ask.invokeExact(text, length);
            return code == 0 ? text.getString(0).strip() : "";
        } catch (Throwable t) {
            throw Call.rethrow(t);
        }
    }

    private static String abiOf(MemorySegment handle, Path path) {
        if (CLibrary.dlsym(handle, "ompi_mpi_comm_world").address() != 0) {
            return "ompi";
        }
        return path.getFileName().toString().startsWith("libmpi_abi") ? "abi" : "mpich";
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

    String abi() {
        return abi;
    }

    boolean isAt(String where) {
        Path asked = real(where);
        return Files.isDirectory(asked) ? path.startsWith(asked) : path.equals(asked);
    }

    /** The functions of the C library that loading needs. */
    static final class CLibrary {

        private static final Linker LINKER = Linker.nativeLinker();
        private static final MethodHandle DLOPEN = bind("dlopen", FunctionDescriptor.of(
                ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        private static final MethodHandle DLSYM = bind("dlsym", FunctionDescriptor.of(
                ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));

        private CLibrary() {
        }

        private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
            return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(
                    () -> new LibraryException("The C library of this system has no " + name + ".")), descriptor);
        }

        static MemorySegment dlopen(String file, int flags) {
            try (Arena arena = Arena.ofConfined()) {
                return (MemorySegment) DLOPEN.invokeExact(arena.allocateFrom(file), flags);
            } catch (Throwable t) {
                throw Call.rethrow(t);
            }
        }

        static MemorySegment dlsym(MemorySegment handle, String name) {
            try (Arena arena = Arena.ofConfined()) {
                return (MemorySegment) DLSYM.invokeExact(handle, arena.allocateFrom(name));
            } catch (Throwable t) {
                throw Call.rethrow(t);
            }
        }

        static String dlerror() {
            MethodHandle dlerror = bind("dlerror", FunctionDescriptor.of(ValueLayout.ADDRESS));
            try {
                MemorySegment text = (MemorySegment) dlerror.invokeExact();
                return text.address() == 0 ? "unknown error" : text.reinterpret(PATH_CAPACITY).getString(0);
            } catch (Throwable t) {
                throw Call.rethrow(t);
            }
        }

        /** The file of the library that an address belongs to. */
        static String owner(MemorySegment address) {
            MethodHandle dladdr = bind("dladdr", FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment information = arena.allocate(4 * ValueLayout.ADDRESS.byteSize(), 8);
                int found = (int) dladdr.invokeExact(address, information);
                return found == 0 ? "an unknown library"
                        : information.get(ValueLayout.ADDRESS, 0).reinterpret(PATH_CAPACITY).getString(0);
            } catch (Throwable t) {
                throw Call.rethrow(t);
            }
        }

        /** UCX, which some MPIs load, would replace the JVM's own handler for SIGSEGV; then null checks kill the JVM. */
        static void keepFaultHandler() {
            MethodHandle setenv = bind("setenv", FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
            try (Arena arena = Arena.ofConfined()) {
                int ignored = (int) setenv.invokeExact(
                        arena.allocateFrom("UCX_ERROR_SIGNALS"), arena.allocateFrom(""), 0);
            } catch (Throwable t) {
                throw Call.rethrow(t);
            }
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Bind;
import dev.mpiglot.low.Handle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/** The object to which a value of a {@link Variable} belongs: it cannot be closed between {@code enter} and {@code leave}. */
record Owner(Bind kind, Handle handle, Runnable enter, Runnable leave) {

    /** Of what belongs to the process. */
    static final Owner NONE = new Owner(Bind.NO_OBJECT, null, () -> { }, () -> { });

    static Owner of(Comm comm) {
        return new Owner(Bind.MPI_COMM, Arguments.present("comm", comm).handle(), comm::enter, comm::leave);
    }

    static Owner of(Window<?> window) {
        return new Owner(Bind.MPI_WIN, Arguments.present("window", window).handle(), window::enter, window::leave);
    }

    static Owner of(MpiFile file) {
        return new Owner(Bind.MPI_FILE, Arguments.present("file", file).handle(), () -> file.enter(false), file::leave);
    }

    /** Throws unless values of the variable belong to such an object. */
    void require(Variable variable) {
        if (variable.bind() != kind) {
            throw new IllegalArgumentException("Values of \"" + variable + "\" belong to " + word(variable.bind())
                    + ", not to " + word(kind) + ".");
        }
    }

    private static String word(Bind kind) {
        return kind == Bind.NO_OBJECT ? "the process" : "an object of " + kind;
    }

    /** Calls MPI with the address of the handle. */
    <T> T pass(Function<MemorySegment, T> call) {
        if (handle == null) {
            return call.apply(MemorySegment.NULL);
        }
        try (Arena arena = Arena.ofConfined()) {
            return call.apply(handle.inMemory(arena));
        }
    }
}

package dev.mpiglot.mpi;

import java.util.function.Consumer;
import mpi.MPI;

/** What the programs use of this package, by hand over Open MPI's own package {@code mpi}. */
public final class Mpi {

    private Mpi() {
    }

    public static void run(Consumer<Mpi> program) {
        Calls.run(() -> MPI.Init(new String[0]));
        program.accept(new Mpi());
        Calls.run(MPI::Finalize);
    }

    public Comm world() {
        return new Comm();
    }
}

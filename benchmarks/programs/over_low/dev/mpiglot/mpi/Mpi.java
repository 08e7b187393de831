package dev.mpiglot.mpi;

import dev.mpiglot.low.Environment;
import java.util.function.Consumer;

/** What the programs use of this package, by hand over {@code dev.mpiglot.low}. */
public final class Mpi {

    private Mpi() {
    }

    public static void run(Consumer<Mpi> program) {
        Environment.init();
        program.accept(new Mpi());
        Environment.finalizeMpi();
    }

    public Comm world() {
        return new Comm();
    }
}

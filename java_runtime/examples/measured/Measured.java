package measured;

import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Op;
import java.time.Duration;

/** A program whose CPU time is compared with that of C, and whose result is known. */
public interface Measured {

    /** Makes what is not measured. */
    void prepare(Comm world);

    /** What is measured. */
    void run(Comm world);

    /** Whether the result is the known one; the same on all processes. */
    boolean isRight(Comm world);

    /** Runs it, and the first process tells the CPU seconds of all threads of all processes. */
    static void measure(Comm world, String name, String size, Measured program) {
        program.prepare(world);
        world.barrier();
        double before = cpuSeconds();
        program.run(world);
        double[] spent = {cpuSeconds() - before};
        if (!program.isRight(world)) {
            throw new IllegalStateException(name + " of class " + size + " has another result than the known one.");
        }
        world.allreduce(spent, Op.SUM);
        if (world.rank() == 0) {
            System.out.printf("%s %s on %d ranks: right, CPU seconds\t%.2f%n", name, size, world.size(), spent[0]);
        }
    }

    private static double cpuSeconds() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }

    /** Ends the program before MPI starts, if its arguments are wrong. */
    static void refuse(String sentence) {
        System.err.println(sentence);
        System.exit(2);
    }
}

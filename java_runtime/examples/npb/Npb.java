package npb;

import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Mpi;
import dev.mpiglot.mpi.Op;
import java.time.Duration;
import java.util.List;

/**
 * Kernels of the NAS Parallel Benchmarks, written from their specification: {@code npb.Npb S|W|A [EP|IS|CG ...]}, all
 * three if none is named. Each compares its result with the official one. One that is named twice is compiled before the
 * second time.
 */
public final class Npb {

    private Npb() {
    }

    /** One of the kernels. */
    interface Kernel {

        /** Makes what the benchmark does not measure. */
        void prepare(Comm world);

        /** What it measures. */
        void run(Comm world);

        /** Whether the result is the official one; the same on all processes. */
        boolean isRight(Comm world);
    }

    public static void main(String[] args) {
        if (args.length == 0) {
            System.err.println("usage: npb.Npb S|W|A [EP|IS|CG ...]");
            System.exit(2);
        }
        String size = args[0];
        List<String> names = args.length == 1 ? List.of("EP", "IS", "CG") : List.of(args).subList(1, args.length);
        Mpi.run(mpi -> {
            for (String name : names) {
                measure(mpi.world(), name, size);
            }
        });
    }

    private static void measure(Comm world, String name, String size) {
        Kernel kernel = switch (name) {
            case "EP" -> new Ep(size);
            case "IS" -> new Is(size);
            case "CG" -> new Cg(size);
            default -> throw new IllegalArgumentException("There is no kernel " + name + " here: EP, IS, CG.");
        };
        kernel.prepare(world);
        world.barrier();
        double before = cpuSeconds();
        kernel.run(world);
        double[] spent = {cpuSeconds() - before};
        if (!kernel.isRight(world)) {
            throw new IllegalStateException(name + " of class " + size + " has another result than the official one.");
        }
        world.allreduce(spent, Op.SUM);
        if (world.rank() == 0) {
            System.out.printf("%s %s on %d ranks: right, CPU seconds\t%.2f%n", name, size, world.size(), spent[0]);
        }
    }

    /** Of all threads of this process. */
    private static double cpuSeconds() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }
}

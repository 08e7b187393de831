package npb;

import dev.mpiglot.mpi.Mpi;
import java.util.List;
import measured.Measured;

/**
 * Kernels of the NAS Parallel Benchmarks, written from their specification: {@code npb.Npb S|W|A [EP|IS|CG|FT|MG ...]}.
 * Without a name all run. Each compares its result with the official one. One that is named twice is compiled before
 * the second time.
 */
public final class Npb {

    private static final List<String> KERNELS = List.of("EP", "IS", "CG", "FT", "MG");

    private Npb() {
    }

    public static void main(String[] args) {
        if (args.length == 0 || !List.of("S", "W", "A").contains(args[0])) {
            Measured.refuse("usage: npb.Npb S|W|A [EP|IS|CG|FT|MG ...]");
        }
        String size = args[0];
        List<String> names = args.length == 1 ? KERNELS : List.of(args).subList(1, args.length);
        if (!KERNELS.containsAll(names)) {
            Measured.refuse("The kernels here are EP, IS, CG, FT and MG.");
        }
        Mpi.run(mpi -> {
            for (String name : names) {
                Measured kernel = switch (name) {
                    case "EP" -> new Ep(size);
                    case "IS" -> new Is(size);
                    case "CG" -> new Cg(size);
                    case "FT" -> new Ft(size);
                    default -> new Mg(size);
                };
                Measured.measure(mpi.world(), name, size, kernel);
            }
        });
    }
}

package npb;

import dev.mpiglot.mpi.Mpi;
import java.util.List;
import measured.Measured;

/**
 * Programs of the NAS Parallel Benchmarks, written from their specification:
 * {@code npb.Npb S|W|A [EP|IS|CG|FT|MG|SP ...]}. Without a name all run. Each compares its result with the official one.
 * One that is named twice is compiled before the second time.
 */
public final class Npb {

    private static final List<String> PROGRAMS = List.of("EP", "IS", "CG", "FT", "MG", "SP");

    private Npb() {
    }

    public static void main(String[] args) {
        if (args.length == 0 || !List.of("S", "W", "A").contains(args[0])) {
            Measured.refuse("usage: npb.Npb S|W|A [EP|IS|CG|FT|MG|SP ...]");
        }
        String size = args[0];
        List<String> names = args.length == 1 ? PROGRAMS : List.of(args).subList(1, args.length);
        if (!PROGRAMS.containsAll(names)) {
            Measured.refuse("The programs here are EP, IS, CG, FT, MG and SP.");
        }
        Mpi.run(mpi -> {
            for (String name : names) {
                Measured program = switch (name) {
                    case "EP" -> new Ep(size);
                    case "IS" -> new Is(size);
                    case "CG" -> new Cg(size);
                    case "FT" -> new Ft(size);
                    case "MG" -> new Mg(size);
                    default -> new Sp(size);
                };
                Measured.measure(mpi.world(), name, size, program);
            }
        });
    }
}

package heat;

import dev.mpiglot.mpi.Mpi;
import java.util.List;
import measured.Measured;

/**
 * The heat equation on a square plate, by Jacobi's iteration on a grid of processes: {@code heat.Heat S|W|A [TIMES]}.
 * The first process prints a checksum of the temperatures and how much the last step has changed. Of several times, the
 * second is compiled.
 */
public final class Heat {

    private Heat() {
    }

    public static void main(String[] args) {
        boolean many = args.length == 2 && args[1].matches("[1-9][0-9]?");
        if (!(args.length == 1 || many) || !List.of("S", "W", "A").contains(args[0])) {
            Measured.refuse("usage: heat.Heat S|W|A [TIMES]");
        }
        int times = many ? Integer.parseInt(args[1]) : 1;
        Mpi.run(mpi -> {
            for (int i = 0; i < times; i++) {
                try (Plate plate = new Plate(mpi.world(), args[0])) {
                    Measured.measure(mpi.world(), "HEAT", args[0], plate);
                }
            }
        });
    }
}

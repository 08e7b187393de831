package dev.mpiglot.mpi;

import dev.mpiglot.low.InfoHandle;
import java.util.Arrays;
import java.util.List;

/**
 * A program that {@link Comm#spawn} starts.
 *
 * @param command the program
 * @param arguments its arguments, without its name
 * @param processes how many processes of it
 * @param hints hints for MPI, which say on which machine and in which folder it runs, for example; null: none
 */
public record Spawn(String command, List<String> arguments, int processes, @Nullable Info hints) {

    /** Checks the values; throws an {@link IllegalArgumentException} if one is missing or there are no processes. */
    public Spawn {
        if (Arguments.present("command", command).isEmpty()) {
            throw new IllegalArgumentException("The command is empty.");
        }
        for (String one : Arguments.present("arguments", arguments)) {
            Arguments.present("arguments", one);
        }
        arguments = List.copyOf(arguments);
        if (processes < 1) {
            throw new IllegalArgumentException("A program cannot be started in " + processes + " processes.");
        }
    }

    /**
     * A program without hints.
     *
     * @param processes how many processes of it
     * @param command the program
     * @param arguments its arguments
     * @return what to spawn
     */
    public static Spawn of(int processes, String command, String... arguments) {
        return new Spawn(command, Arrays.asList(Arguments.present("arguments", arguments)), processes, null);
    }

    /** The same; throws if the hints are closed. */
    Spawn require() {
        if (hints != null) {
            hints.handle();
        }
        return this;
    }

    InfoHandle info() {
        return hints == null ? InfoHandle.NULL : hints.word();
    }
}

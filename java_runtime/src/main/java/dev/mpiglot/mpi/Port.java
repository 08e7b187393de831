package dev.mpiglot.mpi;

import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.Processes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Where processes of other jobs can connect to: {@link Comm#accept} waits at it, {@link Comm#connect} there takes its
 * {@link #name}, which goes there by a file, an argument, or a published name.
 */
public final class Port implements AutoCloseable {

    private static final int MOST_BYTES = 255; // of the name of a service

    private final String name;
    private final Life life = new Life("The port is closed: close it when nobody connects to it any more.");
    private final List<String> services = new ArrayList<>();

    private Port(String name) {
        this.name = name;
    }

    /**
     * Opens a port. {@code MPI_Open_port} Local.
     *
     * @param hints hints for MPI; null: none
     * @return the port, to be closed
     * @throws IllegalStateException if the hints are closed
     * @throws MpiException if MPI reports an error; some libraries have no ports
     */
    public static Port open(@Nullable Info hints) {
        return new Port(with(hints, Processes::openPort));
    }

    /** {@return what others connect to} */
    public String name() {
        return name;
    }

    /**
     * Publishes the port under a name for {@link #lookup}, until it is closed. {@code MPI_Publish_name} Local.
     *
     * @param service the name
     * @param hints hints for MPI; null: none
     * @throws IllegalArgumentException if the name is null, has more than 255 bytes in UTF-8, or holds a control character
     * @throws IllegalStateException if the port or the hints are closed
     * @throws MpiException if MPI reports an error: the name is taken, for example, or nothing keeps names
     */
    public void publish(String service, @Nullable Info hints) {
        requireService(service);
        using(() -> with(hints, info -> {
            Processes.publishName(service, info, name);
            synchronized (services) {
                services.add(service);
            }
            return service;
        }));
    }

    /**
     * Takes a published name back. {@code MPI_Unpublish_name} Local.
     *
     * @param service the name
     * @param hints the hints that it was published with; null: none
     * @throws IllegalArgumentException if this port is not published under the name
     * @throws IllegalStateException if the port or the hints are closed
     * @throws MpiException if MPI reports an error
     */
    public void unpublish(String service, @Nullable Info hints) {
        using(() -> with(hints, info -> {
            synchronized (services) {
                if (!services.remove(Arguments.present("service", service))) {
                    throw new IllegalArgumentException("The port is not published as \"" + service + "\".");
                }
            }
            Processes.unpublishName(service, info, name);
            return service;
        }));
    }

    /**
     * Finds a port. {@code MPI_Lookup_name} Local.
     *
     * @param service the name that it was published under
     * @param hints hints for MPI; null: none
     * @return the name of the port, for {@link Comm#connect}
     * @throws IllegalArgumentException if the name is null, has more than 255 bytes in UTF-8, or holds a control character
     * @throws IllegalStateException if the hints are closed
     * @throws MpiException if MPI reports an error: there is none of that name, for example
     */
    public static String lookup(String service, @Nullable Info hints) {
        requireService(service);
        return with(hints, info -> Processes.lookupName(service, info));
    }

    /** Launchers hang, or end the job, where a name does not fit into a line of theirs. */
    private static void requireService(String service) {
        if (Arguments.present("service", service).chars().anyMatch(Character::isISOControl)
                || service.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw new IllegalArgumentException("The name of a service holds a control character or has more than "
                    + MOST_BYTES + " bytes.");
        }
    }

    /** What may wait for a server of names does not hold a carrier. */
    private static <T> T with(Info hints, Function<InfoHandle, T> action) {
        List<T> result = new ArrayList<>(1);
        Progress.finishOnPlatform(() -> result.add(hints == null ? action.apply(InfoHandle.NULL)
                : hints.using(() -> action.apply(hints.word()))));
        return result.getFirst();
    }

    <T> T using(java.util.function.Supplier<T> action) {
        return life.during(action);
    }

    /**
     * Takes published names back, whose hints were none, and closes the port. {@code MPI_Close_port} Local. Closing again
     * does nothing.
     *
     * @throws IllegalStateException if a call still uses it
     * @throws MpiException if MPI reports an error
     */
    @Override
    public void close() {
        if (!life.end()) {
            return;
        }
        with(null, info -> {
            try {
                services.forEach(service -> Processes.unpublishName(service, info, name));
            } finally {
                Processes.closePort(name);
            }
            return name;
        });
    }
}

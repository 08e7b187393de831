package dev.mpiglot.low;

import dev.mpiglot.mpi.LibraryException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Which build these classes are of. The JVM takes classes from an AOT cache even if the jar is of another build. */
final class Build {

    private static final String RESOURCE = "build.txt";
    private static final int LENGTH = 64;

    private Build() {
    }

    /** A digest of all classes: packing writes it over these zeros, and into the resource. Else neither is there. */
    private static String ofClasses() {
        return "0000000000000000000000000000000000000000000000000000000000000000";
    }

    private static String ofJar() {
        try (InputStream stream = Build.class.getResourceAsStream(RESOURCE)) {
            return stream == null ? "0".repeat(LENGTH) : new String(stream.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Throws if the classes are not those of the jar. */
    static void check() {
        if (!ofJar().equals(ofClasses())) {
            throw new LibraryException("The JVM runs other classes of mpiglot than its jar has, from an AOT cache of another "
                    + "build: make the cache again, or leave out -XX:AOTCache.");
        }
    }
}

package dev.mpiglot.low;

import dev.mpiglot.mpi.LibraryException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;

/** The sizes and constants of one MPI library, read from the resource that fits the library loaded. */
final class Table {

    private static final String FOLDER = "libraries/";

    private final String name;
    private final List<String> remarks;
    private final Map<String, Integer> sizes = new HashMap<>();
    private final Map<String, String> constants = new HashMap<>(1024);

    private Table(String name, List<String> remarks) {
        this.name = name;
        this.remarks = remarks;
        for (String line : lines(name.concat(".txt"))) {
            int first = line.indexOf(' ');
            int last = line.lastIndexOf(' ');
            String key = line.substring(first + 1, last);
            if (line.charAt(0) == 's') {
                sizes.put(key, Integer.valueOf(line.substring(last + 1)));
            } else {
                constants.put(key, line.substring(last + 1));
            }
        }
    }

    /**
     * The table for the library that was loaded: one of its family, which its signs tell, and of the vendor that its
     * text names. If that vendor has none in the family, the family's reference stands in.
     */
    static Table choose(Loader library) {
        String says = firstLine(library.version());
        Family family = library.family();
        if (family == null) {
            throw new LibraryException(library.path() + " says \"" + says + "\", but bears the sign of no MPI family "
                    + "that is known here (" + Family.signs() + "): it cannot be served.");
        }
        List<Release> all = Release.of(family.key());
        List<Release> own = new ArrayList<>();
        List<Release> references = new ArrayList<>();
        for (Release release : all) {
            if (library.version().startsWith(release.text())) {
                own.add(release);
            }
            if (release.vendor().equals(family.reference())) {
                references.add(release);
            }
        }
        boolean stranger = own.isEmpty();
        List<Release> eligible = stranger ? references : own;
        if (eligible.isEmpty()) {
            throw new LibraryException(library.path() + " says \"" + says + "\" and is one of " + family.title()
                    + ", whose libraries cannot be loaded by a running program.");
        }
        String wanted = stranger ? "" : Release.version(library.version().substring(own.get(0).text().length()));
        List<Release> sorted = Release.nearestFirst(eligible, wanted, library.standard());
        Release best = sorted.get(0);
        if (Release.isSame(wanted, best.version())) {
            return new Table(best.name(), List.of()).checked(library, says);
        }
        String which = stranger ? " of " + family.title() + ", but it bears that family's sign (" + family.symbol() + ")" : "";
        for (Release release : sorted) {
            Table table = new Table(release.name(), List.of("mpiglot: \"" + says + "\" is not among the tested MPI "
                    + "libraries" + which + "; the constants of " + release.name() + " are used."));
            if (table.lacking(library) == null) {
                return table;
            }
        }
        return new Table(best.name(), List.of()).checked(library, says);
    }

    /** The table of another release, for a library whose text promised this one. */
    Table instead(Release release, Path library) {
        return new Table(release.name(), List.of("mpiglot: " + library + " was taken for " + name
                + " by its text, but has constants of " + release.name() + ", which are used."));
    }

    /** This table, if the library has what its constants need. */
    private Table checked(Loader library, String says) {
        String symbol = lacking(library);
        if (symbol != null) {
            throw new LibraryException(library.path() + " says \"" + says + "\" and should have the symbol " + symbol
                    + ", which it has not: it is not the MPI it says it is.");
        }
        return this;
    }

    /** A symbol that a handle's constant needs and the library does not export; null if there is none. */
    private String lacking(Loader library) {
        for (String text : constants.values()) {
            if ((text.charAt(0) == '&' || text.charAt(0) == '*') && !library.exports(text.substring(1))) {
                return text.substring(1);
            }
        }
        return null;
    }

    static String firstLine(String text) {
        String line = text.strip();
        int end = line.indexOf('\n');
        StringBuilder words = new StringBuilder();
        StringTokenizer tokens = new StringTokenizer(end < 0 ? line : line.substring(0, end));
        while (tokens.hasMoreTokens()) {
            words.append(words.isEmpty() ? "" : " ").append(tokens.nextToken());
        }
        return words.toString();
    }

    static List<String> lines(String resource) {
        try (InputStream stream = Table.class.getResourceAsStream(FOLDER.concat(resource))) {
            if (stream == null) {
                throw new LibraryException("This jar is incomplete: it lacks the resource " + FOLDER + resource + ".");
            }
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            List<String> lines = new ArrayList<>();
            StringTokenizer tokens = new StringTokenizer(text, "\n");
            while (tokens.hasMoreTokens()) {
                String line = tokens.nextToken();
                if (line.charAt(0) != '#') {
                    lines.add(line);
                }
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return name;
    }

    List<String> remarks() {
        return remarks;
    }

    int size(String type) {
        Integer size = sizes.get(type);
        return size == null ? 0 : size;
    }

    /** Whether the keys of attributes are the standard's. */
    boolean hasStandardKeys() {
        return Integer.toString(MpiConstants.LASTUSEDCODE).equals(constants.get("MPI_LASTUSEDCODE"));
    }

    /** A constant's value: a number, the address of a symbol (&amp;name) or what the symbol holds (*name). */
    Long constant(String constant, Loader library) {
        String text = constants.get(constant);
        if (text == null) {
            return null;
        }
        char first = text.charAt(0);
        if (first != '&' && first != '*') {
            return Long.valueOf(text);
        }
        MemorySegment symbol = library.global(text.substring(1));
        if (symbol.address() == 0) {
            return null;
        }
        return first == '&' ? symbol.address() : symbol.reinterpret(8).get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    }
}

package dev.mpiglot.low;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    /** One line of the index: a library that has a table. */
    private record Entry(String name, String abi, String version, String standard, String vendor, String says) {

        boolean serves(Loader library, String vendorWanted) {
            return abi.equals(library.abi()) && vendor.equals(vendorWanted);
        }
    }

    /**
     * The table for the library that was loaded: its own, else that of a version of its vendor and series (Open MPI 5
     * has what 4 lacks) that says it has the same standard (MPICH 4.2 has what came with 4.3, not with 4.1), of these
     * the nearest lower one, else the nearest higher one; else of the series, else of any.
     */
    static Table choose(Loader library) {
        List<Entry> all = new ArrayList<>();
        for (String line : lines("index.txt")) {
            String[] part = line.split("\t");
            all.add(new Entry(part[0], part[1], part[2], part[3], part[4], part[5]));
        }
        String says = firstLine(library.version());
        for (Entry entry : all) {
            if (entry.abi.equals(library.abi()) && entry.says.equals(says)) {
                return new Table(entry.name, List.of());
            }
        }
        return nearest(library, says, all);
    }

    private static Table nearest(Loader library, String says, List<Entry> all) {
        List<Entry> family = all.stream().filter(e -> e.abi.equals(library.abi())).toList();
        String plain = says.replace("(R)", "");
        String vendor = all.stream().map(Entry::vendor).filter(plain::contains).findFirst().orElse("");
        List<Entry> own = family.stream().filter(e -> e.serves(library, vendor)).toList();
        if (family.isEmpty() || own.isEmpty() && all.stream().anyMatch(e -> e.vendor.equals(vendor))) {
            throw new LibraryException(library.path() + " says \"" + says + "\", but looks like an MPI of the family \""
                    + library.abi() + "\": it cannot be served.");
        }
        Matcher version = Pattern.compile("\\d+(?:\\.\\d+)+").matcher(says);
        String wanted = version.find() ? version.group() : "";
        Comparator<Entry> byVersion = Comparator.comparing(Entry::version, Table::compareVersions);
        List<Entry> series = own.stream().filter(e -> part(e.version, 0) == part(wanted, 0)).toList();
        List<Entry> eligible = own.isEmpty() ? family : series.isEmpty() ? own : series;
        List<Entry> alike = eligible.stream().filter(e -> e.standard.equals(library.standard())).toList();
        List<Entry> sorted = (alike.isEmpty() ? eligible : alike).stream().sorted(byVersion).toList();
        Entry taken = sorted.get(own.isEmpty() ? sorted.size() - 1 : 0);
        for (Entry entry : own.isEmpty() ? List.<Entry>of() : sorted) {
            if (compareVersions(entry.version, wanted) <= 0 || entry.version.startsWith(wanted + ".")) {
                taken = entry;
            }
        }
        if (wanted.equals(taken.version) || taken.version.startsWith(wanted + ".")) {
            return new Table(taken.name, List.of());
        }
        return new Table(taken.name, List.of("mpiglot: \"" + says + "\" is not among the tested MPI libraries; the "
                + "constants of " + taken.name + " are used."));
    }

    private static int compareVersions(String a, String b) {
        for (int i = 0; i < Math.max(a.split("\\.").length, b.split("\\.").length); i++) {
            int order = Integer.compare(part(a, i), part(b, i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static int part(String version, int i) {
        String[] parts = version.split("\\.");
        if (i >= parts.length) {
            return 0;
        }
        String digits = parts[i].replaceAll("\\D.*", "");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
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

    private static List<String> lines(String resource) {
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

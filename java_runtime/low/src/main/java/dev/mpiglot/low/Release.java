package dev.mpiglot.low;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One release of one MPI that has a table.
 *
 * @param abi the key of its family
 * @param standard the version of the standard that it says it has
 * @param text how its version text begins, up to the version
 */
record Release(String name, String abi, String version, String standard, String vendor, String text) {

    private static final Pattern VERSION = Pattern.compile("\\s*(\\d{1,9}(?:\\.\\d{1,9})*)");

    /** The releases of a family. */
    static List<Release> of(String family) {
        List<Release> all = new ArrayList<>();
        for (String line : Table.lines("index.txt")) {
            String[] part = line.split("\t");
            if (part[1].equals(family)) {
                all.add(new Release(part[0], part[1], part[2], part[3], part[4], part[5]));
            }
        }
        return all;
    }

    /** The version at the beginning of a text; empty if there is none. */
    static String version(String text) {
        Matcher version = VERSION.matcher(text);
        return version.lookingAt() ? version.group(1) : "";
    }

    /** True if two versions agree in as many numbers as both have: Intel's library leaves the last one out. */
    static boolean isSame(String one, String other) {
        int[] left = numbers(one);
        int[] right = numbers(other);
        int both = Math.min(left.length, right.length);
        return both > 0 && Arrays.equals(left, 0, both, right, 0, both);
    }

    /**
     * The better stand-ins first: the same version, else one of the same series (Open MPI 5 has what 4 lacks) that says
     * it has the same standard (MPICH 4.2 has what came with 4.3, not with 4.1), of these the nearest lower one, else
     * the nearest higher one. Where no version is wanted the standard alone decides, and of equals the newest.
     */
    static List<Release> nearestFirst(List<Release> releases, String wanted, String standard) {
        Comparator<Release> order = wanted.isEmpty()
                ? Comparator.comparing(Release::standard, near(standard))
                        .thenComparing(r -> numbers(r.version), (a, b) -> Arrays.compare(b, a))
                : Comparator.<Release, Boolean>comparing(r -> !isSame(wanted, r.version))
                        .thenComparing(r -> numbers(r.version)[0] != numbers(wanted)[0])
                        .thenComparing(r -> !r.standard.equals(standard))
                        .thenComparing(Release::version, near(wanted));
        return releases.stream().sorted(order).toList();
    }

    /** Orders versions by how well they stand in for one: the nearest lower first, then the nearest higher. */
    private static Comparator<String> near(String wanted) {
        int[] want = numbers(wanted);
        return (a, b) -> {
            boolean lowerA = Arrays.compare(numbers(a), want) <= 0;
            boolean lowerB = Arrays.compare(numbers(b), want) <= 0;
            int order = Arrays.compare(numbers(a), numbers(b));
            return lowerA != lowerB ? Boolean.compare(lowerB, lowerA) : lowerA ? -order : order;
        };
    }

    private static int[] numbers(String version) {
        return Arrays.stream(version.split("\\.")).filter(p -> p.matches("\\d{1,9}"))
                .mapToInt(Integer::parseInt).toArray();
    }
}

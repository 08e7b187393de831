package dev.mpiglot.low;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * One release of one MPI that has a table.
 *
 * @param abi the key of its family
 * @param standard the version of the standard that it says it has
 * @param text how its version text begins, up to the version
 */
record Release(String name, String abi, String version, String standard, String vendor, String text) {

    private static final int DIGITS = 9; // that an int has room for

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
        String begins = text.stripLeading();
        int end = afterNumber(begins, 0);
        int next = afterNumber(begins, end + 1);
        while (end > 0 && next > end + 1 && begins.charAt(end) == '.') {
            end = next;
            next = afterNumber(begins, end + 1);
        }
        return begins.substring(0, end);
    }

    /** Whether a text is a number that an int has room for; a pattern would load twenty classes. */
    static boolean isNumber(String text) {
        return !text.isEmpty() && afterNumber(text, 0) == text.length();
    }

    /** Where the number ends that begins at a place of a text; that place if there is none. */
    private static int afterNumber(String text, int from) {
        int at = from;
        while (at < text.length() && at < from + DIGITS && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
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
        List<Release> sorted = new ArrayList<>(releases);
        sorted.sort(new Nearest(wanted, standard));
        return sorted;
    }

    /** The order of {@link #nearestFirst}. Every process goes this way, so it needs few classes. */
    private record Nearest(String wanted, String standard) implements Comparator<Release> {

        @Override
        public int compare(Release a, Release b) {
            if (wanted.isEmpty()) {
                int order = nearer(standard, a.standard, b.standard);
                return order != 0 ? order : Arrays.compare(numbers(b.version), numbers(a.version));
            }
            int order = Boolean.compare(isSame(wanted, b.version), isSame(wanted, a.version));
            if (order == 0) {
                int series = numbers(wanted)[0];
                order = Boolean.compare(numbers(b.version)[0] == series, numbers(a.version)[0] == series);
            }
            if (order == 0) {
                order = Boolean.compare(b.standard.equals(standard), a.standard.equals(standard));
            }
            return order != 0 ? order : nearer(wanted, a.version, b.version);
        }

        /** Orders versions by how well they stand in for one: the nearest lower first, then the nearest higher. */
        private static int nearer(String wanted, String a, String b) {
            int[] want = numbers(wanted);
            boolean lowerA = Arrays.compare(numbers(a), want) <= 0;
            boolean lowerB = Arrays.compare(numbers(b), want) <= 0;
            int order = Arrays.compare(numbers(a), numbers(b));
            return lowerA != lowerB ? Boolean.compare(lowerB, lowerA) : lowerA ? -order : order;
        }
    }

    private static int[] numbers(String version) {
        String[] parts = version.split("\\.");
        int[] numbers = new int[parts.length];
        int count = 0;
        for (String part : parts) {
            if (isNumber(part)) {
                numbers[count++] = Integer.parseInt(part);
            }
        }
        return Arrays.copyOf(numbers, count);
    }
}

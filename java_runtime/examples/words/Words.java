package words;

import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Mpi;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How often each word stands in a text: {@code words.Words [FILE]}. The first process has the text and sends a part to
 * each; the counts go back along a tree and are compared with those of the whole text. Parts and counts are objects.
 */
public final class Words {

    private static final int PART = 1;
    private static final int COUNTS = 2;
    private static final int LINES = 2000; // of the text where no file is named
    private static final int SHOWN = 3;

    private Words() {
    }

    /** Successive lines. */
    private record Part(List<String> lines) implements Serializable {
    }

    /** How often each word stands in some lines. */
    private record Counts(TreeMap<String, Long> words, long lines) implements Serializable {

        static Counts of(List<String> lines) {
            TreeMap<String, Long> words = new TreeMap<>();
            for (String line : lines) {
                for (String word : line.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+")) {
                    if (!word.isEmpty()) {
                        words.merge(word, 1L, Long::sum);
                    }
                }
            }
            return new Counts(words, lines.size());
        }

        Counts plus(Counts other) {
            TreeMap<String, Long> sum = new TreeMap<>(words);
            other.words.forEach((word, count) -> sum.merge(word, count, Long::sum));
            return new Counts(sum, lines + other.lines);
        }
    }

    public static void main(String[] args) throws IOException {
        if (args.length > 1 || args.length == 1 && !isReadable(Path.of(args[0]))) {
            boolean many = args.length > 1;
            System.err.println(many ? "usage: words.Words [FILE]" : "The file " + args[0] + " cannot be read.");
            System.exit(2);
        }
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            if (world.rank() != 0) {
                collect(world, Counts.of(Objects.receive(world, Part.class, 0, PART).lines()));
                return;
            }
            List<String> text = args.length == 1 ? Files.readAllLines(Path.of(args[0])) : text();
            Counts counts = collect(world, Counts.of(share(world, text)));
            if (!counts.equals(Counts.of(text))) {
                throw new IllegalStateException("The counts of the parts are not those of the whole text.");
            }
            tell(counts, world.size());
        });
    }

    private static boolean isReadable(Path file) {
        return Files.isRegularFile(file) && Files.isReadable(file);
    }

    /** Sends a part of the text to each other process; what stays here. */
    private static List<String> share(Comm world, List<String> text) throws IOException {
        long lines = text.size();
        int size = world.size();
        for (int i = 1; i < size; i++) {
            List<String> part = text.subList((int) (lines * i / size), (int) (lines * (i + 1) / size));
            Objects.send(world, new Part(new ArrayList<>(part)), i, PART);
        }
        return text.subList(0, (int) (lines / size));
    }

    /** The counts of this process and of those behind it in the tree; they go on to the one before it. */
    private static Counts collect(Comm world, Counts own) throws IOException, ClassNotFoundException {
        Counts counts = own;
        for (int step = 1; step < world.size(); step *= 2) {
            if ((world.rank() & step) != 0) {
                Objects.send(world, counts, world.rank() - step, COUNTS);
                break;
            }
            if (world.rank() + step < world.size()) {
                counts = counts.plus(Objects.receive(world, Counts.class, world.rank() + step, COUNTS));
            }
        }
        return counts;
    }

    /** Lines of words of which some are frequent and most are rare, the same each time. */
    private static List<String> text() {
        List<String> lines = new ArrayList<>();
        long x = 1;
        for (int i = 0; i < LINES; i++) {
            StringBuilder line = new StringBuilder();
            for (int j = 0; j < i % 17; j++) {
                x = x * 6364136223846793005L + 1442695040888963407L;
                long rare = 1 + (x >>> 33) % 1000;
                line.append(j == 0 ? "Wort" : ", wort").append(1000 / rare);
            }
            lines.add(line.toString());
        }
        return lines;
    }

    private static void tell(Counts counts, int ranks) {
        long all = counts.words().values().stream().mapToLong(Long::longValue).sum();
        System.out.printf("%d words, %d different ones, in %d lines, on %d ranks%n", all, counts.words().size(),
                counts.lines(), ranks);
        counts.words().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(SHOWN)
                .forEach(entry -> System.out.println(entry.getKey() + " " + entry.getValue()));
    }
}

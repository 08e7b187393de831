package dev.mpiglot.junit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** What the ranks of a job have said, in one message. */
record Report(String test, int ranks, Map<Integer, String> outcomes, Map<Integer, String> stacks, String output) {

    private static final int LINES = 40; // of output, at most

    static boolean hasFailure(Map<Integer, String> outcomes) {
        return outcomes.values().stream().anyMatch(Report::isFailure);
    }

    private static boolean isFailure(String outcome) {
        return !outcome.equals(Folder.PASSED) && !outcome.startsWith(Folder.ABORTED);
    }

    /**
     * Throws what the job has to say, if it did not pass.
     *
     * @param seconds the limit, if the job did not end in time, else zero
     * @param code the exit code of the launcher, zero if the job was ended by us
     */
    void check(int seconds, int code) {
        List<Integer> silent = IntStream.range(0, ranks).filter(r -> !outcomes.containsKey(r)).boxed().toList();
        if (hasFailure(outcomes)) {
            throw failure(failures(silent));
        }
        if (seconds > 0) {
            throw failure("not ended after " + seconds + " s\n" + stacksOfAll());
        }
        if (!silent.isEmpty()) {
            throw failure(named(silent) + " ended without a result, exit code " + code + "\n" + tail());
        }
        if (code != 0) {
            throw failure("all ranks passed, and then the job ended with exit code " + code + "\n" + tail());
        }
        for (String outcome : outcomes.values()) {
            if (outcome.startsWith(Folder.ABORTED)) {
                throw new TestAbortedException(outcome.substring(Folder.ABORTED.length()));
            }
        }
    }

    private AssertionFailedError failure(String what) {
        AssertionFailedError error = new AssertionFailedError(test + " on " + named(ranks) + ": " + what);
        error.setStackTrace(new StackTraceElement[0]); // those of the ranks are in the message
        return error;
    }

    private static String named(int number) {
        return number == 1 ? "1 rank" : number + " ranks";
    }

    private static String named(List<Integer> which) {
        String numbers = which.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return (which.size() == 1 ? "rank " : "ranks ") + numbers;
    }

    /** The failures; the same one of several ranks is told once. */
    private String failures(List<Integer> silent) {
        Map<String, List<Integer>> told = new LinkedHashMap<>();
        outcomes.forEach((rank, outcome) -> {
            if (isFailure(outcome)) {
                told.computeIfAbsent(outcome, o -> new ArrayList<>()).add(rank);
            }
        });
        int failed = told.values().stream().mapToInt(List::size).sum();
        StringBuilder text = new StringBuilder().append(failed).append(" failed");
        told.forEach((outcome, which) -> text.append('\n').append(named(which)).append(": ").append(outcome));
        if (!silent.isEmpty()) {
            text.append('\n').append(named(silent)).append(": not ended when the job was ended");
        }
        stacks.forEach((rank, stack) -> text.append("\nstacks of rank ").append(rank).append('\n').append(stack));
        return text.toString();
    }

    private String stacksOfAll() {
        List<String> parts = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            if (stacks.containsKey(rank)) {
                String passed = outcomes.containsKey(rank) ? " (its test has ended)" : "";
                parts.add("rank " + rank + passed + "\n" + stacks.get(rank));
            } else {
                parts.add("rank " + rank + ": no answer");
            }
        }
        stacks.forEach((rank, stack) -> {
            if (rank < 0) {
                parts.add("process " + -rank + ", where MPI has not started\n" + stack);
            }
        });
        return String.join("\n", parts);
    }

    private String tail() {
        List<String> lines = output.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }
}

package dev.mpiglot.junit;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A test method on several ranks, under the launcher. */
final class Job {

    private static final long PERIOD = 50; // milliseconds between two looks
    private static final long OTHERS = 2000; // that the others get to fail, too, once one has
    private static final long ANSWER = 3000; // that ranks get to tell their stacks, and to end

    private final Class<?> tests;
    private final Method method;
    private final int ranks;
    private final int seconds;

    Job(Class<?> tests, Method method, int ranks, int seconds) {
        this.tests = tests;
        this.method = method;
        this.ranks = ranks;
        this.seconds = seconds;
    }

    /**
     * Runs the job.
     *
     * @throws AssertionError if it fails on any rank
     */
    void run() throws IOException, InterruptedException {
        Folder folder = Folder.make();
        ProcessBuilder builder = new ProcessBuilder(Launch.command(tests, method, ranks, folder.path()));
        // More ranks than cores are nothing unusual for tests.
        builder.environment().putIfAbsent("OMPI_MCA_rmaps_base_oversubscribe", "1");
        builder.environment().putIfAbsent("PRTE_MCA_rmaps_default_mapping_policy", "slot:oversubscribe");
        builder.redirectErrorStream(true).redirectOutput(folder.output().toFile());
        builder.redirectInput(new File("/dev/null"));
        Process process = builder.start();
        Thread hook = new Thread(() -> {
            end(process);
            folder.remove();
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            boolean late = await(process, folder);
            boolean ended = process.isAlive();
            if (ended) {
                folder.askToEnd();
                patiently(ANSWER, () -> !process.isAlive());
            }
            end(process);
            String output = new String(Files.readAllBytes(folder.output()), StandardCharsets.UTF_8);
            System.out.print(output);
            String name = tests.getName() + "." + method.getName();
            new Report(name, ranks, folder.outcomes(), folder.stacks(), output)
                    .check(late ? seconds : 0, ended ? 0 : process.exitValue());
        } finally {
            end(process);
            folder.remove();
            forget(hook);
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // It runs.
        }
    }

    /** Waits until the job has ended or should be ended; true if it is late. */
    private boolean await(Process process, Folder folder) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long patience = Long.MAX_VALUE;
        while (!process.waitFor(PERIOD, TimeUnit.MILLISECONDS)) {
            Map<Integer, String> outcomes = folder.outcomes();
            if (patience == Long.MAX_VALUE && Report.hasFailure(outcomes)) {
                patience = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(OTHERS);
            }
            if (patience != Long.MAX_VALUE && (outcomes.size() == ranks || System.nanoTime() > patience)) {
                return false;
            }
            if (System.nanoTime() > deadline) {
                folder.askForStacks();
                patiently(ANSWER, () -> !process.isAlive() || isTold(folder));
                return true;
            }
        }
        return false;
    }

    private boolean isTold(Folder folder) {
        try {
            return folder.stacks().size() >= ranks;
        } catch (IOException e) {
            return false;
        }
    }

    private static void patiently(long milliseconds, BooleanSupplier done) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        while (!done.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.sleep(PERIOD);
        }
    }

    /** Ends what is left of a job: the launcher first, which knows of all its processes. */
    private static void end(Process process) {
        if (!process.isAlive()) {
            return;
        }
        List<ProcessHandle> started = process.descendants().toList();
        process.destroy();
        try {
            process.waitFor(ANSWER, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
    }
}

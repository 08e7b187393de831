package dev.mpiglot.junit;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * The thread of a rank that answers while the others wait in MPI: it tells stacks, and ends the process when it is asked
 * to, or when the process that started the job is gone.
 */
final class Watch extends Thread {

    private static final long PERIOD = 50; // milliseconds

    private static final Set<String> OF_THE_JVM = Set.of("system", "InnocuousThreadGroup"); // groups of threads

    private final Folder folder;
    private volatile int rank = -1;

    Watch(Folder folder) {
        super("mpiglot-watch");
        setDaemon(true);
        this.folder = folder;
    }

    /** Says which rank this process is. */
    void know(int number) {
        rank = number;
    }

    @Override
    public void run() {
        boolean told = false;
        try {
            long owner = folder.owner();
            while (!folder.isAskedToEnd() && ProcessHandle.of(owner).isPresent()) {
                if (!told && folder.isAskedForStacks()) {
                    // Before MPI has started there is no rank: what is below zero is no rank, and differs.
                    folder.stacks(rank >= 0 ? rank : -(int) ProcessHandle.current().pid(), stacks());
                    told = true;
                }
                sleep(PERIOD);
            }
        } catch (IOException | InterruptedException nobodyReads) {
            // The job ends.
        }
        Runtime.getRuntime().halt(1);
    }

    private static String stacks() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> each : getAllStackTraces().entrySet()) {
            ThreadGroup group = each.getKey().getThreadGroup();
            if (each.getKey() instanceof Watch || group == null || OF_THE_JVM.contains(group.getName())
                    || each.getValue().length == 0) {
                continue;
            }
            text.append("  thread ").append(each.getKey().getName()).append('\n');
            for (StackTraceElement frame : each.getValue()) {
                if (!frame.getClassName().startsWith("java.lang.invoke.")
                        && !frame.getClassName().startsWith("jdk.internal.")) {
                    text.append("\tat ").append(frame).append('\n');
                }
            }
        }
        return text.toString().stripTrailing();
    }
}

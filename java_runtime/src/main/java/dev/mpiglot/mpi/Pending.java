package dev.mpiglot.mpi;

import dev.mpiglot.low.Inside;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** What is still under way when MPI is closed. */
final class Pending {

    private static final String LIMIT = "mpiglot.close.seconds";
    private static final long EAGER_NS = 1_000_000;
    private static final long PAUSE_NS = 200_000;

    private Pending() {
    }

    /** How long {@link Mpi#close} waits for operations of this process. */
    static Duration limit() {
        return limit(10);
    }

    /** How long it waits for the end of other processes. */
    static Duration othersLimit() {
        return limit(60);
    }

    private static Duration limit(int usual) {
        return Duration.ofNanos((long) (Settings.seconds(LIMIT, usual) * 1e9));
    }

    /**
     * Waits until nothing is under way, but no longer than {@code limit}.
     *
     * @return what is left, in words; null: nothing
     */
    static String waitFor(Duration limit) {
        long begin = System.nanoTime();
        boolean looked = false;
        while (true) {
            Map<Request.Work, Integer> running = Progress.running();
            int unreceived = Message.unreceived();
            List<Left> under = Backlog.left();
            List<Request.Work> left = works(under);
            int open = (int) under.stream().filter(Left::isPrepared).count();
            int windows = Window.inEpochs();
            long passed = System.nanoTime() - begin;
            if (left.isEmpty() && running.isEmpty() && unreceived == 0 && open == 0 && windows == 0) {
                if (looked) {
                    return null;
                }
                List<String> inside = Inside.await(limit.minusNanos(passed));
                if (!inside.isEmpty()) {
                    return Inside.list(inside);
                }
                looked = true; // and what did those threads leave?
                continue;
            }
            if (passed >= limit.toNanos()) {
                return describe(left, running, unreceived, open, windows);
            }
            if (passed > EAGER_NS) {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    /** What is under way, apart from persistent operations that are not closed. */
    private static List<Request.Work> works(List<Left> under) {
        List<Request.Work> left = new ArrayList<>();
        for (Request request : GeneralizedRequest.open()) {
            if (!request.isSettled()) {
                left.add(request.work());
            }
        }
        under.stream().filter(one -> !one.isPrepared()).forEach(one -> left.add(one.work()));
        return left;
    }

    private static String describe(List<Request.Work> left, Map<Request.Work, Integer> running, int unreceived,
            int open, int windows) {
        Map<Request.Work, Integer> counts = new EnumMap<>(Request.Work.class);
        counts.putAll(running);
        left.forEach(work -> counts.merge(work, 1, Integer::sum));
        List<String> parts = new ArrayList<>();
        counts.forEach((work, count) -> parts.add(several(count, work.toString())));
        if (unreceived > 0) {
            parts.add(several(unreceived, "probed message"));
        }
        if (open > 0) {
            parts.add(several(open, "unclosed persistent operation"));
        }
        if (windows > 0) {
            parts.add(several(windows, "window") + " in an open epoch");
        }
        List<String> inside = Inside.await(Duration.ZERO);
        if (!inside.isEmpty()) {
            parts.add(Inside.list(inside));
        }
        return String.join(", ", parts);
    }

    private static String several(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}

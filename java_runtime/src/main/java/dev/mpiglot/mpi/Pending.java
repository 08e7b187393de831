package dev.mpiglot.mpi;

import dev.mpiglot.low.Inside;
import dev.mpiglot.low.KeptHandle;
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
        String text = System.getProperty(LIMIT);
        if (text == null) {
            return Duration.ofSeconds(usual);
        }
        try {
            double seconds = Double.parseDouble(text);
            if (seconds >= 0 && seconds <= Integer.MAX_VALUE) {
                return Duration.ofNanos((long) (seconds * 1e9));
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new IllegalArgumentException("The system property " + LIMIT + " is \"" + text + "\", which is no number of "
                + "seconds.");
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
            List<Request> left = left();
            int open = open();
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

    private static List<Request> left() {
        List<Request> left = new ArrayList<>(GeneralizedRequest.open());
        left.removeIf(Request::isSettled);
        for (Object owner : KeptHandle.ownersUnderWay()) {
            if (owner instanceof Request request && !request.isSettled()) {
                left.add(request);
            }
        }
        return left;
    }

    /** How many persistent operations MPI still has. */
    private static int open() {
        int open = 0;
        for (Object owner : KeptHandle.ownersUnderWay()) {
            open += owner instanceof Persistent operation && !operation.isSettled() ? 1 : 0;
        }
        return open;
    }

    private static String describe(List<Request> left, Map<Request.Work, Integer> running, int unreceived,
            int open, int windows) {
        Map<Request.Work, Integer> counts = new EnumMap<>(Request.Work.class);
        counts.putAll(running);
        left.forEach(request -> counts.merge(request.work(), 1, Integer::sum));
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

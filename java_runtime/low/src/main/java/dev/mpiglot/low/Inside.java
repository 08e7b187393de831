package dev.mpiglot.low;

import dev.mpiglot.mpi.LibraryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Other threads that are inside MPI when it ends, found by their stacks: a method of this package stands on the stack
 * before it reads whether MPI may be called, and until MPI has returned. So calls count nothing.
 *
 * <p>MPI is never entered after its end, because of this order. {@link #seal} first makes all later checks of other
 * threads fail. The look at the stacks that follows stops every thread. One that is outside of this package then reads
 * the new value when it comes in, since compilers keep no value of a static variable over a call into C. One that is
 * inside may have read the old value, and MPI ends only after it was seen outside.
 *
 * <p>Stacks of virtual threads are not seen, only that a platform thread carries one. Their calls that block are
 * operations that the package above counts; a call of theirs that does not block gets a moment to return.
 */
public final class Inside {

    private static final String OWN = Inside.class.getPackageName() + ".";
    private static final List<String> LAYERS = List.of(OWN, "dev.mpiglot.mpi.", "mpi.");
    private static final List<String> JAVA = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");
    private static final int NAMED = 3;
    private static final long FIRST_PAUSE_NS = 50_000;
    private static final long LONGEST_PAUSE_NS = 5_000_000;
    private static final Duration OF_CARRIERS = Duration.ofMillis(200);
    private static final Duration OF_FINALIZE = Duration.ofSeconds(10);

    private Inside() {
    }

    /**
     * Waits until each thread of the program that is inside MPI now has been outside once. If a session is open, it does not look:
     * sessions go on.
     *
     * @param limit how long it waits
     * @return what the threads do that are left, a phrase each; empty: none is left
     */
    public static List<String> await(Duration limit) {
        return Lifecycle.hasSessions() ? List.of() : phrases(left(limit, Inside::threadsOfProgram));
    }

    /**
     * Refuses all calls of other threads from now on, and does the same for all threads.
     *
     * @param limit how long it waits
     * @return what the threads do that are left, a phrase each; empty: none is left
     */
    public static List<String> seal(Duration limit) {
        if (!Lifecycle.seal()) {
            return List.of();
        }
        List<String> left = phrases(left(limit, Inside::threads));
        left(OF_CARRIERS, Inside::carriers);
        return left;
    }

    /** Before MPI_Finalize. Who uses this package alone is told by an exception, and may try again. */
    static void beforeFinalize() {
        List<String> left = seal(OF_FINALIZE);
        if (!left.isEmpty()) {
            Lifecycle.unseal();
            throw new LibraryException("MPI_Finalize was called, and " + OF_FINALIZE.toSeconds() + " seconds later other "
                    + "threads were still inside MPI: " + list(left) + ".");
        }
    }

    /** Looks at some threads. */
    private interface Look {
        Map<Thread, StackTraceElement[]> now();
    }

    private static Map<Thread, StackTraceElement[]> left(Duration limit, Look look) {
        long end = System.nanoTime() + limit.toNanos();
        long pause = FIRST_PAUSE_NS;
        Map<Thread, StackTraceElement[]> left = look.now();
        while (!left.isEmpty() && System.nanoTime() < end) {
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_NS);
            Map<Thread, StackTraceElement[]> now = look.now();
            now.keySet().retainAll(left.keySet());
            left = now;
        }
        return left;
    }

    private static Map<Thread, StackTraceElement[]> threads() {
        return where(OWN, null);
    }

    /** Without those of the package above, which do what it counts. */
    private static Map<Thread, StackTraceElement[]> threadsOfProgram() {
        Map<Thread, StackTraceElement[]> found = threads();
        found.keySet().removeIf(thread -> thread.getName().startsWith("mpiglot-"));
        return found;
    }

    /** The threads that carry a virtual one. */
    private static Map<Thread, StackTraceElement[]> carriers() {
        return where("java.lang.VirtualThread", "runContinuation");
    }

    private static Map<Thread, StackTraceElement[]> where(String start, String method) {
        Map<Thread, StackTraceElement[]> found = new HashMap<>(Thread.getAllStackTraces());
        found.remove(Thread.currentThread());
        found.values().removeIf(stack -> {
            for (StackTraceElement call : stack) {
                if (call.getClassName().startsWith(start) && (method == null || call.getMethodName().equals(method))) {
                    return false;
                }
            }
            return true;
        });
        return found;
    }

    private static List<String> phrases(Map<Thread, StackTraceElement[]> threads) {
        List<String> all = new ArrayList<>();
        threads.forEach((thread, stack) -> all.add(phrase(thread.getName(), stack)));
        all.sort(null);
        return all;
    }

    /**
     * {@return phrases as a part of a sentence} Three of them; the others are counted.
     *
     * @param phrases what {@link #await} or {@link #seal} found
     */
    public static String list(List<String> phrases) {
        int more = phrases.size() - NAMED;
        String named = String.join(", ", phrases.subList(0, Math.min(NAMED, phrases.size())));
        return more <= 0 ? named : named + ", calls of " + more + " more thread" + (more == 1 ? "" : "s");
    }

    /** What the program called, in which thread, and where. */
    static String phrase(String thread, StackTraceElement[] stack) {
        int inner = 0;
        while (!stack[inner].getClassName().startsWith(OWN)) {
            inner++; // an upcall: the program was called by MPI
        }
        int called = inner;
        int caller = inner;
        while (caller < stack.length && (begins(stack[caller], LAYERS) || isPassed(stack[caller]))) {
            called = begins(stack[caller], LAYERS) && !isLambda(stack[caller]) ? caller : called;
            caller++;
        }
        String name = name(stack[called]);
        if (name == null) { // a thread of the package
            while (begins(stack[inner + 1], List.of(OWN))) {
                inner++;
            }
            name = name(stack[inner]);
        }
        String where = caller == stack.length ? "" : ", called by " + place(stack[caller]);
        return name + " in the thread \"" + thread + "\"" + where;
    }

    /** {@return where the program is that called the package; null if nobody did} */
    public static StackTraceElement caller() {
        return StackWalker.getInstance().walk(calls -> calls.map(StackWalker.StackFrame::toStackTraceElement)
                .filter(call -> !begins(call, LAYERS) && !isPassed(call)).findFirst().orElse(null));
    }

    private static boolean begins(StackTraceElement call, List<String> starts) {
        return starts.stream().anyMatch(call.getClassName()::startsWith);
    }

    /** Whether it is Java's, or the class that Java makes of a lambda. */
    private static boolean isPassed(StackTraceElement call) {
        return begins(call, JAVA) || isLambda(call);
    }

    private static boolean isLambda(StackTraceElement call) {
        return call.getClassName().contains("$$Lambda");
    }

    /**
     * {@return a place in the program, in words}
     *
     * @param call what {@link #caller} found
     */
    public static String place(StackTraceElement call) {
        String name = call.getClassName() + "." + call.getMethodName();
        return call.getFileName() == null ? name : name + " (" + call.getFileName()
                + (call.getLineNumber() < 0 ? "" : ":" + call.getLineNumber()) + ")";
    }

    /** A method by the public class that has it; null: no program calls it. */
    private static String name(StackTraceElement call) {
        if (call.getMethodName().startsWith("lambda$")) {
            return null;
        }
        try {
            Class<?> found = publicOne(Class.forName(call.getClassName(), false, Inside.class.getClassLoader()));
            return found == null ? null : found.getSimpleName() + "." + call.getMethodName();
        } catch (ClassNotFoundException | LinkageError e) { // of another loader
            String name = call.getClassName();
            return name.substring(name.lastIndexOf('.') + 1) + "." + call.getMethodName();
        }
    }

    private static Class<?> publicOne(Class<?> declaring) {
        if ((declaring.getModifiers() & java.lang.reflect.Modifier.PUBLIC) != 0 && !declaring.isInterface()) {
            return declaring;
        }
        if (declaring.isSealed()) {
            for (Class<?> below : declaring.getPermittedSubclasses()) {
                Class<?> found = publicOne(below);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** {@return whether MPI has been started and ended} */
    public static boolean isAfterMpi() {
        return Lifecycle.hasEnded();
    }
}

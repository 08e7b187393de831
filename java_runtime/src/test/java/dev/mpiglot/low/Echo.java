package dev.mpiglot.low;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Calls every method with a library in front of MPI that answers for it (tests/conformance/echo.py): each reports an
 * error once, and each argument and output is compared with what the C function was given and gave.
 */
public final class Echo {

    private static final MethodHandle CHOOSE = Downcall.at(Library.load().symbol("mpiglot_echo"), "jjjjj");
    private static final MethodHandle LAST = Downcall.at(Library.load().symbol("mpiglot_echo_last"), "j");
    private static final int SLOTS = 16;
    static final int SEEN = 256;
    private static final int TEXT = 24;
    private static final long WORDS = 16;
    private static final long MEMORY = WORDS + 8 * SLOTS;

    private final Frame frame = Frame.current();
    private final List<String> wrong = new ArrayList<>();
    private int checked;
    private int absent;

    private Echo() {
    }

    /**
     * Reads the table that the first argument names, and checks all of it: first as long as MPI knows no callbacks.
     *
     * @param args where the table is
     * @throws IOException if it is not there
     */
    public static void main(String[] args) throws IOException {
        Environment.initThread(MpiConstants.THREAD_MULTIPLE);
        Echo echo = new Echo();
        CommHandle grid = Topologies.cartCreate(CommHandle.SELF, new int[] {1}, new boolean[] {true}, false);
        List<String> lines = Files.readAllLines(Path.of(args[0]));
        for (boolean brief : new boolean[] {true, false}) {
            if (!brief) {
                Brief.end(Brief.EVENT);
            }
            for (String line : lines) {
                new EchoCall(echo, line, grid).check();
            }
        }
        echo.choose("", 0, "", new long[0]);
        Environment.finalizeMpi();
        echo.wrong.forEach(System.out::println);
        System.out.println("echo java with " + Library.load().table() + ":");
        System.out.println(echo.checked - echo.wrong.size() + " passed, " + echo.wrong.size() + " failed, " + echo.absent
                + " skipped");
        System.exit(echo.wrong.isEmpty() ? 0 : 1);
    }

    void wrong(String what) {
        wrong.add("WRONG: " + what);
    }

    void absent() {
        absent++;
    }

    /** Makes the library answer for functions (names separated by commas); tells how many of them there are. */
    int choose(String functions, long result, String letters, long[] values) {
        long mark = frame.mark();
        try {
            return (int) (long) CHOOSE.invokeExact(Convert.text(frame, functions), result, Convert.text(frame, letters),
                    values.length == 0 ? frame.cell() : Convert.longs(frame, values));
        } catch (Throwable t) {
            throw Call.rethrow(t);
        } finally {
            frame.release(mark);
        }
    }

    private static long last() {
        try {
            return (long) LAST.invokeExact();
        } catch (Throwable t) {
            throw Call.rethrow(t);
        }
    }

    /** Which of the chosen functions was called, -1 for none. */
    static int called() {
        return (int) Frame.getLong(last());
    }

    /** What it was given in a place. */
    static long word(int slot) {
        return Frame.getLong(last() + WORDS + 8L * slot);
    }

    /** Where a copy of the first bytes is that an address led to when the call came. */
    static long seen(int slot) {
        return last() + MEMORY + (long) SEEN * slot;
    }

    /** A copy of the text that those bytes began with the address of, or, one deeper, with the address of its address. */
    static String text(int slot, int deeper) {
        return Frame.getText(last() + MEMORY + (long) SEEN * SLOTS + (long) TEXT * (2 * slot + deeper), TEXT);
    }

    /** Calls a method and gives its result, or the exception. */
    Object call(Method method, Object[] arguments) {
        checked++;
        try {
            return method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** Overwrites the memory that a call may have used and given back. */
    void scribble() {
        long mark = frame.mark();
        long[] rubbish = new long[100];
        Arrays.fill(rubbish, -1);
        for (int i = 0; i < 5; i++) {
            Convert.longs(frame, rubbish);
        }
        frame.release(mark);
        Memory other = new Memory();
        for (int size = 8; size <= 256; size += 8) {
            long at = other.allocate(size);
            for (int i = 0; i < size; i += 8) {
                Frame.putLong(at + i, -1);
            }
        }
        other.free();
    }

    static MemorySegment address(long value) {
        return MemorySegment.ofAddress(value);
    }
}

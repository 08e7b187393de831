package dev.mpiglot.low;

import dev.mpiglot.mpi.CallbackException;
import dev.mpiglot.mpi.MpiException;
import dev.mpiglot.mpi.UnavailableException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** One line of the table: a method, the C function, and what becomes of each of the function's arguments. */
final class EchoCall {

    /** What is refused while MPI runs, and what ends it. */
    private static final Set<String> STARTING = Set.of("MPI_Init", "MPI_Init_thread");
    private static final String ENDING = "MPI_Finalize";
    /** Who asks for classes and texts of errors gets an error. */
    private static final Set<String> NO_CLASS = Set.of("MPI_Error_class", "MPI_Error_string");

    private final Echo echo;
    private final String line;
    private final EchoArguments arguments;
    private final Method method;
    private final Class<?>[] types;
    private final String small;
    private final String large;
    private final String kind;
    private final boolean always;
    private final boolean narrow;
    private final String[][] slots;
    private final Map<Integer, String> lengths = new HashMap<>();

    EchoCall(Echo echo, String line, CommHandle grid) {
        this.echo = echo;
        this.line = line;
        String[] halves = line.split(" \\|");
        String[] head = halves[0].split(" ");
        small = head[3];
        large = head[4];
        kind = head[5];
        always = head[6].equals("always");
        narrow = head[6].equals("narrow");
        for (int i = 7; i < head.length; i++) {
            String[] pair = head[i].split("=");
            lengths.put(Integer.valueOf(pair[0]), pair[1]);
        }
        slots = Stream.of(halves.length < 2 ? "" : halves[1]).flatMap(s -> Stream.of(s.trim().split(" ")))
                .filter(s -> !s.isEmpty()).map(s -> s.split(":")).toArray(String[][]::new);
        method = find("dev.mpiglot.low." + head[0], head[1], head[2].equals("-") ? "" : head[2]);
        types = method.getParameterTypes();
        arguments = new EchoArguments(types, slots, lengths, grid);
    }

    private static Method find(String name, String method, String types) {
        try {
            for (Method one : Class.forName(name).getDeclaredMethods()) {
                String[] own = Stream.of(one.getParameterTypes()).map(Class::getSimpleName).toArray(String[]::new);
                if (one.getName().equals(method) && String.join(",", own).equals(types)) {
                    return one;
                }
            }
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError(name + " has no " + method + "(" + types + ")");
    }

    void check() {
        String both = small + (large.equals("-") ? "" : "," + large);
        if (STARTING.contains(function())) {
            return;
        }
        if (echo.choose(both, 0, "", new long[0]) == 0) {
            echo.absent();
            return;
        }
        first(both);
        fail(both);
        if (function().equals(ENDING)) {
            return;
        }
        if (!Call.asking) {
            tell(both);
        }
        new EchoRefusal(echo, line, method, slots, arguments, lengths).check();
        boolean hasLarge = !large.equals("-") && echo.choose(large, 0, "", new long[0]) > 0;
        boolean hasSmall = echo.choose(small, 0, "", new long[0]) > 0;
        if (hasSmall || always) {
            succeed(both, always && hasLarge, false);
        }
        if (canBeLarge()) {
            succeed(both, true, narrow || !hasLarge);
        }
    }

    private String function() {
        return small.split(",")[0];
    }

    private boolean canBeLarge() {
        return Stream.of(slots).anyMatch(s -> s[0].equals("number") && s[2].equals("i") && s[3].equals("l")
                && types[Integer.parseInt(s[1])] == long.class);
    }

    /** Calls the method, which gives back all memory that it took for this call only. */
    private Object call(Object[] given) {
        long mark = Frame.current().mark();
        long cells = Frame.enter();
        Frame.leave(cells);
        Object got = echo.call(method, given);
        long again = Frame.enter();
        Frame.leave(again);
        if (Frame.current().mark() != mark || again != cells) {
            echo.wrong(line + ": memory of the call is left");
        }
        return got;
    }

    // ------------------------------------------------------------------ the first call

    /**
     * The first call links the function, which calls C meanwhile. What it was given stands all the same, even if the
     * memory of the thread was not enough for it.
     */
    private void first(String both) {
        boolean wide = always && !large.equals("-") && echo.choose(large, 0, "", new long[0]) > 0;
        boolean any = Stream.of(slots).anyMatch(s -> s[0].equals("array"));
        if (!any || !kind.equals("error") || !wide && echo.choose(small, 0, "", new long[0]) == 0) {
            return;
        }
        echo.choose(both, 0, "", new long[0]);
        Object got = call(arguments.makeLong());
        if (got instanceof Throwable) {
            echo.wrong(line + ": the first call, with long arrays, ended in " + text(got));
            return;
        }
        Object[] given = arguments.makeLong();
        for (int i = 0; i < slots.length; i++) {
            String[] slot = slots[i];
            if (slot[0].equals("array") && !slot[4].equals("out")
                    && !seen(slot, i, given[Integer.parseInt(slot[1])], letter(slot, wide, 2) == 'l')) {
                echo.wrong(line + ": the long array " + i + " of the first call was not there");
            }
        }
        if (got instanceof RequestHandle request) {
            request.update(RequestHandle.NULL.handle(), RequestHandle.NULL.handle());
        }
    }

    /** Whether C saw the beginning of an array. */
    private static boolean seen(String[] slot, int i, Object value, boolean eight) {
        if (value instanceof String[] texts) {
            return Echo.text(i, 0).equals(texts[0]);
        } else if (value instanceof String[][] lists) {
            return Echo.text(i, 1).equals(lists[0][0]);
        }
        int stride = value instanceof int[][] ? 12 : eight ? 8 : 4;
        for (int k = 0; k < Math.min(Echo.SEEN / stride, Array.getLength(value)); k++) {
            Long own = k == 0 ? EchoArguments.constant(slot, 5) : null;
            long expected = own != null ? own : switch (Array.get(value, k)) {
                case Number number -> number.longValue();
                case Boolean flag -> flag ? 1 : 0;
                case Handle handle -> handle.handle();
                case int[] range -> range[0];
                case Object other -> throw new AssertionError(other);
            };
            if (Frame.getHandle(Echo.seen(i) + (long) stride * k, eight) != expected) {
                return false;
            }
        }
        return true;
    }

    // ------------------------------------------------------------------ errors

    private void fail(String both) {
        if (kind.equals("value")) {
            return;
        }
        long code = Library.load().integer("MPI_ERR_TOPOLOGY");
        echo.choose(both, code, "", new long[0]);
        Object got = call(arguments.make(false));
        if (!(got instanceof MpiException e) || got instanceof UnavailableException) {
            echo.wrong(line + ": MPI reported an error, but there was " + text(got));
        } else if (!e.function().equals(function())
                || e.errorClass() != MpiConstants.ERR_TOPOLOGY && !NO_CLASS.contains(function())) {
            echo.wrong(line + ": the exception is " + e + " of class " + e.errorClass());
        }
    }

    /** What a callback threw is told by the call that returns next, unless that starts an operation. */
    private void tell(String both) {
        if (kind.equals("error")) {
            Throwable thrown = new IllegalStateException("thrown by a callback");
            echo.choose(both, 0, "", new long[0]);
            Callbacks.fail(thrown);
            Object got = call(arguments.make(false));
            Throwable left = Callbacks.takeFailure();
            boolean told = got instanceof CallbackException e && e.getCause() == thrown;
            if (told == EchoKeeping.starts(method) || left != (told ? null : thrown)) {
                echo.wrong(line + ": what a callback threw came out as " + text(got));
            }
            if (got instanceof RequestHandle request) {
                request.update(RequestHandle.NULL.handle(), RequestHandle.NULL.handle());
            }
        }
    }

    // ------------------------------------------------------------------ arguments and results

    private void succeed(String both, boolean wide, boolean refused) {
        StringBuilder letters = new StringBuilder();
        long[] values = new long[slots.length];
        for (int i = 0; i < slots.length; i++) {
            letters.append(letter(slots[i], wide));
            values[i] = value(slots[i], i, letters.charAt(i));
        }
        long result = kind.equals("value") ? 5000 : 0;
        int names = small.split(",").length;
        echo.choose(both, result, letters.toString(), values);
        Object[] given = arguments.make(refused || wide && !always);
        EchoKeeping keeping = new EchoKeeping(method, given);
        Object got = call(given);
        if (refused) {
            if (!(got instanceof MpiException e) || e.errorClass() != MpiConstants.ERR_COUNT) {
                echo.wrong(line + ": a count that does not fit ends in " + text(got));
            }
            return;
        }
        if (got instanceof Throwable t) {
            t.printStackTrace();
            echo.wrong(line + ": " + text(got));
            return;
        }
        if (Echo.called() < 0 || Echo.called() >= names != wide) {
            echo.wrong(line + ": called was " + Echo.called() + (wide ? ", not the twin" : ""));
            return;
        }
        for (int i = 0; i < slots.length; i++) {
            passed(i, wide, given);
            returned(i, wide, values[i], given, got);
        }
        if (kind.equals("value") && !same(got, 5000)) {
            echo.wrong(line + ": the result is " + text(got));
        }
        if (!keeping.keeps(got)) {
            echo.wrong(line + ": a buffer is not kept");
        }
        if (got instanceof RequestHandle request) {
            keptUntilCompletion(request, wide, given);
        }
    }

    /** What an operation that goes on may still read stands where it stood, until the request is complete. */
    private void keptUntilCompletion(RequestHandle request, boolean wide, Object[] given) {
        boolean any = false;
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < slots.length; i++) {
                if (slots[i][0].equals("array") && slots[i][4].equals("in")) {
                    any = true;
                    passed(i, wide, given);
                }
            }
            if (any && round == 0) {
                echo.scribble();
            }
        }
        int before = KeptHandle.pendingCount();
        request.update(RequestHandle.NULL.handle(), RequestHandle.NULL.handle());
        if (any && KeptHandle.pendingCount() != before - 1) {
            echo.wrong(line + ": nothing is kept, or for ever");
        }
    }

    // ------------------------------------------------------------------ what was passed

    private void passed(int i, boolean wide, Object[] given) {
        String[] slot = slots[i];
        long word = Echo.word(i);
        boolean right = switch (slot[0]) {
            case "number" -> {
                Long own = EchoArguments.constant(slot, 4);
                long expected = own != null ? own : ((Number) given[Integer.parseInt(slot[1])]).longValue();
                yield (letter(slot, wide, 2) == 'i' ? (int) word : word) == expected;
            }
            case "length" -> (int) word == Array.getLength(given[Integer.parseInt(slot[1])]);
            case "given" -> given(slot, i, word, given[Integer.parseInt(slot[1])]);
            case "array" -> array(slot, i, word, given[Integer.parseInt(slot[1])], letter(slot, wide, 2));
            case "text" -> word != 0 || slot[1].isEmpty();
            case "result", "flag", "size" -> word >>> 32 != 0;
            default -> true;
        };
        if (!right) {
            echo.wrong(line + ": argument " + i + " was passed as 0x" + Long.toHexString(word));
        }
    }

    private boolean given(String[] slot, int i, long word, Object value) {
        boolean eight = letter(slot, false, 2) == 'l';
        return switch (value) {
            case Boolean flag -> (int) word == (flag ? 1 : 0);
            case MemorySegment segment -> word == segment.address();
            case String text -> Frame.getText(Echo.seen(i), 32).equals(text);
            case StatusValue status -> {
                MemorySegment bytes = Arena.ofAuto().allocate(32, 8);
                status.write(bytes.address());
                yield slot[4].equals("out") || bytes.asSlice(0, StatusValue.SIZE).mismatch(
                        Frame.at(Echo.seen(i)).asSlice(0, StatusValue.SIZE)) < 0 || slot[4].equals("inout");
            }
            case Handle handle when slot[4].equals("in") -> eight ? word == handle.handle()
                    : (int) word == (int) handle.handle();
            case Handle handle -> word >>> 32 != 0 && (slot[4].equals("out")
                    || Frame.getHandle(Echo.seen(i), eight) == 0x70 + Integer.parseInt(slot[1])
                    || handle instanceof CommHandle);
            case null, default -> true;
        };
    }

    private boolean array(String[] slot, int i, long word, Object value, char letter) {
        if (word >>> 32 == 0) {
            return false;
        }
        boolean eight = letter == 'l';
        boolean before = !slot[4].equals("in"); // the library wrote to it since
        if (slot[4].equals("out")) {
            return true;
        }
        long at = before ? Echo.seen(i) : word;
        switch (value) {
            case String[] texts -> {
                return Frame.getText(Frame.getLong(at), 32).equals(texts[0]);
            }
            case String[][] lists -> {
                return Frame.getText(Frame.getLong(Frame.getLong(at)), 32).equals(lists[0][0]);
            }
            default -> {
            }
        }
        int length = before ? 1 : Array.getLength(value);
        for (int k = 0; k < length; k++) {
            Object one = Array.get(value, k);
            int[] range = one instanceof int[] three ? three : null;
            Long own = k == 0 ? EchoArguments.constant(slot, 5) : null;
            long expected = own != null ? own : switch (one) {
                case Boolean flag when before -> 1 - Integer.parseInt(slot[1]) % 2;
                case Number number when before -> EchoArguments.element(Integer.parseInt(slot[1]), 0);
                case Number number -> number.longValue();
                case Boolean flag -> flag ? 1 : 0;
                case Handle handle when before -> EchoArguments.element(Integer.parseInt(slot[1]), 0);
                case Handle handle -> handle.handle();
                default -> range == null ? 0 : range[0];
            };
            long stride = range != null ? 12 : eight ? 8 : 4;
            if (Frame.getHandle(at + stride * k, eight) != expected) {
                return false;
            }
        }
        return true;
    }

    // ------------------------------------------------------------------ what came back

    /** What the library writes to an argument. */
    private char letter(String[] slot, boolean wide) {
        return switch (slot[0]) {
            case "result" -> letter(slot, wide, 2);
            case "text" -> 's';
            case "flag", "size" -> 'i';
            case "array" -> slot[4].equals("in") ? '-' : types[Integer.parseInt(slot[1])] == StatusValue[].class ? 'l'
                    : letter(slot, wide, 2);
            case "given" -> {
                Class<?> type = types[Integer.parseInt(slot[1])];
                yield Set.of("in", "at").contains(slot[4]) || type == MemorySegment.class ? '-'
                        : type == StatusValue.class ? 'l' : letter(slot, wide, 2);
            }
            default -> '-';
        };
    }

    private static char letter(String[] slot, boolean wide, int field) {
        String own = slot[wide ? field + 1 : field];
        if (!own.startsWith("h")) {
            return own.charAt(0);
        }
        try {
            return Widths.class.getDeclaredField(own.substring(1).toUpperCase()).getBoolean(null) ? 'l' : 'i';
        } catch (NoSuchFieldException e) {
            return 'l';
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static long value(String[] slot, int i, char letter) {
        long number = (letter == 'l' ? 3L << 33 : 0) + 7000 + i;
        return switch (slot[0]) {
            case "flag" -> 1;
            case "size" -> EchoArguments.LONGEST;
            case "result" -> EchoArguments.constant(slot, 4) == null ? number : EchoArguments.constant(slot, 4);
            case "array" -> EchoArguments.constant(slot, 5) == null ? number : EchoArguments.constant(slot, 5);
            default -> number;
        };
    }

    private void returned(int i, boolean wide, long value, Object[] given, Object got) {
        String[] slot = slots[i];
        Object whole = got instanceof Optional<?> some ? some.orElse(null) : got;
        boolean right = switch (slot[0]) {
            case "result", "text" -> {
                Object part = slot[1].equals("-") ? whole : component(whole, slot[1]);
                Long own = EchoArguments.constant(slot, 4);
                yield slot[0].equals("text") ? ("text " + value).equals(part)
                        : same(part, own != null ? Long.parseLong(slot[4].split("=")[1]) : value);
            }
            case "array", "given" -> letter(slot, wide) == '-' || changed(slot, i, value, given[Integer.parseInt(slot[1])]);
            default -> true;
        };
        if (!right) {
            echo.wrong(line + ": output " + i + " came back as " + text(got) + ", not " + value);
        }
    }

    private boolean changed(String[] slot, int i, long value, Object object) {
        Long own = EchoArguments.constant(slot, 5);
        long expected = own != null ? Long.parseLong(slot[5].split("=")[1]) : value;
        return switch (object) {
            case StatusValue status -> first(status) == value;
            case StatusValue[] statuses -> first(statuses[0]) == value;
            case KeptHandle handle -> handle.handle() == value;
            case Handle handle -> true; // a record: the caller's own does not change
            case Object array when array.getClass().isArray() -> same(Array.get(array, 0), expected);
            default -> true;
        };
    }

    private static long first(StatusValue status) {
        MemorySegment bytes = Arena.ofAuto().allocate(32, 8);
        status.write(bytes.address());
        return Frame.getLong(bytes.address());
    }

    private static Object component(Object record, String name) {
        try {
            return record.getClass().getMethod(name).invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean same(Object part, long value) {
        return switch (part) {
            case Boolean flag -> flag == (value != 0);
            case Double real -> real == value;
            case Number number -> number.longValue() == value;
            case Handle handle -> handle.handle() == value;
            case MemorySegment segment -> segment.address() == value;
            case null, default -> false;
        };
    }

    private static String text(Object got) {
        return got == null ? "nothing" : got.toString();
    }
}

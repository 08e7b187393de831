package dev.mpiglot.low;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;

/** What a method refuses before MPI is called: what MPI would write to read-only memory, or read and write behind an end. */
final class EchoRefusal {

    /** Buffers that only a root uses, whose counts say nothing elsewhere: the first or the second of the method. */
    private static final Map<String, Integer> OF_ROOT = Map.of("gather", 3, "igather", 3, "gatherInit", 3,
            "scatter", 0, "iscatter", 0, "scatterInit", 0, "reduce", 1, "ireduce", 1, "reduceInit", 1);
    private static final Set<String> COUNTED = Set.of("comm_size", "local_size", "cartdim");

    /** Where memory only says again what an earlier call was given, or is passed on as it is. */
    private static final String NAMED_ONCE_MORE = "\\w+End|grequestClass\\w+";
    /** Methods that are told how many bytes a segment has. */
    private static final Set<String> SIZED = Set.of("pack", "unpack", "packExternal", "unpackExternal", "winCreate",
            "winAttach", "bufferAttach", "commAttachBuffer", "sessionAttachBuffer");

    private final Echo echo;
    private final String line;
    private final Method method;
    private final Class<?>[] types;
    private final String[][] slots;
    private final EchoArguments arguments;
    private final Map<Integer, String> lengths;

    EchoRefusal(Echo echo, String line, Method method, String[][] slots, EchoArguments arguments,
            Map<Integer, String> lengths) {
        this.echo = echo;
        this.line = line;
        this.method = method;
        this.types = method.getParameterTypes();
        this.slots = slots;
        this.arguments = arguments;
        this.lengths = lengths;
    }

    void check() {
        for (String[] slot : slots) {
            int place = slot[0].equals("given") || slot[0].equals("array") ? Integer.parseInt(slot[1]) : -1;
            if (place >= 0 && types[place] == MemorySegment.class) {
                memory(place, slot[4]);
            } else if (slot[0].equals("array")) {
                array(place);
            }
        }
    }

    private void memory(int place, String direction) {
        Object[] given = arguments.make(false);
        MemorySegment segment = (MemorySegment) given[place];
        if (!direction.equals("in") && !method.getName().matches(NAMED_ONCE_MORE)) {
            given[place] = segment.asReadOnly();
            refused(given, "read-only");
        }
        int count = types[place + 1 < types.length ? place + 1 : place] == MemorySegment.class ? place + 2 : place + 1;
        boolean counted = count + 1 < types.length && types[count] == long.class
                && types[count + 1] == DatatypeHandle.class;
        if (SIZED.contains(method.getName()) && types[place + 1] == long.class && !counted) {
            given = arguments.make(false);
            given[place] = segment.reinterpret((long) given[place + 1] - 1);
            refused(given, "too short");
        }
        if (counted && OF_ROOT.getOrDefault(method.getName(), -1) != place) {
            given = arguments.make(false);
            given[place] = segment.reinterpret(8 * (long) given[count] - 1);
            given[count + 1] = DatatypeHandle.DOUBLE;
            refused(given, "too short");
        }
    }

    private void array(int place) {
        Object[] given = arguments.make(false);
        int length = Array.getLength(given[place]);
        String rule = lengths.getOrDefault(place, "1");
        boolean counted = COUNTED.contains(rule);
        boolean shared = lengths.values().stream().filter(rule::equals).count() > 1;
        if (!counted && (length == 1 || rule.startsWith("of_") && !shared)) {
            return;
        }
        if (counted) {
            Lengths.forget();
            echo.choose(rule.equals("cartdim") ? "MPI_Cartdim_get" : "MPI_Comm_size", 0, "-i", new long[] {0, 2});
        } else {
            int less = rule.equals("sum") || rule.equals("last") ? 1 : length - 1;
            Object shorter = Array.newInstance(types[place].getComponentType(), less);
            System.arraycopy(given[place], 0, shorter, 0, less);
            given[place] = shorter;
        }
        refused(given, "elements");
        echo.choose("", 0, "", new long[0]);
    }

    private void refused(Object[] given, String why) {
        Object got = echo.call(method, given);
        if (!(got instanceof IllegalArgumentException e) || !e.getMessage().contains(why)) {
            echo.wrong(line + ": what is " + why + " ends in " + got);
        }
    }
}

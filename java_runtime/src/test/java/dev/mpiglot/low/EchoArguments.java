package dev.mpiglot.low;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Arguments for a method, no two alike. */
final class EchoArguments {

    static final int LONGEST = 24;
    /** Of so many elements none fit into the memory that a thread has for its calls. */
    private static final int LONG = 5000;
    private static final long LARGE = 1L << 33;
    private static final MemorySegment MEMORY = Arena.global().allocate(1 << 16, 64);

    private final Class<?>[] types;
    private final String[][] slots;
    private final Map<Integer, String> lengths;
    private final CommHandle grid;
    private boolean isLong;

    EchoArguments(Class<?>[] types, String[][] slots, Map<Integer, String> lengths, CommHandle grid) {
        this.types = types;
        this.slots = slots;
        this.lengths = lengths;
        this.grid = grid;
    }

    /** What a method is given: numbers of 33 bits, if they are wanted, where only the twin for large counts takes them. */
    Object[] make(boolean wide) {
        Object[] given = new Object[types.length];
        int flags = 0;
        int comms = 0;
        for (int k = 0; k < types.length; k++) {
            String[] slot = slotOf(k);
            Class<?> type = types[k];
            if (type == int.class) {
                given[k] = (int) number(slot, k);
            } else if (type == long.class) {
                boolean grows = slot.length > 3 && slot[2].equals("i") && slot[3].equals("l");
                given[k] = wide && grows ? LARGE + k : number(slot, k);
            } else if (type == boolean.class) {
                given[k] = flags++ % 2 == 0;
            } else if (type == CommHandle.class) {
                given[k] = comms++ == 0 ? grid : CommHandle.WORLD;
            } else {
                given[k] = object(type, k, slot);
            }
        }
        return given;
    }

    /** The same with long arrays. */
    Object[] makeLong() {
        isLong = true;
        Object[] given = make(false);
        isLong = false;
        return given;
    }

    private String[] slotOf(int k) {
        return Stream.of(slots).filter(s -> Set.of("number", "given", "array").contains(s[0])
                && s[1].equals(Integer.toString(k))).findFirst().orElse(new String[0]);
    }

    private static long number(String[] slot, int k) {
        return constant(slot, 4) == null ? k + 8 : Long.parseLong(slot[4].split("=")[1]);
    }

    /** The library's value of a constant in the table, null if there is none. */
    static Long constant(String[] slot, int field) {
        return slot.length > field && slot[field].contains("=")
                ? Library.load().integer(slot[field].split("=")[0]) : null;
    }

    private Object object(Class<?> type, int k, String[] slot) {
        int length = length(k);
        if (type == MemorySegment.class) {
            return Echo.address(MEMORY.address() + 256L * (k + 1));
        } else if (type == String.class) {
            return "text " + k;
        } else if (type == String[].class) {
            String[] texts = new String[length];
            Arrays.fill(texts, "text " + k);
            return texts;
        } else if (type == String[][].class) {
            String[][] lists = new String[length][];
            Arrays.fill(lists, new String[] {"text " + k});
            return lists;
        } else if (type == int[].class) {
            int[] made = new int[length];
            Arrays.setAll(made, i -> element(k, i));
            made[0] = constant(slot, 5) == null ? made[0] : Integer.parseInt(slot[5].split("=")[1]);
            return made;
        } else if (type == long[].class) {
            long[] made = new long[length];
            Arrays.setAll(made, i -> element(k, i));
            return made;
        } else if (type == boolean[].class) {
            boolean[] made = new boolean[length];
            Arrays.fill(made, k % 2 == 0);
            return made;
        } else if (type == int[][].class) {
            int[][] ranges = new int[isLong ? LONG : 2][];
            Arrays.setAll(ranges, i -> i % 2 == 0 ? new int[] {1000 * k, 1, 2} : new int[] {3, 4, 5});
            return ranges;
        } else if (type == StatusValue.class) {
            return status(k);
        } else if (type == StatusValue[].class) {
            StatusValue[] made = new StatusValue[isLong ? LONG : 1];
            Arrays.setAll(made, i -> status(k));
            return made;
        } else if (Handle.class.isAssignableFrom(type)) {
            return handle(type, 0x70 + k);
        } else if (type.isArray() && Handle.class.isAssignableFrom(type.getComponentType())) {
            Object made = Array.newInstance(type.getComponentType(), length);
            for (int i = 0; i < length; i++) {
                Array.set(made, i, handle(type.getComponentType(), element(k, i)));
            }
            return made;
        }
        return null; // a callback: CallbackTests have those
    }

    /** Small, since the elements of some arrays are lengths of others. */
    static int element(int k, int i) {
        return 10 * (k + 1) + i % 8;
    }

    private int length(int k) {
        String rule = lengths.getOrDefault(k, "1");
        if (isLong && !rule.equals("1")) {
            return rule.equals("sum") || rule.equals("last") ? 100 * LONG : LONG;
        }
        boolean many = Stream.of(types).anyMatch(t -> t == StatusValue[].class || t == int[][].class);
        return switch (rule) {
            case "1", "comm_size", "local_size", "cartdim" -> 1;
            case "indegree", "outdegree" -> 2;
            case "sum", "last" -> 50 * LONGEST;
            default -> many ? 1 : LONGEST + lengths.values().stream().sorted().distinct().toList().indexOf(rule);
        };
    }

    private static StatusValue status(int k) {
        MemorySegment words = Arena.ofAuto().allocate(32, 8);
        words.fill((byte) (k + 1));
        StatusValue status = new StatusValue();
        status.read(words.address());
        return status;
    }

    private static Object handle(Class<?> type, long value) {
        try {
            return type.getConstructor(long.class).newInstance(value);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}

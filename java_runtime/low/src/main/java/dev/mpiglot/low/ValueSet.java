package dev.mpiglot.low;

import dev.mpiglot.mpi.UnavailableException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Integers with names: their values here (those of the MPI-5 ABI, on every MPI) and in the loaded library. Values
 * without a name pass unchanged, unless they would collide with a named one; the mapping stays reversible.
 *
 * @param identity whether all values are the same on both sides
 * @param down from Java to the library
 * @param up from the library to Java
 * @param names the constants' names by their value here
 * @param lacking those of them that the library lacks
 * @param strict the function that takes them, if it must not be given one that is lacking; else null
 */
record ValueSet(boolean identity, Direction down, Direction up, Map<Integer, String> names,
        Map<Integer, String> lacking, String strict) {

    /** The set of constants given as pairs of name and value; what the library lacks is left out. */
    static ValueSet of(boolean flags, Object... constants) {
        Library library = Library.load();
        Map<Integer, Integer> known = new TreeMap<>();
        Map<Integer, String> names = new HashMap<>();
        for (int i = 0; i < constants.length; i += 2) {
            String name = (String) constants[i];
            Integer value = (Integer) constants[i + 1];
            names.putIfAbsent(value, name);
            Long own = library.integer(name);
            if (own != null) {
                known.putIfAbsent(value, own.intValue());
            }
        }
        Map<Integer, Integer> down = flags ? known : permutation(known);
        Map<Integer, Integer> up = new TreeMap<>();
        boolean identity = true;
        for (Map.Entry<Integer, Integer> pair : down.entrySet()) {
            up.putIfAbsent(pair.getValue(), pair.getKey());
            identity &= pair.getKey().equals(pair.getValue());
        }
        Map<Integer, String> lacking = new HashMap<>(names);
        lacking.keySet().removeAll(known.keySet());
        return new ValueSet(identity, Direction.of(down, flags), Direction.of(up, flags), names,
                Map.copyOf(lacking), null);
    }

    /** Types of {@code MPI_Comm_split_type}: MPICH 3.4 ends the job if it is given one that it lacks. */
    static ValueSet splitTypes(boolean flags, Object... constants) {
        ValueSet set = of(flags, constants);
        return new ValueSet(set.identity && set.lacking.isEmpty(), set.down, set.up, set.names, set.lacking,
                "MPI_Comm_split_type");
    }

    /** Extends an injection to a permutation: what would collide takes the place of what replaced it. */
    private static Map<Integer, Integer> permutation(Map<Integer, Integer> known) {
        Map<Integer, Integer> inverse = new HashMap<>();
        for (Map.Entry<Integer, Integer> pair : known.entrySet()) {
            inverse.putIfAbsent(pair.getValue(), pair.getKey());
        }
        Map<Integer, Integer> all = new TreeMap<>(known);
        for (Integer own : inverse.keySet()) {
            Integer value = own;
            if (!known.containsKey(own)) {
                while (inverse.containsKey(value)) {
                    value = inverse.get(value);
                }
                all.put(own, value);
            }
        }
        return all;
    }

    /** What the library calls {@code value}. */
    int toNative(int value) {
        if (identity) {
            return value;
        }
        if (strict != null && lacking.containsKey(value)) {
            throw UnavailableException.of(strict, lacking.get(value));
        }
        return down.of(value);
    }

    /** The same for integers of 64 bits: only small ones have names. */
    long toNative(long value) {
        return value == (int) value ? toNative((int) value) : value;
    }

    /** The same for integers of 64 bits. */
    long toJava(long value) {
        return value == (int) value ? toJava((int) value) : value;
    }

    /** What Java calls the library's {@code value}. */
    int toJava(int value) {
        return identity ? value : up.of(value);
    }

    /** The name of a value, or the number itself. */
    String name(int value) {
        String name = names.get(value);
        return name != null ? name : Integer.toString(value);
    }

    /**
     * One way of the translation.
     *
     * @param first the least value that changes
     * @param last the greatest one
     * @param near results of the values from {@code first} on: a look here takes a nanosecond
     * @param all the result of every value that has one of its own; with flags, of every flag
     * @param flags whether values are or-ed together
     */
    record Direction(int first, int last, int[] near, Map<Integer, Integer> all, boolean flags) {

        private static final int PLACES = 1024;

        static Direction of(Map<Integer, Integer> all, boolean flags) {
            int first = flags ? 0 : Integer.MAX_VALUE;
            int last = flags ? Integer.MAX_VALUE : Integer.MIN_VALUE;
            for (Map.Entry<Integer, Integer> pair : all.entrySet()) {
                if (!pair.getKey().equals(pair.getValue())) {
                    first = Math.min(first, pair.getKey());
                    last = Math.max(last, pair.getKey());
                }
            }
            Direction slow = new Direction(first, last, new int[0], all, flags);
            int[] near = new int[Math.clamp(last + 1L - first, 0, PLACES)];
            for (int i = 0; i < near.length; i++) {
                near[i] = slow.far(first + i); // not of(): the compiler shall learn of no call there but the program's
            }
            return new Direction(first, last, near, all, flags);
        }

        int of(int value) {
            int place = value - first;
            if (place >= 0 && place < near.length) {
                return near[place];
            }
            return value < first || value > last ? value : far(value);
        }

        private int far(int value) {
            if (!flags) {
                return all.getOrDefault(value, value);
            }
            int result = 0;
            int rest = value;
            for (Map.Entry<Integer, Integer> flag : all.entrySet()) {
                int bit = flag.getKey();
                if (bit != 0 && (rest & bit) == bit) {
                    result |= flag.getValue();
                    rest &= ~bit;
                }
            }
            return result | rest;
        }
    }
}

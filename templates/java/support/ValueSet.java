package dev.mpiglot.low;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Integers with names: their values here (those of the MPI-5 ABI, on every MPI) and in the loaded library. Values
 * without a name pass unchanged, unless they would collide with a named one; the mapping stays reversible.
 *
 * @param identity whether all values are the same on both sides
 * @param flags whether values are or-ed together
 * @param low smallest value that changes on the way down
 * @param high largest value that changes on the way down
 * @param lowUp smallest value that changes on the way up
 * @param highUp largest value that changes on the way up
 * @param down from Java to the library
 * @param up from the library to Java
 * @param names the constants' names by their value here
 */
record ValueSet(boolean identity, boolean flags, int low, int high, int lowUp, int highUp, Map<Integer, Integer> down,
        Map<Integer, Integer> up, Map<Integer, String> names) {

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
        Map<Integer, Integer> up = new HashMap<>();
        for (Map.Entry<Integer, Integer> pair : down.entrySet()) {
            up.putIfAbsent(pair.getValue(), pair.getKey());
        }
        int low = Integer.MAX_VALUE;
        int high = Integer.MIN_VALUE;
        int lowUp = low;
        int highUp = high;
        for (Map.Entry<Integer, Integer> pair : down.entrySet()) {
            int java = pair.getKey();
            int own = pair.getValue();
            if (java != own) {
                low = Math.min(low, java);
                high = Math.max(high, java);
                lowUp = Math.min(lowUp, own);
                highUp = Math.max(highUp, own);
            }
        }
        return new ValueSet(low > high, flags, low, high, lowUp, highUp, down, up, names);
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
        if (flags) {
            return translate(value, down);
        }
        return value < low || value > high ? value : down.getOrDefault(value, value);
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
        if (identity) {
            return value;
        }
        if (flags) {
            return translate(value, up);
        }
        return value < lowUp || value > highUp ? value : up.getOrDefault(value, value);
    }

    private static int translate(int value, Map<Integer, Integer> map) {
        if (value == 0) {
            return 0;
        }
        int result = 0;
        int rest = value;
        for (Map.Entry<Integer, Integer> flag : map.entrySet()) {
            int bit = flag.getKey();
            if (bit != 0 && (rest & bit) == bit) {
                result |= flag.getValue();
                rest &= ~bit;
            }
        }
        return result | rest;
    }

    /** The name of a value, or the number itself. */
    String name(int value) {
        String name = names.get(value);
        return name != null ? name : Integer.toString(value);
    }
}

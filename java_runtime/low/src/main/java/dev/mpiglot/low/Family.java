package dev.mpiglot.low;

import java.util.ArrayList;
import java.util.List;

/**
 * A set of MPIs with the same handles, constants and status. A library belongs to the first family whose sign it
 * bears; what it says of itself decides nothing.
 *
 * @param symbol what the family's libraries export
 * @param answers whether the symbol is a function that must tell a version of 1 or more
 * @param reference the vendor whose constants serve other vendors' libraries of the family
 */
record Family(String key, String title, String symbol, boolean answers, String reference) {

    /** All families, in the order in which a library is asked for their signs. */
    static List<Family> all() {
        List<Family> all = new ArrayList<>();
        for (String line : Table.lines("families.txt")) {
            String[] part = line.split("\t");
            all.add(new Family(part[0], part[1], part[2], part[3].equals("answers"), part[4]));
        }
        return all;
    }

    /** The signs, as a sentence lists them. */
    static String signs() {
        return String.join(", ", all().stream().map(f -> f.symbol + " of " + f.title).toList());
    }
}

package dev.mpiglot.mpi;

/** Numbers of system properties. */
final class Settings {

    static final String BEGUN_BYTES = "mpiglot.begun.bytes";
    static final String BEGUN_SECONDS = "mpiglot.begun.seconds";

    static final String PINNED_BYTES = "mpiglot.pinned.bytes";
    private static final String NEVER = "never";
    /** The default: on 2 ranks pinned arrays of 32 KiB and more are faster than copies. */
    private static final long PINNED_FROM = 1 << 16;

    static final String CHECKS = "mpiglot.checks";
    private static final String COMMUNICATION = "communication";

    private Settings() {
    }

    /** Whether processes compare what they give collective operations. C++ programs read the same variable. */
    static boolean communicates() {
        return COMMUNICATION.equals(System.getProperty(CHECKS, System.getenv("MPIGLOT_CHECKS")));
    }

    /** The bytes from which on arrays are pinned. */
    static long pinnedFrom() {
        return NEVER.equals(System.getProperty(PINNED_BYTES)) ? Long.MAX_VALUE : bytes(PINNED_BYTES, PINNED_FROM);
    }

    /** Throws if one of these properties is wrong. */
    static void check() {
        bytes(BEGUN_BYTES, 1);
        pinnedFrom();
        seconds(BEGUN_SECONDS, 1);
        String checks = System.getProperty(CHECKS);
        if (checks != null && !checks.equals(COMMUNICATION) && !checks.equals("light")) {
            throw new IllegalArgumentException("The system property " + CHECKS + " is \"" + checks
                    + "\": it must be light or communication.");
        }
    }

    static double seconds(String name, double usual) {
        String text = System.getProperty(name);
        if (text == null) {
            return usual;
        }
        try {
            double seconds = Double.parseDouble(text);
            if (seconds >= 0 && seconds <= Integer.MAX_VALUE) {
                return seconds;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw wrong(name, text, "seconds");
    }

    static long bytes(String name, long usual) {
        String text = System.getProperty(name);
        if (text == null) {
            return usual;
        }
        try {
            long bytes = Long.parseLong(text);
            if (bytes > 0) {
                return bytes;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw wrong(name, text, "bytes above zero");
    }

    private static IllegalArgumentException wrong(String name, String text, String what) {
        return new IllegalArgumentException("The system property " + name + " is \"" + text + "\", which is no number of "
                + what + ".");
    }
}

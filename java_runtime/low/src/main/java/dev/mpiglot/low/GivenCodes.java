package dev.mpiglot.low;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The codes of errors that MPI has given to this process lately. MPI is asked for the texts of these alone: of another
 * code MPICH reads beyond its tables (error-string-crashes).
 */
public final class GivenCodes {

    /** More than the errors whose texts an MPI keeps. */
    private static final int MOST = 1024;

    private static final Map<Integer, Boolean> CODES = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
            return size() > MOST;
        }
    };

    private GivenCodes() {
    }

    /**
     * Remembers a code that MPI has returned, or given to a handler or in a status.
     *
     * @param code the code
     */
    public static void add(int code) {
        synchronized (CODES) {
            CODES.put(code, true);
        }
    }

    /**
     * {@return whether MPI has given this code lately}
     *
     * @param code the code
     */
    public static boolean contains(int code) {
        synchronized (CODES) {
            return CODES.containsKey(code);
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Library;
import dev.mpiglot.low.MpiConstants;

/**
 * A function that the MPI library of this process does not have, or a constant that a function takes. Also a call that is
 * not made, since the library has a known defect.
 */
public final class UnavailableException extends MpiException {

    private static final long serialVersionUID = 1;

    private UnavailableException(String function, String message) {
        super(MpiConstants.ERR_UNSUPPORTED_OPERATION, MpiConstants.ERR_UNSUPPORTED_OPERATION, function, message);
    }

    /**
     * Made at each call of a missing function.
     *
     * @param function its C name
     * @return the exception
     */
    public static UnavailableException of(String function) {
        return of(function, function);
    }

    /**
     * Made where a function is given a constant that is missing.
     *
     * @param function the C name of the function
     * @param what the name of the constant
     * @return the exception
     */
    public static UnavailableException of(String function, String what) {
        return new UnavailableException(function, what + " is not in " + Library.load().title()
                + "; a newer MPI is needed for it.");
    }

    /**
     * The library has the function, and does something wrong.
     *
     * @param function what is not called: a C name, or what the program called
     * @param sentence what the library would do
     * @return the exception
     */
    public static UnavailableException ofDefect(String function, String sentence) {
        return new UnavailableException(function, function + " is not called, since " + Library.load().title()
                + " has a known defect: " + sentence);
    }

    /**
     * Something that the call needs is missing here.
     *
     * @param function what is not called: a C name, or what the program called
     * @param sentence what is missing
     * @return the exception
     */
    public static UnavailableException ofMissing(String function, String sentence) {
        return new UnavailableException(function, function + ": not possible here: " + sentence);
    }
}

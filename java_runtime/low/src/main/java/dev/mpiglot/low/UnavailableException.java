package dev.mpiglot.low;

/** A function that the MPI library of this process does not have. */
public final class UnavailableException extends MpiException {

    private static final long serialVersionUID = 1;

    UnavailableException(String function, String message) {
        super(Mpi.ERR_UNSUPPORTED_OPERATION, Mpi.ERR_UNSUPPORTED_OPERATION, function, message);
    }

    /** Made at each call of a missing function. */
    static UnavailableException of(String function) {
        return new UnavailableException(function, function + " is not in " + Library.load().path() + " ("
                + Table.firstLine(Library.load().version()) + "); a newer MPI is needed for it.");
    }
}

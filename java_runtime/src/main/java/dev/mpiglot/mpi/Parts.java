package dev.mpiglot.mpi;

/** The sizes of the buffers of a collective operation, checked before MPI is called. */
final class Parts {

    private Parts() {
    }

    /**
     * Throws unless one buffer has as many elements as {@code ranks} buffers like the other.
     *
     * @param wholeName the parameter that has a part for each rank
     * @param partName the parameter that has one part, or is in place
     */
    static void require(String wholeName, Buffer<?> whole, int ranks, String partName, Buffer<?> part) {
        if (Call.present(partName, part).isInPlace()) {
            divide(wholeName, whole, ranks);
            return;
        }
        divide(wholeName, whole, 1);
        sameType(wholeName, whole, partName, part);
        if (whole.bytes() != ranks * part.bytes()) {
            throw new IllegalArgumentException("\"" + wholeName + "\" has " + whole.values() + " elements: " + ranks
                    + " ranks with " + part.values() + " in \"" + partName + "\" on each make " + ranks * part.values() + ".");
        }
        divide(wholeName, whole, ranks);
    }

    /** Throws unless both buffers have a part for each rank, parts of the same size. */
    static void exchange(Buffer<?> sent, Buffer<?> received, int ranks) {
        divide("received", received, ranks);
        if (Call.present("sent", sent).isInPlace()) {
            return;
        }
        divide("sent", sent, ranks);
        sameType("sent", sent, "received", received);
        if (sent.bytes() != received.bytes()) {
            throw new IllegalArgumentException("\"sent\" has " + sent.values() + " elements and \"received\" has "
                    + received.values() + ": they must be as many.");
        }
    }

    private static void divide(String name, Buffer<?> whole, int ranks) {
        if (Call.present(name, whole).isInPlace()) {
            throw new IllegalArgumentException("\"" + name + "\" cannot be Buffer.inPlace() here.");
        }
        if (whole.count() % ranks != 0) {
            throw new IllegalArgumentException("The " + whole.count() + " elements of \"" + name
                    + "\" cannot be divided among " + ranks + " ranks.");
        }
    }

    private static void sameType(String name, Buffer<?> one, String otherName, Buffer<?> other) {
        if (one.type().kind() != other.type().kind()) {
            throw new IllegalArgumentException("\"" + name + "\" has " + one.type().kind() + " elements, \"" + otherName
                    + "\" has " + other.type().kind() + " elements.");
        }
    }
}

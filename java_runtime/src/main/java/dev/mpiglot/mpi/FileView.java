package dev.mpiglot.mpi;

/**
 * Which parts of a file a process sees, and as what ({@link MpiFile#setView}): from a displacement on the file type
 * again and again, whose gaps are not seen. Offsets and positions count elements that are seen.
 *
 * @param displacement where the view begins, in bytes from the start of the file
 * @param element what offsets count; without gaps, of the same size on all processes
 * @param filetype elements, and gaps between them that other processes may see
 * @param representation how values are stored: {@link #NATIVE} as in memory; few libraries have others
 */
public record FileView(long displacement, Datatype<?> element, Datatype<?> filetype, String representation) {

    /** The representation of values as they are in memory. */
    public static final String NATIVE = "native";

    /**
     * A view of elements side by side.
     *
     * @param displacement where it begins, in bytes from the start of the file
     * @param element what offsets count
     * @return the view, with values as they are in memory
     */
    public static FileView of(long displacement, Datatype<?> element) {
        return new FileView(displacement, element, element, NATIVE);
    }

    /**
     * A view of elements with gaps.
     *
     * @param displacement where it begins, in bytes from the start of the file
     * @param element what offsets count
     * @param filetype elements, and gaps between them
     * @return the view, with values as they are in memory
     */
    public static FileView of(long displacement, Datatype<?> element, Datatype<?> filetype) {
        return new FileView(displacement, element, filetype, NATIVE);
    }

    /** Throws unless it can be the view of a file. */
    void require() {
        Arguments.present("element", element).life().require();
        Arguments.present("filetype", filetype).life().require();
        if (Arguments.present("representation", representation).isEmpty()) {
            throw new IllegalArgumentException("The representation of a view is empty: take FileView.NATIVE.");
        }
        MpiFile.requireUpTo("displacement", displacement, MpiFile.FARTHEST);
        if (element.bytes() == 0 || !element.layout().isDense()) {
            throw new IllegalArgumentException("The elements of a view must be side by side, not of type " + element + ".");
        }
        if (filetype.kind() != element.kind()) {
            throw new IllegalArgumentException("The file type has " + filetype.kind() + " elements, the view has "
                    + element.kind() + " elements.");
        }
        if (filetype.bytes() == 0 || filetype.bytes() % element.bytes() != 0) {
            throw new IllegalArgumentException("The file type has " + filetype.bytes() + " bytes, which is no multiple of the "
                    + element.bytes() + " bytes of an element.");
        }
        if (filetype.layout().lower() < 0 || filetype.extent() < filetype.bytes()) {
            throw new IllegalArgumentException("The file type " + filetype + " reaches before its beginning, or over "
                    + "itself.");
        }
        if (filetype.layout().endOfAscending(0, 0) < 0) {
            throw new IllegalArgumentException("The elements of the file type " + filetype + " go back in the file.");
        }
    }

    /** Whether the file type is made of others, as one with gaps is. */
    boolean isDerived() {
        return filetype.life() != Life.ENDLESS || !filetype.layout().isDense();
    }

    /** The largest offset: libraries count bytes, and what is farther would begin anew. */
    long farthest() {
        long inOne = filetype.bytes() / element.bytes();
        return (MpiFile.FARTHEST - displacement) / ((filetype.extent() + inOne - 1) / inOne);
    }
}

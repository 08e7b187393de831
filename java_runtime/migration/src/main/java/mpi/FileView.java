package mpi;

/** Which elements of a file a process uses. */
public final class FileView {

    private final long disp;
    private final Datatype etype;
    private final Datatype filetype;
    private final String datarep;

    /**
     * A view.
     *
     * @param disp the byte where it begins
     * @param etype the type of its elements
     * @param filetype the type that says which elements belong to it
     * @param datarep how elements are written in the file
     */
    public FileView(long disp, Datatype etype, Datatype filetype, String datarep) {
        this.disp = disp;
        this.etype = etype;
        this.filetype = filetype;
        this.datarep = datarep;
    }

    /** {@return the byte where it begins} */
    public long getDisp() {
        return disp;
    }

    /** {@return the type of its elements} */
    public Datatype getEType() {
        return etype;
    }

    /** {@return the type that says which elements belong to it} */
    public Datatype getFileType() {
        return filetype;
    }

    /** {@return how elements are written in the file} */
    public String getDataRep() {
        return datarep;
    }
}

package mpi;

import dev.mpiglot.low.Environment;
import dev.mpiglot.low.InputOutput;

/** A file that processes read and write together. */
public final class File extends FileHalves {

    private FileView view = new FileView(0, MPI.BYTE, MPI.BYTE, "native");

    /**
     * Opens a file.
     *
     * @param comm the processes that open it together
     * @param filename its name
     * @param amode how it is used: a sum of {@code MPI.MODE_...}
     * @throws MPIException if MPI reports an error
     */
    public File(Comm comm, String filename, int amode) throws MPIException {
        this(comm, filename, amode, MPI.INFO_NULL);
    }

    /**
     * Opens a file.
     *
     * @param comm the processes that open it together
     * @param filename its name
     * @param amode how it is used: a sum of {@code MPI.MODE_...}
     * @param info hints, or {@code MPI.INFO_NULL}
     * @throws MPIException if MPI reports an error
     */
    public File(Comm comm, String filename, int amode, Info info) throws MPIException {
        super(MPIException.of(() -> InputOutput.fileOpen(comm.handle(), filename, amode, info.handle())));
    }

    /**
     * Deletes a file.
     *
     * @param filename its name
     * @throws MPIException if MPI reports an error
     */
    public static void delete(String filename) throws MPIException {
        delete(filename, MPI.INFO_NULL);
    }

    /**
     * Deletes a file.
     *
     * @param filename its name
     * @param info hints, or {@code MPI.INFO_NULL}
     * @throws MPIException if MPI reports an error
     */
    public static void delete(String filename, Info info) throws MPIException {
        MPIException.run(() -> InputOutput.fileDelete(filename, info.handle()));
    }

    /**
     * Cuts the file off or makes it longer.
     *
     * @param size how many bytes
     * @throws MPIException if MPI reports an error
     */
    public void setSize(long size) throws MPIException {
        MPIException.run(() -> InputOutput.fileSetSize(handle(), size));
    }

    /**
     * Makes room for the file.
     *
     * @param size how many bytes
     * @throws MPIException if MPI reports an error
     */
    public void preallocate(long size) throws MPIException {
        MPIException.run(() -> InputOutput.filePreallocate(handle(), size));
    }

    /**
     * {@return how many bytes the file has}
     *
     * @throws MPIException if MPI reports an error
     */
    public long getSize() throws MPIException {
        return MPIException.of(() -> InputOutput.fileGetSize(handle()));
    }

    /**
     * {@return the processes that opened the file}
     *
     * @throws MPIException if MPI reports an error
     */
    public Group getGroup() throws MPIException {
        return MPIException.of(() -> new Group(InputOutput.fileGetGroup(handle())));
    }

    /**
     * {@return how the file is used}
     *
     * @throws MPIException if MPI reports an error
     */
    public int getAMode() throws MPIException {
        return MPIException.of(() -> InputOutput.fileGetAmode(handle()));
    }

    /**
     * Gives the file hints.
     *
     * @param info hints, or {@code MPI.INFO_NULL}
     * @throws MPIException if MPI reports an error
     */
    public void setInfo(Info info) throws MPIException {
        MPIException.run(() -> InputOutput.fileSetInfo(handle(), info.handle()));
    }

    /**
     * {@return the hints of the file}
     *
     * @throws MPIException if MPI reports an error
     */
    public Info getInfo() throws MPIException {
        return MPIException.of(() -> new Info(InputOutput.fileGetInfo(handle())));
    }

    /**
     * Says which elements of the file this process uses.
     *
     * @param disp the byte where the view begins
     * @param etype the type of its elements
     * @param filetype the type that says which elements belong to it
     * @param datarep {@code "native"}, {@code "internal"} or {@code "external32"}
     * @throws MPIException if MPI reports an error
     */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep) throws MPIException {
        setView(disp, etype, filetype, datarep, MPI.INFO_NULL);
    }

    /**
     * Says which elements of the file this process uses.
     *
     * @param disp the byte where the view begins
     * @param etype the type of its elements
     * @param filetype the type that says which elements belong to it
     * @param datarep {@code "native"}, {@code "internal"} or {@code "external32"}
     * @param info hints, or {@code MPI.INFO_NULL}
     * @throws MPIException if MPI reports an error
     */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep, Info info) throws MPIException {
        MPIException.run(() ->
            InputOutput.fileSetView(handle(), disp, etype.handle(), filetype.handle(), datarep, info.handle()));
        MPIException.run(() -> sees(etype, filetype));
        view = new FileView(disp, etype, filetype, datarep);
    }

    /** {@return which elements of the file this process uses} */
    public FileView getView() {
        return view;
    }

    /**
     * Moves the own position.
     *
     * @param offset how far, in elements of the view
     * @param whence {@code MPI.SEEK_SET}, {@code SEEK_CUR} or {@code SEEK_END}
     * @throws MPIException if MPI reports an error
     */
    public void seek(long offset, int whence) throws MPIException {
        MPIException.run(() -> InputOutput.fileSeek(handle(), offset, whence));
    }

    /**
     * {@return the own position, in elements of the view}
     *
     * @throws MPIException if MPI reports an error
     */
    public long getPosition() throws MPIException {
        return MPIException.of(() -> InputOutput.fileGetPosition(handle()));
    }

    /**
     * {@return the byte of the file where an element of the view is}
     *
     * @param offset the element
     * @throws MPIException if MPI reports an error
     */
    public long getByteOffset(long offset) throws MPIException {
        return MPIException.of(() -> InputOutput.fileGetByteOffset(handle(), offset));
    }

    /**
     * Moves the shared position.
     *
     * @param offset how far, in elements of the view
     * @param whence {@code MPI.SEEK_SET}, {@code SEEK_CUR} or {@code SEEK_END}
     * @throws MPIException if MPI reports an error
     */
    public void seekShared(long offset, int whence) throws MPIException {
        MPIException.run(() -> InputOutput.fileSeekShared(handle(), offset, whence));
    }

    /**
     * {@return the shared position, in elements of the view}
     *
     * @throws MPIException if MPI reports an error
     */
    public long getPositionShared() throws MPIException {
        return MPIException.of(() -> InputOutput.fileGetPositionShared(handle()));
    }

    /**
     * {@return the distance of elements in the file, in values of the base type}
     *
     * @param type the type of the elements
     * @throws MPIException if MPI reports an error
     */
    public int getTypeExtent(Datatype type) throws MPIException {
        return MPIException.of(() -> type.values(InputOutput.fileGetTypeExtent(handle(), type.handle())));
    }

    /**
     * Says whether what one process writes is seen by the others at once.
     *
     * @param atomicity whether they are
     * @throws MPIException if MPI reports an error
     */
    public void setAtomicity(boolean atomicity) throws MPIException {
        MPIException.run(() -> InputOutput.fileSetAtomicity(handle(), atomicity));
    }

    /**
     * {@return whether what one process writes is seen by the others at once}
     *
     * @throws MPIException if MPI reports an error
     */
    public boolean getAtomicity() throws MPIException {
        return MPIException.of(() -> InputOutput.fileGetAtomicity(handle()));
    }

    /**
     * Writes all to the disk, and sees what others wrote there.
     *
     * @throws MPIException if MPI reports an error
     */
    public void sync() throws MPIException {
        MPIException.run(() -> InputOutput.fileSync(handle()));
    }

    /**
     * Says what happens at an error.
     *
     * @param errhandler what happens at an error
     * @throws MPIException if MPI reports an error
     */
    public void setErrhandler(Errhandler errhandler) throws MPIException {
        MPIException.run(() -> Environment.fileSetErrhandler(handle(), errhandler.handle));
    }

    /**
     * {@return what happens at an error}
     *
     * @throws MPIException if MPI reports an error
     */
    public Errhandler getErrhandler() throws MPIException {
        return MPIException.of(() -> new Errhandler(Environment.fileGetErrhandler(handle())));
    }

    /**
     * Does what happens at an error.
     *
     * @param errorCode the code of an error
     * @throws MPIException if MPI reports an error
     */
    public void callErrhandler(int errorCode) throws MPIException {
        MPIException.run(() -> Environment.fileCallErrhandler(handle(), errorCode));
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Combiner;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.FileHandle;
import dev.mpiglot.low.Generalized;
import dev.mpiglot.low.InputOutput;
import dev.mpiglot.low.StatusValue;

/**
 * Where a read of a file begins, in elements of the view. Libraries say that they have read all where a read reaches beyond
 * the end of the file: one of all processes, or one with gaps in the view or in the buffer (collective-read-tells-too-much,
 * strided-read-tells-too-much). A package beside this one, such as Open MPI's {@code mpi}, must compare, too.
 */
public final class ReadPlace {

    private final FileHandle file;
    private final long one; // bytes of an element of the view
    private final long asked; // elements of the view
    private final boolean isShared;
    private final long first;
    private volatile long last; // by the shared position a read begins somewhere from the first place to this one

    private ReadPlace(FileHandle file, long one, long asked, boolean isShared, long first) {
        this.file = file;
        this.one = one;
        this.asked = asked;
        this.isShared = isShared;
        this.first = first;
        this.last = first;
    }

    /**
     * {@return whether the library may tell more of a read of one process than it reads, by a view or into a buffer of such
     * a type}
     *
     * @param type the file type of the view, or the type of the buffer
     */
    public static boolean isUntold(DatatypeHandle type) {
        return LibraryDefects.READS_TELL_TOO_MUCH != null
                && Datatypes.typeGetEnvelope(type).combiner() != Combiner.NAMED.value();
    }

    /**
     * {@return the place of a read that begins there for certain}
     *
     * @param file the file
     * @param one the bytes of an element of the view
     * @param place where it begins, in elements of the view
     */
    public static ReadPlace at(FileHandle file, long one, long place) {
        return new ReadPlace(file, one, 0, false, place);
    }

    /**
     * {@return the place of a read of this process at the shared position, which others may move as well} To be asked for
     * before the read.
     *
     * @param file the file
     * @param one the bytes of an element of the view
     * @param bytes how many the read asks for
     */
    public static ReadPlace shared(FileHandle file, long one, long bytes) {
        return new ReadPlace(file, one, bytes / one, true, InputOutput.fileGetPositionShared(file));
    }

    /** The read has moved the position. */
    public void hasMoved() {
        if (isShared) {
            last = InputOutput.fileGetPositionShared(file) - asked;
        }
    }

    /**
     * Makes a status of the read tell what was there.
     *
     * @param found what MPI has told
     * @throws UnavailableException if that depends on which process was the first to read
     */
    public void mend(StatusValue found) {
        long bytes = Datatypes.getCount(found, DatatypeHandle.BYTE);
        long there = bytes <= 0 ? bytes : before(bytes);
        if (there != bytes) {
            Generalized.statusSetElements(found, DatatypeHandle.BYTE, there);
        }
    }

    /**
     * How many of the bytes are in the file that MPI says it has read. Throws if that depends on which process was the first
     * to read.
     */
    long before(long bytes) {
        long there = before(first, bytes);
        if (last != first && before(last, bytes) != there) {
            LibraryDefects.refuse(LibraryDefects.READS_TELL_TOO_MUCH, "MPI_File_read_shared at the end of a file");
        }
        return there;
    }

    private long before(long place, long bytes) {
        long end = bytes == 0 ? 0 : InputOutput.fileGetSize(file);
        long least = 0;
        long most = bytes / one;
        long next = most;
        while (least < most) {
            if (InputOutput.fileGetByteOffset(file, place + next - 1) + one <= end) {
                least = next;
            } else {
                most = next - 1;
            }
            next = (least + most + 1) / 2;
        }
        return least * one;
    }
}

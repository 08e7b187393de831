package dev.mpiglot.mpi;

import dev.mpiglot.low.MpiConstants;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What {@link Comm#openFile} opens a file for. One of the first three is needed. */
public enum FileMode {

    /** To be read only. */
    READ_ONLY(MpiConstants.MODE_RDONLY),
    /** To be written only. */
    WRITE_ONLY(MpiConstants.MODE_WRONLY),
    /** To be read and written. */
    READ_WRITE(MpiConstants.MODE_RDWR),
    /** It is made if there is none. */
    CREATE(MpiConstants.MODE_CREATE),
    /** With {@link #CREATE}: there must be none. */
    EXCLUSIVE(MpiConstants.MODE_EXCL),
    /** Positions begin at the end of the file. */
    APPEND(MpiConstants.MODE_APPEND),
    /** It is deleted when it is closed. */
    DELETE_ON_CLOSE(MpiConstants.MODE_DELETE_ON_CLOSE),
    /** Nobody else opens it meanwhile. */
    UNIQUE_OPEN(MpiConstants.MODE_UNIQUE_OPEN),
    /** There are no offsets, as on a tape: only shared positions are used. */
    SEQUENTIAL(MpiConstants.MODE_SEQUENTIAL);

    private final int value;

    FileMode(int value) {
        this.value = value;
    }

    /** {@return the integer that stands for it in {@link MpiConstants}} */
    public int value() {
        return value;
    }

    /** The modes in a sum of their integers. */
    static Set<FileMode> of(int bits) {
        Set<FileMode> modes = EnumSet.noneOf(FileMode.class);
        for (FileMode mode : values()) {
            if ((bits & mode.value) != 0) {
                modes.add(mode);
            }
        }
        return Collections.unmodifiableSet(modes);
    }

    /** The sum of the integers of modes; throws if MPI opens no file with them. */
    static int bits(FileMode... modes) {
        int bits = 0;
        for (FileMode mode : Arguments.present("modes", modes)) {
            bits |= Arguments.present("mode", mode).value;
        }
        int access = bits & (READ_ONLY.value | WRITE_ONLY.value | READ_WRITE.value);
        if (Integer.bitCount(access) != 1) {
            throw new IllegalArgumentException("The modes " + of(bits) + " need one of READ_ONLY, WRITE_ONLY and "
                    + "READ_WRITE.");
        }
        if (access == READ_ONLY.value && (bits & (CREATE.value | EXCLUSIVE.value)) != 0) {
            throw new IllegalArgumentException("A file that is opened with READ_ONLY cannot be made: " + of(bits) + ".");
        }
        if (access == READ_WRITE.value && (bits & SEQUENTIAL.value) != 0) {
            throw new IllegalArgumentException("A file with SEQUENTIAL is read or written, not both: " + of(bits) + ".");
        }
        return bits;
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.FileHandle;
import dev.mpiglot.low.InputOutput;
import dev.mpiglot.low.StatusValue;
import java.lang.foreign.MemorySegment;

/**
 * A read or write of a file by all its processes that has begun, and that all of them end. Until then its buffer belongs
 * to MPI, and the processes do nothing else together with the file: it throws an {@link IllegalStateException}.
 */
public final class SplitTransfer implements AutoCloseable {

    private final MpiFile file;
    private final Transfer transfer;
    private final Half half;
    private boolean ended;

    /** What was begun. */
    enum Half {
        READ_ALL,
        READ_AT_ALL,
        READ_ORDERED,
        WRITE_ALL,
        WRITE_AT_ALL,
        WRITE_ORDERED;

        /** Ends it. */
        void end(FileHandle file, MemorySegment memory, StatusValue found) {
            switch (this) {
                case READ_ALL -> InputOutput.fileReadAllEnd(file, memory, found);
                case READ_AT_ALL -> InputOutput.fileReadAtAllEnd(file, memory, found);
                case READ_ORDERED -> InputOutput.fileReadOrderedEnd(file, memory, found);
                case WRITE_ALL -> InputOutput.fileWriteAllEnd(file, memory, found);
                case WRITE_AT_ALL -> InputOutput.fileWriteAtAllEnd(file, memory, found);
                case WRITE_ORDERED -> InputOutput.fileWriteOrderedEnd(file, memory, found);
            }
        }
    }

    /** {@code half} is null if it is complete already. */
    SplitTransfer(MpiFile file, Transfer transfer, Half half) {
        this.file = file;
        this.transfer = transfer;
        this.half = half;
    }

    /**
     * Waits until the buffer can be used again. {@code MPI_File_read_all_end}, {@code MPI_File_write_all_end} and so on.
     * Collective.
     *
     * @return how many values were read or written
     * @throws IllegalStateException if it has ended
     * @throws MpiException if MPI reports an error
     */
    public synchronized long end() {
        if (ended) {
            throw ClosedException.of("This read or write has ended.");
        }
        ended = true;
        try {
            if (half != null) {
                Progress.finishOnPlatform(() -> half.end(file.word(), transfer.segment(), transfer.found()));
            }
            return transfer.moved();
        } finally {
            file.splits(null);
            transfer.end();
        }
    }

    /**
     * Ends it as {@link #end} does, if nobody has. Collective.
     *
     * @throws MpiException if MPI reports an error
     */
    @Override
    public synchronized void close() {
        if (!ended) {
            end();
        }
    }
}

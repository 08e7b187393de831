package mpi;

import dev.mpiglot.low.FileHandle;
import dev.mpiglot.low.InputOutput;

/** Reads and writes elements of a file with all processes, by a begin and an end. */
abstract class FileHalves extends FileTransfers {

    FileHalves(FileHandle handle) {
        super(handle);
    }

    /**
     * Begins to read elements from one element on.
     *
     * @param offset where the access begins, in elements of the view
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public void readAtAllBegin(long offset, Object buf, int count, Datatype type) throws MPIException {
        beginHalfRead(Start.togetherAt(offset),
                (file, data, number, kind) -> InputOutput.fileReadAtAllBegin(file, offset, data, number, kind),
                (file, data, number, kind, status) ->
                        InputOutput.fileReadAtAll(file, offset, data, number, kind, status), buf, count, type);
    }

    /**
     * {@return the status of what {@link #readAtAllBegin} began, when it is complete}
     *
     * @param buf the same array or buffer
     * @throws MPIException if MPI reports an error
     */
    public Status readAtAllEnd(Object buf) throws MPIException {
        return end(InputOutput::fileReadAtAllEnd, buf, true);
    }

    /**
     * Begins to write elements from one element on.
     *
     * @param offset where the access begins, in elements of the view
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public void writeAtAllBegin(long offset, Object buf, int count, Datatype type) throws MPIException {
        beginHalf((file, data, number, kind) -> InputOutput.fileWriteAtAllBegin(file, offset, data, number, kind),
                together((file, data, number, kind, status) ->
                        InputOutput.fileWriteAtAll(file, offset, data, number, kind, status)), buf, count, type, false);
    }

    /**
     * {@return the status of what {@link #writeAtAllBegin} began, when it is complete}
     *
     * @param buf the same array or buffer
     * @throws MPIException if MPI reports an error
     */
    public Status writeAtAllEnd(Object buf) throws MPIException {
        return end(InputOutput::fileWriteAtAllEnd, buf, false);
    }

    /**
     * Begins to read elements at the own position.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public void readAllBegin(Object buf, int count, Datatype type) throws MPIException {
        beginHalfRead(Start.TOGETHER, InputOutput::fileReadAllBegin, InputOutput::fileReadAll, buf, count, type);
    }

    /**
     * {@return the status of what {@link #readAllBegin} began, when it is complete}
     *
     * @param buf the same array or buffer
     * @throws MPIException if MPI reports an error
     */
    public Status readAllEnd(Object buf) throws MPIException {
        return end(InputOutput::fileReadAllEnd, buf, true);
    }

    /**
     * Begins to write elements at the own position.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public void writeAllBegin(Object buf, int count, Datatype type) throws MPIException {
        beginHalf(InputOutput::fileWriteAllBegin, together(InputOutput::fileWriteAll), buf, count, type, false);
    }

    /**
     * {@return the status of what {@link #writeAllBegin} began, when it is complete}
     *
     * @param buf the same array or buffer
     * @throws MPIException if MPI reports an error
     */
    public Status writeAllEnd(Object buf) throws MPIException {
        return end(InputOutput::fileWriteAllEnd, buf, false);
    }

    /**
     * Begins to read elements at the shared position, one process after the other.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public void readOrderedBegin(Object buf, int count, Datatype type) throws MPIException {
        beginHalf(InputOutput::fileReadOrderedBegin, InputOutput::fileReadOrdered, buf, count, type, true);
    }

    /**
     * {@return the status of what {@link #readOrderedBegin} began, when it is complete}
     *
     * @param buf the same array or buffer
     * @throws MPIException if MPI reports an error
     */
    public Status readOrderedEnd(Object buf) throws MPIException {
        return end(InputOutput::fileReadOrderedEnd, buf, true);
    }

    /**
     * Begins to write elements at the shared position, one process after the other.
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public void writeOrderedBegin(Object buf, int count, Datatype type) throws MPIException {
        beginHalf(InputOutput::fileWriteOrderedBegin, together(InputOutput::fileWriteOrdered), buf, count, type, false);
    }

    /**
     * {@return the status of what {@link #writeOrderedBegin} began, when it is complete}
     *
     * @param buf the same array or buffer
     * @throws MPIException if MPI reports an error
     */
    public Status writeOrderedEnd(Object buf) throws MPIException {
        return end(InputOutput::fileWriteOrderedEnd, buf, false);
    }
}

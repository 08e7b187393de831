package mpi;

import dev.mpiglot.low.FileHandle;
import dev.mpiglot.low.InputOutput;
import java.nio.Buffer;

/** Reads and writes elements of a file. */
abstract class FileTransfers extends FileBase {

    FileTransfers(FileHandle handle) {
        super(handle);
    }

    /**
     * {@return the status of elements that it reads from one element on}
     *
     * @param offset where the access begins, in elements of the view
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Status readAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return read(Start.aloneAt(offset), (file, data, number, kind, status) ->
                InputOutput.fileReadAt(file, offset, data, number, kind, status), buf, count, type);
    }

    /**
     * {@return the operation of {@link #readAt}, which goes on}
     *
     * @param offset where the access begins, in elements of the view
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Request iReadAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return beginRead(Start.aloneAt(offset),
                (file, data, number, kind) -> InputOutput.fileIreadAt(file, offset, data, number, kind),
                (file, data, number, kind, status) ->
                        InputOutput.fileReadAt(file, offset, data, number, kind, status), buf, count, type);
    }

    /**
     * {@return the status of elements that it writes from one element on}
     *
     * @param offset where the access begins, in elements of the view
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Status writeAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return move((file, data, number, kind, status) ->
                InputOutput.fileWriteAt(file, offset, data, number, kind, status), buf, count, type, false);
    }

    /**
     * {@return the operation of {@link #writeAt}, which goes on}
     *
     * @param offset where the access begins, in elements of the view
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Request iWriteAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return begin((file, data, number, kind) -> InputOutput.fileIwriteAt(file, offset, data, number, kind),
                (file, data, number, kind, status) ->
                        InputOutput.fileWriteAt(file, offset, data, number, kind, status), buf, count, type, false);
    }

    /**
     * {@return the status of elements that it reads from one element on, with all processes}
     *
     * @param offset where the access begins, in elements of the view
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Status readAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return read(Start.togetherAt(offset), (file, data, number, kind, status) ->
                InputOutput.fileReadAtAll(file, offset, data, number, kind, status), buf, count, type);
    }

    /**
     * {@return the operation of {@link #readAtAll}, which goes on}
     *
     * @param offset where the access begins, in elements of the view
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Request iReadAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return beginRead(Start.togetherAt(offset),
                (file, data, number, kind) -> InputOutput.fileIreadAtAll(file, offset, data, number, kind),
                (file, data, number, kind, status) ->
                        InputOutput.fileReadAt(file, offset, data, number, kind, status), buf, count, type);
    }

    /**
     * {@return the status of elements that it writes from one element on, with all processes}
     *
     * @param offset where the access begins, in elements of the view
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Status writeAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return move(together((file, data, number, kind, status) ->
                InputOutput.fileWriteAtAll(file, offset, data, number, kind, status)), buf, count, type, false);
    }

    /**
     * {@return the operation of {@link #writeAtAll}, which goes on}
     *
     * @param offset where the access begins, in elements of the view
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Request iWriteAtAll(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return begin((file, data, number, kind) -> InputOutput.fileIwriteAtAll(file, offset, data, number, kind),
                (file, data, number, kind, status) ->
                        InputOutput.fileWriteAt(file, offset, data, number, kind, status), buf, count, type, false);
    }

    /**
     * {@return the status of elements that it reads at the own position}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Status read(Object buf, int count, Datatype type) throws MPIException {
        return read(Start.ALONE, InputOutput::fileRead, buf, count, type);
    }

    /**
     * {@return the operation of {@link #read}, which goes on}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Request iRead(Buffer buf, int count, Datatype type) throws MPIException {
        return beginRead(Start.ALONE, InputOutput::fileIread, InputOutput::fileRead, buf, count, type);
    }

    /**
     * {@return the status of elements that it writes at the own position}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Status write(Object buf, int count, Datatype type) throws MPIException {
        return move(InputOutput::fileWrite, buf, count, type, false);
    }

    /**
     * {@return the operation of {@link #write}, which goes on}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Request iWrite(Buffer buf, int count, Datatype type) throws MPIException {
        return begin(InputOutput::fileIwrite, InputOutput::fileWrite, buf, count, type, false);
    }

    /**
     * {@return the status of elements that it reads at the own position, with all processes}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Status readAll(Object buf, int count, Datatype type) throws MPIException {
        return read(Start.TOGETHER, InputOutput::fileReadAll, buf, count, type);
    }

    /**
     * {@return the operation of {@link #readAll}, which goes on}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Request iReadAll(Buffer buf, int count, Datatype type) throws MPIException {
        return beginRead(Start.TOGETHER, InputOutput::fileIreadAll, InputOutput::fileRead, buf, count, type);
    }

    /**
     * {@return the status of elements that it writes at the own position, with all processes}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Status writeAll(Object buf, int count, Datatype type) throws MPIException {
        return move(together(InputOutput::fileWriteAll), buf, count, type, false);
    }

    /**
     * {@return the operation of {@link #writeAll}, which goes on}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Request iWriteAll(Buffer buf, int count, Datatype type) throws MPIException {
        return begin(InputOutput::fileIwriteAll, InputOutput::fileWrite, buf, count, type, false);
    }

    /**
     * {@return the status of elements that it reads at the shared position}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Status readShared(Object buf, int count, Datatype type) throws MPIException {
        return read(Start.SHARED, InputOutput::fileReadShared, buf, count, type);
    }

    /**
     * {@return the operation of {@link #readShared}, which goes on}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Request iReadShared(Buffer buf, int count, Datatype type) throws MPIException {
        return beginRead(Start.SHARED, InputOutput::fileIreadShared, InputOutput::fileReadShared, buf, count, type);
    }

    /**
     * {@return the status of elements that it writes at the shared position}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Status writeShared(Object buf, int count, Datatype type) throws MPIException {
        return move(InputOutput::fileWriteShared, buf, count, type, false);
    }

    /**
     * {@return the operation of {@link #writeShared}, which goes on}
     *
     * @param buf the elements, a direct buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Request iWriteShared(Buffer buf, int count, Datatype type) throws MPIException {
        return begin(InputOutput::fileIwriteShared, InputOutput::fileWriteShared, buf, count, type, false);
    }

    /**
     * {@return the status of elements that it reads at the shared position, one process after the other}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Status readOrdered(Object buf, int count, Datatype type) throws MPIException {
        return move(InputOutput::fileReadOrdered, buf, count, type, true);
    }

    /**
     * {@return the status of elements that it writes at the shared position, one process after the other}
     *
     * @param buf the elements, an array or a buffer
     * @param count how many elements
     * @param type their type
     * @throws MPIException if MPI reports an error
     */
    public Status writeOrdered(Object buf, int count, Datatype type) throws MPIException {
        return move(together(InputOutput::fileWriteOrdered), buf, count, type, false);
    }
}

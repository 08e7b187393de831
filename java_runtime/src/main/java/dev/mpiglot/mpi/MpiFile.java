package dev.mpiglot.mpi;

import dev.mpiglot.low.Combiner;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.FileHandle;
import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.InputOutput;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.Seek;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A file that all processes of a communicator have opened ({@link Comm#openFile}).
 *
 * <p>Offsets and positions count the elements of the view; at first these are all bytes of the file. {@link #setView}
 * gives a process another view. Each process has a position of its own, and all have a shared one. Reads and writes move
 * the values of a buffer, side by side in the view, and tell how many they moved: fewer than the buffer has where the file
 * ends. Arrays are copied by the call; an array that is read into has its values when the operation is complete, and other
 * buffers belong to MPI until then.
 *
 * <p>The methods with {@code All} and {@code Ordered} are collective. There a process whose arguments are wrong takes part
 * with no elements, and throws afterwards; {@code Ordered} goes through the processes in the order of ranks.
 *
 * <p>What a process writes, others see after {@link #sync}, a barrier and again {@link #sync}, or if the file is
 * {@linkplain #setAtomic atomic}.
 *
 * <p>Every method throws an {@link IllegalStateException} once the file is closed. Closing is collective. Files that are
 * open when MPI is closed are closed then, the last one first.
 */
public final class MpiFile implements FileQueries, FileTransfers, ErrorSource, AutoCloseable {

    /** Where no file ends, so that libraries can add to it what they like. */
    static final long FARTHEST = Long.MAX_VALUE / 4;

    /** The last one first. */
    private static final Deque<MpiFile> OPEN = new ArrayDeque<>();
    private static final FileView BYTES = FileView.of(0, Datatype.BYTE);

    private final FileHandle handle;
    private final Comm comm; // a duplicate of that which opened it
    private final Set<FileMode> modes;
    private final StackTraceElement place = Backlog.place(); // where it was made, if that is asked for
    private final Life life = new Life("The file is closed: close it when no call needs it any more.");
    private final List<Request> begun = new ArrayList<>();
    private volatile FileView view = BYTES;
    private volatile SplitTransfer split;
    private volatile RuntimeException mistake; // of the last call, if it failed

    MpiFile(FileHandle handle, Comm comm, Set<FileMode> modes) {
        this.handle = handle;
        this.comm = comm;
        this.modes = modes;
        synchronized (OPEN) {
            OPEN.push(this);
        }
    }

    FileHandle word() {
        return handle;
    }

    <T> T using(Supplier<T> action) {
        return life.during(action);
    }

    Transfer transfer(boolean together) {
        return new Transfer(this, together);
    }

    FileView current() {
        return view;
    }

    /** Begins a call, of all processes or of this one. */
    void enter(boolean together) {
        life.enter();
        if (together && split != null) {
            life.leave();
            throw new IllegalStateException("A read or write of all processes has begun: end it first.");
        }
    }

    void leave() {
        life.leave();
    }

    /** A call has failed: others may not come to what all do together. Null: the program goes on all the same. */
    void note(RuntimeException failure) {
        mistake = failure;
    }

    /** What is to be ended before the processes do something else together; null: nothing. */
    void splits(SplitTransfer now) {
        split = now;
    }

    /** An operation that is to be complete before the file is closed. */
    void goesOn(Request request) {
        synchronized (begun) {
            begun.removeIf(Request::isComplete);
            begun.add(request);
        }
    }

    /** Throws unless these elements can be read or written. */
    void require(MpiBuffer<?> data, boolean reads, boolean at, long offset) {
        Call.withElements("data", data);
        FileMode other = reads ? FileMode.WRITE_ONLY : FileMode.READ_ONLY;
        if (modes.contains(other)) {
            throw new IllegalStateException("The file was opened with " + other + ".");
        }
        FileView seen = view;
        Kind kind = seen.element().kind();
        if (data.type().kind() != kind && (at || kind != Kind.BYTE)) {
            throw new IllegalArgumentException("\"data\" has " + data.type().kind() + " elements, the view of the file has "
                    + kind + " elements: set a view of the same.");
        }
        if (data.bytes() % seen.element().bytes() != 0) {
            throw new IllegalArgumentException("\"data\" has " + data.bytes() + " bytes, which are no whole elements of "
                    + seen.element().bytes() + " bytes.");
        }
        if (at) {
            requireUpTo("offset", offset, seen.farthest());
        }
    }

    /** Whether the library may tell more of a read of this process than it reads: into such memory, by this view. */
    boolean readsTooMuch(Loan into) {
        return LibraryDefects.READS_TELL_TOO_MUCH != null && !readsPlainOnly() && (!into.isOfValues() || view.isDerived());
    }

    /** The same where nobody knows any position: what it reads must have no gaps. */
    boolean readsPlainOnly() {
        return LibraryDefects.READS_TELL_TOO_MUCH != null && modes.contains(FileMode.SEQUENTIAL);
    }

    /**
     * Where this process begins in what all are about to read in the order of ranks; -1: that cannot be known. All come
     * before one looks at the shared position, and none reads before that. Collective.
     *
     * @param bytes how many this process asks for
     */
    long placeInOrder(long bytes) {
        long[] counts = new long[comm.size()];
        comm.allgather(new long[] {bytes / view.element().bytes()}, counts);
        long[] place = {comm.rank() == 0 ? sharedPlace() : 0};
        comm.bcast(place, 0);
        for (int i = 0; place[0] >= 0 && i < comm.rank(); i++) {
            place[0] += counts[i];
        }
        return place[0];
    }

    private long sharedPlace() {
        try {
            return modes.contains(FileMode.SEQUENTIAL) ? -1 : InputOutput.fileGetPositionShared(handle);
        } catch (MpiException e) {
            return -1; // it is not asked for: the read tells what is wrong
        }
    }

    static void requireUpTo(String name, long number, long most) {
        if (number < 0 || number > most) {
            throw new IllegalArgumentException("The argument \"" + name + "\" is " + number + ": it must be from 0 to "
                    + most + ".");
        }
    }

    /** Does on all processes what nothing is wrong with on any. */
    private void together(Runnable check, Runnable action) {
        enter(true);
        try {
            agree(comm, check);
            Progress.finishOnPlatform(action);
            note(null);
        } catch (RuntimeException e) {
            note(e);
            throw e;
        } finally {
            leave();
        }
    }

    /** {@return what the file was opened for} {@code MPI_File_get_amode} Local. */
    public Set<FileMode> modes() {
        return using(() -> FileMode.of(InputOutput.fileGetAmode(handle)));
    }

    /**
     * Tells where an element of the view is in the file. {@code MPI_File_get_byte_offset} Local.
     *
     * @param offset the offset of the element
     * @return its place in bytes from the start of the file
     * @throws IllegalArgumentException if there is no such offset
     * @throws MpiException if MPI reports an error
     */
    public long byteOffset(long offset) {
        return using(() -> {
            requireUpTo("offset", offset, view.farthest());
            return InputOutput.fileGetByteOffset(handle, offset);
        });
    }

    /**
     * Tells how far an element reaches in the file, which depends on the view's representation.
     * {@code MPI_File_get_type_extent} Local.
     *
     * @param type the type of the element
     * @return the bytes from one to the next; empty if that is no number for the library
     * @throws IllegalArgumentException if the type is null
     * @throws IllegalStateException if the type is closed
     * @throws MpiException if MPI reports an error
     */
    public OptionalLong typeExtent(Datatype<?> type) {
        Arguments.present("type", type);
        long extent = using(() -> type.using(() -> InputOutput.fileGetTypeExtent(handle, type.word())));
        return extent == MpiConstants.UNDEFINED ? OptionalLong.empty() : OptionalLong.of(extent);
    }

    /**
     * Tells what this process sees of the file. {@code MPI_File_get_view} Local.
     *
     * @return the view, with the types that {@link #setView} was given
     * @throws MpiException if MPI reports an error
     */
    public FileView view() {
        return using(() -> {
            InputOutput.FileGetViewResult found = InputOutput.fileGetView(handle);
            free(found.etype());
            free(found.filetype());
            return new FileView(found.disp(), view.element(), view.filetype(), found.datarep());
        });
    }

    /** MPI gives copies of types that are no constants. */
    private static void free(DatatypeHandle type) {
        if (Datatypes.typeGetEnvelope(type).combiner() != Combiner.NAMED.value()) {
            Datatypes.typeFree(type);
        }
    }

    /**
     * Gives this process a view, and sets all positions to its beginning. The types may be closed afterwards.
     * {@code MPI_File_set_view} Collective.
     *
     * @param wanted the view; it may differ among processes but for the size of the element and the representation
     * @param hints hints for MPI; null: none
     * @throws IllegalArgumentException if the view is null or none of a file, here or on another process: on all
     * @throws IllegalStateException if a type or the hints are closed
     * @throws MpiException if MPI reports an error, as for a representation that it does not have
     */
    public void setView(FileView wanted, @Nullable Info hints) {
        together(() -> {
            Arguments.present("wanted", wanted).require();
            if (hints != null) {
                hints.handle();
            }
        }, () -> {
            InputOutput.fileSetView(handle, wanted.displacement(), wanted.element().word(), wanted.filetype().word(),
                    wanted.representation(), hints == null ? InfoHandle.NULL : hints.word());
            view = wanted;
        });
    }

    /**
     * The same without hints. {@code MPI_File_set_view} Collective.
     *
     * @param wanted the view
     * @throws IllegalArgumentException if the view is null or none of a file, here or on another process: on all
     * @throws IllegalStateException if a type is closed
     * @throws MpiException if MPI reports an error, as for a representation that it does not have
     */
    public void setView(FileView wanted) {
        setView(wanted, null);
    }

    /**
     * Gives the file hints. {@code MPI_File_set_info} Collective.
     *
     * @param hints the hints
     * @throws IllegalArgumentException if the hints are null, here or on another process: on all
     * @throws IllegalStateException if the hints are closed
     * @throws MpiException if MPI reports an error
     */
    public void setInfo(Info hints) {
        together(() -> Arguments.present("hints", hints).handle(), () -> InputOutput.fileSetInfo(handle, hints.word()));
    }

    /**
     * Cuts the file off, or makes it longer. {@code MPI_File_set_size} Collective.
     *
     * @param bytes how long it is then, in bytes
     * @throws IllegalArgumentException if no file is so long, here or on another process: on all
     * @throws MpiException if MPI reports an error
     */
    public void setSize(long bytes) {
        together(() -> requireUpTo("bytes", bytes, FARTHEST), () -> InputOutput.fileSetSize(handle, bytes));
    }

    /**
     * Makes sure that there is room for so many bytes. {@code MPI_File_preallocate} Collective.
     *
     * @param bytes how many
     * @throws IllegalArgumentException if no file is so long, here or on another process: on all
     * @throws MpiException if MPI reports an error
     */
    public void preallocate(long bytes) {
        together(() -> requireUpTo("bytes", bytes, FARTHEST), () -> InputOutput.filePreallocate(handle, bytes));
    }

    /**
     * Sets whether others see what a process writes at once and as a whole. {@code MPI_File_set_atomicity} Collective.
     *
     * @param atomic whether they do; the same on all processes
     * @throws MpiException if MPI reports an error
     */
    public void setAtomic(boolean atomic) {
        together(() -> {
        }, () -> InputOutput.fileSetAtomicity(handle, atomic));
    }

    /**
     * Brings what was written to the storage, and lets this process see what others have brought there.
     * {@code MPI_File_sync} Collective.
     *
     * @throws MpiException if MPI reports an error
     */
    public void sync() {
        enter(true);
        try {
            Progress.finishOnPlatform(() -> InputOutput.fileSync(handle));
        } finally {
            leave();
        }
    }

    /**
     * Moves the position of this process. {@code MPI_File_seek} Local.
     *
     * @param offset where to, in elements of the view
     * @param whence from where on: the beginning, the position, or the end of the file
     * @throws IllegalArgumentException if there is no such position
     * @throws MpiException if MPI reports an error
     */
    public void seek(long offset, Seek whence) {
        using(() -> {
            requireSeek(offset, whence);
            if (whence == Seek.CUR) {
                requireUpTo("offset", position() + offset, view.farthest());
            }
            InputOutput.fileSeek(handle, offset, whence.value());
            return whence;
        });
    }

    /**
     * Moves the position that all processes share. {@code MPI_File_seek_shared} Collective.
     *
     * @param offset where to, in elements of the view; the same on all processes
     * @param whence from where on: the beginning, the position, or the end of the file
     * @throws IllegalArgumentException if there is no such position, here or on another process: on all
     * @throws MpiException if MPI reports an error
     */
    public void seekShared(long offset, Seek whence) {
        together(() -> requireSeek(offset, whence), () -> InputOutput.fileSeekShared(handle, offset, whence.value()));
    }

    private void requireSeek(long offset, Seek whence) {
        Arguments.present("whence", whence);
        boolean back = whence != Seek.SET && offset < 0; // there is no -Long.MIN_VALUE
        requireUpTo("offset", back ? -(offset + 1) : offset, view.farthest());
    }

    /**
     * Deletes a file that nobody has open. {@code MPI_File_delete} Local: one process does it.
     *
     * @param path its path
     * @throws IllegalArgumentException if the path is null or empty
     * @throws MpiException if MPI cannot delete it: its {@code kind()} is
     *     {@code ErrorClass.ERR_NO_SUCH_FILE} where there is none
     */
    public static void delete(String path) {
        requirePath(path);
        InputOutput.fileDelete(path, InfoHandle.NULL);
    }

    /**
     * {@return the handle for {@link dev.mpiglot.low}, which must not close it}
     *
     * @throws IllegalStateException if the file is closed
     */
    public FileHandle handle() {
        life.require();
        return handle;
    }

    /** MPI is about to end, which needs all files closed. */
    static void closeAll() {
        for (MpiFile last = last(); last != null; last = last()) {
            Backlog.tell("file", last.place, " was not closed: MPI's end closes it");
            last.close();
        }
    }

    private static MpiFile last() {
        synchronized (OPEN) {
            return OPEN.peek();
        }
    }

    /**
     * Closes the file, after what has begun is complete; collective: all its processes close it. Closing again does
     * nothing. {@code MPI_File_close}
     *
     * @throws IllegalStateException if a call still uses the file, which stays open then; if a call on this file has
     *     failed and the others do not come in the time that {@link dev.mpiglot.mpi.Mpi#close} says
     * @throws MpiException if MPI reports an error
     */
    @Override
    public void close() {
        SplitTransfer last = split;
        if (last != null) {
            last.close();
        }
        if (!life.end()) {
            return;
        }
        synchronized (OPEN) {
            OPEN.remove(this);
        }
        synchronized (begun) {
            begun.forEach(Request::complete);
        }
        CompletableFuture<?> rest = Ending.guarded(mistake, () -> {
            InputOutput.fileClose(handle);
            comm.close();
        });
        if (rest != null) {
            throw Ending.late();
        }
    }

    /** Throws unless a file can have this path. */
    static void requirePath(String path) {
        if (Arguments.present("path", path).isEmpty() || path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("The path of a file is empty or holds the character NUL.");
        }
    }

    /**
     * Throws on all processes if something is wrong on one, or if they give different numbers: nobody begins what not
     * all begin.
     */
    static void agree(Comm comm, Runnable check, int... alike) {
        RuntimeException mistake = Parts.mistakeOf(check);
        int[] told = new int[1 + 2 * alike.length];
        told[0] = mistake == null ? 0 : 1;
        for (int i = 0; i < alike.length; i++) {
            told[2 * i + 1] = alike[i];
            told[2 * i + 2] = -alike[i];
        }
        comm.allreduce(told, Op.MAX);
        if (mistake != null) {
            throw mistake;
        }
        if (told[0] != 0) {
            throw new IllegalArgumentException("Another process could not take part: its arguments are wrong.");
        }
        for (int i = 0; i < alike.length; i++) {
            if (told[2 * i + 1] != -told[2 * i + 2]) {
                throw new IllegalArgumentException("The processes give different modes: they must be the same.");
            }
        }
    }
}

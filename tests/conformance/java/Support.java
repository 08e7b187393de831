package support;

import dev.mpiglot.low.Collectives;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.FileHandle;
import dev.mpiglot.low.Generalized;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.Output;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.Processes;
import dev.mpiglot.low.SessionHandle;
import dev.mpiglot.low.StatusValue;
import dev.mpiglot.low.ToolEventInstanceHandle;
import dev.mpiglot.low.ToolEventRegistrationHandle;
import dev.mpiglot.low.WinHandle;
import dev.mpiglot.mpi.MpiException;
import dev.mpiglot.mpi.UnavailableException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** What the cases stand on: who this process is, checks, callbacks that count themselves, and the run of all cases. */
public final class Support {

    private static final long SECONDS = 1200;
    private static final ConcurrentHashMap<String, Integer> CALLED = new ConcurrentHashMap<>();

    public static long rank;
    public static long size;
    public static long left;
    public static long right;
    public static CommHandle world;

    private static Path folder;
    private static volatile String now = "the start";

    private Support() {
    }

    /** One case, with the defects of an MPI (provision/matrix.json) with which it cannot pass. */
    public record Case(String name, Runnable body, int ranks, int most, String... defects) {

        String impossible() {
            if (size < ranks) {
                return "for " + ranks + " processes or more";
            }
            if (most != 0 && size > most) {
                return "for " + most + " processes at most";
            }
            List<String> known = List.of(System.getenv().getOrDefault("MPIGLOT_DEFECTS", "").split(","));
            for (String id : defects) {
                if (known.contains(id) && System.getenv("MPIGLOT_ALL_CASES") == null) {
                    return "known defect: " + id;
                }
            }
            return null;
        }

        boolean passes() {
            now = name;
            if (System.getenv("MPIGLOT_TRACE") != null) {
                System.err.println("[" + rank + "] " + name);
            }
            try {
                body.run();
                Collectives.barrier(world);
                return true;
            } catch (UnavailableException | Missing e) {
                tell("skipped: " + name + ": " + e.getMessage());
                return false;
            } catch (Throwable t) {
                System.err.println("FAILED: " + name + " on rank " + rank + " of " + size + " with " + table() + ":");
                t.printStackTrace();
                System.out.println("0 passed, 1 failed, 0 skipped");
                Output.arrive();
                Environment.abort(world, 1);
                return false;
            }
        }
    }

    /** The library lacks what a case is about. */
    private static final class Missing extends RuntimeException {

        private static final long serialVersionUID = 1;

        Missing(String function) {
            super(function + " is not in this library");
        }
    }

    public static void run(String[] args, List<Case> cases) {
        if (args.length > 0 && args[0].equals("child")) {
            child();
            return;
        }
        watch();
        Environment.initThread(MpiConstants.THREAD_MULTIPLE);
        world = CommHandle.WORLD;
        rank = Communicators.commRank(world);
        size = Communicators.commSize(world);
        right = (rank + 1) % size;
        left = (rank + size - 1) % size;
        String scratch = System.getenv("MPIGLOT_SCRATCH"); // its runner removes it when cases do not end well, too
        String above = scratch != null ? scratch : System.getProperty("java.io.tmpdir");
        folder = Path.of(above, "mpiglot-java-" + sameEverywhere(ProcessHandle.current().pid()));
        folder.toFile().mkdirs();
        int passed = 0;
        int skipped = 0;
        for (Case one : cases) {
            if (!isChosen(one.name(), args)) {
                continue;
            }
            String reason = one.impossible();
            if (reason != null) {
                tell("skipped: " + one.name() + ": " + reason);
            }
            if (reason == null && one.passes()) {
                passed++;
            } else {
                skipped++;
            }
        }
        Collectives.barrier(world);
        removeFolder();
        tell(passed + " passed, 0 failed, " + skipped + " skipped");
        Environment.finalizeMpi();
    }

    /** Whether the arguments want a case: parts of names, and -name for all but this one. */
    private static boolean isChosen(String name, String[] args) {
        boolean wanted = true;
        for (String word : args) {
            if (word.equals("-" + name)) {
                return false;
            }
            if (!word.startsWith("-")) {
                if (name.contains(word)) {
                    return true;
                }
                wanted = false;
            }
        }
        return wanted;
    }

    private static void removeFolder() {
        String[] left = folder.toFile().list();
        for (String name : left == null ? new String[0] : left) {
            folder.resolve(name).toFile().delete();
        }
        folder.toFile().delete();
    }

    private static void watch() {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(SECONDS * 1000);
            } catch (InterruptedException e) {
                return;
            }
            System.err.println("rank " + rank + ": no end in " + SECONDS + " seconds, now in " + now);
            Runtime.getRuntime().halt(3);
        });
    }

    private static void tell(String line) {
        if (rank == 0) {
            System.out.println(line);
        }
    }

    // ------------------------------------------------------------------ what cases call

    public static void check(boolean holds, String text) {
        if (!holds) {
            throw new AssertionError(text + " is not so");
        }
    }

    public static void failed(MpiException e, String call, int... classes) {
        if (e instanceof UnavailableException) {
            throw e;
        }
        if (Arrays.stream(classes).noneMatch(c -> c == e.errorClass())) {
            throw new AssertionError(call + " failed with " + e, e);
        }
    }

    public static boolean same(int[] got, long[] expected) {
        return Arrays.equals(Arrays.stream(got).asLongStream().toArray(), expected);
    }

    public static boolean same(long[] got, long[] expected) {
        return Arrays.equals(got, expected);
    }

    public static boolean same(boolean[] got, boolean[] expected) {
        return Arrays.equals(got, expected);
    }

    public static StatusValue[] statuses(long count) {
        StatusValue[] made = new StatusValue[(int) count];
        Arrays.setAll(made, i -> new StatusValue());
        return made;
    }

    public static <T> T[] filled(T[] array, T value) {
        Arrays.fill(array, value);
        return array;
    }

    public static StatusValue newStatus() {
        return new StatusValue();
    }

    /** Ends a case that would leave something behind if it ended later. */
    public static void require(String function) {
        if (!have(function)) {
            throw new Missing(function);
        }
    }

    public static boolean have(String function) {
        return Library.load().has(function);
    }

    public static String table() {
        return Library.load().table();
    }

    public static long peek(long address) {
        return MemorySegment.ofAddress(address).reinterpret(4).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    }

    public static void poke(long address, long value) {
        MemorySegment.ofAddress(address).reinterpret(4).set(ValueLayout.JAVA_INT_UNALIGNED, 0, (int) value);
    }

    /** How often a callback ran since this was asked last. */
    public static long calls(String name) {
        Integer n = CALLED.remove(name);
        return n == null ? 0 : n;
    }

    private static void count(String name) {
        CALLED.merge(name, 1, Integer::sum);
    }

    /** A number of rank 0, for names that all processes share. */
    public static long sameEverywhere(long value) {
        MemorySegment shared = Memory.longsOf(new long[] {value});
        Collectives.bcast(shared, 1, DatatypeHandle.INT64_T, 0, world);
        return Memory.longAt(shared, 0);
    }

    /** A text of rank 0. */
    public static String sharedText(String text) {
        long length = sameEverywhere(text.length());
        MemorySegment bytes = Memory.chars(length);
        for (int i = 0; i < text.length() && i < length; i++) {
            Memory.charTo(bytes, i, text.charAt(i));
        }
        Collectives.bcast(bytes, length, DatatypeHandle.BYTE, 0, world);
        StringBuilder shared = new StringBuilder();
        for (int i = 0; i < length; i++) {
            shared.append((char) Memory.charAt(bytes, i));
        }
        return shared.toString();
    }

    /** The name of a file that all processes share, and that is not there yet. */
    public static String path(String name) {
        return folder.resolve(name).toString();
    }

    /** The program that {@link #arguments} makes this one, as the child of a spawn. */
    public static String command() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    public static String[] arguments() {
        return new String[] {"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
            System.getProperty("java.class.path"), "Cases", "child"};
    }

    private static final MemorySegment PLACE = Memory.longs(1);

    /** Where a handle stands, for functions that take the address of one. */
    public static long placeOf(CommHandle comm) {
        Memory.longTo(PLACE, 0, comm.handle());
        return PLACE.address();
    }

    public static long joinedSocket(long other) {
        return Sockets.joined((int) other);
    }

    public static void closedSocket(long socket) {
        Sockets.close((int) socket);
    }

    private static void child() {
        Environment.init();
        CommHandle parent = Processes.commGetParent();
        MemorySegment number = Memory.ints(1);
        Collectives.bcast(number, 1, DatatypeHandle.INT, 0, parent);
        Memory.intTo(number, 0, Memory.intAt(number, 0) + Communicators.commRank(CommHandle.WORLD));
        PointToPoint.send(number, 1, DatatypeHandle.INT, 0, 9, parent);
        Collectives.barrier(parent);
        Processes.commDisconnect(parent);
        Environment.finalizeMpi();
    }

    // ------------------------------------------------------------------ callbacks

    private static MemorySegment ints(MemorySegment memory, long count) {
        return memory.reinterpret(4 * count);
    }

    public static void sumInts(MemorySegment in, MemorySegment inout, long n, DatatypeHandle type) {
        count("sum_ints");
        MemorySegment a = ints(in, n);
        MemorySegment b = ints(inout, n);
        for (long i = 0; i < n; i++) {
            Memory.intTo(b, i, Memory.intAt(a, i) + Memory.intAt(b, i));
        }
    }

    public static void sumIntsX(MemorySegment in, MemorySegment inout, long n, DatatypeHandle type) {
        sumInts(in, inout, n, type);
    }

    public static void firstInts(MemorySegment in, MemorySegment inout, long n, DatatypeHandle type) {
        ints(inout, n).copyFrom(ints(in, n));
    }

    public static void nothing(MemorySegment in, MemorySegment inout, long n, DatatypeHandle type) {
        count("nothing");
    }

    private static void copied(MemorySegment in, MemorySegment out, MemorySegment flag) {
        count("copy");
        out.reinterpret(8).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, in.address() + 1);
        flag.reinterpret(4).set(ValueLayout.JAVA_INT_UNALIGNED, 0, 1);
    }

    public static void copyComm(CommHandle comm, int keyval, MemorySegment in, MemorySegment out, MemorySegment flag) {
        copied(in, out, flag);
    }

    public static void copyType(DatatypeHandle type, int keyval, MemorySegment in, MemorySegment out,
            MemorySegment flag) {
        copied(in, out, flag);
    }

    public static void deleteComm(CommHandle comm, int keyval, MemorySegment value) {
        count("delete");
    }

    public static void deleteType(DatatypeHandle type, int keyval, MemorySegment value) {
        count("delete");
    }

    public static void deleteWin(WinHandle win, int keyval, MemorySegment value) {
        count("delete");
    }

    public static void commFailed(CommHandle comm, int code) {
        count("comm_failed");
    }

    public static void winFailed(WinHandle win, int code) {
        count("win_failed");
    }

    public static void fileFailed(FileHandle file, int code) {
        count("file_failed");
    }

    public static void sessionFailed(SessionHandle session, int code) {
        count("session_failed");
    }

    public static void queried(StatusValue status) {
        count("queried");
        Generalized.statusSetElements(status, DatatypeHandle.INT, 7);
        Generalized.statusSetCancelled(status, false);
    }

    public static void freed() {
        count("freed");
    }

    public static void cancelled(boolean complete) {
        count("cancelled");
    }

    public static void destroyed() {
        count("destroyed");
    }

    public static void polled(MemorySegment state, StatusValue status) {
        count("polled");
    }

    public static void readConversion(MemorySegment user, DatatypeHandle type, long count, MemorySegment file,
            long position) {
        count("read_conversion");
        ints(user, count + position).asSlice(4 * position).copyFrom(ints(file, count));
    }

    public static void writeConversion(MemorySegment user, DatatypeHandle type, long count, MemorySegment file,
            long position) {
        count("write_conversion");
        ints(file, count).copyFrom(ints(user, count + position).asSlice(4 * position));
    }

    public static void fileExtent(DatatypeHandle type, MemorySegment extent) {
        count("file_extent");
        extent.reinterpret(8).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 4);
    }

    public static void eventHappened(ToolEventInstanceHandle event, ToolEventRegistrationHandle registration,
            int safety) {
        count("event");
    }

    public static void eventDropped(long dropped, ToolEventRegistrationHandle registration, int source, int safety) {
        count("dropped");
    }

    public static void eventFreed(ToolEventRegistrationHandle registration, int safety) {
        count("event_freed");
    }
}

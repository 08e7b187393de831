package dev.mpiglot.low;

import dev.mpiglot.mpi.Check;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.FileExistsException;
import dev.mpiglot.mpi.MpiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Integers with names have the standard ABI's values in Java and the library's own in C. */
public final class ValueTests {

    private ValueTests() {
    }

    public static void comparisonsAreConstants(Comm world) {
        CommHandle other = Communicators.commDup(world.handle());
        String said = switch (Communicators.commCompare(world.handle(), other)) {
            case MpiConstants.IDENT -> "the same";
            case MpiConstants.CONGRUENT -> "congruent";
            default -> "something else";
        };
        Check.equal(said, "congruent");
        Check.equal(Comparison.of(Communicators.commCompare(other, other)), Comparison.IDENT);
        Communicators.commFree(other);
    }

    /** By {@code _c} functions, or by {@code _x} where an MPI has only these. */
    public static void sizesBeyondAnIntAreTold(Comm world) {
        long bytes = 1L << 33;
        DatatypeHandle part = Datatypes.typeContiguous(1 << 20, DatatypeHandle.INT32_T);
        DatatypeHandle large = Datatypes.typeContiguous(1 << 11, part);
        Check.equal(Datatypes.typeSize(large), bytes);
        Check.equal(Datatypes.typeGetExtent(large).extent(), bytes);
        StatusValue status = new StatusValue();
        Generalized.statusSetElements(status, DatatypeHandle.INT8_T, bytes);
        Check.equal(Datatypes.getElements(status, DatatypeHandle.INT8_T), bytes);
        Datatypes.typeFree(large);
        Datatypes.typeFree(part);
    }

    /** MPICH reads the byte behind the room of a long error text. */
    public static void aTextOfMpiHasAZeroBehindIt(Comm world) {
        Frame frame = Frame.current();
        long mark = frame.mark();
        for (int room = 1; room <= 512; room++) {
            MemorySegment.ofAddress(frame.room(1024)).reinterpret(1024).fill((byte) 'x');
            frame.release(mark);
            Check.equal(MemorySegment.ofAddress(frame.text(room)).reinterpret(room + 1L)
                .get(ValueLayout.JAVA_BYTE, room), (byte) 0);
            frame.release(mark);
        }
    }

    public static void undefinedRanksInArraysAreTranslated(Comm world) {
        GroupHandle all = Communicators.commGroup(world.handle());
        GroupHandle own = Communicators.groupIncl(all, new int[] {world.rank()});
        int[] ranks = new int[world.size() + 1];
        int[] asked = new int[world.size() + 1];
        for (int i = 0; i < world.size(); i++) {
            asked[i] = i;
        }
        asked[world.size()] = MpiConstants.PROC_NULL;
        Communicators.groupTranslateRanks(all, asked, own, ranks);
        for (int i = 0; i < world.size(); i++) {
            Check.equal(ranks[i], i == world.rank() ? 0 : MpiConstants.UNDEFINED);
        }
        Check.equal(ranks[world.size()], MpiConstants.PROC_NULL);
        Check.equal(Communicators.groupRank(own), 0);
        Communicators.groupFree(own);
        Communicators.groupFree(all);
    }

    public static void anUndefinedColorGivesNoCommunicator(Comm world) {
        CommHandle part = Communicators.commSplit(world.handle(), MpiConstants.UNDEFINED, 0);
        Check.equal(part, CommHandle.NULL);
    }

    public static void topologiesAreNamed(Comm world) {
        Check.equal(Topologies.topoTest(world.handle()), MpiConstants.UNDEFINED);
        int[] dims = new int[2];
        Topologies.dimsCreate(world.size(), dims);
        Check.equal(dims[0] * dims[1], world.size());
        CommHandle cart = Topologies.cartCreate(world.handle(), dims, new boolean[] {true, false}, false);
        Check.equal(Topologies.topoTest(cart), MpiConstants.CART);
        int[] shape = new int[2];
        boolean[] periods = new boolean[2];
        int[] coordinates = new int[2];
        Topologies.cartGet(cart, shape, periods, coordinates);
        Check.equal(shape, dims);
        Check.equal(periods, new boolean[] {true, false});
        Check.equal(Topologies.cartRank(cart, coordinates), world.rank());
        Topologies.CartShiftResult shift = Topologies.cartShift(cart, 1, dims[1]);
        Check.equal(shift.rankSource(), MpiConstants.PROC_NULL);
        Check.equal(shift.rankDest(), MpiConstants.PROC_NULL);
        Communicators.commFree(cart);
    }

    public static void combinersAreNamed(Comm world) {
        DatatypeHandle type = Datatypes.typeVector(2, 1, 3, DatatypeHandle.INT);
        Check.equal(Datatypes.typeGetEnvelope(type).combiner(), MpiConstants.COMBINER_VECTOR);
        Check.equal(Datatypes.typeGetEnvelope(DatatypeHandle.INT).combiner(), MpiConstants.COMBINER_NAMED);
        int[] integers = new int[3];
        DatatypeHandle[] types = new DatatypeHandle[1];
        Datatypes.typeGetContents(type, integers, new long[0], types);
        Check.equal(integers, new int[] {2, 1, 3});
        Check.equal(types[0], DatatypeHandle.INT);
        Datatypes.typeFree(type);
    }

    public static void predefinedAttributesAreFound(Comm world) {
        MemorySegment bound = Caching.commGetAttr(world.handle(), MpiConstants.TAG_UB).orElseThrow();
        Check.isTrue(bound.get(ValueLayout.JAVA_INT, 0) >= 32767, "the largest tag");
        Check.equal(Caching.commGetAttr(world.handle(), MpiConstants.IO).orElseThrow().get(ValueLayout.JAVA_INT, 0),
                MpiConstants.ANY_SOURCE);
        WinHandle window = OneSided.winAllocate(8, 1, InfoHandle.NULL, world.handle()).win();
        Check.equal(Caching.winGetAttr(window, MpiConstants.WIN_CREATE_FLAVOR).orElseThrow()
                .get(ValueLayout.JAVA_INT, 0), MpiConstants.WIN_FLAVOR_ALLOCATE);
        int model = Caching.winGetAttr(window, MpiConstants.WIN_MODEL).orElseThrow().get(ValueLayout.JAVA_INT, 0);
        Check.isTrue(model == MpiConstants.WIN_UNIFIED || model == MpiConstants.WIN_SEPARATE, "model " + model);
        OneSided.winFree(window);
    }

    public static void fileModesAndSeeksHaveTheirEffect(Comm world) throws Exception {
        Path path = Files.createTempFile("mpiglot", ".bin");
        Files.delete(path);
        try (Arena arena = Arena.ofConfined()) {
            FileHandle file = InputOutput.fileOpen(CommHandle.SELF, path.toString(),
                    MpiConstants.MODE_CREATE | MpiConstants.MODE_RDWR, InfoHandle.NULL);
            Check.equal(InputOutput.fileGetAmode(file), MpiConstants.MODE_CREATE | MpiConstants.MODE_RDWR);
            MemorySegment data = arena.allocate(10);
            InputOutput.fileWrite(file, data, 10, DatatypeHandle.BYTE, null);
            InputOutput.fileSeek(file, 2, MpiConstants.SEEK_SET);
            Check.equal(InputOutput.fileGetPosition(file), 2L);
            InputOutput.fileSeek(file, 3, MpiConstants.SEEK_CUR);
            Check.equal(InputOutput.fileGetPosition(file), 5L);
            InputOutput.fileSeek(file, -1, MpiConstants.SEEK_END);
            Check.equal(InputOutput.fileGetPosition(file), 9L);
            InputOutput.fileClose(file);
            FileExistsException e = Check.fails(FileExistsException.class, () -> InputOutput.fileOpen(
                    CommHandle.SELF, path.toString(),
                    MpiConstants.MODE_CREATE | MpiConstants.MODE_EXCL | MpiConstants.MODE_WRONLY, InfoHandle.NULL));
            Check.equal(e.kind(), ErrorClass.ERR_FILE_EXISTS);
        } finally {
            Files.deleteIfExists(path);
        }
    }

    public static void threadLevelsAreOrdered(Comm world) {
        int level = Generalized.queryThread();
        Check.isTrue(level >= MpiConstants.THREAD_SINGLE && level <= MpiConstants.THREAD_MULTIPLE, "level " + level);
        Check.equal(ThreadLevel.of(level).value(), level);
    }

    public static void everySetIsReversible(Comm world) throws Exception {
        Random random = new Random(1);
        List<java.lang.reflect.Field> fields = new ArrayList<>(List.of(Sets.class.getDeclaredFields()));
        fields.addAll(List.of(Sets.Measured.class.getDeclaredFields()));
        for (java.lang.reflect.Field field : fields) {
            ValueSet set = (ValueSet) field.get(null);
            for (int i = -2000; i < 2000; i++) {
                int value = i < 0 ? i : random.nextInt();
                if (!set.down().flags()) {
                    Check.equal(set.toJava(set.toNative(value)), value);
                    Check.equal(set.toNative(set.toJava(value)), value);
                }
            }
        }
    }

    public static void flagsAreTranslatedOneByOne(Comm world) {
        for (ValueSet set : List.of(Sets.ACCESS_MODE, Sets.ASSERTION)) {
            int all = set.names().keySet().stream().reduce(0, (a, b) -> a | b);
            for (int value = 0; value <= all; value++) {
                int own = 0;
                for (int bit = 1; bit <= all; bit *= 2) {
                    own |= set.toNative(value & all & bit);
                }
                Check.equal(set.toNative(value & all), own);
                Check.equal(set.toJava(own), value & all);
            }
        }
    }

    public static void buffersThatAreTooShortAreRefused(Comm world) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment three = arena.allocate(12, 8);
            DatatypeHandle type = DatatypeHandle.INT;
            CommHandle self = CommHandle.SELF;
            for (Runnable call : List.<Runnable>of(
                    () -> PointToPoint.send(three, 4, type, 0, 0, self),
                    () -> PointToPoint.recv(three, 1_000_000_000L, type, 0, 0, self, null),
                    () -> PointToPoint.irecv(three, 2, DatatypeHandle.DOUBLE, 0, 0, self),
                    () -> Collectives.bcast(three, 13, DatatypeHandle.BYTE, 0, self),
                    () -> Collectives.allreduce(MpiConstants.IN_PLACE, three, 4, type, OpHandle.SUM, self))) {
                Check.fails(IllegalArgumentException.class, call::run);
            }
            Collectives.allreduce(MpiConstants.IN_PLACE, three, 3, type, OpHandle.SUM, self);
            Collectives.bcast(MemorySegment.ofAddress(three.address()), 3, type, 0, self); // no size: not checked
        }
    }

    public static void aStatusTellsTheLengthThatGetCountTells(Comm world) {
        for (long length : new long[] {0, 1, 8, 1 << 20, Integer.MAX_VALUE, 1L << 31, 5L << 32}) {
            for (boolean cancelled : new boolean[] {false, true}) {
                StatusValue status = new StatusValue();
                try {
                    Generalized.statusSetElements(status, DatatypeHandle.BYTE, length);
                } catch (MpiException e) {
                    Check.isTrue(length > Integer.MAX_VALUE, "a length of 31 bits fits"); // of a library without MPI_Status_set_elements_c
                    continue;
                }
                Generalized.statusSetCancelled(status, cancelled);
                long known = status.bytesIfKnown();
                Check.isTrue(known == -1 || known == Datatypes.getCount(status, DatatypeHandle.BYTE), length + " is "
                        + known);
                Check.isTrue(known >= 0 || cancelled || length > Integer.MAX_VALUE || StatusLength.WORD < 0, "not known");
            }
        }
    }

    /** Else MPI is asked for each message. */
    public static void theLengthInAStatusIsFound(Comm world) {
        String library = Library.load().table();
        boolean isAbi = library.contains("-abi");
        Check.isTrue(isAbi || StatusLength.WORD >= 0 || library.startsWith("simgrid"), library);
    }

    /** A library newer than its table has handles that the table lacks: cut to four bytes, pointers end the JVM. */
    public static void handlesThatTheTableLacksAreAsWideAsCommunicators(Comm world) {
        Check.equal(Library.load().wide("MPI_Handle_of_the_future"), Library.load().wide("MPI_Comm"));
    }
}

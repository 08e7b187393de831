package dev.mpiglot.mpi;

import dev.mpiglot.low.Library;
import dev.mpiglot.mpi.Element.Bytes;
import dev.mpiglot.mpi.Element.Ints;

/** What MPI says of itself and the machine, and memory of MPI. */
public final class EnvironmentTests {

    private EnvironmentTests() {
    }

    public static void mpiTellsItsStateAndVersion(Comm world) throws Exception {
        Mpi mpi = AllTests.mpi();
        Check.isTrue(Mpi.isStarted() && !Mpi.isEnded(), "not between start and end");
        Check.isTrue(Mpi.version().compareTo(new Mpi.Version(3, 0)) > 0, "version " + Mpi.version());
        Check.isTrue(new Mpi.Version(4, 1).compareTo(new Mpi.Version(4, 0)) > 0, "4.1 is not after 4.0");
        Check.equal(new Mpi.Version(4, 1).toString(), "4.1");
        Check.equal(mpi.libraryVersion(), Library.load().version().strip());
        Check.isTrue(!mpi.processorName().isEmpty(), "a processor without a name");
        Check.isTrue(mpi.isMainThread(), "not the main thread");
        boolean[] other = {true};
        Check.together(() -> other[0] = mpi.isMainThread());
        Check.isTrue(!other[0], "another thread is the main thread");
    }

    public static void timePasses(Comm world) throws InterruptedException {
        Mpi mpi = AllTests.mpi();
        double begin = mpi.wtime();
        Thread.sleep(20);
        double passed = mpi.wtime() - begin;
        Check.isTrue(passed > 0.015 && passed < Check.PATIENCE, passed + " seconds");
        Check.isTrue(mpi.wtick() > 0 && mpi.wtick() < 0.1, "a tick of " + mpi.wtick());
    }

    public static void hardwareIsToldOrRefused(Comm world) {
        if (Library.load().has("MPI_Get_hw_resource_info")) {
            try (Info info = AllTests.mpi().hardwareInfo()) {
                info.entries().values().forEach(value -> Check.isTrue(value.matches("(?i)true|false"), value));
            }
        } else {
            Check.fails(UnavailableException.class, () -> AllTests.mpi().hardwareInfo());
        }
    }

    public static void memoryOfMpiCarriesMessages(Comm world) {
        try (MpiMemory memory = AllTests.mpi().allocMem(40, null)) {
            MpiBuffer<Ints> numbers = memory.buffer(Datatype.INT);
            Check.equal(numbers.count(), 10L);
            for (int i = 0; i < 10; i++) {
                numbers.setInt(i, world.rank() == 0 ? i : -1);
            }
            world.bcast(numbers, 0);
            Check.equal(numbers.getInt(9), 9);
            try (Window<Ints> window = world.size() > 1 ? world.createWindow(numbers, null) : null) {
                if (window != null) {
                    Check.fails(IllegalStateException.class, memory::close);
                }
            }
        }
    }

    public static void memoryIsNotGivenBackInUse(Comm world) {
        MpiMemory memory = AllTests.mpi().allocMem(16, null);
        MpiBuffer<Bytes> bytes = memory.buffer(Datatype.BYTE);
        Request receive = world.irecv(bytes, world.rank(), 5);
        Check.fails(IllegalStateException.class, memory::close);
        world.send(new byte[16], world.rank(), 5);
        receive.await();
        memory.close();
        memory.close();
        Check.fails(IllegalStateException.class, () -> memory.buffer(Datatype.BYTE));
        Check.fails(IllegalStateException.class, () -> bytes.getByte(0));
        Check.fails(IllegalStateException.class, () -> world.send(bytes, world.rank(), 5));
    }

    public static void wrongSizesOfMemoryAreRefused(Comm world) {
        Mpi mpi = AllTests.mpi();
        Check.fails(IllegalArgumentException.class, () -> mpi.allocMem(-1, null));
        Info closed = Info.create();
        closed.close();
        Check.fails(IllegalStateException.class, () -> mpi.allocMem(8, closed));
        Check.fails(MpiException.class, () -> mpi.allocMem(Long.MAX_VALUE / 2, null));
        try (MpiMemory none = mpi.allocMem(0, null)) {
            Check.equal(none.buffer(Datatype.DOUBLE).count(), 0L);
            Check.fails(IllegalArgumentException.class, () -> none.buffer(null));
        }
        mpi.allocMem(8, null); // closed when MPI is
    }
}

package dev.mpiglot.low;

import dev.mpiglot.mpi.Check;
import dev.mpiglot.mpi.Comm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Addresses and arrays that mean something special. */
public final class SentinelTests {

    private SentinelTests() {
    }

    public static void inPlaceReducesInTheReceiveBuffer(Comm world) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(4);
            value.set(ValueLayout.JAVA_INT, 0, 41);
            Collectives.allreduce(MpiConstants.IN_PLACE, value, 1, DatatypeHandle.INT, OpHandle.MAX, world.handle());
            Check.equal(value.get(ValueLayout.JAVA_INT, 0), 41);
        }
    }

    public static void ignoredStatusesChangeNothing(Comm world) {
        long sum = OpHandle.SUM.handle();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(8);
            for (int i = 0; i < 100; i++) {
                PointToPoint.sendrecv(value, 1, DatatypeHandle.INT, world.rank(), 0, value.asSlice(4), 1,
                        DatatypeHandle.INT, world.rank(), 0, world.handle(), null);
                RequestHandle[] requests =
                        {PointToPoint.isend(value, 1, DatatypeHandle.INT, world.rank(), 1, world.handle()),
                    PointToPoint.irecv(value.asSlice(4), 1, DatatypeHandle.INT, world.rank(), 1, world.handle())};
                PointToPoint.waitall(requests, null);
                Check.equal(requests[1].handle(), RequestHandle.NULL.handle());
            }
        }
        Check.equal(OpHandle.SUM.handle(), sum);
    }

    public static void bottomMeansAbsoluteAddresses(Comm world) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(16, 8);
            source.setAtIndex(ValueLayout.JAVA_INT, 0, 11);
            source.setAtIndex(ValueLayout.JAVA_INT, 3, 22);
            long address = Datatypes.getAddress(source);
            Check.equal(address, source.address());
            DatatypeHandle type = Datatypes.typeCreateHindexed(new int[] {1, 1}, new long[] {address, address + 12},
                    DatatypeHandle.INT);
            Datatypes.typeCommit(type);
            MemorySegment target = arena.allocate(8);
            PointToPoint.sendrecv(MpiConstants.BOTTOM, 1, type, world.rank(), 0, target, 2, DatatypeHandle.INT,
                    world.rank(), 0, world.handle(), null);
            Check.equal(target.getAtIndex(ValueLayout.JAVA_INT, 0), 11);
            Check.equal(target.getAtIndex(ValueLayout.JAVA_INT, 1), 22);
            Datatypes.typeFree(type);
        }
    }

    public static void graphsMayHaveNoWeights(Comm world) {
        int[] right = {(world.rank() + 1) % world.size()};
        int[] left = {(world.rank() + world.size() - 1) % world.size()};
        CommHandle graph = Topologies.distGraphCreateAdjacent(world.handle(), left, MpiConstants.UNWEIGHTED, right,
                MpiConstants.UNWEIGHTED, InfoHandle.NULL, false);
        Topologies.DistGraphNeighborsCountResult count = Topologies.distGraphNeighborsCount(graph);
        Check.equal(count.indegree(), 1);
        Check.equal(count.outdegree(), 1);
        Check.equal(count.weighted(), false);
        Check.equal(Topologies.topoTest(graph), MpiConstants.DIST_GRAPH);
        Communicators.commFree(graph);
    }

    public static void weightsAreKept(Comm world) {
        int[] right = {(world.rank() + 1) % world.size()};
        int[] left = {(world.rank() + world.size() - 1) % world.size()};
        CommHandle graph = Topologies.distGraphCreateAdjacent(world.handle(), left, new int[] {3}, right,
                new int[] {4}, InfoHandle.NULL, false);
        int[] weights = new int[1];
        int[] sources = new int[1];
        int[] targets = new int[1];
        int[] targetWeights = new int[1];
        Topologies.distGraphNeighbors(graph, sources, weights, targets, targetWeights);
        Check.equal(sources, left);
        Check.equal(targets, right);
        Check.equal(weights[0], 3);
        Check.equal(targetWeights[0], 4);
        Communicators.commFree(graph);
    }

    public static void nullMeansNoBuffer(Comm world) {
        Collectives.bcast(null, 0, DatatypeHandle.INT, 0, world.handle());
        PointToPoint.send(null, 0, DatatypeHandle.INT, MpiConstants.PROC_NULL, 0, world.handle());
    }

    public static void arraysThatAreTooShortAreRefused(Comm world) {
        if (world.size() > 1) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment buffer = arena.allocate(64);
                IllegalArgumentException e = Check.fails(IllegalArgumentException.class,
                        () -> Collectives.allgatherv(buffer, 1, DatatypeHandle.INT, buffer, new int[] {1},
                        new int[] {0},
                                DatatypeHandle.INT, world.handle()));
                Check.isTrue(e.getMessage().contains("recvcounts has 1 elements"), e.getMessage());
            }
        }
        Check.fails(IllegalArgumentException.class,
                () -> Topologies.cartCreate(world.handle(), new int[2], new boolean[1], false));
    }

    /** Where an array counts MPI would follow the null pointer. */
    public static void arraysThatAreAbsentAreRefusedWhereTheyCount(Comm world) {
        int n = world.size();
        int[] ones = new int[n];
        int[] places = new int[n];
        for (int i = 0; i < n; i++) {
            ones[i] = 1;
            places[i] = i;
        }
        int[] none = world.rank() == 0 ? ones : null;
        int[] nowhere = world.rank() == 0 ? places : null;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocate(4);
            MemorySegment all = arena.allocate(4L * n);
            own.set(ValueLayout.JAVA_INT, 0, world.rank());
            refused(() -> Collectives.allgatherv(own, 1, DatatypeHandle.INT, all, null, places, DatatypeHandle.INT,
                    world.handle()));
            refused(() -> Collectives.allgatherv(own, 1, DatatypeHandle.INT, all, ones, new int[0], DatatypeHandle.INT,
                    world.handle()));
            refused(() -> Collectives.alltoallv(all, null, null, DatatypeHandle.INT, all, ones, places,
                    DatatypeHandle.INT, world.handle()));
            refused(() -> Collectives.ireduceScatter(all, own, (int[]) null, DatatypeHandle.INT, OpHandle.SUM,
                    world.handle()));
            if (world.rank() == 0) {
                refused(() -> Collectives.gatherv(own, 1, DatatypeHandle.INT, all, (int[]) null, null,
                        DatatypeHandle.INT, 0, world.handle()));
            }
            refused(() -> Collectives.iallgatherv(own, 1, DatatypeHandle.INT, null, ones, places, DatatypeHandle.INT,
                    world.handle()));
            refused(() -> Collectives.ialltoallv(null, ones, places, DatatypeHandle.INT, all, ones, places,
                    DatatypeHandle.INT, world.handle()));
            Collectives.gatherv(own, 1, DatatypeHandle.INT, all, none, nowhere, DatatypeHandle.INT, 0, world.handle());
            if (world.rank() == 0) {
                Check.equal(all.getAtIndex(ValueLayout.JAVA_INT, n - 1), n - 1);
            }
            Collectives.alltoallv(MpiConstants.IN_PLACE, null, null, DatatypeHandle.NULL, all, ones, places,
                    DatatypeHandle.INT, world.handle());
        }
    }

    /** Libraries follow the null pointer of collective calls, at the root too. Elsewhere, and where nothing is counted, it may be null. */
    public static void buffersThatAreAbsentAreRefusedWhereTheyCount(Comm world) {
        int n = world.size();
        int[] ones = new int[n];
        int[] places = new int[n];
        for (int i = 0; i < n; i++) {
            ones[i] = 1;
            places[i] = i;
        }
        DatatypeHandle type = DatatypeHandle.INT;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocate(4);
            MemorySegment all = arena.allocate(4L * n);
            own.set(ValueLayout.JAVA_INT, 0, world.rank());
            MemorySegment some = world.rank() == 0 ? all : null;
            Collectives.gather(own, 1, type, some, 1, type, 0, world.handle());
            Collectives.gatherv(own, 1, type, some, ones, places, type, 0, world.handle());
            Collectives.scatter(some, 1, type, own, 1, type, 0, world.handle());
            Collectives.scatterv(some, ones, places, type, own, 1, type, 0, world.handle());
            Check.equal(own.get(ValueLayout.JAVA_INT, 0), world.rank());
            Collectives.reduce(own, some, 1, type, OpHandle.SUM, 0, world.handle());
            int root = world.rank();
            refused(() -> Collectives.igatherv(own, 1, type, null, ones, places, type, root, world.handle()));
            refused(() -> Collectives.iscatterv(null, ones, places, type, own, 1, type, root, world.handle()));
            refused(() ->
                    Collectives.scatterv(null, new long[] {1}, new long[] {0}, type, own, 1, type, 0, CommHandle.SELF));
            refused(() -> Collectives.igather(own, 1, type, null, 1, type, root, world.handle()));
            refused(() -> Collectives.igather(null, 1, type, all, 1, type, root, world.handle()));
            refused(() -> Collectives.scatter(null, 1, type, own, 1, type, root, world.handle()));
            refused(() -> Collectives.reduce(own, null, 1, type, OpHandle.SUM, root, world.handle()));
            refused(() -> Collectives.ibcast(null, 1, type, root, world.handle()));
            refused(() -> Collectives.iallgather(own, 1, type, null, 1, type, world.handle()));
            refused(() -> Collectives.allreduce(null, own, 1, type, OpHandle.SUM, world.handle()));
            refused(() -> Collectives.allreduce(own, null, 1, type, OpHandle.SUM, world.handle()));
            refused(() -> Collectives.ireduceScatter(all, null, ones, type, OpHandle.SUM, world.handle()));
            refused(() -> Collectives.ireduceScatter(null, own, ones, type, OpHandle.SUM, world.handle()));
            refused(() -> Collectives.reduceScatter(all, null, new long[] {1}, type, OpHandle.SUM, CommHandle.SELF));
            refused(() -> Datatypes.unpack(null, 4, new long[1], own, 1, type, world.handle()));
            refused(() -> Datatypes.unpack(own, 4, new long[1], null, 1, type, world.handle()));
            Collectives.bcast(null, 0, type, 0, world.handle());
            Collectives.allgather(null, 0, type, null, 0, type, world.handle());
            PointToPoint.send(null, 0, type, MpiConstants.PROC_NULL, 0, world.handle());
        }
        refused(() -> Infos.infoCreateEnv(2, new String[] {"x"}));
    }

    /** Libraries follow a request whose word is 0. */
    public static void requestsThatAreNullAreNullRequests(Comm world) {
        RequestHandle[] requests = new RequestHandle[3];
        Check.isTrue(PointToPoint.testall(requests, null), "nothing to wait for");
        PointToPoint.waitall(requests, null);
        Check.equal(PointToPoint.waitany(requests, null), MpiConstants.UNDEFINED);
        Check.equal(PointToPoint.waitsome(requests, new int[3], null), MpiConstants.UNDEFINED);
        Check.isTrue(requests[0] == null, "an element that was null is another");
    }

    /** What is no mark such as Mpi.UNWEIGHTED, nor null where that means to ignore, must be as long as MPI takes it to be. */
    public static void emptyArraysAreRefusedWhereMpiUsesMore(Comm world) {
        RequestHandle[] requests =
                {new RequestHandle(RequestHandle.NULL.handle()), new RequestHandle(RequestHandle.NULL.handle())};
        refused(() -> PointToPoint.testall(requests, new StatusValue[0]));
        refused(() -> PointToPoint.waitsome(requests, null, null));
        int[] self = {world.rank()};
        for (int[] weights : new int[][] {null, {}, MpiConstants.WEIGHTS_EMPTY}) {
            refused(() -> Topologies.distGraphCreateAdjacent(world.handle(), self, weights, self,
                    MpiConstants.UNWEIGHTED, InfoHandle.NULL, false));
            refused(() -> Topologies.distGraphCreate(world.handle(), self, new int[] {1}, self, weights,
                    InfoHandle.NULL, false));
        }
        refused(() -> Topologies.cartCreate(world.handle(), new int[] {1}, null, false));
        refused(() -> Conversions.statusC2f(new StatusValue(), new int[1]));
        refused(() -> Conversions.statusF2c(null, new StatusValue()));
        refused(() -> Processes.commSpawnMultiple(null, null, new int[] {1}, new InfoHandle[] {InfoHandle.NULL},
                world.rank(), world.handle(), null));
        refused(() -> Processes.commSpawnMultiple(new String[] {"x"}, null, new int[] {1}, null, world.rank(), world.handle(), null));
    }

    private static void refused(Runnable call) {
        Check.fails(IllegalArgumentException.class, call::run);
    }

    public static void neighboursGetWhatIsTheirs(Comm world) {
        int[] right = {(world.rank() + 1) % world.size()};
        int[] left = {(world.rank() + world.size() - 1) % world.size()};
        CommHandle graph = Topologies.distGraphCreateAdjacent(world.handle(), left, MpiConstants.UNWEIGHTED, right,
                MpiConstants.UNWEIGHTED, InfoHandle.NULL, false);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sent = arena.allocate(4);
            sent.set(ValueLayout.JAVA_INT, 0, world.rank());
            MemorySegment got = arena.allocate(8);
            Collectives.neighborAlltoallv(sent, new int[] {1}, new int[] {0}, DatatypeHandle.INT, got, new int[] {1},
                    new int[] {1}, DatatypeHandle.INT, graph);
            Check.equal(got.getAtIndex(ValueLayout.JAVA_INT, 1), left[0]);
            CommHandle ring = Topologies.cartCreate(world.handle(), new int[] {world.size()},
                    new boolean[] {true}, false);
            IllegalArgumentException e = Check.fails(IllegalArgumentException.class,
                    () -> Collectives.neighborAllgatherv(sent, 1, DatatypeHandle.INT, got, new int[] {1}, new int[] {0},
                            DatatypeHandle.INT, ring));
            Check.isTrue(e.getMessage().contains("MPI uses 2"), e.getMessage());
            Communicators.commFree(ring);
        }
        Communicators.commFree(graph);
    }

    public static void arraysOnTheHeapAreRefusedWithASentence(Comm world) {
        IllegalArgumentException e = Check.fails(IllegalArgumentException.class,
                () -> PointToPoint.send(MemorySegment.ofArray(new int[1]), 1, DatatypeHandle.INT, 0, 0,
                world.handle()));
        Check.isTrue(e.getMessage().contains("heap"), e.getMessage());
    }

    public static void memoryThatWasGivenBackIsRefused(Comm world) {
        MemorySegment dead;
        try (Arena arena = Arena.ofConfined()) {
            dead = arena.allocate(4);
        }
        Check.fails(IllegalStateException.class,
                () -> PointToPoint.send(dead, 1, DatatypeHandle.INT, world.rank(), 0, world.handle()));
    }

    public static void memoryThatIsReadOnlyReceivesNothing(Comm world) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment constant = arena.allocate(4).asReadOnly();
            Check.fails(IllegalArgumentException.class,
                    () -> PointToPoint.recv(constant, 1, DatatypeHandle.INT, MpiConstants.PROC_NULL, 0, world.handle(),
                    null));
            PointToPoint.send(constant, 1, DatatypeHandle.INT, MpiConstants.PROC_NULL, 0, world.handle());
        }
    }

    public static void textsThatWouldBeCutOffAreRefused(Comm world) {
        InfoHandle info = Infos.infoCreate();
        IllegalArgumentException e = Check.fails(IllegalArgumentException.class,
                () -> Infos.infoSet(info, "a\0b", "value"));
        Check.isTrue(e.getMessage().contains("NUL"), e.getMessage());
        Infos.infoFree(info);
    }

    public static void whatMpiReadsMustBeThere(Comm world) {
        for (Runnable call : List.<Runnable>of(() -> Datatypes.getCount(null, DatatypeHandle.INT),
                () -> Datatypes.getElements(null, DatatypeHandle.INT), () -> PointToPoint.testCancelled(null),
                () -> Generalized.statusSetElements(null, DatatypeHandle.INT, 1),
                () -> InputOutput.fileOpen(CommHandle.SELF, null, MpiConstants.MODE_RDONLY, InfoHandle.NULL),
                () -> Caching.commSetName(world.handle(), null))) {
            NullPointerException e = Check.fails(NullPointerException.class, call::run);
            Check.isTrue(e.getMessage().contains("MPI reads this"), e.getMessage());
        }
    }

    public static void rangesThatAreNoTriplesAreRefused(Comm world) {
        GroupHandle all = Communicators.commGroup(world.handle());
        for (int[][] ranges : new int[][][] {{{0, 0}}, {{0, 0, 1}, {0, 0, 1, 1}}}) {
            Check.fails(IllegalArgumentException.class, () -> Communicators.groupRangeIncl(all, ranges));
        }
        Communicators.groupFree(all);
    }
}

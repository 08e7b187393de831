package dev.mpiglot.mpi;

import dev.mpiglot.low.Comparison;
import java.util.Map;
import java.util.stream.IntStream;

/** Communicators that are made of others. */
public final class CommTests {

    private CommTests() {
    }

    private static int sum(Comm comm) {
        int[] sum = {1};
        comm.allreduce(sum, Op.SUM);
        return sum[0];
    }

    private static void refused(String part, Check.Statement statement) {
        String told = Check.fails(IllegalArgumentException.class, statement).getMessage();
        Check.isTrue(told.contains(part), told);
    }

    public static void communicatorsAreCompared(Comm world) {
        try (Comm same = world.dup(); Comm turned = world.split(0, -world.rank());
                Comm own = world.split(world.rank(), 0)) {
            Check.equal(world.compare(world), Comparison.IDENT);
            Check.equal(world.compare(same), Comparison.CONGRUENT);
            boolean alone = world.size() == 1;
            Check.equal(world.compare(turned), alone ? Comparison.CONGRUENT : Comparison.SIMILAR);
            Check.equal(world.compare(own), alone ? Comparison.CONGRUENT : Comparison.UNEQUAL);
            Check.equal(turned.rank(), world.size() - 1 - world.rank());
        }
        refused("\"other\" is null", () -> world.compare(null));
        refused("\"comm\" is null", () -> new Survivors<>(null, 1).close());
    }

    public static void messagesOfACopyDoNotMeetTheOriginals(Comm world) {
        try (Comm copy = world.dup()) {
            Request first = world.isend(new int[] {1}, Ring.right(world), 5);
            Request second = copy.isend(new int[] {2}, Ring.right(world), 5);
            int[] got = new int[2];
            copy.recv(MpiBuffer.of(got).as(Datatype.INT, 1, 0), Ring.left(world), 5);
            world.recv(MpiBuffer.of(got).as(Datatype.INT, 1, 1), Ring.left(world), 5);
            Request.awaitAll(first, second);
            Check.equal(got, new int[] {2, 1});
        }
    }

    public static void aCopyIsMadeBesideOtherWork(Comm world) {
        CommRequest request = world.idup();
        Check.equal(sum(world), world.size());
        try (Comm copy = request.await()) {
            Check.isTrue(copy == request.await() && request.test(), "it is there, and the same each time");
            Check.equal(world.compare(copy), Comparison.CONGRUENT);
            Check.equal(sum(copy), world.size());
            request.close();
            Check.equal(copy.size(), world.size());
        }
    }

    public static void hintsGoToACopy(Comm world) {
        try (Info hints = Info.ofMap(Map.of("mpi_assert_no_any_tag", "true")); Comm copy = world.dupWithInfo(hints);
                Comm without = world.dupWithInfo(null); Info used = copy.info()) {
            Check.equal(sum(copy) + sum(without), 2 * world.size());
            used.entries().forEach((key, value) -> Check.isTrue(value != null, key));
            copy.setInfo(hints);
        }
        try (Info hints = Info.create(); Comm copy = world.idupWithInfo(hints).await()) {
            Check.equal(sum(copy), world.size());
        } catch (UnavailableException e) {
            Check.equal(e.function(), "MPI_Comm_idup_with_info");
        }
        refused("\"hints\" is null", () -> world.setInfo(null));
    }

    public static void closedHintsLeaveNobodyWaiting(Comm world) {
        Info closed = Info.create();
        closed.close();
        MistakeTests.onTheLast(world, (wrong, last, n, all) -> {
            MistakeTests.told(wrong, () -> world.dupWithInfo(wrong ? closed : null));
            MistakeTests.told(wrong, () -> world.splitType(SplitType.SHARED, 0, wrong ? closed : null));
            MistakeTests.told(wrong, () -> world.splitType(wrong ? null : SplitType.SHARED, 0, null));
        });
        Check.fails(IllegalStateException.class, () -> world.setInfo(closed));
    }

    public static void aProcessWithoutColorGetsNoCommunicator(Comm world) {
        boolean out = world.rank() == 0;
        try (Comm part = world.split(out ? Comm.UNDEFINED : 7, 0)) {
            Check.equal(part.isNull(), out);
            if (out) {
                Check.fails(IllegalStateException.class, part::size);
                Check.fails(IllegalStateException.class, part::group);
                Check.fails(IllegalStateException.class, part::dup);
                Check.fails(IllegalStateException.class, part::isInter);
            } else {
                Check.equal(sum(part), world.size() - 1);
            }
        }
        Check.equal(world.isNull(), false);
    }

    public static void processesThatShareMemoryGetTogether(Comm world) {
        try (Comm node = world.splitType(SplitType.SHARED, -world.rank(), null);
                Comm none = world.splitType(SplitType.UNDEFINED, 0, null)) {
            Check.equal(node.size(), world.size());
            Check.equal(node.rank(), world.size() - 1 - world.rank());
            Check.isTrue(none.isNull(), "a process without type gets no communicator");
        }
    }

    /** As far as the library divides it; one that does not know the type says so. */
    public static void hardwareIsDivided(Comm world) {
        for (SplitType type : new SplitType[] {SplitType.HW_UNGUIDED, SplitType.HW_GUIDED, SplitType.RESOURCE_GUIDED}) {
            try (Info hints = Info.ofMap(Map.of("mpi_hw_resource_type", "mpi_shared_memory"));
                    Comm part = world.splitType(type, 0, hints)) {
                Check.isTrue(part.isNull() || sum(part) <= world.size(), type.toString());
            } catch (MpiException e) {
                Check.equal(e.function(), "MPI_Comm_split_type");
            }
        }
    }

    /** Those that ask for a type that the library lacks take part, so that the others do not wait. */
    public static void someTakeNoPartOfTheHardware(Comm world) {
        boolean asks = world.rank() > 0;
        for (SplitType type : new SplitType[] {SplitType.HW_UNGUIDED, SplitType.RESOURCE_GUIDED}) {
            try (Comm part = world.splitType(asks ? type : SplitType.UNDEFINED, 0, null)) {
                Check.isTrue(part.isNull() || asks && sum(part) < world.size(), type.toString());
            } catch (MpiException e) {
                Check.equal(e.function(), "MPI_Comm_split_type");
            }
        }
        world.barrier();
    }

    public static void communicatorsAreMadeOfGroups(Comm world) {
        int last = world.size() - 1;
        try (Group all = world.group(); Group turned = all.rangeIncl(new Group.Range(last, 0, -1));
                Group end = all.incl(last); Comm comm = world.create(turned);
                Comm one = world.create(world.rank() == last ? end : Group.EMPTY)) {
            Check.equal(comm.rank(), last - world.rank());
            Check.equal(sum(comm), world.size());
            Check.equal(one.isNull(), world.rank() != last);
            if (world.rank() == last) {
                Check.equal(one.size(), 1);
                try (Comm alone = world.createGroup(end, 3)) {
                    Check.equal(sum(alone), 1);
                }
            } else {
                refused("not in the group", () -> world.createGroup(end, 3));
            }
        }
        world.barrier();
    }

    public static void aCommunicatorOutlivesItsGroup(Comm world) {
        Group all = world.group();
        try (Comm comm = world.createGroup(all, 0)) {
            all.close();
            Check.equal(sum(comm), world.size());
            try (Group again = comm.group()) {
                Check.equal(again.size(), world.size());
            }
        }
    }

    public static void wrongArgumentsAreRefusedBeforeOthersWait(Comm world) {
        Group closed = world.group();
        closed.close();
        Check.fails(IllegalStateException.class, () -> world.create(closed));
        Check.fails(IllegalStateException.class, () -> world.createGroup(closed, 0));
        refused("\"group\" is null", () -> world.create(null));
        refused("\"group\" is null", () -> world.createGroup(null, 0));
        try (Group all = world.group()) {
            refused("The tag is -1", () -> world.createGroup(all, -1));
        }
        refused("The tag is -1", () -> world.createIntercomm(0, world, 0, -1));
        refused("\"localLeader\" is " + world.size(), () -> world.createIntercomm(world.size(), world, 0, 0));
        Comm self = AllTests.mpi().self();
        refused("\"remoteLeader\" is " + world.size(), () -> self.createIntercomm(0, world, world.size(), 0));
        refused("\"peer\" is null", () -> self.createIntercomm(0, null, 0, 0));
        world.barrier();
    }

    private static Intercomm halves(Comm world, Comm half) {
        boolean isLeader = half.rank() == 0;
        return half.createIntercomm(0, isLeader ? world : null, isLeader ? 1 - world.rank() : -5, 11);
    }

    public static void messagesGoToTheOtherGroup(Comm world) {
        if (world.size() < 2) {
            return;
        }
        int side = world.rank() % 2;
        try (Comm half = world.split(side, 0); Intercomm inter = halves(world, half);
                Group others = inter.remoteGroup(); Group own = inter.group(); Group all = world.group()) {
            Check.equal(inter.size(), half.size());
            Check.equal(inter.rank(), half.rank());
            Check.equal(inter.remoteSize(), world.size() - half.size());
            Check.isTrue(inter.isInter() && !half.isInter(), "one has two groups");
            Check.equal(others.translateRanks(new int[] {0}, all), new int[] {1 - side});
            Check.equal(own.translateRanks(new int[] {0}, all), new int[] {side});
            inter.barrier();
            if (inter.rank() == 0) {
                int[] got = new int[1];
                inter.sendrecv(new int[] {world.rank()}, 0, got, 0, 1);
                Check.equal(got[0], 1 - world.rank());
            }
        }
    }

    private static Intercomm copied(Intercomm inter) {
        Intercomm copy = inter.dup();
        inter.close();
        Check.fails(IllegalStateException.class, inter::remoteSize);
        Check.fails(IllegalStateException.class, () -> inter.merge(true));
        return copy;
    }

    public static void bothGroupsBecomeOne(Comm world) {
        if (world.size() < 2) {
            return;
        }
        int side = world.rank() % 2;
        try (Comm half = world.split(side, 0); Intercomm copy = copied(halves(world, half));
                Comm one = copy.merge(side == 0)) {
            Check.equal(one.isInter(), false);
            Check.equal(sum(one), world.size());
            int odd = world.size() / 2;
            Check.equal(one.rank(), side == 1 ? half.rank() : odd + half.rank());
        }
    }

    public static void intercommunicatorsHaveNoGridsNorCollectiveOperations(Comm world) {
        if (world.size() < 2) {
            return;
        }
        try (Comm half = world.split(world.rank() % 2, 0); Intercomm inter = halves(world, half)) {
            Check.Statement[] uses = {() -> inter.allreduce(new int[1], Op.SUM), () -> inter.bcast(new int[1], 0),
                () -> inter.createCart(new int[] {1}, new boolean[1], false),
                () -> inter.createGraph(new int[][] {{}}, false), () -> inter.mapCart(new int[0], new boolean[0]),
                () -> inter.createDistGraph(Map.of(), null, false), () -> inter.createIntercomm(0, world, 0, 1)};
            for (Check.Statement use : uses) {
                Check.fails(UnsupportedOperationException.class, use);
            }
        }
    }

    public static void virtualThreadsMakeCommunicators(Comm world) throws InterruptedException {
        int[] sizes = new int[3];
        Thread thread = Thread.ofVirtual().start(() -> {
            try (Comm copy = world.dup(); Group all = world.group(); Comm made = world.create(all);
                    Comm later = world.idup().await()) {
                IntStream.range(0, 3).forEach(i -> sizes[i] = sum(i == 0 ? copy : i == 1 ? made : later));
            }
        });
        thread.join();
        Check.equal(sizes, new int[] {world.size(), world.size(), world.size()});
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Comparison;
import dev.mpiglot.low.GroupHandle;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Groups of processes. */
public final class GroupTests {

    private GroupTests() {
    }

    private static int[] backwards(int size) {
        return IntStream.range(0, size).map(i -> size - 1 - i).toArray();
    }

    /** Which ranks of the world a group has. */
    private static int[] members(Group group, Group all) {
        return group.translateRanks(IntStream.range(0, group.size()).toArray(), all);
    }

    private static void refused(String part, Check.Statement statement) {
        String told = Check.fails(IllegalArgumentException.class, statement).getMessage();
        Check.isTrue(told.contains(part), told);
    }

    public static void aGroupHasTheProcessesOfItsCommunicator(Comm world) {
        try (Group all = world.group()) {
            Check.equal(all.size(), world.size());
            Check.equal(all.rank(), OptionalInt.of(world.rank()));
        }
        Check.equal(Group.EMPTY.size(), 0);
        Check.equal(Group.EMPTY.rank(), OptionalInt.empty());
    }

    public static void ranksAreChosenInTheirOrder(Comm world) {
        int last = world.size() - 1;
        try (Group all = world.group(); Group turned = all.incl(backwards(world.size())); Group one = all.incl(last);
                Group rest = all.excl(last); Group none = all.incl()) {
            Check.equal(members(turned, all), backwards(world.size()));
            Check.equal(turned.rank(), OptionalInt.of(last - world.rank()));
            Check.equal(members(one, all), new int[] {last});
            Check.equal(members(rest, all), IntStream.range(0, last).toArray());
            Check.equal(rest.rank(), world.rank() == last ? OptionalInt.empty() : OptionalInt.of(world.rank()));
            Check.equal(none.size(), 0);
        }
    }

    public static void rangesMayGoBothWays(Comm world) {
        int size = world.size();
        try (Group all = world.group(); Group turned = all.rangeIncl(new Group.Range(size - 1, 0, -1));
                Group even = all.rangeIncl(new Group.Range(0, size - 1, 2));
                Group odd = all.rangeExcl(new Group.Range(0, size - 1, 2)); Group none = all.rangeIncl()) {
            Check.equal(members(turned, all), backwards(size));
            Check.equal(members(even, all), IntStream.range(0, size).filter(r -> r % 2 == 0).toArray());
            Check.equal(members(odd, all), IntStream.range(0, size).filter(r -> r % 2 == 1).toArray());
            Check.equal(none.size(), 0);
        }
    }

    public static void groupsAreSets(Comm world) {
        int last = world.size() - 1;
        try (Group all = world.group(); Group first = all.incl(0); Group end = all.incl(last);
                Group both = end.union(first); Group common = all.intersection(end);
                Group rest = all.difference(first)) {
            Check.equal(members(both, all), last == 0 ? new int[] {0} : new int[] {last, 0});
            Check.equal(members(common, all), new int[] {last});
            Check.equal(members(rest, all), IntStream.range(1, world.size()).toArray());
        }
    }

    public static void groupsAreCompared(Comm world) {
        try (Group all = world.group(); Group same = world.group(); Group turned = all.incl(backwards(world.size()));
                Group one = all.incl(0)) {
            Check.equal(all.compare(all), Comparison.IDENT);
            Check.equal(all.compare(same), Comparison.IDENT);
            Check.equal(all.compare(turned), world.size() == 1 ? Comparison.IDENT : Comparison.SIMILAR);
            Check.equal(all.compare(one), world.size() == 1 ? Comparison.IDENT : Comparison.UNEQUAL);
            Check.equal(all.compare(Group.EMPTY), Comparison.UNEQUAL);
        }
    }

    public static void ranksAreTranslated(Comm world) {
        int last = world.size() - 1;
        try (Group all = world.group(); Group end = all.incl(last)) {
            int[] expected = new int[last + 1];
            Arrays.fill(expected, Group.UNDEFINED);
            expected[last] = 0;
            Check.equal(members(all, end), expected);
            Check.equal(all.translateRanks(new int[] {Comm.PROC_NULL, last}, end), new int[] {Comm.PROC_NULL, 0});
            Check.equal(all.translateRanks(new int[0], end), new int[0]);
        }
    }

    public static void ranksThatAGroupDoesNotHaveAreRefused(Comm world) {
        int size = world.size();
        try (Group all = world.group()) {
            refused("ranks[1]\" is " + size, () -> all.incl(0, size));
            refused("is -1", () -> all.excl(-1));
            refused("is -1", () -> all.translateRanks(new int[] {-1}, all));
            refused("there is none", () -> Group.EMPTY.incl(0));
            refused("rank 0 is there twice", () -> all.incl(0, 0));
            refused("rank 0 is there twice", () -> all.excl(0, 0));
            refused("\"ranks\" is null", () -> all.incl((int[]) null));
            refused("\"ranks\" is null", () -> all.translateRanks(null, all));
            refused("\"other\" is null", () -> all.translateRanks(new int[0], null));
            refused("\"other\" is null", () -> all.union(null));
            refused("\"handle\" is null", () -> Group.adopt(null));
        }
    }

    public static void rangesThatAGroupDoesNotHaveAreRefused(Comm world) {
        int size = world.size();
        try (Group all = world.group()) {
            refused("reaches the rank " + size, () -> all.rangeIncl(new Group.Range(0, size, 1)));
            refused("first\" is " + size, () -> all.rangeExcl(new Group.Range(size, 0, -1)));
            refused("reaches the rank -", () -> all.rangeExcl(new Group.Range(0, -size, -size)));
            refused("reaches the rank", () -> all.rangeIncl(new Group.Range(0, Integer.MAX_VALUE, Integer.MAX_VALUE)));
            refused("first\" is -2147483648",
                    () -> all.rangeIncl(new Group.Range(Integer.MIN_VALUE, Integer.MAX_VALUE, 1)));
            refused("is 0", () -> all.rangeIncl(new Group.Range(0, 0, 0)));
            refused("leads away", () -> all.rangeIncl(new Group.Range(0, 1, -1)));
            refused("there twice", () -> all.rangeIncl(new Group.Range(0, 0, 1), new Group.Range(0, 0, 1)));
            refused("\"ranges\" is null", () -> all.rangeIncl((Group.Range[]) null));
            refused("\"ranges[0]\" is null", () -> all.rangeExcl(new Group.Range[1]));
        }
    }

    public static void aClosedGroupIsRefused(Comm world) {
        Group all = world.group();
        Group closed = world.group();
        closed.close();
        closed.close();
        Check.Statement[] uses = {closed::size, closed::rank, closed::handle, () -> closed.incl(0),
            () -> closed.excl(0), () -> closed.rangeIncl(new Group.Range(0, 0, 1)), () -> closed.rangeExcl(),
            () -> closed.compare(all), () -> all.compare(closed), () -> all.union(closed), () -> all.intersection(closed),
            () -> closed.difference(all), () -> all.translateRanks(new int[] {0}, closed)};
        for (Check.Statement use : uses) {
            String told = Check.fails(IllegalStateException.class, use).getMessage();
            Check.isTrue(told.contains("group is closed"), told);
        }
        all.close();
        Group none = Group.adopt(GroupHandle.NULL);
        Check.fails(IllegalStateException.class, none::size);
        none.close();
        Group.EMPTY.close();
        Check.equal(Group.EMPTY.size(), 0);
    }

    /** The group belongs to the object that was made with its handle. */
    public static void aGroupOfTheLayerBelowIsTakenOver(Comm world) {
        try (Group all = Group.adopt(dev.mpiglot.low.Communicators.commGroup(world.handle()))) {
            Check.equal(dev.mpiglot.low.Communicators.groupSize(all.handle()), world.size());
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Topology;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Processes that are arranged in grids and graphs. */
public final class TopologyTests {

    private TopologyTests() {
    }

    private static void refused(String part, Check.Statement statement) {
        String told = Check.fails(IllegalArgumentException.class, statement).getMessage();
        Check.isTrue(told.contains(part), told);
    }

    private static Cart ring(Comm world) {
        return world.createCart(new int[] {world.size()}, new boolean[] {true}, false);
    }

    /** For each rank the next one and the one before. */
    private static int[][] circle(int size) {
        return IntStream.range(0, size).mapToObj(r -> new int[] {(r + 1) % size, (r + size - 1) % size})
                .toArray(int[][]::new);
    }

    public static void processesAreDividedAmongDimensions(Comm world) {
        int[] given = {0, 3, 0};
        Check.equal(Cart.dimsCreate(12, given), new int[] {2, 3, 2});
        Check.equal(given, new int[] {0, 3, 0});
        Check.equal(Cart.dimsCreate(7, new int[] {0}), new int[] {7});
        refused("[5]", () -> Cart.dimsCreate(12, new int[] {5}));
        refused("[-1, 0]", () -> Cart.dimsCreate(12, new int[] {-1, 0}));
        refused("[2, 3]", () -> Cart.dimsCreate(12, new int[] {2, 3}));
        refused("0 processes", () -> Cart.dimsCreate(0, new int[] {0}));
        refused("\"dims\" is null", () -> Cart.dimsCreate(1, null));
    }

    public static void aGridKnowsWhereItsProcessesAre(Comm world) {
        int[] dims = Cart.dimsCreate(world.size(), new int[2]);
        try (Cart cart = world.createCart(dims, new boolean[] {false, true}, false)) {
            Check.equal(cart.dims(), dims);
            Check.equal(cart.periods(), new boolean[] {false, true});
            int rank = cart.rank();
            Check.equal(cart.coords(), new int[] {rank / dims[1], rank % dims[1]});
            for (int r = 0; r < cart.size(); r++) {
                int[] coords = cart.coords(r);
                Check.equal(coords, new int[] {r / dims[1], r % dims[1]});
                Check.equal(cart.rank(coords), r);
                Check.equal(cart.rank(new int[] {coords[0], coords[1] - dims[1]}), r);
            }
            Check.equal(cart.topology(), Topology.CART);
            Check.equal(world.topology(), Topology.UNDEFINED);
            cart.dims()[0] = 99;
            Check.equal(cart.dims(), dims);
        }
    }

    public static void messagesAreShiftedInAGrid(Comm world) {
        int size = world.size();
        try (Cart ring = ring(world); Cart line = world.createCart(new int[] {size}, new boolean[1], true)) {
            Check.equal(ring.shift(0, 1), new Cart.Shift(Ring.left(world), Ring.right(world)));
            int[] got = new int[1];
            Cart.Shift back = ring.shift(0, -1);
            ring.sendrecv(new int[] {world.rank()}, back.dest(), got, back.source(), 0);
            Check.equal(got[0], Ring.right(world));
            int at = line.coords()[0];
            Check.equal(line.shift(0, 1).source() == Comm.PROC_NULL, at == 0);
            Check.equal(line.shift(0, 1).dest() == Comm.PROC_NULL, at == size - 1);
            line.allreduce(got, Op.SUM);
            Check.equal(got[0], size * (size - 1) / 2);
        }
    }

    public static void aGridIsDivided(Comm world) {
        int size = world.size();
        try (Cart cart = world.createCart(new int[] {1, size}, new boolean[] {true, false}, false);
                Cart row = cart.sub(new boolean[] {false, true}); Cart column = cart.sub(new boolean[] {true, false})) {
            Check.equal(row.dims(), new int[] {size});
            Check.equal(row.periods(), new boolean[1]);
            Check.equal(row.coords(), new int[] {world.rank()});
            Check.equal(column.dims(), new int[] {1});
            Check.equal(column.periods(), new boolean[] {true});
            Check.equal(column.size(), 1);
        }
    }

    public static void aGridMayHaveNoDimension(Comm world) {
        try (Cart point = world.createCart(new int[0], new boolean[0], false)) {
            Check.equal(point.isNull(), world.rank() != 0);
            if (world.rank() == 0) {
                Check.equal(point.dims(), new int[0]);
                Check.equal(point.coords(0), new int[0]);
                Check.equal(point.rank(new int[0]), 0);
                Check.equal(point.size(), 1);
            }
        }
    }

    public static void processesThatAreLeftOverGetNoGrid(Comm world) {
        boolean out = world.rank() > 0;
        try (Cart cart = world.createCart(new int[] {1}, new boolean[1], false)) {
            Check.equal(cart.isNull(), out);
            if (out) {
                Check.fails(IllegalStateException.class, cart::dims);
                Check.fails(IllegalStateException.class, cart::rank);
                Check.fails(IllegalStateException.class, () -> cart.sub(new boolean[1]));
            }
        }
        try (Graph graph = world.createGraph(new int[][] {{0}}, false)) {
            Check.equal(graph.isNull(), out);
        }
    }

    public static void aCopyOfAGridIsOne(Comm world) {
        try (Cart cart = ring(world); Cart copy = cart.dup(); Comm made = cart.idup().await();
                Cart other = cart.dupWithInfo(null); Comm part = cart.split(0, 0)) {
            Check.equal(copy.periods(), new boolean[] {true});
            Check.equal(((Cart) made).dims(), cart.dims());
            Check.equal(other.coords(), cart.coords());
            Check.equal(part.topology(), Topology.UNDEFINED);
        }
        CommHandle low = dev.mpiglot.low.Topologies.cartCreate(world.handle(), new int[] {world.size()},
                new boolean[1], false);
        try (Comm adopted = Comm.adopt(low)) {
            Check.equal(((Cart) adopted).dims(), new int[] {world.size()});
        }
    }

    public static void mpiRecommendsRanks(Comm world) {
        int size = world.size();
        OptionalInt inGrid = world.mapCart(new int[] {size}, new boolean[1]);
        OptionalInt inGraph = world.mapGraph(circle(size));
        int[] seen = new int[2 * size];
        seen[inGrid.getAsInt()] = 1;
        seen[size + inGraph.getAsInt()] = 1;
        world.allreduce(seen, Op.SUM);
        Check.equal(seen, IntStream.generate(() -> 1).limit(2L * size).toArray());
    }

    public static void whatIsNoGridIsRefused(Comm world) {
        int size = world.size();
        boolean[] one = {false};
        refused("[-1]", () -> world.createCart(new int[] {-1}, one, false));
        refused("[0]", () -> world.createCart(new int[] {0}, one, false));
        refused("[" + (size + 1) + "]", () -> world.createCart(new int[] {size + 1}, one, false));
        refused("of " + size + " processes", () -> world.mapCart(new int[] {65536, 65536}, new boolean[2]));
        refused("\"periods\" has 1 elements", () -> world.createCart(new int[] {1, 1}, one, false));
        refused("\"dims\" is null", () -> world.createCart(null, one, false));
        refused("\"periods\" is null", () -> world.createCart(new int[1], null, false));
        try (Cart ring = ring(world); Cart line = world.createCart(new int[] {size}, one, false)) {
            refused("no dimension 1", () -> ring.shift(1, 1));
            refused("no dimension -1", () -> ring.shift(-1, 1));
            refused("\"rank\" is " + size, () -> ring.coords(size));
            refused("\"coords\" has 2 elements", () -> ring.rank(new int[2]));
            refused("\"coords\" is null", () -> ring.rank(null));
            refused("outside of the grid", () -> line.rank(new int[] {size}));
            refused("outside of the grid", () -> line.rank(new int[] {-1}));
            refused("\"remain\" has 0 elements", () -> ring.sub(new boolean[0]));
            refused("\"remain\" is null", () -> ring.sub(null));
        }
    }

    public static void aClosedGridIsRefused(Comm world) {
        Cart cart = ring(world);
        cart.close();
        cart.close();
        Check.Statement[] uses = {cart::dims, cart::periods, cart::coords, cart::rank, cart::topology, cart::dup,
            cart::barrier, () -> cart.coords(0), () -> cart.rank(new int[1]), () -> cart.shift(0, 1),
            () -> cart.sub(new boolean[1]), () -> cart.createCart(new int[] {1}, new boolean[1], false)};
        for (Check.Statement use : uses) {
            String told = Check.fails(IllegalStateException.class, use).getMessage();
            Check.isTrue(told.contains("communicator is closed"), told);
        }
        world.barrier();
    }

    public static void aGraphTellsNeighbours(Comm world) {
        int[][] circle = circle(world.size());
        try (Graph graph = world.createGraph(circle, false); Graph copy = graph.dup()) {
            Check.equal(graph.topology(), Topology.GRAPH);
            Check.equal(copy.edges(), circle);
            Check.equal(graph.neighbors(), circle[graph.rank()]);
            Check.equal(graph.neighbors(0), circle[0]);
            refused("\"rank\" is " + world.size(), () -> graph.neighbors(world.size()));
        }
        refused("neighbors[0][0]\" is 1", () -> world.createGraph(new int[][] {{1}}, false));
        refused("there are only", () -> world.createGraph(new int[world.size() + 1][0], false));
        refused("neighbors[0]\" is null", () -> world.createGraph(new int[1][], false));
        refused("\"neighbors\" is null", () -> world.mapGraph(null));
    }

    public static void eachProcessGivesItsOwnNeighbours(Comm world) {
        int[] left = {Ring.left(world)};
        int[] right = {Ring.right(world)};
        try (DistGraph graph = world.createDistGraphAdjacent(left, right, null, false); DistGraph copy = graph.dup()) {
            Check.equal(graph.topology(), Topology.DIST_GRAPH);
            Check.equal(graph.isWeighted(), false);
            if (!KnownDefects.has("copied-graph-without-weights")) {
                Check.equal(copy.sources(), List.of(new DistGraph.Neighbor(left[0], 1)));
            }
            Check.equal(graph.destinations(), List.of(new DistGraph.Neighbor(right[0], 1)));
        }
        int last = world.size() - 1;
        boolean atLast = world.rank() == last;
        List<DistGraph.Neighbor> from = IntStream.range(0, atLast ? last : 0)
                .mapToObj(r -> new DistGraph.Neighbor(r, r + 5)).toList();
        List<DistGraph.Neighbor> to = atLast ? List.of() : List.of(new DistGraph.Neighbor(last, world.rank() + 5));
        try (Info hints = Info.create(); DistGraph graph = world.createDistGraphAdjacent(from, to, hints, false)) {
            Check.equal(graph.isWeighted(), true);
            Check.equal(graph.sources(), from);
            Check.equal(graph.destinations(), to);
        }
    }

    public static void oneProcessGivesAllEdges(Comm world) {
        int last = world.size() - 1;
        boolean first = world.rank() == 0;
        List<DistGraph.Edge> edges = IntStream.rangeClosed(0, last).boxed()
                .flatMap(r -> List.of(new DistGraph.Edge(last - r, r, r + 2), new DistGraph.Edge(r, r, 9)).stream())
                .toList();
        try (DistGraph graph = world.createDistGraph(first ? edges : List.of(), null, false)) {
            int rank = world.rank();
            Check.equal(graph.isWeighted(), true);
            Check.equal(sorted(graph.sources()), sorted(List.of(new DistGraph.Neighbor(last - rank, rank + 2),
                    new DistGraph.Neighbor(rank, 9))));
            Check.equal(sorted(graph.destinations()), sorted(List.of(
                    new DistGraph.Neighbor(last - rank, last - rank + 2), new DistGraph.Neighbor(rank, 9))));
        }
        try (DistGraph graph = world.createDistGraph(Map.of(world.rank(), new int[] {0}), null, false)) {
            Check.equal(graph.isWeighted(), false);
            Check.equal(graph.sources().size(), first ? world.size() : 0);
            Check.equal(graph.destinations(), List.of(new DistGraph.Neighbor(0, 1)));
        }
    }

    private static List<DistGraph.Neighbor> sorted(List<DistGraph.Neighbor> neighbors) {
        return neighbors.stream().sorted(Comparator.comparing(DistGraph.Neighbor::toString)).toList();
    }

    public static void edgesThatAreNoneAreRefused(Comm world) {
        int size = world.size();
        refused("sources[0]\" is " + size,
                () -> world.createDistGraphAdjacent(new int[] {size}, new int[0], null, false));
        refused("destinations[0]\" is -1",
                () -> world.createDistGraphAdjacent(new int[0], new int[] {-1}, null, false));
        int[] self = {world.rank()};
        int[] twice = {world.rank(), world.rank()};
        refused("among its sources 2 times and among its destinations 1 times",
                () -> world.createDistGraphAdjacent(twice, self, null, false));
        refused("among its sources 0 times and among its destinations 1 times", () -> world.createDistGraphAdjacent(List.of(),
                List.of(new DistGraph.Neighbor(world.rank(), 1)), null, false));
        world.createDistGraphAdjacent(twice, twice, null, false).close();
        refused("\"sources\" is null", () -> world.createDistGraphAdjacent((int[]) null, new int[0], null, false));
        refused("\"destinations\" is null", () -> world.createDistGraphAdjacent(List.of(), null, null, false));
        refused("sources[0]\" is -1", () -> world.createDistGraph(Map.of(-1, new int[0]), null, false));
        refused("\"edges\" is null", () -> world.createDistGraph((Map<Integer, int[]>) null, null, false));
        refused("The weight -1 is negative", () -> new DistGraph.Edge(0, 0, -1));
        refused("The weight -2 is negative", () -> new DistGraph.Neighbor(0, -2));
        Info closed = Info.create();
        closed.close();
        MistakeTests.onTheLast(world, (wrong, last, n, all) -> MistakeTests.told(wrong,
                () -> world.createDistGraphAdjacent(new int[] {0}, world.rank() == 0
                        ? IntStream.range(0, size).toArray() : new int[0], wrong ? closed : null, false)));
    }
}

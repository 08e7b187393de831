package dev.mpiglot.mpi;

import dev.mpiglot.mpi.MistakenCall.Form;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Every collective operation, made wrong by one rank in every way: the rank gets an exception that can be caught, and the
 * others get their data. A mistake that leaves a length unknown is told at once, so a rank makes it alone. Arguments:
 * forms, and {@code each} if each rank is to make the mistakes, not only the last one.
 */
@SuppressWarnings({"unchecked", "rawtypes"})
public final class Mistakes {

    private static final long SECONDS = 60;

    private static final AtomicReference<String> now = new AtomicReference<>("nothing");
    private static final List<String> failed = new ArrayList<>();
    private static Datatype closedType;
    private static MpiBuffer closedOne;
    private static MpiBuffer closedAll;
    private static Op closedOp;
    private static Op otherOp;
    private static int cases;

    private Mistakes() {
    }

    /** Makes a call wrong. */
    interface Change {
        void make(MistakenCall call);
    }

    public static void main(String[] args) {
        List<String> words = List.of(args);
        watch();
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            Cart ring = world.createCart(new int[] {world.size()}, new boolean[] {true}, false);
            closedType = Datatype.contiguous(1, Datatype.INT);
            closedType.close();
            closedOne = closedMemory(mpi, MistakenCall.PART);
            closedAll = closedMemory(mpi, MistakenCall.PART * world.size());
            closedOp = Op.ofInts(true, Integer::sum);
            closedOp.close();
            otherOp = Op.ofDoubles(true, Double::sum);
            for (Form form : Form.values()) {
                if (words.contains(form.name())) {
                    ofAll(world, ring, form, words.contains("each"));
                    aloneWith(mpi.self(), form);
                }
            }
            int[] sum = {failed.size()};
            world.allreduce(sum, Op.SUM);
            System.out.print(String.join("", failed));
            if (world.rank() == 0) {
                System.out.println("mistakes: " + cases + " cases, " + sum[0] + " failed");
            }
        });
    }

    private static MpiBuffer closedMemory(Mpi mpi, int ints) {
        MpiMemory memory = mpi.allocMem(4L * ints, null);
        MpiBuffer buffer = memory.buffer(Datatype.INT);
        memory.close();
        return buffer;
    }

    private static void ofAll(Comm world, Cart ring, Form form, boolean each) {
        int last = world.size() - 1;
        for (MistakenCall.Op op : MistakenCall.Op.values()) {
            for (int mistaken = each ? 0 : last; mistaken <= last; mistaken++) {
                for (boolean isRoot : op.isRooted() ? new boolean[] {true, false} : new boolean[] {true}) {
                    int root = isRoot ? mistaken : (mistaken + 1) % world.size();
                    Comm comm = op.isAmongNeighbors() ? ring : world;
                    for (Map.Entry<String, Change> one : changes(op, isRoot, world.size()).entrySet()) {
                        if (!once(one.getKey(), one.getValue(), new MistakenCall(op, comm, root), form, mistaken)) {
                            return; // the library lacks the form
                        }
                    }
                }
            }
        }
    }

    /** Whether the library has the function. */
    private static boolean once(String name, Change change, MistakenCall call, Form form, int mistaken) {
        String what = call.op + " " + form + ", rank " + mistaken + " of " + call.ranks + ", root " + call.root + ": " + name;
        now.set(what);
        cases++;
        boolean isMine = call.rank == mistaken;
        if (isMine) {
            change.make(call);
        }
        try {
            call.make(form);
            if (isMine) {
                failed.add(what + ": nothing was thrown\n");
            } else if (form != Form.PREPARED && !name.startsWith("operation")) { // whose results nobody knows
                call.requireData(mistaken);
            }
        } catch (UnavailableException e) {
            return false;
        } catch (RuntimeException | AssertionError e) {
            boolean isTyped = e instanceof IllegalArgumentException || e instanceof IllegalStateException;
            if (!isMine || !isTyped) {
                failed.add(what + ", rank " + call.rank + ": " + e + " " + Arrays.asList(e.getStackTrace()).subList(0, 6) + "\n");
            }
        }
        return true;
    }

    /** What a rank knows is wrong, though it knows how much the others wait for. */
    private static Map<String, Change> changes(MistakenCall.Op op, boolean isRoot, int ranks) {
        Map<String, Change> all = new TreeMap<>();
        if (op.isOfLists()) {
            all.put("type closed", call -> call.sentList.set(0, call.sentList.get(0).as(closedType, MistakenCall.PART)));
            all.put("type closed where it receives",
                    call -> call.receivedList.set(0,
                    ((MpiBuffer) call.receivedList.get(0)).as(closedType, MistakenCall.PART)));
            all.put("memory closed", call -> call.sentList.set(0, closedOne));
            if (op == MistakenCall.Op.ALLTOALLW) {
                all.put("gives itself nothing", call -> call.sentList.set(call.rank, MpiBuffer.of(new int[0])));
                all.put("takes more of itself", call -> call.receivedList.set(call.rank, MpiBuffer.of(new int[3])));
            }
            return all;
        }
        boolean usesSent = !op.hasOneBuffer() && (isRoot || !op.name().startsWith("SCATTER"));
        boolean usesReceived = isRoot || op == MistakenCall.Op.BCAST || op.name().startsWith("SCATTER");
        if (usesSent) {
            all.put("sent: type closed", call -> call.sent = call.sent.as(closedType, call.sent.count()));
            all.put("sent: memory closed", call -> call.sent = closed(call.sent));
        }
        if (usesReceived) {
            all.put("received: type closed", call -> call.received = call.received.as(closedType, call.received.count()));
            all.put("received: memory closed", call -> call.received = closed(call.received));
        }
        if (op.reduces()) {
            all.put("operation closed", call -> call.reduction = closedOp);
            all.put("operation of other elements", call -> call.reduction = otherOp);
        }
        if (op.hasOneBuffer() || !isRoot) {
            return all;
        }
        boolean tellsByReceived = !op.isAmongNeighbors() || !op.name().contains("GATHER");
        all.put("received: null", call -> call.received = null);
        all.put("received: other elements", call -> call.received = MpiBuffer.of(new float[call.wanted().length]));
        if (tellsByReceived) {
            all.put("sent: null", call -> call.sent = null);
        }
        if (op.givesParts()) {
            all.put("sent: too short", call -> call.sent = MpiBuffer.of(new int[call.given().length - 1]));
            all.put("sent: a part beyond its end", call -> call.places = behind(call));
            all.put("sent: a place before its begin", call -> call.places = call.all(-1));
            all.put("sent: too few places", call -> call.places = new int[call.others.length + 1]);
        }
        if (op.getsParts()) {
            all.put("received: too short", call -> call.received = MpiBuffer.of(new int[call.wanted().length - 1]));
            all.put("received: a part beyond its end", call -> call.receivedPlaces = behind(call));
            all.put("received: a place before its begin", call -> call.receivedPlaces = call.all(-1));
            all.put("received: too few places", call -> call.receivedPlaces = new int[call.others.length + 1]);
        }
        switch (op) {
            case GATHER, ALLGATHER, SCATTER, ALLTOALL, NEIGHBOR_ALLTOALL -> {
                all.put("no whole parts", call -> {
                    if (op == MistakenCall.Op.SCATTER) {
                        call.sent = MpiBuffer.of(new int[call.given().length + 1]);
                    } else {
                        call.received = MpiBuffer.of(new int[call.wanted().length + 1]);
                    }
                });
                all.put("nothing", call -> {
                    if (op == MistakenCall.Op.SCATTER) {
                        call.sent = MpiBuffer.of(new int[0]);
                    } else {
                        call.received = MpiBuffer.of(new int[0]);
                    }
                });
            }
            case GATHERV, ALLGATHERV -> {
                all.put("own part too short", call -> call.sent = MpiBuffer.of(new int[1]));
                all.put("own part empty", call -> call.sent = MpiBuffer.of(new int[0]));
            }
            case SCATTERV -> all.put("own part too long", call -> call.received = MpiBuffer.of(new int[3]));
            case ALLTOALLV -> {
                all.put("gives itself nothing, takes some", call -> call.counts[call.rank] = 0);
                all.put("gives itself some, takes nothing", call -> call.receivedCounts[call.rank] = 0);
                all.put("gives itself less", call -> call.counts[call.rank] = 1);
            }
            case REDUCE_SCATTER -> all.put("own part too short", call -> call.received = MpiBuffer.of(new int[1]));
            case ALLREDUCE, REDUCE, SCAN, EXSCAN ->
                    all.put("received: too short", call -> call.received = MpiBuffer.of(new int[1]));
            default -> { }
        }
        return all;
    }

    private static MpiBuffer closed(MpiBuffer like) {
        return like.count() == closedOne.count() ? closedOne : like.count() == closedAll.count() ? closedAll
                : MpiBuffer.of(new int[(int) like.count()]).as(closedType, like.count());
    }

    private static int[] behind(MistakenCall call) {
        int[] places = call.all(0);
        places[0] = 1_000;
        return places;
    }

    /** What leaves a length unknown, or asks for a process that is none: no call of MPI follows. */
    private static void aloneWith(Comm self, Form form) {
        for (MistakenCall.Op op : MistakenCall.Op.values()) {
            if (op.isAmongNeighbors()) {
                continue;
            }
            Map<String, Change> all = new TreeMap<>();
            if (op.isRooted()) {
                all.put("root -1", call -> call.root = -1);
                all.put("root 9999", call -> call.root = 9999);
            }
            if (op.isOfLists()) {
                all.put("list null", call -> call.sentList = null);
                all.put("list too long", call -> call.receivedList.add(MpiBuffer.of(new int[1])));
                all.put("a buffer null", call -> call.sentList.set(0, null));
            } else {
                all.put("all null", call -> call.sent = call.received = null);
            }
            for (int[] bad : new int[][] {null, {}, {1, 2}, {-1}}) {
                String said = Arrays.toString(bad);
                if (op.givesParts()) {
                    all.put("counts " + said, call -> call.counts = bad);
                }
                if (op.getsParts() || op == MistakenCall.Op.REDUCE_SCATTER) {
                    all.put("received counts " + said, call -> call.receivedCounts = bad);
                }
            }
            if (op.reduces()) {
                all.put("operation null", call -> call.reduction = null);
            }
            all.forEach((name, change) -> alone(name, change, new MistakenCall(op, self, 0), form));
        }
    }

    private static void alone(String name, Change change, MistakenCall call, Form form) {
        String what = call.op + " " + form + ", alone: " + name;
        now.set(what);
        cases++;
        change.make(call);
        try {
            call.make(form);
            failed.add(what + ": nothing was thrown\n");
        } catch (IllegalArgumentException | MpiException e) {
            if (e instanceof MpiException && !name.startsWith("root") && !(e instanceof UnavailableException)) {
                failed.add(what + ": " + e + "\n");
            }
        } catch (RuntimeException e) {
            failed.add(what + ": " + e + " " + Arrays.asList(e.getStackTrace()).subList(0, 6) + "\n");
        }
    }

    private static void watch() {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(SECONDS * 1000);
            } catch (InterruptedException e) {
                return;
            }
            System.err.println("This did not end: " + now.get() + "; before it: " + failed);
            Runtime.getRuntime().halt(1);
        });
    }
}

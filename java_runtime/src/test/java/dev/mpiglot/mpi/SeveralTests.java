package dev.mpiglot.mpi;

import dev.mpiglot.low.ErrorClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Questions about several requests at once. */
public final class SeveralTests {

    private static final int MANY = 20;

    private SeveralTests() {
    }

    /** Runs the statement on a virtual thread. */
    private static void virtually(Check.Statement statement) throws Exception {
        Throwable[] thrown = new Throwable[1];
        Thread.ofVirtual().start(() -> {
            try {
                statement.run();
            } catch (Throwable t) {
                thrown[0] = t;
            }
        }).join();
        if (thrown[0] != null) {
            throw new AssertionError("on a virtual thread", thrown[0]);
        }
    }

    /** Receives of one number each from the process itself, by tags from 0. */
    private static List<Request> receives(Comm world, int[][] got) {
        List<Request> all = new ArrayList<>();
        for (int i = 0; i < got.length; i++) {
            all.add(world.irecv(got[i], world.rank(), i));
        }
        return all;
    }

    private static void send(Comm world, int tag) {
        world.send(new int[] {tag + 1}, world.rank(), tag);
    }

    private static void closeAll(List<Request> requests) {
        requests.forEach(Request::close);
    }

    private static void oneAfterTheOther(Comm world) {
        int[][] got = new int[MANY][1];
        List<Request> all = receives(world, got);
        Check.equal(Requests.testAny(all), Optional.empty());
        Check.equal(Requests.testSome(all), List.of());
        Check.equal(Requests.testAll(all), Optional.empty());
        for (int i = MANY - 1; i >= 0; i -= 2) {
            send(world, i);
            Requests.Completed found = Requests.awaitAny(all).orElseThrow();
            Check.equal(found, new Requests.Completed(i, new Status(world.rank(), i, 4), null));
            Check.equal(got[i][0], i + 1);
            Check.equal(Requests.testAny(all), Optional.empty());
        }
        for (int i = 0; i < MANY; i += 2) {
            send(world, i);
        }
        for (int left = MANY / 2; left > 0;) {
            List<Requests.Completed> found = Requests.awaitSome(all);
            Check.isTrue(!found.isEmpty() && found.size() <= left, "found " + found);
            for (Requests.Completed one : found) {
                Check.equal(one.index() % 2, 0);
                Check.equal(one.status().tag(), one.index());
                Check.equal(got[one.index()][0], one.index() + 1);
            }
            left -= found.size();
        }
        Check.equal(Requests.awaitSome(all), List.of());
        Check.equal(Requests.awaitAny(all), Optional.empty());
        List<Status> statuses = Requests.testAll(all).orElseThrow();
        Check.equal(statuses, Requests.awaitAll(all));
        Check.equal(statuses.get(3), new Status(world.rank(), 3, 4));
        Check.equal(statuses.size(), MANY);
    }

    public static void eachResultIsGivenOnce(Comm world) {
        oneAfterTheOther(world);
    }

    public static void eachResultIsGivenOnceOnVirtualThreads(Comm world) throws Exception {
        virtually(() -> oneAfterTheOther(world));
    }

    public static void anyWaitsUntilAMessageComes(Comm world) throws Exception {
        for (boolean virtual : new boolean[] {false, true}) {
            int[][] got = new int[4][1];
            List<Request> all = receives(world, got);
            Check.Statement waits = () -> Check.equal(Requests.awaitAny(all).orElseThrow().index(), 2);
            Check.together(() -> {
                if (virtual) {
                    virtually(waits);
                } else {
                    waits.run();
                }
            }, () -> {
                Thread.sleep(20);
                send(world, 2);
            });
            closeAll(all);
        }
    }

    /** Some of which ask for one request alone, and some for all. */
    public static void manyThreadsShareTheResults(Comm world) {
        for (int round = 0; round < 10; round++) {
            int[][] got = new int[MANY][1];
            List<Request> all = receives(world, got);
            List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
            Check.Statement loop = () -> {
                Optional<Requests.Completed> one;
                while ((one = Requests.awaitAny(all)).isPresent()) {
                    int index = one.get().index();
                    seen.add(index);
                    Check.equal(got[index][0], index + 1);
                }
            };
            Check.together(loop, loop, () -> virtually(loop), () -> Requests.awaitAll(all).forEach(
                    status -> Check.equal(status.bytes(), 4L)), () -> {
                        for (int i = 0; i < MANY; i++) {
                            send(world, i);
                        }
                    });
            Collections.sort(seen);
            Check.equal(seen.stream().distinct().toList(), seen);
            Check.equal(Requests.testAny(all), Optional.empty());
        }
    }

    public static void whatSomebodyHasIsPassedOver(Comm world) throws Exception {
        int[][] got = new int[4][1];
        List<Request> all = receives(world, got);
        for (int i = 0; i < 3; i++) {
            send(world, i);
        }
        all.get(0).await();
        virtually(() -> all.get(1).await());
        Check.equal(Requests.awaitAny(all).orElseThrow().index(), 2);
        all.get(3).close();
        Check.equal(Requests.awaitAny(all), Optional.empty());
        Check.equal(Requests.awaitSome(all), List.of());
        Check.fails(CancelledException.class, () -> Requests.awaitAll(all));
        Request none = world.isend(new int[1], Comm.PROC_NULL, 0);
        none.close();
        Check.equal(Requests.awaitAny(none), Optional.empty());
    }

    public static void persistentOperationsAndOthersAreMixed(Comm world) {
        int me = world.rank();
        int[] got = new int[1];
        int[] other = new int[1];
        try (Persistent receive = world.recvInit(MpiBuffer.of(got), me, 1);
                Persistent send = world.sendInit(MpiBuffer.of(new int[] {7}), me, 1)) {
            for (int round = 0; round < 3; round++) {
                got[0] = 0;
                Request[] begun = Persistent.startAll(receive, send);
                Request plain = world.irecv(other, me, 2);
                List<Request> all = List.of(begun[0], plain, begun[1]);
                List<Integer> seen = new ArrayList<>();
                while (seen.size() < 2) {
                    Requests.awaitSome(all).forEach(one -> seen.add(one.index()));
                }
                Collections.sort(seen);
                Check.equal(seen, List.of(0, 2));
                Check.equal(got[0], 7);
                Check.equal(Requests.testAny(all), Optional.empty());
                world.send(new int[] {round}, me, 2);
                Check.equal(Requests.awaitAny(all).orElseThrow().status(), new Status(me, 2, 4));
                Check.equal(other[0], round);
            }
        }
    }

    public static void collectiveOperationsAreAmongThem(Comm world) {
        int[] sum = {1};
        Request reduced = world.iallreduce(sum, Op.SUM);
        Request barrier = world.ibarrier();
        int count = 0;
        while (Requests.awaitAny(reduced, barrier).isPresent()) {
            count++;
        }
        Check.equal(count, 2);
        Check.equal(sum[0], world.size());
    }

    public static void anErrorHidesNoResult(Comm world) {
        if (world.size() == 1) {
            return; // truncation-to-self-hidden and others
        }
        int[][] got = {{0}, {8}, {0}};
        int left = Ring.left(world);
        List<Request> all = List.of(world.irecv(got[0], left, 0), world.irecv(got[1], left, 1),
                world.irecv(got[2], left, 2));
        world.barrier();
        world.send(new int[] {1, 2}, Ring.right(world), 1);
        world.send(new int[] {5}, Ring.right(world), 2);
        Requests.Completed[] found = new Requests.Completed[3];
        for (int count = 0; count < 2;) {
            for (Requests.Completed one : Requests.awaitSome(all)) {
                found[one.index()] = one;
                count++;
            }
        }
        Check.equal(((MpiException) found[1].failure()).kind(), ErrorClass.ERR_TRUNCATE);
        Check.equal(Check.fails(MpiException.class, found[1]::status), found[1].failure());
        Check.equal(Check.fails(MpiException.class, all.get(1)::await), found[1].failure());
        Check.equal(found[2].status(), new Status(left, 2, 4));
        Check.equal(got, new int[][] {{0}, {8}, {5}});
        all.get(0).cancel();
        Check.fails(CancelledException.class, Requests.awaitAny(all).orElseThrow()::status);
        Check.fails(CancelledException.class, () -> Requests.testAll(all));
        Check.equal(Requests.awaitAny(all), Optional.empty());
    }

    public static void anInterruptionLeavesAllUnderWay(Comm world) {
        int[][] got = new int[2][1];
        List<Request> all = receives(world, got);
        for (boolean virtual : new boolean[] {false, true}) {
            Check.Statement waits = () -> {
                Thread.currentThread().interrupt();
                CancelledException told = Check.fails(CancelledException.class, () -> Requests.awaitAny(all));
                Check.isTrue(told.isUnderWay(), "cancelled");
                Check.isTrue(Thread.interrupted(), "not marked");
            };
            Check.together(() -> {
                if (virtual) {
                    virtually(waits);
                } else {
                    waits.run();
                }
            });
        }
        send(world, 1);
        Check.equal(Requests.awaitAny(all).orElseThrow().index(), 1);
        closeAll(all);
    }

    public static void mistakesAreToldBeforeMpiIsAsked(Comm world) {
        int[] got = new int[1];
        Request receive = world.irecv(got, world.rank(), 3);
        List<Request> withNull = Arrays.asList(receive, null);
        List<Check.Statement> calls = List.of(() -> Requests.awaitAny(withNull), () -> Requests.awaitSome(withNull),
                () -> Requests.testAny(withNull), () -> Requests.testSome(withNull), () -> Requests.testAll(withNull),
                () -> Requests.awaitAll(withNull), () -> Request.awaitAll(receive, null));
        for (Check.Statement call : calls) {
            String told = Check.fails(IllegalArgumentException.class, call).getMessage();
            Check.isTrue(told.contains("request 1 of several is null"), told);
        }
        Check.fails(IllegalArgumentException.class, () -> Requests.awaitAny((List<Request>) null));
        Check.fails(IllegalArgumentException.class, () -> Requests.awaitAll((Request[]) null));
        Check.equal(Requests.awaitAny(), Optional.empty());
        Check.equal(Requests.testSome(), List.of());
        Check.equal(Requests.testAll(), Optional.of(List.of()));
        Check.equal(Requests.awaitAll(), List.of());
        send(world, 3);
        Check.equal(Requests.awaitSome(receive, receive).size(), 1);
        Check.equal(Requests.awaitAll(receive, receive).size(), 2);
        Check.equal(got[0], 4);
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.mpi.Element.Integral;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** Every operation of a communicator that takes a buffer, by its name; {@link FormAccesses} adds the others. */
final class FormOperations {

    static final Map<String, Body> ALL = new TreeMap<>();

    private FormOperations() {
    }

    interface Body {
        void run(FormUses u);
    }

    static {
        messages();
        persistentMessages();
        moves();
        movesWithGaps();
        reductions();
        reductionsInPlace();
        neighbours();
        neighboursWithGaps();
        mixed();
        learned();
        FormAccesses.addAll();
    }

    static void add(String name, Body body) {
        if (ALL.put(name, body) != null) {
            throw new AssertionError(name);
        }
    }

    static void request(String name, java.util.function.Function<FormUses, Request> start) {
        add(name, u -> {
            Request begun;
            try {
                begun = start.apply(u);
            } catch (UnavailableException e) {
                return;
            }
            begun.await();
        });
    }

    private static void prepared(String name, java.util.function.Function<FormUses, Persistent> preparation) {
        add(name, u -> FormUses.twice(() -> preparation.apply(u)));
    }

    interface Send {
        void to(FormUses u, MpiBuffer<Integral> data);
    }

    private static void sends(String name, Send send) {
        add(name, u -> {
            try (Request in = u.world.irecv(u.room(u.n), u.left(), 1)) {
                u.world.barrier(); // for the ready mode
                send.to(u, u.sent(u.n));
                in.await();
            }
        });
    }

    private static void messages() {
        sends("send", (u, data) -> u.world.send(data, u.right(), 1));
        sends("ssend", (u, data) -> u.world.ssend(data, u.right(), 1));
        sends("rsend", (u, data) -> u.world.rsend(data, u.right(), 1));
        sends("bsend", (u, data) -> u.world.bsend(data, u.right(), 1));
        sends("isend", (u, data) -> u.world.isend(data, u.right(), 1).await());
        sends("issend", (u, data) -> u.world.issend(data, u.right(), 1).await());
        sends("irsend", (u, data) -> u.world.irsend(data, u.right(), 1).await());
        sends("ibsend", (u, data) -> u.world.ibsend(data, u.right(), 1).await());
        sends("irecv", (u, data) -> u.world.isend(data, u.right(), 1).await());
        receives("recv", u -> u.world.recv(u.room(u.n + 1), u.left(), 2));
        receives("Message.recv", u -> u.world.mprobe(u.left(), 2).recv(u.room(u.n + 1)));
        receives("Message.irecv", u -> u.world.mprobe(u.left(), 2).irecv(u.room(u.n + 1)).await());
        add("sendrecv", u -> u.world.sendrecv(u.sent(u.n), u.right(), u.room(u.n), u.left(), 3));
        add("sendrecvReplace", u -> u.world.sendrecvReplace(u.sent(u.n), u.right(), 3, u.left(), 3));
        request("isendrecv", u -> u.world.isendrecv(u.sent(u.n), u.right(), 3, u.room(u.n), u.left(), 3));
        request("isendrecvReplace", u -> u.world.isendrecvReplace(u.sent(u.n), u.right(), 3, u.left(), 3));
    }

    private static void receives(String name, Body receive) {
        add(name, u -> {
            Request out = u.world.isend(u.sent(u.n), u.right(), 2);
            receive.run(u);
            out.await();
        });
    }

    private static void persistentMessages() {
        started("sendInit", (u, data) -> u.world.sendInit(data, u.right(), 1));
        started("ssendInit", (u, data) -> u.world.ssendInit(data, u.right(), 1));
        started("rsendInit", (u, data) -> u.world.rsendInit(data, u.right(), 1));
        started("bsendInit", (u, data) -> u.world.bsendInit(data, u.right(), 1));
        started("recvInit", (u, data) -> u.world.sendInit(data, u.right(), 1));
    }

    private static void started(String name, BiFunction<FormUses, MpiBuffer<Integral>, Persistent> preparation) {
        add(name, u -> {
            try (Persistent in = u.world.recvInit(u.room(u.n), u.left(), 1);
                    Persistent out = preparation.apply(u, u.sent(u.n))) {
                for (int i = 0; i < 2; i++) {
                    Request got = in.start();
                    u.world.barrier(); // for the ready mode
                    out.start().await();
                    got.await();
                }
            }
        });
    }

    private static MpiBuffer<Integral> atRoot(FormUses u, MpiBuffer<Integral> buffer) {
        return u.rank == 0 ? buffer : null;
    }

    private static void moves() {
        add("bcast", u -> u.world.bcast(u.sent(u.n), 0));
        request("ibcast", u -> u.world.ibcast(u.sent(u.n), 0));
        prepared("bcastInit", u -> u.world.bcastInit(u.sent(u.n), 0));
        add("gather", u -> u.world.gather(u.sent(u.n), atRoot(u, u.room(u.n * u.ranks)), 0));
        request("igather", u -> u.world.igather(u.sent(u.n), atRoot(u, u.room(u.n * u.ranks)), 0));
        prepared("gatherInit", u -> u.world.gatherInit(u.sent(u.n), atRoot(u, u.room(u.n * u.ranks)), 0));
        add("gatherv", u -> u.world.gatherv(u.sent(u.n), atRoot(u, u.room(u.n * u.ranks)), u.counts(), 0));
        request("igatherv", u -> u.world.igatherv(u.sent(u.n), atRoot(u, u.room(u.n * u.ranks)), u.counts(), 0));
        prepared("gathervInit", u -> u.world.gathervInit(u.sent(u.n), atRoot(u, u.room(u.n * u.ranks)), u.counts(), 0));
        add("scatter", u -> u.world.scatter(atRoot(u, u.sent(u.n * u.ranks)), u.room(u.n), 0));
        request("iscatter", u -> u.world.iscatter(atRoot(u, u.sent(u.n * u.ranks)), u.room(u.n), 0));
        prepared("scatterInit", u -> u.world.scatterInit(atRoot(u, u.sent(u.n * u.ranks)), u.room(u.n), 0));
        add("scatterv", u -> u.world.scatterv(atRoot(u, u.sent(u.n * u.ranks)), u.counts(), u.room(u.n), 0));
        request("iscatterv", u -> u.world.iscatterv(atRoot(u, u.sent(u.n * u.ranks)), u.counts(), u.room(u.n), 0));
        prepared("scattervInit", u -> u.world.scattervInit(atRoot(u, u.sent(u.n * u.ranks)), u.counts(), u.room(u.n), 0));
        add("allgather", u -> u.world.allgather(u.sent(u.n), u.room(u.n * u.ranks)));
        request("iallgather", u -> u.world.iallgather(u.sent(u.n), u.room(u.n * u.ranks)));
        prepared("allgatherInit", u -> u.world.allgatherInit(u.sent(u.n), u.room(u.n * u.ranks)));
        add("allgatherv", u -> u.world.allgatherv(u.sent(u.n), u.room(u.n * u.ranks), u.counts()));
        request("iallgatherv", u -> u.world.iallgatherv(u.sent(u.n), u.room(u.n * u.ranks), u.counts()));
        prepared("allgathervInit", u -> u.world.allgathervInit(u.sent(u.n), u.room(u.n * u.ranks), u.counts()));
        add("alltoall", u -> u.world.alltoall(u.sent(u.n * u.ranks), u.room(u.n * u.ranks)));
        request("ialltoall", u -> u.world.ialltoall(u.sent(u.n * u.ranks), u.room(u.n * u.ranks)));
        prepared("alltoallInit", u -> u.world.alltoallInit(u.sent(u.n * u.ranks), u.room(u.n * u.ranks)));
        add("alltoallv", u -> u.world.alltoallv(u.sent(u.n * u.ranks), u.counts(), u.room(u.n * u.ranks), u.counts()));
        request("ialltoallv",
                u -> u.world.ialltoallv(u.sent(u.n * u.ranks), u.counts(), u.room(u.n * u.ranks), u.counts()));
        prepared("alltoallvInit",
                u -> u.world.alltoallvInit(u.sent(u.n * u.ranks), u.counts(), u.room(u.n * u.ranks), u.counts()));
    }

    private static void movesWithGaps() {
        add("gatherv at places", u -> u.world.gatherv(u.sent(u.n), atRoot(u, u.apart()), u.counts(), u.places(), 0));
        request("igatherv at places", u -> u.world.igatherv(u.sent(u.n), atRoot(u, u.apart()), u.counts(), u.places(), 0));
        prepared("gathervInit at places",
                u -> u.world.gathervInit(u.sent(u.n), atRoot(u, u.apart()), u.counts(), u.places(), 0));
        add("scatterv at places", u -> u.world.scatterv(atRoot(u, u.apart()), u.counts(), u.places(), u.room(u.n), 0));
        request("iscatterv at places", u -> u.world.iscatterv(atRoot(u, u.apart()), u.counts(), u.places(), u.room(u.n), 0));
        prepared("scattervInit at places",
                u -> u.world.scattervInit(atRoot(u, u.apart()), u.counts(), u.places(), u.room(u.n), 0));
        add("allgatherv at places", u -> u.world.allgatherv(u.sent(u.n), u.apart(), u.counts(), u.places()));
        request("iallgatherv at places", u -> u.world.iallgatherv(u.sent(u.n), u.apart(), u.counts(), u.places()));
        prepared("allgathervInit at places", u -> u.world.allgathervInit(u.sent(u.n), u.apart(), u.counts(), u.places()));
        add("alltoallv at places",
                u -> u.world.alltoallv(u.apart(), u.counts(), u.places(), u.apart(), u.counts(), u.places()));
        request("ialltoallv at places",
                u -> u.world.ialltoallv(u.apart(), u.counts(), u.places(), u.apart(), u.counts(), u.places()));
        prepared("alltoallvInit at places",
                u -> u.world.alltoallvInit(u.apart(), u.counts(), u.places(), u.apart(), u.counts(), u.places()));
    }

    private static void reductions() {
        add("reduce", u -> {
            u.world.reduce(u.sent(u.n), u.op, 0);
            u.world.reduce(u.sent(u.n), atRoot(u, u.room(u.n)), u.op, 0);
        });
        add("ireduce", u -> {
            u.world.ireduce(u.sent(u.n), u.op, 0).await();
            u.world.ireduce(u.sent(u.n), atRoot(u, u.room(u.n)), u.op, 0).await();
        });
        prepared("reduceInit", u -> u.world.reduceInit(u.sent(u.n), atRoot(u, u.room(u.n)), u.op, 0));
        add("allreduce", u -> {
            u.world.allreduce(u.sent(u.n), u.op);
            u.world.allreduce(u.sent(u.n), u.room(u.n), u.op);
        });
        add("iallreduce", u -> {
            u.world.iallreduce(u.sent(u.n), u.op).await();
            u.world.iallreduce(u.sent(u.n), u.room(u.n), u.op).await();
        });
        prepared("allreduceInit", u -> u.world.allreduceInit(u.sent(u.n), u.room(u.n), u.op));
        add("scan", u -> {
            u.world.scan(u.sent(u.n), u.op);
            u.world.scan(u.sent(u.n), u.room(u.n), u.op);
        });
        request("iscan", u -> u.world.iscan(u.sent(u.n), u.room(u.n), u.op));
        prepared("scanInit", u -> u.world.scanInit(u.sent(u.n), u.room(u.n), u.op));
        add("exscan", u -> u.world.exscan(u.sent(u.n), u.room(u.n), u.op));
        request("iexscan", u -> u.world.iexscan(u.sent(u.n), u.room(u.n), u.op));
        prepared("exscanInit", u -> u.world.exscanInit(u.sent(u.n), u.room(u.n), u.op));
        add("reduceScatter", u -> u.world.reduceScatter(u.sent(u.n * u.ranks), u.room(u.n), u.counts(), u.op));
        request("ireduceScatter", u -> u.world.ireduceScatter(u.sent(u.n * u.ranks), u.room(u.n), u.counts(), u.op));
        prepared("reduceScatterInit", u -> u.world.reduceScatterInit(u.sent(u.n * u.ranks), u.room(u.n), u.counts(), u.op));
        add("reduceScatterBlock", u -> u.world.reduceScatterBlock(u.sent(u.n * u.ranks), u.room(u.n), u.op));
        request("ireduceScatterBlock", u -> u.world.ireduceScatterBlock(u.sent(u.n * u.ranks), u.room(u.n), u.op));
        prepared("reduceScatterBlockInit", u -> u.world.reduceScatterBlockInit(u.sent(u.n * u.ranks), u.room(u.n), u.op));
        add("Op.reduceLocal", u -> u.op.reduceLocal(u.sent(u.n), u.sent(u.n)));
    }

    private static void reductionsInPlace() {
        prepared("reduceInit in place", u -> u.world.reduceInit(u.sent(u.n), u.op, 0));
        prepared("allreduceInit in place", u -> u.world.allreduceInit(u.sent(u.n), u.op));
        request("iscan in place", u -> u.world.iscan(u.sent(u.n), u.op));
        prepared("scanInit in place", u -> u.world.scanInit(u.sent(u.n), u.op));
        add("exscan in place", u -> u.world.exscan(u.sent(u.n), u.op));
        request("iexscan in place", u -> u.world.iexscan(u.sent(u.n), u.op));
        prepared("exscanInit in place", u -> u.world.exscanInit(u.sent(u.n), u.op));
    }

    private static void neighbours() {
        add("neighborAllgather", u -> u.ring.neighborAllgather(u.sent(u.n), u.room(2 * u.n)));
        request("ineighborAllgather", u -> u.ring.ineighborAllgather(u.sent(u.n), u.room(2 * u.n)));
        prepared("neighborAllgatherInit", u -> u.ring.neighborAllgatherInit(u.sent(u.n), u.room(2 * u.n)));
        add("neighborAllgatherv", u -> u.ring.neighborAllgatherv(u.sent(u.n), u.room(2 * u.n), u.twice()));
        request("ineighborAllgatherv", u -> u.ring.ineighborAllgatherv(u.sent(u.n), u.room(2 * u.n), u.twice()));
        prepared("neighborAllgathervInit", u -> u.ring.neighborAllgathervInit(u.sent(u.n), u.room(2 * u.n), u.twice()));
        add("neighborAlltoall", u -> u.ring.neighborAlltoall(u.sent(2 * u.n), u.room(2 * u.n)));
        request("ineighborAlltoall", u -> u.ring.ineighborAlltoall(u.sent(2 * u.n), u.room(2 * u.n)));
        prepared("neighborAlltoallInit", u -> u.ring.neighborAlltoallInit(u.sent(2 * u.n), u.room(2 * u.n)));
        add("neighborAlltoallv", u -> u.ring.neighborAlltoallv(u.sent(2 * u.n), u.twice(), u.room(2 * u.n), u.twice()));
        request("ineighborAlltoallv",
                u -> u.ring.ineighborAlltoallv(u.sent(2 * u.n), u.twice(), u.room(2 * u.n), u.twice()));
        prepared("neighborAlltoallvInit",
                u -> u.ring.neighborAlltoallvInit(u.sent(2 * u.n), u.twice(), u.room(2 * u.n), u.twice()));
    }

    private static void neighboursWithGaps() {
        add("neighborAllgatherv at places",
                u -> u.ring.neighborAllgatherv(u.sent(u.n), u.room(2 * u.n + 1), u.twice(), u.twoPlaces()));
        request("ineighborAllgatherv at places",
                u -> u.ring.ineighborAllgatherv(u.sent(u.n), u.room(2 * u.n + 1), u.twice(), u.twoPlaces()));
        prepared("neighborAllgathervInit at places",
                u -> u.ring.neighborAllgathervInit(u.sent(u.n), u.room(2 * u.n + 1), u.twice(), u.twoPlaces()));
        add("neighborAlltoallv at places", u -> u.ring.neighborAlltoallv(u.sent(2 * u.n + 1), u.twice(), u.twoPlaces(),
                u.room(2 * u.n + 1), u.twice(), u.twoPlaces()));
        request("ineighborAlltoallv at places", u -> u.ring.ineighborAlltoallv(u.sent(2 * u.n + 1), u.twice(),
                u.twoPlaces(), u.room(2 * u.n + 1), u.twice(), u.twoPlaces()));
        prepared("neighborAlltoallvInit at places", u -> u.ring.neighborAlltoallvInit(u.sent(2 * u.n + 1), u.twice(),
                u.twoPlaces(), u.room(2 * u.n + 1), u.twice(), u.twoPlaces()));
    }

    private static void mixed() {
        add("alltoallw",
                u -> u.world.alltoallw(u.several(() -> u.sent(u.n), u.ranks), u.several(() -> u.room(u.n), u.ranks)));
        request("ialltoallw",
                u -> u.world.ialltoallw(u.several(() -> u.sent(u.n), u.ranks), u.several(() -> u.room(u.n), u.ranks)));
        prepared("alltoallwInit",
                u -> u.world.alltoallwInit(u.several(() -> u.sent(u.n), u.ranks), u.several(() -> u.room(u.n), u.ranks)));
        add("neighborAlltoallw",
                u -> u.ring.neighborAlltoallw(u.several(() -> u.sent(u.n), 2), u.several(() -> u.room(u.n), 2)));
        request("ineighborAlltoallw",
                u -> u.ring.ineighborAlltoallw(u.several(() -> u.sent(u.n), 2), u.several(() -> u.room(u.n), 2)));
        prepared("neighborAlltoallwInit",
                u -> u.ring.neighborAlltoallwInit(u.several(() -> u.sent(u.n), 2), u.several(() -> u.room(u.n), 2)));
    }

    /** Takes what an operation has collected into a buffer of the form, which is compared. */
    private static void into(FormUses u, MpiBuffer<Integral> room, Collected<Integral> got) {
        Check.equal(got.values().count(), room.count());
        u.world.sendrecv(got.values(), u.rank, room, u.rank, 4);
    }

    private static void learned() {
        add("allgatherv, learned", u -> into(u, u.room(u.n * u.ranks), u.world.allgatherv(u.sent(u.n))));
        add("gatherv, learned", u -> into(u, u.room(u.rank == 0 ? u.n * u.ranks : 0), u.world.gatherv(u.sent(u.n), 0)));
        add("alltoallv, learned",
                u -> into(u, u.room(u.n * u.ranks), u.world.alltoallv(u.sent(u.n * u.ranks), u.counts())));
        add("neighborAllgatherv, learned", u -> into(u, u.room(2 * u.n), u.ring.neighborAllgatherv(u.sent(u.n))));
        add("neighborAlltoallv, learned",
                u -> into(u, u.room(2 * u.n), u.ring.neighborAlltoallv(u.sent(2 * u.n), u.twice())));
    }
}

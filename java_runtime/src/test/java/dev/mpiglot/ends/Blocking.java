package dev.mpiglot.ends;

import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Cart;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Datatype;
import dev.mpiglot.mpi.Element.Bytes;
import dev.mpiglot.mpi.Element.Ints;
import dev.mpiglot.mpi.FileMode;
import dev.mpiglot.mpi.FileView;
import dev.mpiglot.mpi.Intercomm;
import dev.mpiglot.mpi.MpiFile;
import dev.mpiglot.mpi.Op;
import dev.mpiglot.mpi.Requests;
import dev.mpiglot.low.Seek;
import dev.mpiglot.mpi.SplitType;
import dev.mpiglot.mpi.Window;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Methods that wait for another process: on two processes, the last one calls them and waits for ever, because the first
 * one does not.
 *
 * @param method the name in the sentence that ends the job
 * @param prepare done by both on a communicator of the case; gives the call
 */
record Blocking(String method, Function<Comm, Runnable> prepare) {

    private static final int LARGE = 1 << 22;
    private static final int LAST = 1;
    private static final int[] ONES = {1, 1};

    static final Map<String, List<Blocking>> GROUPS = Map.of("message", messages().subList(0, 1), "messages", messages(), "requests", requests(), "collectives", collectives(),
            "neighbours", neighbours(), "creation", creation(), "files", files(), "windows", windows());

    /** Whether its stack shows it all the time: others ask MPI again and again. */
    boolean isSeen() {
        return !method.startsWith("Request") && !method.startsWith("Exposure");
    }

    private static Blocking of(String method, Consumer<Comm> call) {
        return new Blocking(method, comm -> () -> call.accept(comm));
    }

    private static MpiBuffer<Ints> ints(int length) {
        return MpiBuffer.of(new int[length]);
    }

    private static MpiBuffer<Bytes> bytes() {
        return MpiBuffer.of(new byte[1]);
    }

    private static List<Blocking> messages() {
        return List.of(of("Comm.recv", comm -> comm.recv(new int[1], 0, 1)),
                of("Comm.recv", comm -> comm.recv(ints(1), Comm.ANY_SOURCE, 1)),
                of("Comm.probe", comm -> comm.probe(0, 1)), of("Comm.mprobe", comm -> comm.mprobe(0, 1)),
                of("Comm.send", comm -> comm.send(new int[LARGE], 0, 1)), of("Comm.ssend", comm -> comm.ssend(ints(1), 0, 1)),
                of("Comm.sendrecv", comm -> comm.sendrecv(new int[1], 0, new int[1], 0, 1)),
                of("Comm.sendrecvReplace", comm -> comm.sendrecvReplace(ints(1), 0, 1, 0, 1)));
    }

    /** What asks MPI again and again: operations that are counted, whose stacks tell nothing. */
    private static List<Blocking> requests() {
        return List.of(of("Request.await", comm -> comm.irecv(new int[1], 0, 1).await()),
                of("Requests.awaitAll", comm -> Requests.awaitAll(comm.irecv(new int[1], 0, 1), comm.irecv(new int[1], 0, 2))),
                of("Requests.awaitAny", comm -> Requests.awaitAny(comm.irecv(new int[1], 0, 1), comm.irecv(new int[1], 0, 2))),
                of("Requests.awaitSome",
                        comm -> Requests.awaitSome(comm.irecv(new int[1], 0, 1), comm.irecv(new int[1], 0, 2))));
    }

    private static List<Blocking> collectives() {
        List<MpiBuffer<Ints>> each = List.of(ints(1), ints(1));
        return List.of(of("Comm.barrier", Comm::barrier), of("Comm.bcast", comm -> comm.bcast(new int[1], 0)),
                of("Comm.reduce", comm -> comm.reduce(new int[1], Op.SUM, LAST)),
                of("Comm.allreduce", comm -> comm.allreduce(new int[1], Op.SUM)),
                of("Comm.gather", comm -> comm.gather(new int[1], new int[2], LAST)),
                of("Comm.gatherv", comm -> comm.gatherv(ints(1), ints(2), ONES, LAST)),
                of("Comm.scatter", comm -> comm.scatter(null, ints(1), 0)),
                of("Comm.scatterv", comm -> comm.scatterv(null, null, ints(1), 0)),
                of("Comm.allgather", comm -> comm.allgather(new int[1], new int[2])),
                of("Comm.allgatherv", comm -> comm.allgatherv(ints(1), ints(2), ONES)),
                of("Comm.alltoall", comm -> comm.alltoall(new int[2], new int[2])),
                of("Comm.alltoallv", comm -> comm.alltoallv(ints(2), ONES, ints(2), ONES)),
                of("Comm.alltoallw", comm -> comm.alltoallw(each, each)),
                of("Comm.scan", comm -> comm.scan(ints(1), Op.SUM)), of("Comm.exscan", comm -> comm.exscan(ints(1), Op.SUM)),
                of("Comm.reduceScatter", comm -> comm.reduceScatter(ints(2), ints(1), ONES, Op.SUM)),
                of("Comm.reduceScatterBlock", comm -> comm.reduceScatterBlock(ints(2), ints(1), Op.SUM)));
    }

    private static List<Blocking> neighbours() {
        return List.of(ring("neighborAllgather", ring -> ring.neighborAllgather(ints(1), ints(2))),
                ring("neighborAllgatherv", ring -> ring.neighborAllgatherv(ints(1), ints(2), ONES)),
                ring("neighborAlltoall", ring -> ring.neighborAlltoall(ints(2), ints(2))),
                ring("neighborAlltoallv", ring -> ring.neighborAlltoallv(ints(2), ONES, ints(2), ONES)),
                ring("neighborAlltoallw", ring -> ring.neighborAlltoallw(List.of(ints(1), ints(1)), List.of(ints(1), ints(1)))));
    }

    private static Blocking ring(String method, Consumer<Cart> call) {
        return new Blocking("Neighborhood." + method, comm -> {
            Cart ring = comm.createCart(new int[] {2}, new boolean[] {true}, false);
            return () -> call.accept(ring);
        });
    }

    private static List<Blocking> creation() {
        return List.of(of("Comm.dup", Comm::dup), of("Comm.dupWithInfo", comm -> comm.dupWithInfo(null)),
                of("Comm.split", comm -> comm.split(0, 0)),
                of("Comm.splitType", comm -> comm.splitType(SplitType.SHARED, 0, null)),
                of("Comm.create", comm -> comm.create(comm.group())),
                of("Comm.createGroup", comm -> comm.createGroup(comm.group(), 0)),
                of("Comm.createCart", comm -> comm.createCart(new int[] {2}, new boolean[1], false)),
                of("Comm.createGraph", comm -> comm.createGraph(new int[][] {{1}, {0}}, false)),
                of("Comm.createDistGraphAdjacent",
                        comm -> comm.createDistGraphAdjacent(new int[] {0}, new int[] {0}, null, false)),
                of("Comm.createDistGraph", comm -> comm.createDistGraph(Map.of(1, new int[] {0}), null, false)),
                new Blocking("Cart.sub", comm -> {
                    Cart grid = comm.createCart(new int[] {2}, new boolean[1], false);
                    return () -> grid.sub(new boolean[] {true});
                }), new Blocking("Comm.createIntercomm", comm -> {
                    Comm own = comm.split(comm.rank(), 0);
                    return () -> own.createIntercomm(0, comm, 0, 1);
                }), new Blocking("Intercomm.merge", comm -> {
                    Intercomm both = comm.split(comm.rank(), 0).createIntercomm(0, comm, 1 - comm.rank(), 1);
                    return () -> both.merge(true);
                }), of("Comm.openFile", comm -> comm.openFile(Blocked.path("none"), FileMode.READ_WRITE, FileMode.CREATE)),
                of("Comm.createWindow", comm -> comm.createWindow(MpiBuffer.allocate(Datatype.INT, 1))),
                of("Comm.allocateWindow", comm -> comm.allocateWindow(Datatype.INT, 1, null)),
                of("Comm.allocateSharedWindow", comm -> comm.allocateSharedWindow(Datatype.INT, 1, null)),
                of("Comm.createDynamicWindow", comm -> comm.createDynamicWindow(Datatype.INT, null)));
    }

    private static List<Blocking> files() {
        return List.of(file("setView", file -> file.setView(FileView.of(0, Datatype.INT))),
                file("setSize", file -> file.setSize(4)), file("preallocate", file -> file.preallocate(4)),
                file("seekShared", file -> file.seekShared(0, Seek.SET)), file("close", MpiFile::close),
                file("setAtomic", file -> file.setAtomic(true)), file("sync", MpiFile::sync),
                file("readAll", file -> file.readAll(bytes())), file("readAtAll", file -> file.readAtAll(0, bytes())),
                file("writeAll", file -> file.writeAll(bytes())), file("writeAtAll", file -> file.writeAtAll(0, bytes())),
                file("readOrdered", file -> file.readOrdered(bytes())),
                file("writeOrdered", file -> file.writeOrdered(bytes())));
    }

    private static Blocking file(String method, Consumer<MpiFile> call) {
        return new Blocking("MpiFile." + method, comm -> {
            String path = Blocked.path(method);
            MpiFile file = comm.openFile(path, FileMode.READ_WRITE, FileMode.CREATE, FileMode.DELETE_ON_CLOSE);
            return () -> call.accept(file);
        });
    }

    private static List<Blocking> windows() {
        return List.of(window("Window.fence", Window::fence), window("Window.close", Window::close),
                window("FenceEpoch.next", Window::fence, (window, epoch) -> epoch.next()),
                window("Epoch.close", Window::fence, (window, epoch) -> epoch.close()),
                window("ExposureEpoch.close", window -> window.post(window.group()), (window, epoch) -> epoch.close()));
    }

    private static Blocking window(String method, Consumer<Window<Ints>> call) {
        return window(method, window -> window, (window, same) -> call.accept(window));
    }

    private interface Use<T> {
        void of(Window<Ints> window, T made);
    }

    private static <T> Blocking window(String method, Function<Window<Ints>, T> before, Use<T> call) {
        return new Blocking(method, comm -> {
            Window<Ints> window = comm.allocateWindow(Datatype.INT, 1, null);
            T made = before.apply(window);
            return () -> call.of(window, made);
        });
    }
}

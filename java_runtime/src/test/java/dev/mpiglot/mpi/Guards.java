package dev.mpiglot.mpi;

import dev.mpiglot.low.Caching;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.ErrhandlerHandle;
import dev.mpiglot.low.Generalized;
import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.Infos;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.PointToPoint;
import dev.mpiglot.low.RequestHandle;
import dev.mpiglot.low.Sessions;
import dev.mpiglot.low.StatusValue;
import dev.mpiglot.low.Topologies;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Programs that use MPI at the wrong time; each prints what it gets. The argument says which. */
public final class Guards {

    private Guards() {
    }

    public static void main(String[] args) throws InterruptedException {
        switch (args[0]) {
            case "before" -> {
                tell(() -> Communicators.commRank(CommHandle.WORLD));
                tell(Environment::finalizeMpi);
            }
            case "after" -> {
                Mpi mpi = Mpi.init();
                Comm world = mpi.world();
                mpi.close();
                mpi.close();
                tell(mpi::world);
                tell(world::rank);
                tell(Mpi::init);
                tell(() -> Sessions.sessionInit(InfoHandle.NULL, ErrhandlerHandle.ERRORS_RETURN));
                tell(Environment::finalizeMpi);
            }
            case "everything" -> {
                tellEach("before");
                Mpi.init().close();
                tellEach("after");
            }
            case "threads" -> {
                Environment.initThread(args[1].equals("funneled") ? MpiConstants.THREAD_FUNNELED
                        : MpiConstants.THREAD_MULTIPLE);
                tell(() -> Communicators.commRank(CommHandle.WORLD));
                Thread other = new Thread(() -> tell(() -> Communicators.commRank(CommHandle.WORLD)), "other");
                other.start();
                other.join();
                Environment.finalizeMpi();
            }
            case "first" -> Mpi.run(mpi -> waitForMany(args[1]));
            case "virtual" -> {
                try (Mpi mpi = Mpi.init(dev.mpiglot.low.ThreadLevel.SERIALIZED)) {
                    Comm self = mpi.self();
                    int[] got = new int[1];
                    Thread.ofVirtual().start(() -> {
                        tell(() -> self.recv(got, 0, 0));
                        tell(self::barrier);
                        tell(self::dup);
                    }).join();
                    Request receive = self.irecv(got, 0, 1);
                    tell(receive::completion);
                    self.send(new int[1], 0, 1);
                    receive.await();
                }
            }
            case "which" -> {
                Library library = Library.load();
                System.out.println(library.path() + "|" + library.table() + "|" + library.abi());
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** The first call of waitall in this process, with arrays of more bytes than a thread has for its calls. */
    private static void waitForMany(String how) {
        var self = CommHandle.SELF;
        if (how.equals("handler")) {
            Environment.commSetErrhandler(self, Environment.commCreateErrhandler((comm, code) -> { }));
        }
        int many = 5000;
        var requests = new RequestHandle[many];
        var statuses = new StatusValue[many];
        MemorySegment got = Arena.global().allocate(4L * many, 4);
        MemorySegment sent = Arena.global().allocate(4, 4);
        for (int i = 0; i < many; i++) {
            statuses[i] = new StatusValue();
            requests[i] = PointToPoint.irecv(got.asSlice(4L * i, 4), 1, DatatypeHandle.INT, 0, i, self);
        }
        for (int i = 0; i < many; i++) {
            sent.set(ValueLayout.JAVA_INT, 0, i);
            PointToPoint.send(sent, 1, DatatypeHandle.INT, 0, i, self);
        }
        PointToPoint.waitall(requests, how.equals("statuses") ? statuses : null);
        for (int i = 0; i < many; i++) {
            Check.equal(got.getAtIndex(ValueLayout.JAVA_INT, i), i);
            Check.equal(requests[i].handle(), RequestHandle.NULL.handle());
            Check.isTrue(!how.equals("statuses") || statuses[i].tag() == i, "a status");
        }
        System.out.println(many + " messages came");
    }

    /** Local functions that need a running MPI; then infos, which do since MPI 4 no longer. */
    private static void tellEach(String when) {
        List<Runnable> needy = List.of(Environment::getProcessorName, Environment::wtime, Environment::wtick,
                Generalized::queryThread, Generalized::isThreadMain,
                Generalized::addErrorClass, () -> Topologies.dimsCreate(4, new int[2]),
                () -> Datatypes.getAddress(MemorySegment.NULL), () -> Environment.allocMem(8, InfoHandle.NULL),
                () -> Caching.commCreateKeyval(null, null));
        for (Runnable each : needy) {
            try {
                each.run();
                System.out.println(when + " " + needy.indexOf(each) + ": nothing was thrown");
            } catch (ClosedException e) {
                if (!e.getMessage().startsWith(when.equals("before") ? "MPI is not started" : "MPI is closed")) {
                    System.out.println(when + ": " + e.getMessage());
                }
            }
        }
        tell(() -> {
            InfoHandle info = Infos.infoCreate();
            Infos.infoFree(info);
            Environment.errorClass(0);
            System.out.print("infos are there and ");
        });
    }

    private static void tell(Runnable action) {
        try {
            action.run();
            System.out.println("nothing was thrown");
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
}

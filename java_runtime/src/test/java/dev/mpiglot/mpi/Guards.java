package dev.mpiglot.mpi;

import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Library;

/** Programs that use MPI at the wrong time; each prints what it gets. The argument says which. */
public final class Guards {

    private Guards() {
    }

    public static void main(String[] args) throws InterruptedException {
        switch (args[0]) {
            case "before" -> tell(() -> Communicators.commRank(dev.mpiglot.low.Comm.WORLD));
            case "after" -> {
                Mpi mpi = Mpi.init();
                Comm world = mpi.world();
                mpi.close();
                tell(world::rank);
                tell(Mpi::init);
            }
            case "abort" -> Mpi.run(mpi -> {
                if (mpi.world().rank() == mpi.world().size() - 1) {
                    throw new IllegalStateException("this process cannot go on");
                }
                mpi.world().recv(new int[1], mpi.world().size() - 1, 0);
            });
            case "threads" -> {
                Environment.initThread(args[1].equals("funneled") ? dev.mpiglot.low.Mpi.THREAD_FUNNELED
                        : dev.mpiglot.low.Mpi.THREAD_MULTIPLE);
                tell(() -> Communicators.commRank(dev.mpiglot.low.Comm.WORLD));
                Thread other = new Thread(() -> tell(() -> Communicators.commRank(dev.mpiglot.low.Comm.WORLD)), "other");
                other.start();
                other.join();
                Environment.finalizeMpi();
            }
            case "which" -> {
                Library library = Library.load();
                System.out.println(library.path() + "|" + library.table() + "|" + library.abi());
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
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

package dev.mpiglot.mpi;

import dev.mpiglot.low.ThreadLevel;

/** Programs in which the last process does not get to the end of MPI, and some in which all do. The argument says which. */
public final class Ends {

    private Ends() {
    }

    private static final class Broken extends RuntimeException {

        private static final long serialVersionUID = 1;

        Broken() {
            super("this process cannot go on");
        }
    }

    private static boolean isLast(Comm world) {
        return world.rank() == world.size() - 1;
    }

    private static void waitForTheLast(Comm world) {
        world.recv(new int[1], world.size() - 1, 0);
    }

    public static void main(String[] args) throws InterruptedException {
        switch (args[0]) {
            case "body" -> Mpi.run(mpi -> {
                if (isLast(mpi.world())) {
                    throw new Broken();
                }
                waitForTheLast(mpi.world());
            });
            case "thread" -> Mpi.run(mpi -> {
                if (isLast(mpi.world())) {
                    Thread.ofPlatform().name("worker").start(() -> {
                        throw new Broken();
                    });
                }
                waitForTheLast(mpi.world());
            });
            case "virtual" -> Mpi.run(mpi -> {
                if (isLast(mpi.world())) {
                    Thread.ofVirtual().name("worker").start(() -> {
                        throw new Broken();
                    });
                }
                waitForTheLast(mpi.world());
            });
            case "funneled" -> {
                try (Mpi mpi = Mpi.init(ThreadLevel.FUNNELED)) {
                    if (isLast(mpi.world())) {
                        Thread.ofPlatform().name("worker").start(() -> {
                            throw new Broken();
                        });
                    }
                    waitForTheLast(mpi.world());
                }
            }
            case "exit" -> Mpi.run(mpi -> {
                if (isLast(mpi.world())) {
                    System.exit(0);
                }
                mpi.world().barrier();
            });
            case "block" -> {
                try (Mpi mpi = Mpi.init()) {
                    if (isLast(mpi.world())) {
                        throw new Broken();
                    }
                    waitForTheLast(mpi.world());
                }
            }
            case "nested" -> {
                try (Mpi mpi = Mpi.init(); Comm other = mpi.world().dup()) {
                    if (isLast(other)) {
                        throw new Broken();
                    }
                    waitForTheLast(other);
                }
            }
            case "finally" -> {
                Mpi mpi = Mpi.init();
                try {
                    if (isLast(mpi.world())) {
                        throw new Broken();
                    }
                    waitForTheLast(mpi.world());
                } finally {
                    mpi.close();
                }
            }
            case "caught" -> caught();
            case "forgotten" -> {
                Mpi mpi = Mpi.init();
                if (!isLast(mpi.world())) {
                    waitForTheLast(mpi.world());
                }
            }
            case "fine" -> fine();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** The exception of the block is caught outside of it, where nobody knows that others wait. */
    private static void caught() throws InterruptedException {
        try (Mpi mpi = Mpi.init()) {
            if (isLast(mpi.world())) {
                throw new Broken();
            }
            waitForTheLast(mpi.world());
        } catch (Broken e) {
            Thread.sleep(60_000);
        }
    }

    /** Blocks that are left in every way but by an exception, inside of others that would see one. */
    private static void fine() {
        int sum = 0;
        try (java.io.StringReader outer = new java.io.StringReader("")) {
            for (int i = outer.read(); i < 0; i++) {
                try (Mpi mpi = Mpi.init()) {
                    try (Comm other = mpi.world().dup()) {
                        other.barrier();
                        throw new Broken();
                    } catch (Broken e) {
                        sum += mpi.world().size();
                    }
                    if (sum > 0) {
                        continue;
                    }
                    sum = -1;
                } finally {
                    sum++;
                }
            }
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
        System.out.println("fine: " + sum);
    }
}

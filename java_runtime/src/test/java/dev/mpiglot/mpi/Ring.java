package dev.mpiglot.mpi;

/** The neighbours of a process, where the last rank is beside the first. */
final class Ring {

    private Ring() {
    }

    static int right(Comm comm) {
        return (comm.rank() + 1) % comm.size();
    }

    static int left(Comm comm) {
        return (comm.rank() + comm.size() - 1) % comm.size();
    }
}

package dev.mpiglot.mpi;

import mpi.MPIException;

/** Calls of Open MPI's package, whose exceptions are checked ones. */
final class Calls {

    interface Question<T> {
        T ask() throws MPIException;
    }

    interface Action {
        void run() throws MPIException;
    }

    private Calls() {
    }

    static <T> T ask(Question<T> question) {
        try {
            return question.ask();
        } catch (MPIException e) {
            throw new IllegalStateException(e);
        }
    }

    static void run(Action action) {
        try {
            action.run();
        } catch (MPIException e) {
            throw new IllegalStateException(e);
        }
    }
}

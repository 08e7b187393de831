package dev.mpiglot.mpi;

import java.util.List;

/**
 * A program of steps, in which each process has a state, for {@link Resilient#run(Comm, SurvivingProgram, Codec, int)}.
 * All processes that are left call the same method at the same time. The communicator they get is of these; they do not
 * close it, and the messages they send on it have tags below 32767.
 *
 * @param <T> the type of a state
 */
public interface SurvivingProgram<T> {

    /**
     * Makes the state of this process before the first step.
     *
     * @param comm the communicator
     * @return the state
     */
    T begin(Comm comm);

    /**
     * Does a step.
     *
     * @param comm the communicator
     * @param state the state of this process, which the step may change
     * @return its state after the step: the same object or another one
     */
    T step(Comm comm, T state);

    /**
     * Says whether there is nothing left to do. The program ends when one process says so.
     *
     * @param state the state of this process
     * @return whether it is done
     */
    boolean isDone(T state);

    /**
     * Makes one state of several after processes have failed. It may exchange data with the other processes.
     *
     * @param comm the communicator
     * @param parts the states before the step that failed: that of this process, and those of processes before it, for the
     *     last ones also behind it, that have failed, in the order of their ranks
     * @return the state of this process
     */
    T join(Comm comm, List<T> parts);
}

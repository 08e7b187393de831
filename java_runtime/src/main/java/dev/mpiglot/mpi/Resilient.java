package dev.mpiglot.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Repeats steps of a program whatever processes fail ({@link FailureMitigation}). */
public final class Resilient {

    // What processes tell, as bits that all of them have.
    static final int UNDISTURBED = 1;
    static final int GOES_ON = 8;
    private static final int RIGHT = 2;
    private static final int NONE_FAILED = 4;
    private static final int ALL = UNDISTURBED | RIGHT | NONE_FAILED | GOES_ON;

    /** What the step of this thread frees when it is known how it has ended; null: there is no step. */
    private static final ThreadLocal<List<Runnable>> DEFERRED = new ThreadLocal<>();

    private Resilient() {
    }

    /**
     * Does a step of a program: calls it with a communicator of the processes that are left, and again after a failure,
     * until all of them have done it without one. Collective.
     *
     * <p>What the step changes must be right after a repetition, for instance loaded from a file. Communicators that it
     * makes of its own, and closes, are freed after it. Windows and files that it opens, and other communicators, take no
     * part: their calls may wait for ever after a failure.
     *
     * @param on whose processes do the step; it stays as it is
     * @param step gets the communicator of those that are left, which it does not close
     * @return the communicator of the processes that have done the step, to be closed
     * @throws RemoteFailureException if the step has thrown something else on another process, and no process has failed.
     *     There, that is thrown
     * @throws MpiException if MPI reports an error; an {@link UnavailableException} if this job ends with a failure
     */
    public static Comm run(Comm on, Consumer<? super Comm> step) {
        Arguments.present("step", step);
        Comm comm = Arguments.present("on", on).shrink();
        Predicate<Comm> once = each -> {
            step.accept(each);
            return false;
        };
        while ((told(comm, once) & UNDISTURBED) == 0) {
            Comm left = comm.shrink();
            comm.close();
            comm = left;
        }
        return comm;
    }

    /**
     * Does a program of steps with the states of all processes. A step counts when all processes that are left have done
     * it, and have sent a copy of their states to {@code copies} others. Else these have their states from before it again,
     * {@link SurvivingProgram#join} makes one of those that a process has, and the step is repeated. Collective.
     *
     * <p>A state is encoded after each step; it is decoded after a failure only, so what the codec leaves out is missing
     * then. What else a step changes must be right after a repetition.
     *
     * @param <T> the type of a state
     * @param on whose processes run the program; it stays as it is
     * @param program the steps
     * @param codec makes bytes of states, and states of bytes
     * @param copies how many other processes have each state, from 1 on: as many may fail at the same time. All processes
     *     give the same
     * @return the communicator of those that are left, to be closed, with the state of this one
     * @throws StateLostException on all processes if one failed, and all those that had copies of its state
     * @throws RemoteFailureException if the program has thrown something else on another process, and no process has
     *     failed. There, that is thrown
     * @throws CodecException if the state of this process could not be encoded or decoded
     * @throws MpiException if MPI reports an error; an {@link UnavailableException} if this job ends with a failure
     */
    public static <T> Survivors<T> run(Comm on, SurvivingProgram<T> program, Codec<T> codec, int copies) {
        Arguments.present("program", program);
        Arguments.present("codec", codec);
        if (copies < 1) {
            throw new IllegalArgumentException("There must be 1 copy or more, not " + copies + ".");
        }
        return new States<>(Arguments.present("on", on).shrink(), program, codec, copies).run();
    }

    /** Whether this thread is in a step, at whose end it does the action. */
    static boolean isDeferred(Runnable free) {
        List<Runnable> later = DEFERRED.get();
        return later != null && later.add(free);
    }

    /**
     * Does a step, which says whether another one follows, until all processes that are left have come to its end. The bits
     * of all; without {@link #UNDISTURBED}, the communicator is revoked.
     */
    static int told(Comm comm, Predicate<Comm> step) {
        List<Runnable> before = DEFERRED.get();
        List<Runnable> frees = new ArrayList<>();
        DEFERRED.set(frees);
        Throwable thrown = null;
        int bits = ALL;
        try {
            if (!step.test(comm)) {
                bits &= ~GOES_ON;
            }
        } catch (ProcessFailedException e) {
            bits = RIGHT;
        } catch (RevokedException e) {
            bits &= ~UNDISTURBED;
        } catch (Throwable e) { // the others may wait for this process
            thrown = e;
            bits = NONE_FAILED;
        } finally {
            DEFERRED.set(before);
        }
        int told = agreed(comm, bits);
        frees.forEach(Survival::end);
        if ((told & RIGHT) == 0 && (told & NONE_FAILED) != 0) {
            comm.close();
            throw thrownHere(thrown);
        }
        return told;
    }

    /** The bits of all. */
    private static int agreed(Comm comm, int bits) {
        if ((bits & UNDISTURBED) == 0) {
            Survival.revoke(comm.word());
        }
        try {
            return comm.agree(bits);
        } catch (ProcessFailedException | RevokedException e) {
            // All learn the same. Calls may have gone well on all of them without what the failed process was to give.
            if ((bits & UNDISTURBED) != 0) {
                Survival.revoke(comm.word());
            }
            return bits & RIGHT;
        }
    }

    private static RuntimeException thrownHere(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown == null ? new RemoteFailureException() : Progress.ownOf(thrown);
    }
}

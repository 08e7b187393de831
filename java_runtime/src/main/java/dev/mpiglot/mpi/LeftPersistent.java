package dev.mpiglot.mpi;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What MPI needs of a persistent operation, started or not. */
final class LeftPersistent extends Left {

    private final List<Life> kept;
    private final boolean withNobody;
    private final AtomicBoolean startFailed;

    LeftPersistent(Persistent user, Loan memory, Request.Work work, StackTraceElement place, List<Life> kept,
            boolean withNobody, AtomicBoolean startFailed) {
        super(user, user.handle(), memory, work, place);
        this.kept = kept;
        this.withNobody = withNobody;
        this.startFailed = startFailed;
    }

    @Override
    boolean isIdle() {
        return startFailed.get();
    }

    @Override
    boolean isPrepared() {
        return true;
    }

    @Override
    String what() {
        return work() == Request.Work.PARTITIONED ? work().toString() : "persistent " + work();
    }

    @Override
    String mistake() {
        return "was dropped and not closed. It is given back when it is complete";
    }

    /** While the program has it, it may keep as much as it wants. */
    @Override
    long copied() {
        return isDropped() ? super.copied() : 0;
    }

    /** One that was not started is complete, too. */
    @Override
    void end(boolean isComplete) {
        if (isComplete) {
            Persistent.giveBack(handle(), withNobody);
        }
        super.end(isComplete);
        if (isOver()) {
            kept.forEach(Life::release);
        }
    }
}

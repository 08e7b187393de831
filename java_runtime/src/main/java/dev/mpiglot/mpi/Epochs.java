package dev.mpiglot.mpi;

import java.util.ArrayList;
import java.util.List;

/** The epochs of a window that are open at this process. */
final class Epochs {

    private final List<Epoch> open = new ArrayList<>();

    /** Takes a new one before MPI is called; throws if it cannot be beside those that are open. */
    synchronized void add(Epoch epoch) {
        for (Epoch other : open) {
            if (isRefused(epoch, other)) {
                throw new IllegalStateException("The window has an open epoch of " + other.kind()
                        + (other.kind() == Epoch.Kind.LOCK ? " of rank " + other.rank() : "")
                        + ": end it before one of " + epoch.kind() + " begins.");
            }
        }
        open.add(epoch);
    }

    private static boolean isRefused(Epoch one, Epoch other) {
        if (one.kind() == Epoch.Kind.LOCK && other.kind() == Epoch.Kind.LOCK) {
            return one.rank() == other.rank();
        }
        boolean fence = one.kind() == Epoch.Kind.FENCE || other.kind() == Epoch.Kind.FENCE;
        return fence || (one.kind() == Epoch.Kind.POST) == (other.kind() == Epoch.Kind.POST);
    }

    synchronized void remove(Epoch epoch) {
        open.remove(epoch);
    }

    synchronized boolean isEmpty() {
        return open.isEmpty();
    }

    /** Throws unless an epoch gives access to this process. */
    synchronized void require(int target) {
        boolean isNobody = target == Comm.PROC_NULL;
        if (open.stream().noneMatch(epoch -> isNobody ? epoch.kind() != Epoch.Kind.POST
                : epoch.kind() != Epoch.Kind.POST && epoch.reaches(target))) {
            throw new IllegalStateException((isNobody ? "No epoch gives access to other processes"
                    : "No epoch gives access to rank " + target) + ": begin one with fence, start, lock or lockAll.");
        }
    }

    /** Throws unless this process is locked, or any with {@link WindowEpochs#EVERY_TARGET}. */
    synchronized void requireLock(int target) {
        boolean isAny = target == WindowEpochs.EVERY_TARGET || target == Comm.PROC_NULL;
        if (open.stream().noneMatch(epoch -> epoch.kind() == Epoch.Kind.LOCK_ALL
                || epoch.kind() == Epoch.Kind.LOCK && (isAny || epoch.rank() == target))) {
            throw new IllegalStateException((isAny ? "No rank is locked" : "Rank " + target + " is not locked")
                    + ": this call needs an epoch of lock or lockAll.");
        }
    }
}

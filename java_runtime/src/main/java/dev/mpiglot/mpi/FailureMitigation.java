package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Extensions;
import dev.mpiglot.low.Library;

/**
 * The methods of {@link Comm} for programs that go on after processes have failed (User Level Failure Mitigation), with
 * Open MPI 5 and {@code mpiexec --with-ft ulfm}. Elsewhere they throw an {@link UnavailableException} that says what is
 * missing.
 *
 * <p>Every operation throws a {@link ProcessFailedException} where it notices a failure, and a {@link RevokedException}
 * after a process has revoked the communicator. MPI does not tell all processes of a failure: a collective operation may
 * be complete on some and fail on others. So a result counts after {@link #agree}; {@link Resilient} keeps to that.
 */
public sealed interface FailureMitigation permits Comm {

    private Comm comm() {
        return (Comm) this;
    }

    /**
     * {@return whether the program can go on after a failure: this MPI can, and the job was started for it} Local.
     */
    default boolean survivesFailures() {
        return comm().using(() -> Survival.missing() == null);
    }

    /**
     * Makes every call on this communicator fail, on all processes, now and later ({@link RevokedException}). So do
     * those on communicators that were made of it, by {@link Comm#dup}, {@link Comm#split} and the like. {@link #shrink}
     * and {@link #agree} go on. {@code MPIX_Comm_revoke} Local.
     *
     * @throws MpiException if MPI reports an error; an {@link UnavailableException} if this job ends with a failure
     */
    default void revoke() {
        Survival.require("revoke");
        comm().using(() -> {
            Survival.revoke(comm().word());
            return null;
        });
    }

    /**
     * {@return whether a process has revoked this communicator, as far as this one knows} {@code MPIX_Comm_is_revoked}
     * Local.
     *
     * @throws MpiException if MPI reports an error; an {@link UnavailableException} if this job ends with a failure
     */
    default boolean isRevoked() {
        Survival.require("isRevoked");
        return comm().using(() -> Extensions.commIsRevoked(comm().word()));
    }

    /**
     * Makes a communicator of the processes that are left, in their order. Revoking this communicator does not revoke
     * it. {@code MPIX_Comm_shrink}, {@code MPIX_Comm_agree} Collective among the processes that are left.
     *
     * @return the communicator, to be closed
     * @throws MpiException if MPI reports an error; an {@link UnavailableException} if this job ends with a failure
     */
    default Comm shrink() {
        Survival.require("shrink");
        try (Call call = comm().begin()) {
            Comm[] made = new Comm[1];
            call.takePart(() -> made[0] = Comm.adopt(Survival.shrink(comm().word())));
            return made[0];
        }
    }

    /**
     * Tells all processes that are left the same bits, whatever fails meanwhile. {@code MPIX_Comm_agree} Collective among
     * the processes that are left.
     *
     * @param bits what this process says
     * @return the bits that all of them have said
     * @throws ProcessFailedException on all of them if processes have failed that not all have acknowledged ({@link #ack})
     * @throws MpiException if MPI reports an error; an {@link UnavailableException} if this job ends with a failure
     */
    default int agree(int bits) {
        Survival.require("agree");
        try (Call call = comm().begin()) {
            int[] told = {bits};
            call.takePart(() -> Extensions.commAgree(comm().word(), told));
            return told[0];
        }
    }

    /**
     * The same for one bit.
     *
     * @param well what this process says
     * @return whether all processes that are left say so
     * @throws ProcessFailedException on all of them if processes have failed that not all have acknowledged ({@link #ack})
     * @throws MpiException if MPI reports an error; an {@link UnavailableException} if this job ends with a failure
     */
    default boolean agree(boolean well) {
        return agree(well ? 1 : 0) != 0;
    }

    /**
     * {@return the processes of this communicator that this one knows to have failed, a group to be closed}
     * {@code MPIX_Comm_get_failed}, or {@code MPIX_Comm_failure_ack} and {@code MPIX_Comm_failure_get_acked} where that is
     * missing, which acknowledges them, too. Local.
     *
     * @throws MpiException if MPI reports an error; an {@link UnavailableException} if this job ends with a failure
     */
    default Group failed() {
        Survival.require("failed");
        return comm().using(() -> {
            CommHandle handle = comm().word();
            if (Library.load().has("MPIX_Comm_get_failed")) {
                return Group.adopt(Extensions.commGetFailed(handle));
            }
            Extensions.commFailureAck(handle);
            return Group.adopt(Extensions.commFailureGetAcked(handle));
        });
    }

    /**
     * Acknowledges the processes of {@link #failed}: {@link #agree} no longer throws because of them, and receives from
     * {@link Comm#ANY_SOURCE} no longer fail. {@code MPIX_Comm_ack_failed}, or {@code MPIX_Comm_failure_ack} where that is
     * missing. Local.
     *
     * @return how many this process has acknowledged on this communicator
     * @throws MpiException if MPI reports an error; an {@link UnavailableException} if this job ends with a failure
     */
    default int ack() {
        Survival.require("ack");
        try (Group dead = failed()) {
            int all = dead.size();
            return Library.load().has("MPIX_Comm_ack_failed")
                    ? comm().using(() -> Extensions.commAckFailed(comm().word(), all)) : all;
        }
    }
}

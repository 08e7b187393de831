package dev.mpiglot.mpi;

import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.MpiConstants;

/** The methods of {@link Comm} that make communicators of processes, and its hints. */
public sealed interface CommunicatorCreation permits Comm {

    private Comm comm() {
        return (Comm) this;
    }

    /**
     * Makes a communicator of the same group, whose messages never meet this one's. A grid or graph stays one.
     * {@code MPI_Comm_dup} Collective.
     *
     * @return the communicator, to be closed
     * @throws MpiException if MPI reports an error
     */
    default Comm dup() {
        try (Call call = comm().begin()) {
            return Comm.make(call, () -> Communicators.commDup(comm().word()));
        }
    }

    /**
     * The same with other hints. {@code MPI_Comm_dup_with_info} Collective.
     *
     * @param hints the hints of the new communicator; null: none
     * @return the communicator, to be closed
     * @throws IllegalStateException if the hints are closed: after taking part without them
     * @throws MpiException if MPI reports an error
     */
    default Comm dupWithInfo(@Nullable Info hints) {
        try (Call call = comm().begin()) {
            return Comm.make(call, () -> Info.during(call, hints, info -> Communicators.commDupWithInfo(comm().word(), info)));
        }
    }

    /**
     * Begins {@link #dup}. {@code MPI_Comm_idup} Collective.
     *
     * @return the operation, which gives the communicator when it is complete
     * @throws MpiException if MPI reports an error
     */
    default CommRequest idup() {
        try (Call call = comm().begin()) {
            Communicators.CommIdupResult begun = Communicators.commIdup(comm().word());
            call.note(AttributeKey.takeThrown());
            return new CommRequest(call.begun(begun.request(), null, Request.Work.COLLECTIVE), comm().word(),
                    begun.newcomm());
        }
    }

    /**
     * Begins {@link #dupWithInfo}. {@code MPI_Comm_idup_with_info} Collective. Since MPI 4.0; not in every library.
     *
     * @param hints the hints of the new communicator; null: none
     * @return the operation, which gives the communicator when it is complete
     * @throws IllegalStateException if the hints are closed: after taking part without them
     * @throws MpiException if MPI reports an error, or the library lacks the function
     */
    default CommRequest idupWithInfo(@Nullable Info hints) {
        try (Call call = comm().begin()) {
            Communicators.CommIdupWithInfoResult begun = Info.during(call, hints,
                    info -> Communicators.commIdupWithInfo(comm().word(), info));
            call.note(AttributeKey.takeThrown());
            return new CommRequest(call.begun(begun.request(), null, Request.Work.COLLECTIVE), comm().word(),
                    begun.newcomm());
        }
    }

    /**
     * Divides the group. {@code MPI_Comm_split} Collective.
     *
     * @param color processes with the same color get together; 0 or more, or {@link Comm#UNDEFINED} for no communicator
     * @param key orders them; where it is equal, their ranks here do
     * @return the communicator of those with this color, to be closed; {@link Comm#isNull} for {@link Comm#UNDEFINED}
     * @throws IllegalArgumentException if there is no such color: after taking part as {@link Comm#UNDEFINED}
     * @throws MpiException if MPI reports an error
     */
    default Comm split(int color, int key) {
        boolean isColor = color >= 0 || color == MpiConstants.UNDEFINED;
        try (Call call = comm().begin()) {
            if (!isColor) {
                call.note(new IllegalArgumentException("The color " + color + " is negative: it must be 0 or more."));
            }
            return Comm.make(call, () -> Communicators.commSplit(comm().word(), isColor ? color : MpiConstants.UNDEFINED, key));
        }
    }

    /**
     * Divides the group into those that have something in common. {@code MPI_Comm_split_type} Collective.
     *
     * @param type what that is; the same on all processes, or {@link SplitType#UNDEFINED}
     * @param key orders them; where it is equal, their ranks here do
     * @param hints what some types need; null: none
     * @return the communicator, to be closed; {@link Comm#isNull} for {@link SplitType#UNDEFINED}, and where the
     *     library does not divide the hardware further
     * @throws IllegalArgumentException if the type is null: after taking part as {@link SplitType#UNDEFINED}
     * @throws IllegalStateException if the hints are closed: after taking part without them
     * @throws MpiException if MPI reports an error; an {@link UnavailableException} if the library lacks the
     *     type: after taking part as {@link SplitType#UNDEFINED}
     */
    default Comm splitType(SplitType type, int key, @Nullable Info hints) {
        try (Call call = comm().begin()) {
            call.note(Parts.mistakeOf(() -> Arguments.present("type", type)));
            int kind = type == null ? MpiConstants.UNDEFINED : type.value();
            return Comm.make(call, () -> Info.during(call, hints, info -> {
                try {
                    return Instead.commSplitType(comm().word(), kind, key, info);
                } catch (UnavailableException e) {
                    call.note(e);
                    return Instead.commSplitType(comm().word(), MpiConstants.UNDEFINED, key, info);
                }
            }));
        }
    }

    /**
     * Makes a communicator of a group. {@code MPI_Comm_create} Collective: all processes of this communicator call it.
     * Groups of different processes may differ if they have no process in common.
     *
     * @param group processes of this communicator; {@link Group#EMPTY} on processes that need no communicator
     * @return the communicator, to be closed; {@link Comm#isNull} on processes that are not in their group
     * @throws IllegalArgumentException if the group is null: at once, and others wait
     * @throws IllegalStateException if the group is closed: at once, and others wait
     * @throws MpiException if MPI reports an error
     */
    default Comm create(Group group) {
        Arguments.present("group", group);
        try (Call call = comm().begin()) {
            return Comm.make(call, () -> group.using(() -> comm().inherited(Communicators.commCreate(comm().word(), group.word()))));
        }
    }

    /**
     * The same, called only by the processes of the group. {@code MPI_Comm_create_group} Collective over the group.
     *
     * @param group processes of this communicator, this one among them; the same on all of them
     * @param tag 0 or more; tells calls apart that several threads make at the same time
     * @return the communicator, to be closed
     * @throws IllegalArgumentException if the group is null, this process is not in it, or the tag is negative
     * @throws IllegalStateException if the group is closed
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default Comm createGroup(Group group, int tag) {
        comm().requireUse();
        requireTag(tag);
        if (Arguments.present("group", group).rank().isEmpty()) {
            throw new IllegalArgumentException("This process is not in the group: only its processes make the call.");
        }
        try (Call call = comm().within()) {
            return Comm.makeAmongMakers(call, () -> group.using(
                    () -> comm().inherited(Communicators.commCreateGroup(comm().word(), group.word(), tag))));
        }
    }

    /**
     * Joins the processes of this communicator with those of another one, which make the same call there.
     * {@code MPI_Intercomm_create} Collective over both.
     *
     * @param localLeader a rank here, the same on all processes: this process finds the others
     * @param peer a communicator that has both leaders; used at the leader only and may be null elsewhere
     * @param remoteLeader the rank in {@code peer} of the leader of the others; used at the leader only
     * @param tag 0 or more; of messages in {@code peer}, the same on all processes
     * @return the intercommunicator, to be closed
     * @throws IllegalArgumentException if a leader is no rank, the tag is negative, or the leader has no {@code peer}:
     *     at once, and others wait
     * @throws UnsupportedOperationException if this is an intercommunicator
     * @throws MpiException if MPI reports an error
     */
    default Intercomm createIntercomm(int localLeader, @Nullable Comm peer, int remoteLeader, int tag) {
        requireTag(tag);
        try (Call call = comm().within()) {
            Arguments.rank("localLeader", localLeader, comm().size());
            if (comm().rank() != localLeader) {
                return (Intercomm) Comm.make(call,
                        () -> Communicators.intercommCreate(comm().word(), localLeader, comm().word(), 0, tag));
            }
            Arguments.rank("remoteLeader", remoteLeader, Arguments.present("peer", peer).processes());
            return (Intercomm) Comm.make(call, () -> peer.using(
                    () -> Communicators.intercommCreate(comm().word(), localLeader, peer.word(), remoteLeader, tag)));
        }
    }

    private static void requireTag(int tag) {
        if (tag < 0) {
            throw new IllegalArgumentException("The tag is " + tag + ": it must be 0 or more.");
        }
    }

    /**
     * Gives the communicator hints. {@code MPI_Comm_set_info} Collective.
     *
     * @param hints the hints
     * @throws IllegalArgumentException if the hints are null: at once, and others may wait
     * @throws IllegalStateException if the hints are closed: at once, and others may wait
     * @throws MpiException if MPI reports an error
     */
    default void setInfo(Info hints) {
        Arguments.present("hints", hints);
        try (Call call = comm().begin()) {
            call.takePart(() -> hints.using(() -> {
                Communicators.commSetInfo(comm().word(), hints.word());
                return hints;
            }));
        }
    }
}

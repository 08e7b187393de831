package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Communicators;
import dev.mpiglot.low.MpiConstants;
import java.util.function.Supplier;

/** The methods of {@link Comm} that make communicators of processes, and its hints. */
abstract sealed class CommFactory extends CommBuffers permits WindowFactory {

    /** {@return the number of processes in the group} */
    public abstract int size();

    /** {@return this process's number in the group} */
    public abstract int rank();

    /** {@return whether it has two groups} */
    public abstract boolean isInter();

    /** Makes a communicator; collective. What the call has noted as wrong is thrown afterwards. */
    static Comm make(Call call, Supplier<CommHandle> action) {
        Comm[] made = new Comm[1];
        call.takePart(() -> {
            made[0] = Comm.adopt(action.get());
            call.note(AttributeKey.takeThrown());
        });
        return made[0];
    }

    /**
     * Makes a communicator of the same group, whose messages never meet this one's. A grid or graph stays one.
     * {@code MPI_Comm_dup} Collective.
     *
     * @return the communicator, to be closed
     * @throws MpiException if MPI reports an error
     */
    public Comm dup() {
        try (Call call = begin()) {
            return make(call, () -> Communicators.commDup(word()));
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
    public Comm dupWithInfo(@Nullable Info hints) {
        try (Call call = begin()) {
            return make(call, () -> Info.during(call, hints, info -> Communicators.commDupWithInfo(word(), info)));
        }
    }

    /**
     * Begins {@link #dup}. {@code MPI_Comm_idup} Collective.
     *
     * @return the operation, which gives the communicator when it is complete
     * @throws MpiException if MPI reports an error
     */
    public CommRequest idup() {
        try (Call call = begin()) {
            Communicators.CommIdupResult begun = Communicators.commIdup(word());
            call.note(AttributeKey.takeThrown());
            return new CommRequest(call.begun(begun.request(), null, Request.Work.COLLECTIVE), begun.newcomm());
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
    public CommRequest idupWithInfo(@Nullable Info hints) {
        try (Call call = begin()) {
            Communicators.CommIdupWithInfoResult begun = Info.during(call, hints,
                    info -> Communicators.commIdupWithInfo(word(), info));
            call.note(AttributeKey.takeThrown());
            return new CommRequest(call.begun(begun.request(), null, Request.Work.COLLECTIVE), begun.newcomm());
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
    public Comm split(int color, int key) {
        boolean isColor = color >= 0 || color == MpiConstants.UNDEFINED;
        try (Call call = begin()) {
            if (!isColor) {
                call.note(new IllegalArgumentException("The color " + color + " is negative: it must be 0 or more."));
            }
            return make(call, () -> Communicators.commSplit(word(), isColor ? color : MpiConstants.UNDEFINED, key));
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
    public Comm splitType(SplitType type, int key, @Nullable Info hints) {
        try (Call call = begin()) {
            call.note(Parts.mistakeOf(() -> Arguments.present("type", type)));
            int kind = type == null ? MpiConstants.UNDEFINED : type.value();
            return make(call, () -> Info.during(call, hints, info -> {
                try {
                    return Instead.commSplitType(word(), kind, key, info);
                } catch (UnavailableException e) {
                    call.note(e);
                    return Instead.commSplitType(word(), MpiConstants.UNDEFINED, key, info);
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
    public Comm create(Group group) {
        Arguments.present("group", group);
        try (Call call = begin()) {
            return make(call, () -> group.using(() -> Communicators.commCreate(word(), group.word())));
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
    public Comm createGroup(Group group, int tag) {
        requireTag(tag);
        if (Arguments.present("group", group).rank().isEmpty()) {
            throw new IllegalArgumentException("This process is not in the group: only its processes make the call.");
        }
        try (Call call = within()) {
            return make(call, () -> group.using(() -> Communicators.commCreateGroup(word(), group.word(), tag)));
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
    public Intercomm createIntercomm(int localLeader, @Nullable Comm peer, int remoteLeader, int tag) {
        requireTag(tag);
        try (Call call = within()) {
            Arguments.rank("localLeader", localLeader, size());
            if (rank() != localLeader) {
                return (Intercomm) make(call, () -> Communicators.intercommCreate(word(), localLeader, word(), 0, tag));
            }
            Arguments.rank("remoteLeader", remoteLeader, Arguments.present("peer", peer).processes());
            return (Intercomm) make(call, () -> peer.using(
                    () -> Communicators.intercommCreate(word(), localLeader, peer.word(), remoteLeader, tag)));
        }
    }

    private static void requireTag(int tag) {
        if (tag < 0) {
            throw new IllegalArgumentException("The tag is " + tag + ": it must be 0 or more.");
        }
    }

    /** The one buffer of a reduction; throws if it is none, on all processes where they agree before they begin. */
    <B extends MpiBuffer<?>> B alone(B data) {
        try {
            return Call.withElements("data", data);
        } catch (IllegalArgumentException e) {
            if (Agreement.IS_WANTED) {
                Agreement.reach((Comm) this, e, Agreement.NO_ROOT);
            }
            throw e;
        }
    }

    /** Begins a call that intercommunicators do not have. */
    Call within() {
        if (isInter()) {
            throw new UnsupportedOperationException("This is an intercommunicator: merge its groups first.");
        }
        return begin();
    }

    /**
     * Gives the communicator hints. {@code MPI_Comm_set_info} Collective.
     *
     * @param hints the hints
     * @throws IllegalArgumentException if the hints are null: at once, and others may wait
     * @throws IllegalStateException if the hints are closed: at once, and others may wait
     * @throws MpiException if MPI reports an error
     */
    public void setInfo(Info hints) {
        Arguments.present("hints", hints);
        try (Call call = begin()) {
            call.takePart(() -> hints.using(() -> {
                Communicators.commSetInfo(word(), hints.word());
                return hints;
            }));
        }
    }
}

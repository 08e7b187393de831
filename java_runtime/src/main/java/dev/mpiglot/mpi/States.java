package dev.mpiglot.mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The steps of {@link Resilient#run(Comm, SurvivingProgram, Codec, int)}, and the states of the last one that counts. */
final class States<T> {

    /** The highest tag that every MPI has. Between two processes there is one copy of a step at most. */
    private static final int TAG = 32767;

    /** What this process keeps of a step that counts: its own state and those of others, by their ranks at that time. */
    private record Version(int rank, int size, byte[] own, Map<Integer, byte[]> others) {
    }

    private final SurvivingProgram<T> program;
    private final Codec<T> codec;
    private final int copies;
    private Comm comm;
    private T state;
    private Version counts; // null: none does yet
    private Version made; // by the step that is under way
    private int[] before; // by ranks of now: the ranks when the last step counted; null: nobody has failed since

    States(Comm comm, SurvivingProgram<T> program, Codec<T> codec, int copies) {
        this.comm = comm;
        this.program = program;
        this.codec = codec;
        this.copies = copies;
    }

    Survivors<T> run() {
        for (boolean more = true; more;) {
            int told = Resilient.told(comm, this::doesGoOn);
            if ((told & Resilient.UNDISTURBED) != 0) {
                counts = made;
                before = null;
                more = (told & Resilient.GOES_ON) != 0;
            } else {
                leaveFailed();
            }
        }
        return new Survivors<>(comm, state);
    }

    /** A step, or what comes in place of one; whether another one follows. */
    private boolean doesGoOn(Comm on) {
        if (counts == null) {
            state = program.begin(on);
        } else if (before != null) {
            state = program.join(on, parts());
        } else {
            state = program.step(on, state);
        }
        byte[] own;
        try {
            own = Arguments.present("the bytes of a state", codec.encode(state));
        } catch (Exception e) {
            throw new CodecException("A state could not be encoded", e);
        }
        made = new Version(on.rank(), on.size(), own, new TreeMap<>());
        exchange(on);
        return !program.isDone(state);
    }

    /** The communicator of those that are left takes the place of this one. */
    private void leaveFailed() {
        Comm left = comm.shrink();
        try (Group then = comm.group(); Group now = left.group()) {
            int[] ranks = new int[left.size()];
            Arrays.setAll(ranks, i -> i);
            ranks = now.translateRanks(ranks, then);
            before = before == null ? ranks : Arrays.stream(ranks).map(i -> before[i]).toArray();
        }
        comm.close();
        comm = left;
    }

    /**
     * The rank that has copy {@code i}, from 1 on, of the state of rank {@code of}: one of the next ranks, and of the last
     * ranks one of those before. Negative: there is none.
     */
    private static int holderOf(int of, int i, int ranks) {
        int last = ranks - 1;
        return of + i <= last ? of + i : last - i;
    }

    private List<Integer> holdersOf(int of, int ranks) {
        List<Integer> found = new ArrayList<>();
        for (int i = 1; i <= copies && i < ranks; i++) {
            if (holderOf(of, i, ranks) >= 0) {
                found.add(holderOf(of, i, ranks));
            }
        }
        return found;
    }

    /** Sends copies of the own state, and takes those of others. */
    private void exchange(Comm on) {
        List<Request> sent = new ArrayList<>();
        try {
            for (int to : holdersOf(made.rank, made.size)) {
                sent.add(on.isend(new int[] {made.own.length}, to, TAG));
                sent.add(on.isend(made.own, to, TAG));
            }
            for (int of = 0; of < made.size; of++) {
                if (holdersOf(of, made.size).contains(made.rank)) {
                    int[] length = new int[1];
                    on.recv(length, of, TAG);
                    byte[] copy = new byte[length[0]];
                    on.recv(copy, of, TAG);
                    made.others.put(of, copy);
                }
            }
            Request.awaitAll(sent.toArray(Request[]::new));
        } finally {
            sent.forEach(Request::close);
        }
    }

    /** The states that this process has for those that are left: its own one, and those of dead ones, in their order. */
    private List<T> parts() {
        boolean[] isLeft = new boolean[counts.size];
        for (int rank : before) {
            isLeft[rank] = true;
        }
        List<T> found = new ArrayList<>();
        for (int of = 0; of < counts.size; of++) {
            int whose = of;
            int on = isLeft[of] ? of : holdersOf(of, counts.size).stream().filter(one -> isLeft[one]).findFirst()
                    .orElseThrow(() -> new StateLostException(whose));
            if (on == counts.rank) {
                found.add(decoded(on == of ? counts.own : counts.others.get(of)));
            }
        }
        return found;
    }

    private T decoded(byte[] bytes) {
        try {
            return codec.decode(bytes);
        } catch (Exception e) {
            throw new CodecException("A state could not be decoded", e);
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.ErrorClass;
import dev.mpiglot.low.MessageHandle;
import java.util.Arrays;
import java.util.Optional;

/** Messages that are looked at before they are received. */
public final class ProbeTests {

    private static final int LARGE = 1 << 18;

    private ProbeTests() {
    }

    private static int[] numbers(int length) {
        int[] numbers = new int[length];
        Arrays.setAll(numbers, i -> i);
        return numbers;
    }

    private static Message awaited(Comm world, int source, int tag) {
        Optional<Message> message = Optional.empty();
        while (message.isEmpty()) {
            message = world.improbe(source, tag);
        }
        return message.get();
    }

    public static void aProbeTellsHowLargeABufferMustBe(Comm world) {
        Request sent = world.isend(numbers(5 + world.rank()), Ring.right(world), 21);
        Status status = world.probe(Comm.ANY_SOURCE, Comm.ANY_TAG);
        int[] got = new int[(int) status.count(Datatype.INT).getAsLong()];
        Check.equal(world.recv(got, status.source(), status.tag()), status);
        sent.await();
        Check.equal(status, new Status(Ring.left(world), 21, 4 * (5 + Ring.left(world))));
        Check.equal(got, numbers(5 + Ring.left(world)));
    }

    public static void aMessageIsFoundOnceItHasCome(Comm world) {
        Check.equal(world.iprobe(world.rank(), 22), Optional.empty());
        Check.equal(world.improbe(world.rank(), 22), Optional.empty());
        world.barrier();
        Request sent = world.isend(new long[] {7}, Ring.right(world), 22);
        Optional<Status> status = Optional.empty();
        while (status.isEmpty()) {
            status = world.iprobe(Ring.left(world), 22);
        }
        Check.equal(status.get(), new Status(Ring.left(world), 22, 8));
        long[] got = new long[1];
        world.recv(got, Ring.left(world), 22);
        sent.await();
        Check.equal(got[0], 7L);
    }

    public static void aProbedMessageGoesToItsOwnReceive(Comm world) {
        Request[] sent = {world.isend(new int[] {1}, Ring.right(world), 23), world.isend(new int[] {2, 3}, Ring.right(world), 23)};
        Message first = world.mprobe(Ring.left(world), 23);
        int[] other = new int[2];
        world.recv(other, Ring.left(world), 23);
        Check.equal(first.status(), new Status(Ring.left(world), 23, 4));
        Check.isTrue(first.handle().handle() != MessageHandle.NULL.handle(), "the message has no handle");
        Check.equal(first.toString(), "message of 4 bytes from rank " + Ring.left(world) + " with tag 23");
        int[] got = {0, 9};
        Check.equal(first.recv(MpiBuffer.of(got)), first.status());
        Request.awaitAll(sent);
        Check.equal(got, new int[] {1, 9});
        Check.equal(other, new int[] {2, 3});
    }

    public static void aLargeMessageIsReceivedBesideOtherWork(Comm world) {
        Request sent = world.isend(numbers(LARGE), Ring.right(world), 24);
        Message message = awaited(world, Ring.left(world), 24);
        int[] got = new int[LARGE];
        Request received = message.irecv(MpiBuffer.of(got));
        Check.equal(received.await(), message.status());
        sent.await();
        Check.equal(got, numbers(LARGE));
    }

    public static void aProbedMessageIsReceivedOnce(Comm world) {
        Request sent = world.isend(new int[] {1}, Ring.right(world), 25);
        Message message = world.mprobe(Ring.left(world), 25);
        Check.fails(IllegalArgumentException.class, () -> message.recv(null));
        Check.fails(IllegalArgumentException.class, () -> message.irecv(MpiBuffer.inPlace()));
        int[] got = new int[1];
        message.recv(MpiBuffer.of(got));
        sent.await();
        Check.equal(got[0], 1);
        String told = Check.fails(IllegalStateException.class, () -> message.recv(MpiBuffer.of(got))).getMessage();
        Check.isTrue(told.contains("was received before"), told);
        Check.fails(IllegalStateException.class, () -> message.irecv(MpiBuffer.of(got)));
        Check.fails(IllegalStateException.class, message::handle);
    }

    public static void oneOfManyThreadsReceivesAProbedMessage(Comm world) {
        Request sent = world.isend(new int[] {1}, Ring.right(world), 26);
        Message message = world.mprobe(Ring.left(world), 26);
        int[] got = new int[4];
        int[] refused = new int[4];
        Check.Statement[] threads = new Check.Statement[4];
        for (int i = 0; i < threads.length; i++) {
            int own = i;
            threads[i] = () -> {
                try {
                    message.recv(MpiBuffer.of(got).as(Datatype.INT, 1, own));
                } catch (IllegalStateException e) {
                    refused[own] = 1;
                }
            };
        }
        Check.together(threads);
        sent.await();
        Check.equal(Arrays.stream(got).sum(), 1);
        Check.equal(Arrays.stream(refused).sum(), 3);
    }

    public static void aProbedMessageThatIsTooLongIsAnError(Comm world) {
        Request sent = world.isend(new int[] {1, 2, 3}, Ring.right(world), 27);
        Message message = world.mprobe(Ring.left(world), 27);
        int[] got = {9, 9};
        MpiException error = Check.fails(MpiException.class, () -> message.recv(MpiBuffer.of(got)));
        Check.equal(error.kind(), ErrorClass.ERR_TRUNCATE);
        Check.equal(got, new int[] {9, 9});
        sent.await();
        Check.fails(IllegalStateException.class, () -> message.recv(MpiBuffer.of(got)));
    }

    public static void nobodyIsFoundAtOnce(Comm world) {
        Status nothing = new Status(Comm.PROC_NULL, Comm.ANY_TAG, 0);
        Check.equal(world.probe(Comm.PROC_NULL, 0), nothing);
        Check.equal(world.iprobe(Comm.PROC_NULL, 0), Optional.of(nothing));
        int[] got = {9};
        Message message = world.mprobe(Comm.PROC_NULL, 0);
        Check.equal(message.status(), nothing);
        Check.equal(message.recv(MpiBuffer.of(got)), nothing);
        Check.fails(IllegalStateException.class, () -> message.recv(MpiBuffer.of(got)));
        Check.equal(world.improbe(Comm.PROC_NULL, 0).get().irecv(MpiBuffer.of(got)).await(), nothing);
        world.mprobe(Comm.PROC_NULL, 0); // nobody misses it
        Check.equal(got[0], 9);
    }

    public static void probesOfWrongRanksAndClosedCommunicatorsAreRefused(Comm world) {
        int none = world.size();
        Check.equal(Check.fails(MpiException.class, () -> world.probe(none, 0)).kind(), ErrorClass.ERR_RANK);
        Check.equal(Check.fails(MpiException.class, () -> world.iprobe(none, 0)).kind(), ErrorClass.ERR_RANK);
        Check.equal(Check.fails(MpiException.class, () -> world.mprobe(none, 0)).kind(), ErrorClass.ERR_RANK);
        Check.equal(Check.fails(MpiException.class, () -> world.improbe(none, 0)).kind(), ErrorClass.ERR_RANK);
        Comm closed = world.dup();
        closed.close();
        Check.fails(IllegalStateException.class, () -> closed.probe(0, 0));
        Check.fails(IllegalStateException.class, () -> closed.iprobe(0, 0));
        Check.fails(IllegalStateException.class, () -> closed.mprobe(0, 0));
        Check.fails(IllegalStateException.class, () -> closed.improbe(0, 0));
    }

    public static void aShorterMessageThatWasProbedLeavesTheRestOfTheArray(Comm world) {
        Request[] sent = {world.isend(new int[] {1}, Ring.right(world), 30), world.isend(new int[] {2}, Ring.right(world), 30)};
        int[] got = {9, 9, 9, 9};
        world.mprobe(Ring.left(world), 30).recv(MpiBuffer.of(got).as(Datatype.INT, 2));
        world.mprobe(Ring.left(world), 30).irecv(MpiBuffer.of(got).as(Datatype.INT, 2, 2)).await();
        Request.awaitAll(sent);
        Check.equal(got, new int[] {1, 9, 2, 9});
    }

    public static void aVirtualThreadHearsOfAProbeThatFails(Comm world) throws InterruptedException {
        Throwable[] thrown = new Throwable[2];
        Comm other = world.dup();
        Thread wrong = Thread.startVirtualThread(() -> thrown[0] = Check.fails(MpiException.class,
                () -> world.probe(world.size(), 0)));
        Thread late = Thread.startVirtualThread(() -> thrown[1] = Check.fails(IllegalStateException.class,
                () -> other.probe(world.rank(), 0)));
        wrong.join();
        Thread.sleep(20);
        closeBetweenQuestions(other);
        late.join();
        Check.isTrue(thrown[0] != null && thrown[1] != null, "a probe has not failed");
    }

    private static void closeBetweenQuestions(Comm comm) {
        for (int round = 0;; round++) {
            try {
                comm.close();
                return;
            } catch (IllegalStateException aQuestionIsAsked) {
                Check.isTrue(round < 1_000_000, aQuestionIsAsked.getMessage());
                Thread.yield();
            }
        }
    }

    public static void virtualThreadsProbeAndHoldNoCarrier(Comm world) throws InterruptedException {
        int threads = 50;
        int[] got = new int[threads];
        Thread[] waiting = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int own = i;
            waiting[i] = Thread.startVirtualThread(() -> {
                int[] here = new int[1];
                if (own % 2 == 0) {
                    world.recv(here, world.probe(Ring.left(world), 100 + own).source(), 100 + own);
                } else {
                    world.mprobe(Ring.left(world), 100 + own).recv(MpiBuffer.of(here));
                }
                got[own] = here[0];
            });
        }
        Thread sender = Thread.startVirtualThread(() -> {
            for (int i = threads - 1; i >= 0; i--) {
                world.ssend(MpiBuffer.of(new int[] {i + 1}), Ring.right(world), 100 + i);
            }
        });
        sender.join();
        for (Thread one : waiting) {
            one.join();
        }
        Check.equal(got, Arrays.stream(numbers(threads)).map(i -> i + 1).toArray());
    }

    public static void anInterruptedVirtualThreadStopsToProbe(Comm world) throws InterruptedException {
        Throwable[] thrown = new Throwable[2];
        Thread[] threads = {Thread.ofVirtual().unstarted(() -> thrown[0] = Check.fails(CancelledException.class,
                () -> world.probe(world.rank(), 28))), Thread.ofVirtual().unstarted(() -> thrown[1] = Check.fails(
                CancelledException.class, () -> world.mprobe(world.rank(), 28)))};
        for (Thread one : threads) {
            one.start();
            Thread.sleep(5);
            one.interrupt();
            one.join();
        }
        for (Throwable one : thrown) {
            Check.isTrue(one instanceof CancelledException cancelled && !cancelled.isUnderWay(), "threw " + one);
        }
    }

    public static void aReceiveOfAProbedMessageCannotBeCancelled(Comm world) {
        Request sent = world.isend(numbers(LARGE), Ring.right(world), 29);
        int[] got = new int[LARGE];
        Request received = world.mprobe(Ring.left(world), 29).irecv(MpiBuffer.of(got));
        Check.fails(UnsupportedOperationException.class, received::cancel);
        received.await();
        sent.await();
        Check.equal(got, numbers(LARGE));
    }
}

package dev.mpiglot.mpi;

import java.util.Arrays;

/**
 * A program of one rank that does what most programs do. {@code mpiglot package java --aot-cache} runs it, so that a
 * cache of the JVM has the classes that it loads and links. Nothing else calls it.
 */
final class Rehearsal {

    private static final int TAG = 0;

    private Rehearsal() {
    }

    /**
     * Runs it.
     *
     * @param args none
     * @throws dev.mpiglot.mpi.LibraryException if there is no MPI that can be used
     */
    public static void main(String[] args) {
        Mpi.run(mpi -> {
            arrays(mpi.self());
            buffers(mpi.self());
        });
    }

    private static void arrays(Comm self) {
        int[] ints = {1, 2};
        double[] doubles = {1, 2};
        self.barrier();
        self.bcast(ints, 0);
        self.allreduce(ints, Op.SUM);
        self.allreduce(doubles, Op.MAX);
        self.reduce(new long[] {1}, Op.SUM, 0);
        self.gather(ints, new int[ints.length], 0);
        self.allgather(doubles, new double[doubles.length]);
        self.sendrecv(doubles, 0, new double[doubles.length], 0, TAG);
        byte[] received = new byte[1];
        Request request = self.irecv(received, 0, TAG);
        self.send(new byte[] {1}, 0, TAG);
        request.await();
        require(received[0] == 1 && Arrays.equals(ints, new int[] {1, 2}));
    }

    private static void buffers(Comm self) {
        MpiBuffer<Element.Doubles> values = MpiBuffer.allocate(Datatype.DOUBLE, 2);
        values.setDouble(1, 3);
        self.allreduce(values, Op.SUM);
        MpiBuffer<Element.Doubles> received = MpiBuffer.allocate(Datatype.DOUBLE, 2);
        Request request = self.irecv(received, 0, TAG);
        self.isend(values, 0, TAG).await();
        request.await();
        require(received.getDouble(1) == 3);
    }

    private static void require(boolean isRight) {
        if (!isRight) {
            throw new IllegalStateException("A message changed on its way.");
        }
    }
}

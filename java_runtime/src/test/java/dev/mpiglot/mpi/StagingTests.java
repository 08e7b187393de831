package dev.mpiglot.mpi;


/** Memory for copies of arrays is kept, and belongs to one operation at a time. */
public final class StagingTests {

    private static final int LARGE = 8 << 20;

    private StagingTests() {
    }

    public static void theNextOperationOfAThreadTakesTheSameBlock(Comm world) {
        for (long bytes : new long[] {0, 8, 100, 64 << 10, LARGE}) {
            Staging block = Staging.take(bytes);
            Check.isTrue(block.memory().byteSize() >= bytes, "a block of " + block.memory() + " for " + bytes + " bytes");
            block.release();
            Staging next = Staging.take(bytes);
            next.release();
            Check.isTrue(next == block, "another block of " + bytes + " bytes");
        }
    }

    public static void blocksOfASixteenthOfTheHeapAreKept(Comm world) {
        long half = Long.highestOneBit(Math.max(1L << 26, Runtime.getRuntime().maxMemory() / 16) / 2);
        Staging first = Staging.take(half);
        Staging second = Staging.take(half);
        Staging third = Staging.take(1L << 31); // virtual memory: nobody writes to it
        third.release();
        second.release();
        first.release();
        Staging again = Staging.take(half);
        Staging other = Staging.take(half);
        Staging large = Staging.take(1L << 31);
        Check.isTrue(again == first && other == second, "blocks of " + half + " bytes were not kept");
        Check.isTrue(large != third, "a block of 2 GiB was kept");
        large.release();
        other.release();
        again.release();
    }

    public static void blocksInUseAreDifferent(Comm world) {
        Staging[] blocks = new Staging[100];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = Staging.take(8);
            for (int k = 0; k < i; k++) {
                Check.isTrue(blocks[k] != blocks[i], "one block twice");
            }
        }
        for (Staging block : blocks) {
            block.release();
        }
    }

    public static void aBlockIsGivenBackOnce(Comm world) {
        Staging block = Staging.take(8);
        block.release();
        Check.fails(IllegalStateException.class, block::release);
    }

    public static void anotherThreadMayGiveABlockBack(Comm world) {
        for (boolean isVirtual : new boolean[] {false, true}) {
            Staging block = Staging.take(8);
            Thread other = isVirtual ? Thread.ofVirtual().start(block::release) : Thread.ofPlatform().start(block::release);
            Check.fails(IllegalStateException.class, () -> {
                other.join();
                block.release();
            });
            Staging next = Staging.take(8);
            next.release();
        }
    }

    /** Small blocks stay with their thread, whoever gives them back, and are not given to two operations. */
    public static void smallBlocksComeBackToTheirThread(Comm world) throws InterruptedException {
        Staging first = Staging.take(64);
        Staging second = Staging.take(64);
        Staging third = Staging.take(64);
        Check.isTrue(first != second && second != third && first != third, "one block twice");
        Staging[] others = new Staging[1];
        Thread.ofPlatform().start(() -> {
            first.release();
            others[0] = Staging.take(64);
            others[0].release();
        }).join();
        Check.isTrue(others[0] != null && others[0] != first, "another thread took the block");
        Staging again = Staging.take(64);
        Check.isTrue(again == first, "the block did not come back");
        again.release();
        second.release();
        third.release();
    }

    public static void threadsDoNotShareBlocksInUse(Comm world) {
        Check.Statement statement = () -> {
            for (int i = 0; i < 10_000; i++) {
                Staging one = Staging.take(16);
                Staging other = Staging.take(16);
                long mine = Thread.currentThread().threadId() << 32 | i;
                one.memory().set(java.lang.foreign.ValueLayout.JAVA_LONG, 0, mine);
                other.memory().set(java.lang.foreign.ValueLayout.JAVA_LONG, 0, -mine);
                Check.equal(one.memory().get(java.lang.foreign.ValueLayout.JAVA_LONG, 0), mine);
                Check.equal(other.memory().get(java.lang.foreign.ValueLayout.JAVA_LONG, 0), -mine);
                one.release();
                other.release();
            }
        };
        Check.together(statement, statement, statement);
    }

    public static void aCallThatFailsGivesItsBlockBack(Comm world) {
        Staging block = Staging.take(8);
        block.release();
        Check.fails(MpiException.class, () -> world.recv(new long[1], world.size(), 0));
        Staging next = Staging.take(8);
        next.release();
        Check.isTrue(next == block, "the block was lost");
    }

    /** An operation of the program runs while the reduction that calls it has its copy. */
    public static void aCallbackWithinACallHasItsOwnCopies(Comm world) {
        try (Op<Element.Ints> sum = Op.ofInts(true, (left, right) -> {
            Loan inner = Loan.toRead(MpiBuffer.of(new int[] {-1, -2, -3}));
            inner.end();
            return left + right;
        })) {
            int[] values = {1, 2, 3};
            world.allreduce(values, sum);
            Check.equal(values, new int[] {world.size(), 2 * world.size(), 3 * world.size()});
        }
    }

    public static void arraysOfEverySizeAndTypeArrive(Comm world) {
        int self = world.rank();
        for (int length = 0; length < 40; length++) {
            byte[] bytes = new byte[length];
            float[] floats = new float[length];
            double[] doubles = new double[length];
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) (i - 7);
                floats[i] = 1.5f * i;
                doubles[i] = -2.5 * i;
            }
            byte[] someBytes = new byte[length];
            float[] someFloats = new float[length];
            double[] someDoubles = new double[length];
            world.sendrecv(bytes, self, someBytes, self, 1);
            world.sendrecv(floats, self, someFloats, self, 1);
            world.sendrecv(doubles, self, someDoubles, self, 1);
            Check.equal(someBytes, bytes);
            Check.equal(someFloats, floats);
            Check.equal(someDoubles, doubles);
        }
    }

    public static void partsOfElementsOfAnotherTypeArrive(Comm world) {
        int self = world.rank();
        byte[] sent = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        byte[] received = new byte[10];
        world.sendrecv(MpiBuffer.of(sent).as(Datatype.BYTE, 8, 1).as(Datatype.INT, 2), self,
                MpiBuffer.of(received).as(Datatype.BYTE, 8, 2).as(Datatype.INT, 2), self, 2);
        Check.equal(received, new byte[] {0, 0, 2, 3, 4, 5, 6, 7, 8, 9});
        double[] numbers = {1, 2};
        world.sendrecv(MpiBuffer.of(sent).as(Datatype.BYTE, 3), self,
                MpiBuffer.of(numbers).as(Datatype.BYTE, 16).as(Datatype.BYTE, 11, 4), self, 3);
        long bits = Double.doubleToRawLongBits(1.0);
        long three = 0x030201L << 32;
        Check.equal(numbers, new double[] {Double.longBitsToDouble(bits & ~(0xffffffL << 32) | three), 2});
    }
}

import dev.mpiglot.low.ErrorClass;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Datatype;
import dev.mpiglot.mpi.Element.Doubles;
import dev.mpiglot.mpi.Element.Ints;
import dev.mpiglot.mpi.Mpi;
import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.MpiException;
import dev.mpiglot.mpi.Op;
import dev.mpiglot.mpi.Request;
import dev.mpiglot.mpi.Status;
import java.util.Arrays;

/** A first MPI program in Java: a ring, a reduction with an own operation, a column of a matrix, and two mistakes. */
public final class Demo {

    private Demo() {
    }

    public static void main(String[] args) {
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            ring(world);
            ownOperation(world);
            column(world);
            mistakes(world);
            world.barrier();
            if (world.rank() == 0) {
                String library = mpi.libraryVersion().lines().findFirst().orElse("").strip();
                System.out.println("demo java: ok on " + world.size() + " ranks with " + library);
            }
        });
    }

    /** Every process adds its rank to a number that goes round; a nonblocking receive waits for it. */
    private static void ring(Comm world) {
        int left = (world.rank() + world.size() - 1) % world.size();
        int right = (world.rank() + 1) % world.size();
        int[] arriving = new int[1];
        int[] travelling = {world.rank()};
        int sum = world.rank();
        for (int step = 1; step < world.size(); step++) {
            Request request = world.irecv(arriving, left, step);
            world.send(travelling, right, step);
            Status status = request.await();
            check(status.source() == left && status.tag() == step && status.count(Datatype.INT).getAsLong() == 1, "ring: " + status);
            sum += arriving[0];
            travelling[0] = arriving[0];
        }
        check(sum == world.size() * (world.size() - 1) / 2, "ring: the sum is " + sum);
    }

    /** An operation that MPI does not have: the greatest common divisor. */
    private static void ownOperation(Comm world) {
        try (Op<Ints> gcd = Op.ofInts(true, Demo::gcd)) {
            int[] values = {12 * (world.rank() + 1), 30 * (world.rank() + 2), 7};
            world.allreduce(values, gcd);
            int[] expected = {12, world.size() == 1 ? 60 : 30, 7};
            check(Arrays.equals(values, expected), "gcd: " + Arrays.toString(values));
        }
    }

    private static int gcd(int a, int b) {
        return b == 0 ? Math.abs(a) : gcd(b, a % b);
    }

    /** The second column of a matrix, arrives at the next process as its third. */
    private static void column(Comm world) {
        int rows = 4;
        int columns = 5;
        double[] matrix = new double[rows * columns];
        Arrays.setAll(matrix, i -> 100 * world.rank() + i);
        double[] other = new double[rows * columns];
        int left = (world.rank() + world.size() - 1) % world.size();
        int right = (world.rank() + 1) % world.size();
        try (Datatype<Doubles> column = Datatype.vector(rows, 1, columns, Datatype.DOUBLE)) {
            MpiBuffer<Doubles> second = MpiBuffer.of(matrix).as(column, 1, 1);
            MpiBuffer<Doubles> third = MpiBuffer.of(other).as(column, 1, 2);
            world.sendrecv(second, right, third, left, 7);
        }
        for (int i = 0; i < other.length; i++) {
            double expected = i % columns == 2 ? 100 * left + i - 1 : 0;
            check(other[i] == expected, "column: element " + i + " is " + other[i]);
        }
    }

    /** Mistakes come back as exceptions that tell what was wrong; MPI goes on. */
    private static void mistakes(Comm world) {
        try {
            world.send(new int[] {1}, 9999, 0);
            check(false, "a message to rank 9999 was sent");
        } catch (MpiException e) {
            check(e.kind() == ErrorClass.ERR_RANK && e.function().equals("MPI_Send"), "rank: " + e.kind());
        }
        try (Comm alone = world.split(world.rank(), 0)) {
            Request request = alone.isend(new int[] {1, 2, 3}, 0, 0);
            try {
                alone.recv(new int[2], 0, 0);
                check(false, "three elements were received into two");
            } catch (MpiException e) {
                check(e.kind() == ErrorClass.ERR_TRUNCATE && e.function().equals("MPI_Recv"), "truncation: " + e.kind());
                check(!e.getMessage().isBlank(), "truncation: no message");
            }
            try {
                request.await();
            } catch (MpiException e) {
                check(e.kind() == ErrorClass.ERR_TRUNCATE, "sender of a truncated message: " + e.kind());
            }
        }
    }

    private static void check(boolean fine, String what) {
        if (!fine) {
            throw new AssertionError(what);
        }
    }
}

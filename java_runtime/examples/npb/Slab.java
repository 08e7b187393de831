package npb;

import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Datatype;
import dev.mpiglot.mpi.Request;
import dev.mpiglot.mpi.Requests;
import java.util.ArrayList;
import java.util.List;

/** A cube of SP. Each process has successive planes of z, and the two below and above them. */
final class Slab {

    static final int AROUND = 2; // planes below and above

    final Comm world;
    final int side; // points, those of the boundary included
    final int plane; // points of a plane
    final int first; // plane of this process
    final int last;
    final int below; // process, or PROC_NULL
    final int above;

    Slab(Comm world, int side) {
        int rank = world.rank();
        int size = world.size();
        if (size > side / AROUND) {
            throw new IllegalArgumentException("SP of this class needs at most " + side / AROUND + " ranks.");
        }
        this.world = world;
        this.side = side;
        plane = side * side;
        first = side * rank / size;
        last = side * (rank + 1) / size - 1;
        below = rank == 0 ? Comm.PROC_NULL : rank - 1;
        above = rank == size - 1 ? Comm.PROC_NULL : rank + 1;
    }

    /** The first plane that is not on the boundary of the cube. */
    int firstInside() {
        return Math.max(first, 1);
    }

    int lastInside() {
        return Math.min(last, side - 2);
    }

    double[] field() {
        return new double[(last - first + 1 + 2 * AROUND) * plane];
    }

    /** Where the first point of a row of y in a plane of z is. */
    int at(int z, int y) {
        return (z - first + AROUND) * plane + y * side;
    }

    /** Brings the planes below and above from the neighbours. */
    void exchange(double[][] fields) {
        List<Request> pending = new ArrayList<>();
        for (int i = 0; i < fields.length; i++) {
            pending.add(world.irecv(planes(fields[i], first - AROUND), below, i));
            pending.add(world.irecv(planes(fields[i], last + 1), above, i));
        }
        for (int i = 0; i < fields.length; i++) {
            pending.add(world.isend(planes(fields[i], first), below, i));
            pending.add(world.isend(planes(fields[i], last + 1 - AROUND), above, i));
        }
        Requests.awaitAll(pending);
    }

    private MpiBuffer<?> planes(double[] field, int from) {
        return MpiBuffer.of(field).as(Datatype.DOUBLE, (long) AROUND * plane, at(from, 0));
    }
}

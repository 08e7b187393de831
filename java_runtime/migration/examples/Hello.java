import mpi.MPI;
import mpi.MPIException;

/** Each process says who it is. */
class Hello {

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        System.out.println("hello of " + MPI.COMM_WORLD.getRank() + " of " + MPI.COMM_WORLD.getSize());
        MPI.Finalize();
    }
}

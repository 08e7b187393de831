package mpi;

/** What has a handle of MPI that is given back. */
public interface Freeable {

    /**
     * Gives the handle back.
     *
     * @throws MPIException if MPI reports an error
     */
    void free() throws MPIException;
}

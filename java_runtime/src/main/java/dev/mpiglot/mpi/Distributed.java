package dev.mpiglot.mpi;

import dev.mpiglot.low.Distribution;
import dev.mpiglot.low.MpiConstants;

/**
 * How one dimension of an array is distributed among processes ({@link Datatype#darray}).
 *
 * @param size elements of the whole array in this dimension
 * @param distribution {@link Distribution#BLOCK} for one block for each process, {@link Distribution#CYCLIC} for blocks in
 *     turn, {@link Distribution#NONE} for a dimension that is not divided
 * @param blockLength elements in each block; 0: as MPI chooses, which is 1 in turn and else as few as suffice
 * @param processes processes in this dimension; 1 if it is not divided
 */
public record Distributed(int size, Distribution distribution, int blockLength, int processes) {

    /** Checks the numbers; throws an {@link IllegalArgumentException} if they do not fit. */
    public Distributed {
        Arguments.present("distribution", distribution);
        if (size < 1 || processes < 1 || blockLength < 0) {
            throw new IllegalArgumentException("A dimension of " + size + " elements cannot be distributed among " + processes
                    + " processes in blocks of " + blockLength + ".");
        }
        if (distribution == Distribution.NONE && (processes != 1 || blockLength != 0)) {
            throw new IllegalArgumentException("A dimension that is not divided has 1 process, not " + processes
                    + ", and blocks of length 0, not " + blockLength + ".");
        }
        if (distribution == Distribution.BLOCK && blockLength != 0 && (long) blockLength * processes < size) {
            throw new IllegalArgumentException(processes + " blocks of " + blockLength + " elements do not hold " + size + ".");
        }
    }

    /**
     * One block for each process.
     *
     * @param size elements in this dimension
     * @param processes processes in this dimension
     * @return the distribution
     */
    public static Distributed blocks(int size, int processes) {
        return new Distributed(size, Distribution.BLOCK, 0, processes);
    }

    /**
     * Blocks in turn.
     *
     * @param size elements in this dimension
     * @param blockLength elements in each block
     * @param processes processes in this dimension
     * @return the distribution
     */
    public static Distributed inTurn(int size, int blockLength, int processes) {
        return new Distributed(size, Distribution.CYCLIC, blockLength, processes);
    }

    /**
     * All of a dimension for each process.
     *
     * @param size elements in this dimension
     * @return the distribution
     */
    public static Distributed whole(int size) {
        return new Distributed(size, Distribution.NONE, 0, 1);
    }

    /** What MPI takes. */
    int argument() {
        return blockLength == 0 ? MpiConstants.DISTRIBUTE_DFLT_DARG : blockLength;
    }

    /** The length of a block, where MPI chooses it, too. */
    int length() {
        return switch (distribution) {
            case NONE -> size;
            case BLOCK -> blockLength == 0 ? (size + processes - 1) / processes : blockLength;
            case CYCLIC -> Math.max(1, blockLength);
        };
    }
}

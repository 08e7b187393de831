package dev.mpiglot.mpi;

/** What {@link DynamicTests} starts: sends its argument and its number to the first process of its parents. */
public final class SpawnedProgram {

    private SpawnedProgram() {
    }

    public static void main(String[] args) {
        Mpi.run(mpi -> {
            Intercomm parents = Intercomm.parent().orElseThrow();
            Check.isTrue(Intercomm.parent().orElseThrow() == parents, "another object for the parents");
            parents.send(new int[] {Integer.parseInt(args[0]), mpi.world().rank()}, 0, 1);
            parents.disconnect();
            Check.isTrue(Intercomm.parent().isEmpty(), "the parents are still there");
        });
    }
}

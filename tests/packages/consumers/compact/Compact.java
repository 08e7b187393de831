import module dev.mpiglot.mpi;

/** A whole program with one import: names of both packages and of Java stand beside each other. */
void main() {
    Mpi.run(mpi -> {
        Comm world = mpi.world();
        int next = (world.rank() + 1) % world.size();
        MpiBuffer<Element.Ints> sum = MpiBuffer.of(new int[] {world.rank() + 1});
        Request request = world.isend(sum, next, 7);
        int[] got = new int[1];
        Status status = world.recv(got, Comm.ANY_SOURCE, 7);
        request.await();
        world.allreduce(sum, Op.SUM);
        List<String> told = new ArrayList<>();
        try {
            world.send(got, world.size(), 0);
        } catch (RankException e) {
            told.add(e.kind() + " of " + e.function());
        }
        int size = Communicators.commSize(CommHandle.WORLD);
        if (world.rank() == 0) {
            IO.println("the sum of " + size + " is " + sum.getInt(0) + ", " + status.source() + " sent " + got[0]);
            IO.println(told);
        }
    });
}

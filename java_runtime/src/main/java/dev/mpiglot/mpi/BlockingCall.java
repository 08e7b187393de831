package dev.mpiglot.mpi;

/**
 * A call that ends with its operation, so no request needs its loans afterwards. It keeps only the memory that they have
 * taken: the compiler makes no object of a loan to which no other object refers.
 */
final class BlockingCall extends Call {

    private Staging first;
    private Staging second;

    BlockingCall(Comm comm) {
        super(comm);
        pinning();
    }

    @Override
    Loan keep(Loan loan) {
        if (first == null) {
            first = loan.block();
        } else {
            second = loan.block();
        }
        return loan;
    }

    @Override
    void endLoans() {
        if (first != null) {
            first.release();
        }
        if (second != null) {
            second.release();
        }
    }
}

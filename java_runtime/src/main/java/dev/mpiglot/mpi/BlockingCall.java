package dev.mpiglot.mpi;

/**
 * A call that ends with its operation, so nobody needs its loans afterwards: it keeps the memory alone that they have
 * taken. To the compiler a loan is a few words then, and an object if another one refers to it.
 */
final class BlockingCall extends Call {

    private Staging first;
    private Staging second;

    BlockingCall(Comm comm) {
        super(comm);
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

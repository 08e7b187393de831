package dev.mpiglot.mpi;

import java.util.function.BinaryOperator;

/**
 * An operation on records of a class, which {@link Op#of} makes. Records travel as structures of their components.
 *
 * @param <R> the class
 */
public final class RecordOp<R extends Record> implements AutoCloseable {

    private final RecordForm<R> form;
    private final Op<Element.Records> op;

    RecordOp(RecordForm<R> form, boolean commutative, BinaryOperator<R> operator) {
        this.form = form;
        long each = form.layout().byteSize();
        this.op = Op.ofRecords(commutative, (in, inout, count) -> {
            for (long at = 0; at < count * each; at += each) {
                R one = operator.apply(form.read(in, at), form.read(inout, at));
                form.write(Arguments.present("the result of the operator", one), inout, at);
            }
        });
    }

    RecordForm<R> form() {
        return form;
    }

    Op<Element.Records> op() {
        return op;
    }

    /**
     * Tells whether the order of the values does not matter. {@code MPI_Op_commutative} Local.
     *
     * @return what was said when the operation was made
     * @throws IllegalStateException if the operation is closed
     */
    public boolean isCommutative() {
        return op.isCommutative();
    }

    /**
     * Gives the operation back. Closing again does nothing.
     *
     * @throws IllegalStateException if a call still uses it
     */
    @Override
    public void close() {
        op.close();
    }
}

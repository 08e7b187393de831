package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.OpHandle;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Records in memory of MPI: what is sent, and room for the result. */
record RecordMemory<R extends Record>(RecordForm<R> form, int count, MpiBuffer<Element.Bytes> sent,
        MpiBuffer<Element.Bytes> received) {

    /** A reduction of so many elements. */
    interface Way {
        void run(MemorySegment sent, MemorySegment received, int count, DatatypeHandle type,
                OpHandle op, CommHandle comm);
    }

    static <R extends Record> RecordMemory<R> of(Call call, RecordForm<R> form, List<? extends R> values) {
        int count = Arguments.present("values", values).size();
        long bytes = count * form.layout().byteSize();
        MpiBuffer<Element.Bytes> sent = MpiBuffer.allocate(Datatype.BYTE, bytes);
        call.note(Parts.mistakeOf(() -> form.writeAll(values, sent.segment())));
        return new RecordMemory<>(form, count, sent, MpiBuffer.allocate(Datatype.BYTE, bytes));
    }

    List<R> result() {
        return form.readAll(received.segment(), count);
    }
}

package words;

import dev.mpiglot.mpi.MpiBuffer;
import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Datatype;
import dev.mpiglot.mpi.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** Objects as messages: their bytes, whose number the receiver learns from the message. */
final class Objects {

    /** What a message may be made of. */
    private static final ObjectInputFilter KNOWN = ObjectInputFilter.Config.createFilter("words.*;java.base/*;!*");

    private Objects() {
    }

    static void send(Comm comm, Serializable object, int dest, int tag) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        comm.send(bytes.toByteArray(), dest, tag);
    }

    static <T> T receive(Comm comm, Class<T> type, int source, int tag) throws IOException, ClassNotFoundException {
        Message message = comm.mprobe(source, tag);
        byte[] bytes = new byte[Math.toIntExact(message.status().count(Datatype.BYTE).orElseThrow())];
        message.recv(MpiBuffer.of(bytes));
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            in.setObjectInputFilter(KNOWN);
            return type.cast(in.readObject());
        }
    }
}

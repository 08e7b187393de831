package dev.mpiglot.mpi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/**
 * Makes bytes of objects and objects of bytes, for {@link Comm#sendObject} and its like. All processes of an operation
 * must give one that understands the bytes of the others'.
 *
 * @param <T> the type of the objects
 */
public interface Codec<T> {

    /**
     * Makes bytes of an object.
     *
     * @param object the object
     * @return its bytes
     * @throws Exception if it cannot; the operation throws a {@link CodecException} on every process
     */
    byte[] encode(T object) throws Exception;

    /**
     * Makes an object of bytes.
     *
     * @param bytes what {@link #encode} made, here or on another process
     * @return the object
     * @throws Exception if it cannot; the operation throws a {@link CodecException} on this process
     */
    T decode(byte[] bytes) throws Exception;

    /**
     * The serialization of Java. Bytes of other processes can make objects of any class that the filter admits.
     *
     * @param <T> the type of the objects
     * @param filter says which classes are admitted, {@link ObjectInputFilter.Config#createFilter} makes one of a text
     * @return the codec
     * @throws IllegalArgumentException if the filter is null
     */
    static <T extends Serializable> Codec<T> serialized(ObjectInputFilter filter) {
        Arguments.present("filter", filter);
        return new Codec<>() {

            @Override
            public byte[] encode(T object) throws Exception {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                    out.writeObject(object);
                }
                return bytes.toByteArray();
            }

            @Override
            @SuppressWarnings("unchecked")
            public T decode(byte[] bytes) throws Exception {
                try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
                    in.setObjectInputFilter(filter);
                    return (T) in.readObject();
                }
            }
        };
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Handle;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Supplier;

/** The methods of objects that have a name and attributes: {@link Comm}, {@link Datatype} and {@link Window}. */
abstract sealed class Attributed permits Comm, WindowEpochs, RecordTypes {

    abstract ObjectKind objectKind();

    abstract Handle word();

    abstract <T> T using(Supplier<T> action);

    /**
     * Tells the name of this object, for messages and debuggers. {@code MPI_Comm_get_name}, {@code MPI_Type_get_name},
     * {@code MPI_Win_get_name} Local.
     *
     * @return the name; empty if it has none
     * @throws IllegalStateException if the object is closed
     * @throws MpiException if MPI reports an error
     */
    public String name() {
        return using(() -> objectKind().name(word()));
    }

    /**
     * Gives this object a name. {@code MPI_Comm_set_name}, {@code MPI_Type_set_name}, {@code MPI_Win_set_name} Local.
     *
     * @param name the name
     * @throws IllegalArgumentException if it is null, holds the character NUL, or has more bytes in UTF-8 than this MPI
     *     keeps (63 or 127)
     * @throws IllegalStateException if the object is closed
     * @throws MpiException if MPI reports an error
     */
    public void setName(String name) {
        Arguments.present("name", name);
        using(() -> {
            objectKind().setName(word(), name);
            return name;
        });
    }

    /**
     * Keeps an object of the program with this one until this one is closed. {@code MPI_Comm_set_attr},
     * {@code MPI_Type_set_attr}, {@code MPI_Win_set_attr} Local.
     *
     * @param <T> the type of the value
     * @param key what it is found by
     * @param value the object; takes the place of an earlier one
     * @throws IllegalArgumentException if an argument is null
     * @throws IllegalStateException if this object or the key is closed
     * @throws MpiException if MPI reports an error
     */
    public <T> void setAttribute(AttributeKey<T> key, T value) {
        Arguments.present("key", key);
        Arguments.present("value", value);
        using(() -> {
            int number = key.number(objectKind());
            MemorySegment held = AttributeKey.hold(value);
            AttributeKey.during(() -> {
                try {
                    objectKind().set(word(), number, held);
                } catch (RuntimeException e) {
                    AttributeKey.drop(held);
                    throw e;
                }
            });
            return value;
        });
    }

    /**
     * Tells what is kept with this object. {@code MPI_Comm_get_attr}, {@code MPI_Type_get_attr},
     * {@code MPI_Win_get_attr} Local.
     *
     * @param <T> the type of the value
     * @param key what it is found by
     * @return the same object as was given, or what the key's copy function has made; empty if there is none
     * @throws IllegalArgumentException if the key is null
     * @throws IllegalStateException if this object or the key is closed
     * @throws MpiException if MPI reports an error
     */
    public <T> Optional<T> attribute(AttributeKey<T> key) {
        Arguments.present("key", key);
        return using(() -> objectKind().get(word(), key.number(objectKind())).flatMap(key::value));
    }

    /**
     * Lets go of what is kept with this object. {@code MPI_Comm_delete_attr}, {@code MPI_Type_delete_attr},
     * {@code MPI_Win_delete_attr} Local.
     *
     * @param key what it is found by
     * @return whether there was a value
     * @throws IllegalArgumentException if the key is null
     * @throws IllegalStateException if this object or the key is closed
     * @throws MpiException if MPI reports an error
     */
    public boolean deleteAttribute(AttributeKey<?> key) {
        Arguments.present("key", key);
        return using(() -> {
            int number = key.number(objectKind());
            boolean isThere = objectKind().get(word(), number).isPresent();
            if (isThere) {
                AttributeKey.during(() -> objectKind().delete(word(), number));
            }
            return isThere;
        });
    }
}

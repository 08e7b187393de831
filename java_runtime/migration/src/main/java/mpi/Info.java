package mpi;

import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.Infos;
import dev.mpiglot.low.Outdated;
import dev.mpiglot.mpi.UnavailableException;
import java.util.Arrays;

/** Hints for MPI: keys with values. */
public final class Info implements Freeable, Cloneable {

    private InfoHandle handle;

    Info(InfoHandle handle) {
        this.handle = handle;
    }

    InfoHandle handle() {
        return handle;
    }

    /**
     * Hints without any key.
     *
     * @throws MPIException if MPI reports an error
     */
    public Info() throws MPIException {
        this(MPIException.of(Infos::infoCreate));
    }

    static InfoHandle[] handles(Info[] all) {
        return Arrays.stream(all).map(Info::handle).toArray(InfoHandle[]::new);
    }

    /**
     * Sets the value of a key.
     *
     * @param key the key
     * @param value the value
     * @throws MPIException if MPI reports an error
     */
    public void set(String key, String value) throws MPIException {
        MPIException.run(() -> Infos.infoSet(handle, key, value));
    }

    /** The value of a key in a library that does not know MPI 4. */
    @SuppressWarnings("deprecation")
    private String getAsBefore(String key) {
        return Outdated.infoGetValuelen(handle, key).flatMap(length -> Outdated.infoGet(handle, key, length))
                .orElse(null);
    }

    /**
     * {@return the value of a key, or null}
     *
     * @param key the key
     * @throws MPIException if MPI reports an error
     */
    public String get(String key) throws MPIException {
        return MPIException.of(() -> {
            try {
                return Infos.infoGetString(handle, key).orElse(null);
            } catch (UnavailableException e) {
                return getAsBefore(key);
            }
        });
    }

    /**
     * Takes a key away.
     *
     * @param key the key
     * @throws MPIException if MPI reports an error
     */
    public void delete(String key) throws MPIException {
        MPIException.run(() -> Infos.infoDelete(handle, key));
    }

    /**
     * {@return how many keys there are}
     *
     * @throws MPIException if MPI reports an error
     */
    public int size() throws MPIException {
        return MPIException.of(() -> Infos.infoGetNkeys(handle));
    }

    /**
     * {@return a key}
     *
     * @param i which one, from 0 on
     * @throws MPIException if MPI reports an error
     */
    public String getKey(int i) throws MPIException {
        return MPIException.of(() -> Infos.infoGetNthkey(handle, i));
    }

    @Override
    public Info clone() {
        return CommBase.unchecked(this::dup);
    }

    /**
     * {@return other hints with the same keys}
     *
     * @throws MPIException if MPI reports an error
     */
    public Info dup() throws MPIException {
        return MPIException.of(() -> new Info(Infos.infoDup(handle)));
    }

    @Override
    public void free() throws MPIException {
        MPIException.run(() -> Infos.infoFree(handle));
        handle = InfoHandle.NULL;
    }

    /** {@return whether there are no hints} */
    public boolean isNull() {
        return handle.equals(InfoHandle.NULL);
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.InfoHandle;
import dev.mpiglot.low.Infos;
import dev.mpiglot.low.Outdated;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Hints for MPI: texts with keys that the standard or the library gives. Libraries ignore keys that they do not know.
 * Where a method takes hints, null means none. All methods are local: no other process takes part.
 *
 * <p>Every method throws an {@link IllegalStateException} once the object is closed. What was made with it stays.
 */
public final class Info implements InfoQueries, AutoCloseable {

    private final InfoHandle handle;
    private final Life life;

    private Info(InfoHandle handle, Life life) {
        this.handle = handle;
        this.life = life;
    }

    /**
     * Makes an object without keys. {@code MPI_Info_create} Local.
     *
     * @return it, to be closed
     * @throws MpiException if MPI reports an error
     */
    public static Info create() {
        return adopt(Infos.infoCreate());
    }

    /**
     * Makes an object with these keys and values. {@code MPI_Info_create}, {@code MPI_Info_set} Local.
     *
     * @param entries the values by their keys
     * @return it, to be closed
     * @throws IllegalArgumentException if a key or a value is null, or a key is empty
     * @throws MpiException if MPI reports an error, as for texts that are too long
     */
    public static Info ofMap(Map<String, String> entries) {
        Arguments.present("entries", entries);
        Info info = create();
        try {
            entries.forEach(info::set);
        } catch (RuntimeException e) {
            info.close();
            throw e;
        }
        return info;
    }

    /**
     * Makes an object with what is known of the start of the program, as {@code maxprocs} or {@code host}; it may be
     * called before MPI is started. {@code MPI_Info_create_env} Local. Since MPI 4.0; not in every library.
     *
     * @return it, to be closed
     * @throws MpiException if MPI reports an error, or the library lacks the function
     */
    public static Info env() {
        return adopt(Infos.infoCreateEnv(0, new String[0]));
    }

    /**
     * Takes an object over from the layer below: {@link #close} frees it.
     *
     * @param handle its handle
     * @return the object
     */
    public static Info adopt(InfoHandle handle) {
        Arguments.present("handle", handle);
        Stray.freeDropped();
        long word = handle.handle();
        return new Info(handle, handle.equals(InfoHandle.NULL) ? Life.none("There are no hints.")
                : new Life("The hints are closed: close them when no call needs them any more.").watch(handle,
                        "object of hints", () -> Infos.infoFree(new InfoHandle(word))));
    }

    InfoHandle word() {
        return handle;
    }

    <T> T using(Supplier<T> action) {
        return life.during(action);
    }

    /**
     * Does something with hints, which may be null. Those that are closed are a mistake of the call, in whose
     * collective operation the process takes part without them.
     */
    static <T> T during(Call call, Info hints, Function<InfoHandle, T> action) {
        RuntimeException mistake = hints == null ? null : Parts.mistakeOf(hints.life::enter);
        if (hints == null || mistake != null) {
            call.note(mistake);
            return action.apply(InfoHandle.NULL);
        }
        try {
            return action.apply(hints.handle);
        } finally {
            hints.life.leave();
        }
    }

    /**
     * Gives a key a value, in place of one that it has. {@code MPI_Info_set} Local.
     *
     * @param key the key
     * @param value its value
     * @throws IllegalArgumentException if one is null, or the key is empty
     * @throws MpiException if MPI reports an error, as for texts that are too long
     */
    public void set(String key, String value) {
        requireKey(key);
        Arguments.present("value", value);
        using(() -> {
            Infos.infoSet(handle, key, value);
            return key;
        });
    }

    /**
     * Tells the value of a key. {@code MPI_Info_get_string}; in libraries before MPI 4.0 {@code MPI_Info_get} Local.
     *
     * @param key the key
     * @return its value, if it has one
     * @throws IllegalArgumentException if the key is null or empty
     * @throws MpiException if MPI reports an error
     */
    public Optional<String> get(String key) {
        requireKey(key);
        return using(() -> {
            try {
                return Infos.infoGetString(handle, key);
            } catch (UnavailableException e) {
                return getAsBefore(key);
            }
        });
    }

    @SuppressWarnings("deprecation")
    private Optional<String> getAsBefore(String key) {
        return Outdated.infoGetValuelen(handle, key).flatMap(length -> Outdated.infoGet(handle, key, length));
    }

    /**
     * Takes a key away, with its value. {@code MPI_Info_delete} Local.
     *
     * @param key the key
     * @return whether there was such a key
     * @throws IllegalArgumentException if the key is null or empty
     * @throws MpiException if MPI reports an error
     */
    public boolean delete(String key) {
        boolean isThere = get(key).isPresent();
        if (isThere) {
            using(() -> {
                Infos.infoDelete(handle, key);
                return key;
            });
        }
        return isThere;
    }

    /**
     * Tells the keys. {@code MPI_Info_get_nthkey} Local.
     *
     * @return all of them, in the order of the library
     * @throws MpiException if MPI reports an error
     */
    public List<String> keys() {
        return using(() -> {
            int size = size();
            List<String> keys = new ArrayList<>(size);
            for (int n = 0; n < size; n++) {
                keys.add(Infos.infoGetNthkey(handle, n));
            }
            return keys;
        });
    }

    /**
     * Tells the keys and their values. {@code MPI_Info_get_nthkey}, {@code MPI_Info_get_string} Local.
     *
     * @return a copy, in the order of the library
     * @throws MpiException if MPI reports an error
     */
    public Map<String, String> entries() {
        Map<String, String> entries = new LinkedHashMap<>();
        keys().forEach(key -> get(key).ifPresent(value -> entries.put(key, value)));
        return entries;
    }

    private static void requireKey(String key) {
        if (Arguments.present("key", key).isEmpty()) {
            throw new IllegalArgumentException("The key is empty: it must have at least one character.");
        }
    }

    /**
     * {@return the handle for {@link dev.mpiglot.low}, which must not free it}
     *
     * @throws IllegalStateException if the object is closed
     */
    public InfoHandle handle() {
        life.require();
        return handle;
    }

    /**
     * Gives the object back. Local. Closing again does nothing. {@code MPI_Info_free}
     *
     * @throws IllegalStateException if a call still uses it
     */
    @Override
    public void close() {
        if (life.end()) {
            Infos.infoFree(handle);
        }
    }
}

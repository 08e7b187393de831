package dev.mpiglot.low;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.LongFunction;

/** Java arrays to C arrays and back. A null array is a null pointer; a special array is its sentinel. */
final class Convert {

    private static final int RANGE = 3;
    /** So few elements are copied sooner by a loop. */
    private static final int FEW = 16;

    private Convert() {
    }

    // ---------------------------------------------------------------- down

    static long ints(Place place, int[] array) {
        if (array == null || array.length == 0) {
            return Sentinels.address(array);
        }
        long address = place.room(4L * array.length);
        if (array.length > FEW) {
            MemorySegment.copy(array, 0, Frame.ALL, ValueLayout.JAVA_INT, address, array.length);
            return address;
        }
        for (int i = 0; i < array.length; i++) {
            Frame.putInt(address + 4L * i, array[i]);
        }
        return address;
    }

    static long enums(Place place, int[] array, ValueSet set) {
        long address = ints(place, array);
        if (array != null && !set.identity()) {
            for (int i = 0; i < array.length; i++) {
                Frame.putInt(address + 4L * i, set.toNative(array[i]));
            }
        }
        return address;
    }

    static long longs(Place place, long[] array) {
        if (array == null || array.length == 0) {
            return 0;
        }
        long address = place.room(8L * array.length);
        MemorySegment.copy(array, 0, Frame.ALL, ValueLayout.JAVA_LONG, address, array.length);
        return address;
    }

    /** Wide values for a function that takes narrow ones. */
    static long narrowed(Place place, long[] array, String function) {
        if (array == null || array.length == 0) {
            return 0;
        }
        long address = place.room(4L * array.length);
        for (int i = 0; i < array.length; i++) {
            Frame.putInt(address + 4L * i, (int) Call.narrow(array[i], function));
        }
        return address;
    }

    static long flags(Place place, boolean[] array) {
        if (array == null || array.length == 0) {
            return 0;
        }
        long address = place.room(4L * array.length);
        for (int i = 0; i < array.length; i++) {
            Frame.putInt(address + 4L * i, array[i] ? 1 : 0);
        }
        return address;
    }

    static long ranges(Place place, int[][] array) {
        if (array == null || array.length == 0) {
            return 0;
        }
        long address = place.room(4L * RANGE * array.length);
        for (int i = 0; i < array.length; i++) {
            if (array[i].length != RANGE) {
                throw new IllegalArgumentException("a range is first rank, last rank and stride, but range " + i
                        + " has " + array[i].length + " numbers");
            }
            MemorySegment.copy(array[i], 0, Frame.ALL, ValueLayout.JAVA_INT, address + 4L * RANGE * i, RANGE);
        }
        return address;
    }

    static long handles(Place place, Handle[] array, boolean wide) {
        if (array == null || array.length == 0) {
            return 0;
        }
        int size = wide ? 8 : 4;
        // Libraries follow a request of 0.
        long none = array instanceof RequestHandle[] ? RequestHandle.NULL.handle() : 0;
        long address = place.room((long) size * array.length);
        for (int i = 0; i < array.length; i++) {
            Frame.putHandle(address + (long) size * i, array[i] == null ? none : array[i].handle(), wide);
        }
        return address;
    }

    static long statuses(Place place, StatusValue[] array) {
        if (array == null) {
            return Sentinels.STATUSES_IGNORE;
        }
        int size = StatusValue.SIZE;
        long address = place.room((long) size * Math.max(array.length, 1));
        for (int i = 0; i < array.length; i++) {
            if (array[i] == null) {
                array[i] = new StatusValue();
            }
            array[i].write(address + (long) size * i);
        }
        return address;
    }

    static long status(Place place, StatusValue status) {
        return status(status == null ? 0 : place.room(StatusValue.CAPACITY), status);
    }

    static long status(long address, StatusValue status) {
        if (status == null) {
            return Sentinels.STATUS_IGNORE;
        }
        status.write(address);
        return address;
    }

    /** A status that MPI reads: unlike one that it only writes, it cannot be ignored. */
    static long known(Place place, StatusValue status) {
        return known(place.room(StatusValue.CAPACITY), status);
    }

    static long known(long address, StatusValue status) {
        Objects.requireNonNull(status, "MPI reads this status: it must not be null").write(address);
        return address;
    }

    /** A text that MPI looks at on one process only: null on the others. */
    static long textOfRoot(Place place, String text) {
        return text == null ? 0 : text(place, text);
    }

    static long text(Place place, String text) {
        Objects.requireNonNull(text, "MPI reads this text: it must not be null");
        if (text.indexOf(0) >= 0) {
            throw new IllegalArgumentException("a text for MPI must not hold the character NUL, which would end it");
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long address = place.room((bytes.length + 8L) & -8);
        Frame.putText(address, bytes);
        return address;
    }

    /** A text that the library keeps, and would cut: {@code capacity} is of {@link Capacities}. */
    static long text(Place place, String text, int capacity) {
        int most = capacity - 2; // the constant of MPI counts the zero, too
        if (text != null && text.getBytes(StandardCharsets.UTF_8).length > most) {
            throw new IllegalArgumentException("a text is too long: this MPI keeps " + most + " bytes of it in UTF-8");
        }
        return text(place, text);
    }

    /** A list of texts with a null pointer behind the last. */
    static long texts(Place place, String[] texts) {
        if (texts == null) {
            return 0;
        }
        long address = place.room(8L * (texts.length + 1));
        for (int i = 0; i < texts.length; i++) {
            Frame.putLong(address + 8L * i, text(place, texts[i]));
        }
        Frame.putLong(address + 8L * texts.length, 0);
        return address;
    }

    /** Such a list for each of several programs. */
    static long textLists(Place place, String[][] lists) {
        if (lists == null) {
            return Sentinels.ARGVS_NULL;
        }
        long address = place.room(8L * Math.max(lists.length, 1));
        for (int i = 0; i < lists.length; i++) {
            Frame.putLong(address + 8L * i, texts(place, lists[i] == null ? new String[0] : lists[i]));
        }
        return address;
    }

    // ---------------------------------------------------------------- up

    static void back(long address, int[] array) {
        if (array == null || address == 0) {
            return;
        }
        if (array.length > FEW) {
            MemorySegment.copy(Frame.ALL, ValueLayout.JAVA_INT, address, array, 0, array.length);
            return;
        }
        for (int i = 0; i < array.length; i++) {
            array[i] = Frame.getInt(address + 4L * i);
        }
    }

    static void backEnums(long address, int[] array, ValueSet set) {
        back(address, array);
        if (array != null && !set.identity()) {
            for (int i = 0; i < array.length; i++) {
                array[i] = set.toJava(array[i]);
            }
        }
    }

    static void back(long address, long[] array) {
        if (array != null && array.length > 0) {
            MemorySegment.copy(Frame.ALL, ValueLayout.JAVA_LONG, address, array, 0, array.length);
        }
    }

    /** Integers that either twin stored. */
    static void back(long address, long[] array, boolean large) {
        for (int i = 0; array != null && i < array.length; i++) {
            array[i] = large ? Frame.getLong(address + 8L * i) : Frame.getInt(address + 4L * i);
        }
    }

    static void back(long address, boolean[] array) {
        for (int i = 0; array != null && i < array.length; i++) {
            array[i] = Frame.getInt(address + 4L * i) != 0;
        }
    }

    static void back(long address, int[][] array) {
        for (int i = 0; array != null && i < array.length; i++) {
            MemorySegment.copy(Frame.ALL, ValueLayout.JAVA_INT, address + 4L * array[i].length * i, array[i], 0,
                    array[i].length);
        }
    }

    static void back(long address, StatusValue[] array) {
        for (int i = 0; array != null && i < array.length; i++) {
            array[i].read(address + (long) StatusValue.SIZE * i);
        }
    }

    static void back(long address, StatusValue status) {
        if (status != null) {
            status.read(address);
        }
    }

    static <T extends Handle> void back(long address, T[] array, boolean wide, LongFunction<T> make) {
        int size = wide ? 8 : 4;
        for (int i = 0; array != null && i < array.length; i++) {
            array[i] = make.apply(Frame.getHandle(address + (long) size * i, wide));
        }
    }

    static void back(long address, KeptHandle[] array, boolean wide, long none) {
        int size = wide ? 8 : 4;
        for (int i = 0; array != null && i < array.length; i++) {
            if (array[i] != null) {
                array[i].update(Frame.getHandle(address + (long) size * i, wide), none);
            }
        }
    }
}

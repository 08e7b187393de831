package dev.mpiglot.mpi;

import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Datatypes;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * How records of a class lie in memory: as C would put a structure of their components.
 *
 * @param layout the structure
 * @param constructor makes a record
 * @param parts its components
 * @param <R> the class
 */
record RecordForm<R extends Record>(StructLayout layout, Constructor<R> constructor, List<Part> parts) {

    private static final Map<Class<?>, ValueLayout> PRIMITIVES = Map.of(boolean.class, ValueLayout.JAVA_BOOLEAN, byte.class,
            ValueLayout.JAVA_BYTE, short.class, ValueLayout.JAVA_SHORT, char.class, ValueLayout.JAVA_CHAR, int.class,
            ValueLayout.JAVA_INT, long.class, ValueLayout.JAVA_LONG, float.class, ValueLayout.JAVA_FLOAT, double.class,
            ValueLayout.JAVA_DOUBLE);

    private static final Map<Class<?>, Datatype<?>> SHARED = new WeakHashMap<>();

    private static final ClassValue<RecordForm<?>> FORMS = new ClassValue<>() {

        @Override
        protected RecordForm<?> computeValue(Class<?> type) {
            if (!type.isRecord()) {
                throw noRecord(type);
            }
            return made(type.asSubclass(Record.class));
        }
    };

    /** A component: a primitive one, or a record, which has a form. */
    private record Part(Method accessor, long at, MemoryLayout layout, VarHandle place, RecordForm<?> form) {

        static Part of(Method accessor, long at, MemoryLayout layout, RecordForm<?> form) {
            boolean isPrimitive = layout instanceof ValueLayout;
            return new Part(accessor, at, layout, isPrimitive ? layout.withByteAlignment(1).varHandle() : null, form);
        }

        Object read(MemorySegment memory, long place) {
            if (form != null) {
                return form.read(memory, place + at);
            }
            return this.place.get(memory, place + at);
        }

        void write(Record value, MemorySegment memory, long place) {
            Object own = invoke(() -> accessor.invoke(value));
            if (form != null) {
                form.writeAny((Record) Arguments.present(accessor.getName(), own), memory, place + at);
            } else {
                this.place.set(memory, place + at, own);
            }
        }
    }

    private interface Action<T> {
        T run() throws ReflectiveOperationException;
    }

    /** What is called; throws what that throws. */
    private static <T> T invoke(Action<T> action) {
        try {
            return action.run();
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The form of a class; throws if it has no such form. */
    @SuppressWarnings("unchecked")
    static <R extends Record> RecordForm<R> of(Class<R> type) {
        return (RecordForm<R>) FORMS.get(Arguments.present("type", type));
    }

    private static IllegalArgumentException noRecord(Class<?> type) {
        return new IllegalArgumentException(type.getName() + " is no record with components.");
    }

    private static <R extends Record> RecordForm<R> made(Class<R> type) {
        RecordComponent[] components = type.getRecordComponents();
        if (components.length == 0) {
            throw noRecord(type);
        }
        List<MemoryLayout> members = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        long end = 0;
        long widest = 1;
        for (RecordComponent one : components) {
            RecordForm<?> inner = one.getType().isRecord() ? of(one.getType().asSubclass(Record.class)) : null;
            MemoryLayout layout = inner != null ? inner.layout : primitive(type, one);
            long at = Math.ceilDiv(end, layout.byteAlignment()) * layout.byteAlignment();
            pad(members, at - end);
            members.add(layout);
            parts.add(Part.of(opened(one.getAccessor()), at, layout, inner));
            end = at + layout.byteSize();
            widest = Math.max(widest, layout.byteAlignment());
        }
        pad(members, Math.ceilDiv(end, widest) * widest - end);
        StructLayout all = MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new));
        return new RecordForm<>(all, constructor(type, components), List.copyOf(parts));
    }

    private static void pad(List<MemoryLayout> members, long bytes) {
        if (bytes > 0) {
            members.add(MemoryLayout.paddingLayout(bytes));
        }
    }

    private static MemoryLayout primitive(Class<?> type, RecordComponent component) {
        MemoryLayout layout = PRIMITIVES.get(component.getType());
        if (layout == null) {
            throw new IllegalArgumentException("The component " + component + " of " + type.getName()
                    + " is neither primitive nor a record: reduceObject and allreduceObject take such objects.");
        }
        return layout;
    }

    private static <R extends Record> Constructor<R> constructor(Class<R> type, RecordComponent[] components) {
        Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        return opened(invoke(() -> type.getDeclaredConstructor(types)));
    }

    private static <T extends java.lang.reflect.AccessibleObject> T opened(T member) {
        try {
            member.setAccessible(true);
            return member;
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("The library cannot reach " + member + ": its module must open the package.", e);
        }
    }

    /**
     * The type of buffers that the package makes: one for all, which nobody closes and MPI's end frees. Where many
     * types live, MPICH 4.0.2 leaves bytes of messages out (many-datatypes-lose-bytes).
     */
    @SuppressWarnings("unchecked")
    Datatype<Element.Of<R>> datatypeOfPackage() {
        synchronized (SHARED) {
            Datatype<?> known = SHARED.get(type());
            if (known == null || !known.life().isOpen()) {
                known = datatype();
                known.life().ofPackage();
                SHARED.put(type(), known);
            }
            return (Datatype<Element.Of<R>>) known;
        }
    }

    /** The type of such records for MPI, to be closed. */
    Datatype<Element.Of<R>> datatype() {
        Datatype<Element.Of<R>> made = Datatype.struct(layout).of(this);
        long extent = made.extent();
        if (extent != layout.byteSize()) {
            made.close();
            throw new UnsupportedOperationException("The library has " + extent + " bytes from one " + name()
                    + " to the next, not " + layout.byteSize() + ".");
        }
        return made;
    }

    /**
     * MPI's own type for a value and its index, which alone {@code MPI_MAXLOC} takes; null: it has none for such
     * records. ROMIO ends the job where a file is written from it.
     */
    DatatypeHandle pair() {
        Class<R> type = type();
        return type == Located.OfDouble.class ? DatatypeHandle.DOUBLE_INT
                : type == Located.OfFloat.class ? DatatypeHandle.FLOAT_INT
                : type == Located.OfLong.class ? DatatypeHandle.LONG_INT
                : type == Located.OfInt.class ? DatatypeHandle._2INT
                : type == Located.OfShort.class ? DatatypeHandle.SHORT_INT : null;
    }

    Class<R> type() {
        return constructor.getDeclaringClass();
    }

    /** The class, in words. */
    String name() {
        return type().getSimpleName();
    }

    /** Whether records of another form are of the same class; null: they are no records of a class. */
    boolean isLike(RecordForm<?> other) {
        return other != null && other.type() == type();
    }

    R read(MemorySegment memory, long place) {
        Object[] values = new Object[parts.size()];
        Arrays.setAll(values, i -> parts.get(i).read(memory, place));
        return invoke(() -> constructor.newInstance(values));
    }

    void write(R value, MemorySegment memory, long place) {
        writeAny(value, memory, place);
    }

    private void writeAny(Record value, MemorySegment memory, long place) {
        for (Part part : parts) {
            part.write(value, memory, place);
        }
    }

    /** The records at the start of memory. */
    List<R> readAll(MemorySegment memory, int count) {
        List<R> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(read(memory, i * layout.byteSize()));
        }
        return all;
    }

    /** Puts records at the start of memory; throws if one is null. */
    void writeAll(List<? extends R> values, MemorySegment memory) {
        for (int i = 0; i < values.size(); i++) {
            write(Arguments.present("value", (R) values.get(i)), memory, i * layout.byteSize());
        }
    }
}

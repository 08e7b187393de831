package dev.mpiglot.mpi;

import dev.mpiglot.low.Bind;
import dev.mpiglot.low.Environment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An open {@link Variable}. All methods are local; any thread may call them. They throw an {@link IllegalStateException}
 * once this, or that which it comes from, is closed, or MPI is and the value belongs to one of its objects.
 */
public abstract sealed class VariableHandle implements AutoCloseable permits ControlHandle, PerformanceHandle {

    private static final long MORE = 4096; // a text may have grown since its length was told

    private final Variable variable;
    private final Owner owner;
    private final Life life = new Life("The variable is closed: close it when no call needs it any more.");
    private int count;
    private MemorySegment memory;

    VariableHandle(Variable variable, Owner owner) {
        this.variable = variable;
        this.owner = owner;
    }

    /** MPI has opened it with so many values. */
    void opened(int values) {
        count = values;
        memory = Arena.ofAuto().allocate((long) values * variable.type().size() + MORE, Long.BYTES);
    }

    /** Does something while what this comes from is open. */
    abstract <T> T inParents(Supplier<T> action);

    abstract void readTo(MemorySegment place);

    abstract void writeFrom(MemorySegment place);

    /** Opens it while its object is open, which stays so until {@link #close}. */
    void open(Runnable open) {
        owner.require(variable);
        owner.enter().run();
        try {
            open.run();
        } catch (RuntimeException e) {
            owner.leave().run();
            throw e;
        }
    }

    /** Does something while it and its object are open. */
    <T> T using(Supplier<T> action) {
        return inParents(() -> life.during(() -> {
            if (owner.kind() != Bind.NO_OBJECT && Environment.finalized()) {
                throw ClosedException.afterMpi();
            }
            return action.get();
        }));
    }

    /** {@return what is open} */
    public Variable variable() {
        return variable;
    }

    /** {@return how many values it has; of a text, the most bytes, with one for its end} */
    public int count() {
        return count;
    }

    /**
     * Reads whole numbers; one of 64 bits without sign is told as {@link Long#toUnsignedString(long)} takes it.
     *
     * @return the values
     * @throws IllegalStateException if the variable has no whole numbers
     * @throws MpiException if MPI reports an error
     */
    public long[] longs() {
        return longs(this::readTo);
    }

    /** The whole numbers that a call of MPI writes. */
    long[] longs(Consumer<MemorySegment> call) {
        return read(variable.type().isWhole(), "whole numbers", call,
                () -> IntStream.range(0, count).mapToLong(i -> variable.type().get(memory, i)).toArray());
    }

    /**
     * Reads floating-point numbers.
     *
     * @return the values
     * @throws IllegalStateException if the variable has no floating-point numbers
     * @throws MpiException if MPI reports an error
     */
    public double[] doubles() {
        return doubles(this::readTo);
    }

    /** The floating-point numbers that a call of MPI writes. */
    double[] doubles(Consumer<MemorySegment> call) {
        return read(variable.isFloating(), "floating-point numbers", call,
                () -> memory.asSlice(0, (long) count * Double.BYTES).toArray(ValueLayout.JAVA_DOUBLE));
    }

    /**
     * Reads values as a text: the variable's own, or its numbers or their names ({@link Variable#items}), with commas.
     *
     * @return the text
     * @throws IllegalStateException if the values are of a type that the standard does not have for variables
     * @throws MpiException if MPI reports an error
     */
    public String text() {
        if (variable.isFloating()) {
            return Arrays.stream(doubles()).mapToObj(Double::toString).collect(Collectors.joining(", "));
        }
        if (variable.type().isWhole()) {
            return Arrays.stream(longs()).mapToObj(this::word).collect(Collectors.joining(", "));
        }
        return read(variable.isText(), "texts", this::readTo, () -> memory.getString(0));
    }

    private String word(long value) {
        String name = value == (int) value ? variable.items().get((int) value) : null;
        return name != null ? name : Long.toString(value);
    }

    private <T> T read(boolean fits, String wanted, Consumer<MemorySegment> call, Supplier<T> taken) {
        requireType(fits, wanted);
        return using(() -> {
            synchronized (this) {
                memory.fill((byte) 0);
                call.accept(memory);
                return taken.get();
            }
        });
    }

    private void requireType(boolean fits, String wanted) {
        if (!fits) {
            throw new IllegalStateException("The values of \"" + variable + "\" are " + variable.type() + ", not "
                    + wanted + ".");
        }
    }

    private void write(Runnable put) {
        using(() -> {
            synchronized (this) {
                put.run();
                writeFrom(memory);
                return null;
            }
        });
    }

    private void requireCount(int values) {
        if (values != count) {
            throw new IllegalArgumentException("\"" + variable + "\" has " + count + (count == 1 ? " value" : " values")
                    + ", not " + values + ".");
        }
    }

    /**
     * Sets whole numbers.
     *
     * @param values as many as there are
     * @throws IllegalArgumentException if there are others, or one that the variable's type does not have
     * @throws IllegalStateException if the variable has no whole numbers
     * @throws MpiException if MPI reports an error: the variable cannot be set, or not any more
     */
    public void set(long... values) {
        Arguments.present("values", values);
        requireType(variable.type().isWhole(), "whole numbers");
        requireCount(values.length);
        write(() -> IntStream.range(0, count).forEach(i -> variable.type().put(memory, i, values[i])));
    }

    /**
     * Sets floating-point numbers.
     *
     * @param values as many as there are
     * @throws IllegalArgumentException if there are others
     * @throws IllegalStateException if the variable has no floating-point numbers
     * @throws MpiException if MPI reports an error: the variable cannot be set, or not any more
     */
    public void set(double... values) {
        Arguments.present("values", values);
        requireType(variable.isFloating(), "floating-point numbers");
        requireCount(values.length);
        write(() -> memory.copyFrom(MemorySegment.ofArray(values)));
    }

    /**
     * Sets a text.
     *
     * @param value the text
     * @throws IllegalArgumentException if it has {@link #count} bytes of UTF-8 or more, or a zero character
     * @throws IllegalStateException if the variable has no text
     * @throws MpiException if MPI reports an error: the variable cannot be set, or not any more
     */
    public void set(String value) {
        byte[] bytes = Arguments.present("value", value).getBytes(StandardCharsets.UTF_8);
        requireType(variable.isText(), "texts");
        if (bytes.length >= count || value.indexOf(0) >= 0) {
            throw new IllegalArgumentException("\"" + variable + "\" takes at most " + Math.max(count - 1, 0)
                    + " bytes without a zero, not \"" + value + "\".");
        }
        write(() -> {
            memory.fill((byte) 0);
            memory.copyFrom(MemorySegment.ofArray(bytes));
        });
    }

    abstract void free();

    /**
     * Ends the use; so does closing what it comes from. Closing again does nothing.
     *
     * @throws IllegalStateException if a call still uses it
     * @throws MpiException if MPI reports an error
     */
    @Override
    public void close() {
        if (life.end()) {
            try {
                inParents(() -> {
                    free();
                    return null;
                });
            } finally {
                owner.leave().run();
            }
        }
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.Bind;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.ToolEnumHandle;
import dev.mpiglot.low.Tools;
import dev.mpiglot.low.Verbosity;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A variable of the MPI library, found by {@link Variables}: what the library is set to, or what it counts. */
public abstract sealed class Variable permits ControlVariable, PerformanceVariable {

    private final Variables found;
    private final int index;
    private final String name;
    private final String description;
    private final Verbosity verbosity;
    private final Bind bind;
    private final VariableType type;
    private final Map<Integer, String> items;

    Variable(Variables found, int index, Texts texts, DatatypeHandle type, ToolEnumHandle items) {
        this.found = found;
        this.index = index;
        this.name = texts.name;
        this.description = texts.description;
        this.verbosity = Verbosity.of(texts.verbosity);
        this.bind = Bind.of(texts.bind);
        this.type = VariableType.of(type);
        this.items = ToolEnumHandle.NULL.equals(items) ? Map.of() : items(items);
    }

    /** What variables of both kinds tell. */
    record Texts(String name, String description, int verbosity, int bind) {
    }

    private static Map<Integer, String> items(ToolEnumHandle type) {
        Map<Integer, String> items = new LinkedHashMap<>();
        int number = Tools.tEnumGetInfo(type).num();
        for (int i = 0; i < number; i++) {
            Tools.TEnumGetItemResult item = Tools.tEnumGetItem(type, i);
            items.put(item.value(), item.name());
        }
        return Collections.unmodifiableMap(items);
    }

    Variables found() {
        return found;
    }

    int index() {
        return index;
    }

    VariableType type() {
        return type;
    }

    /** {@return the name, which the library has chosen} */
    public String name() {
        return name;
    }

    /** {@return what it is, in the library's words; empty if it does not say} */
    public String description() {
        return description;
    }

    /** {@return for whom it is, and with how many details} */
    public Verbosity verbosity() {
        return verbosity;
    }

    /** {@return to what kind of object each of its values belongs; {@link Bind#NO_OBJECT}: to the process} */
    public Bind bind() {
        return bind;
    }

    /** {@return whether its value is a text} */
    public boolean isText() {
        return type == VariableType.TEXT;
    }

    /** {@return whether its values are floating-point numbers} */
    public boolean isFloating() {
        return type == VariableType.DOUBLE;
    }

    /** {@return what its values are called, if they are some of a few numbers with names; else empty} */
    public Map<Integer, String> items() {
        return items;
    }

    /** {@return its name} */
    @Override
    public String toString() {
        return name;
    }
}

package dev.mpiglot.mpi;

import dev.mpiglot.low.PvarClass;
import dev.mpiglot.low.Tools;

/** What the MPI library counts or measures. A {@link PerformanceSession} opens it. */
public final class PerformanceVariable extends Variable {

    private final PvarClass kind;
    private final boolean readonly;
    private final boolean continuous;
    private final boolean atomic;

    PerformanceVariable(Variables found, int index, Tools.TPvarGetInfoResult told) {
        super(found, index, new Texts(told.name(), told.desc(), told.verbosity(), told.bind()), told.datatype(),
                told.enumtype());
        this.kind = PvarClass.of(told.varClass());
        this.readonly = told.readonly();
        this.continuous = told.continuous();
        this.atomic = told.atomic();
    }

    /** {@return what it tells: a level, a counter, a time} */
    public PvarClass kind() {
        return kind;
    }

    /** {@return whether it can be neither set nor reset} */
    public boolean isReadonly() {
        return readonly;
    }

    /** {@return whether it counts all the time, and cannot be started or stopped} */
    public boolean isContinuous() {
        return continuous;
    }

    /** {@return whether it can be read and reset in one step} */
    public boolean isAtomic() {
        return atomic;
    }
}

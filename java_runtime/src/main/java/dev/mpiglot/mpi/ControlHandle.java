package dev.mpiglot.mpi;

import dev.mpiglot.low.ToolCvarHandle;
import dev.mpiglot.low.Tools;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/** An open {@link ControlVariable}, to be closed. */
public final class ControlHandle extends VariableHandle {

    private ToolCvarHandle handle;

    ControlHandle(ControlVariable variable, Owner owner) {
        super(variable, owner);
        open(() -> inParents(() -> owner.pass(object -> {
            Tools.TCvarHandleAllocResult made = Tools.tCvarHandleAlloc(variable.index(), object);
            handle = made.handle();
            opened(made.count());
            return variable.found().handles().add(this);
        })));
    }

    @Override
    <T> T inParents(Supplier<T> action) {
        return variable().found().using(action);
    }

    @Override
    void readTo(MemorySegment place) {
        Tools.tCvarRead(handle, place);
    }

    @Override
    void writeFrom(MemorySegment place) {
        Tools.tCvarWrite(handle, place);
    }

    @Override
    void free() {
        variable().found().handles().remove(this);
        Tools.tCvarHandleFree(handle);
    }
}

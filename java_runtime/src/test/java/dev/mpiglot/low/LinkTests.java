package dev.mpiglot.low;

import dev.mpiglot.mpi.Check;
import dev.mpiglot.mpi.Comm;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;

/** Everything that can be called can be linked. */
public final class LinkTests {

    private static final List<Class<?>> CHAPTERS = List.of(Abi.class, Caching.class, Collectives.class,
            Communicators.class, Conversions.class, Datatypes.class, Environment.class, Extensions.class,
            InputOutput.class,
            Generalized.class, Infos.class, OneSided.class, Outdated.class, PartitionedCommunication.class,
            PointToPoint.class, Processes.class, Sessions.class, Tools.class, Topologies.class);

    private LinkTests() {
    }

    /** Whether this process tries the next one: the processes share them. */
    private static boolean isTurnOf(Comm world, int next) {
        return next % world.size() == world.rank();
    }

    public static void everyFunctionHasAMethodHandle(Comm world) throws ReflectiveOperationException {
        int linked = 0;
        for (Class<?> chapter : CHAPTERS) {
            for (Class<?> holder : chapter.getDeclaredClasses()) {
                if (holder.isRecord()) {
                    continue;
                }
                Field call = holder.getDeclaredField("CALL");
                call.setAccessible(true);
                if (isTurnOf(world, linked)) {
                    Check.isTrue(((MethodHandle) call.get(null)).type() != null, holder.getName());
                }
                linked++;
            }
        }
        Check.isTrue(linked > 600, "only " + linked + " functions");
    }

    public static void everyCallbackTypeHasACFunction(Comm world) throws ReflectiveOperationException {
        int made = 0;
        int lent = Stubs.lent();
        for (Class<?> adapter : Adapters.class.getDeclaredClasses()) {
            made++;
            if (!isTurnOf(world, made)) {
                continue;
            }
            Method lend = null;
            for (Method method : adapter.getDeclaredMethods()) {
                lend = method.getName().equals("lend") ? method : lend;
            }
            Class<?> type = lend.getParameterTypes()[0];
            Object callback = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (p, m, a) -> null);
            Stubs.Stub stub = (Stubs.Stub) lend.invoke(null, callback);
            Stubs.Stub again = (Stubs.Stub) lend.invoke(null, callback);
            Check.isTrue(stub.address() != 0 && stub == again, type.getName());
            stub.giveBack();
            stub.giveBack();
            Check.equal(Stubs.lent(), lent);
        }
        Check.isTrue(made > 20, "only " + made + " callback types");
    }

    public static void wordsThatAreNoAddressesAreNoMemory(Comm world) {
        Check.equal(Frame.at(-9).byteSize(), 0L);
        Check.equal(Frame.at(0).byteSize(), 0L);
        Check.equal(Frame.at(4096).byteSize(), Long.MAX_VALUE - 4096);
    }
}

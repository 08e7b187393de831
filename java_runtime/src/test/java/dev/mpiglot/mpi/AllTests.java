package dev.mpiglot.mpi;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Runs every test on the processes that mpiexec started: static methods that take the world communicator. A test fails
 * if it throws on any process. Arguments, if any, name the classes or methods to run.
 */
public final class AllTests {

    private static final long SECONDS = 2 * Check.PATIENCE + (RandomTests.moreCalls() + dev.mpiglot.low.StubTests.moreRounds()) / 1000;
    /** Brief calls, those in arrays among them, end with the first callback; stubs are counted before tests leave operations pending, which keep some. */
    private static final List<Class<?>> CLASSES = List.of(dev.mpiglot.low.HeapCallTests.class,
            dev.mpiglot.low.BriefTests.class, MessageTests.class,
            SendModeTests.class, PersistentTests.class, SeveralTests.class, ProbeTests.class, CollectiveTests.class, SharesTests.class,
            PersistentShareTests.class, WindowTests.class, EpochTests.class, BufferFormsTests.class,
            BufferReachTests.class, ObjectTests.class, LearnedTests.class, OpTests.class, RecordArrayTests.class,
            MixedTests.class,
            GroupTests.class, CommTests.class, DefectTests.class, InfoTests.class, TopologyTests.class, NeighbourTests.class, FileTests.class, AttributeTests.class,
            TypeTests.class, PackTests.class, PartitionTests.class, DynamicTests.class,
            ArrayTests.class, StagingTests.class, PinTests.class, StrayTests.class, SizeTests.class, MistakeTests.class, ShareMistakeTests.class,
            dev.mpiglot.low.StubTests.class,
            CloseTests.class, ErrorTests.class, TraceTests.class, ErrorHandlerTests.class, EnvironmentTests.class, VariableTests.class, SessionTests.class,
            GeneralizedTests.class, RequestTests.class, CancelTests.class, VirtualTests.class,
            RandomTests.class, JvmTests.class, dev.mpiglot.low.CallbackTests.class, dev.mpiglot.low.SentinelTests.class,
            dev.mpiglot.low.LifetimeTests.class, dev.mpiglot.low.ValueTests.class, dev.mpiglot.low.ChapterTests.class,
            dev.mpiglot.low.LinkTests.class);

    private static Mpi running;

    private AllTests() {
    }

    /** MPI, for tests of what belongs to the whole process. */
    static Mpi mpi() {
        return running;
    }

    public static void main(String[] args) {
        watch();
        Mpi.run(mpi -> {
            running = mpi;
            int ran = 0;
            int failed = 0;
            for (Class<?> suite : CLASSES) {
                Method[] methods = suite.getDeclaredMethods();
                Arrays.sort(methods, Comparator.comparing(Method::getName));
                for (Method method : methods) {
                    if (!isTest(method) || !isWanted(method, args)) {
                        continue;
                    }
                    String defect = KnownDefects.reason(method.getName(), mpi.libraryVersion(),
                            mpi.world().size());
                    if (defect != null) {
                        if (mpi.world().rank() == 0) {
                            System.out.println("known defect, not run: " + method.getName() + ": " + defect);
                        }
                    } else {
                        ran++;
                        failed += run(method, mpi.world()) ? 0 : 1;
                    }
                }
            }
            if (mpi.world().rank() == 0) {
                String library = mpi.libraryVersion().lines().findFirst().orElse("").strip();
                System.out.println("tests java: " + (failed == 0 && ran > 0 ? "ok" : failed + " failed of") + " " + ran
                        + " tests on " + mpi.world().size() + " ranks with " + library);
            }
            if (failed > 0 || ran == 0) {
                mpi.world().barrier();
                mpi.world().abort(1);
            }
        });
    }

    private static boolean isTest(Method method) {
        return Arrays.equals(method.getParameterTypes(), new Class<?>[] {Comm.class}) && !method.isSynthetic()
                && java.lang.reflect.Modifier.isPublic(method.getModifiers());
    }

    private static boolean isWanted(Method method, String[] names) {
        return names.length == 0 || Arrays.stream(names).anyMatch(
                name -> method.getName().equals(name) || method.getDeclaringClass().getSimpleName().equals(name));
    }

    /** Whether the test passed on every process. */
    private static boolean run(Method test, Comm world) {
        int[] failed = {0};
        try {
            test.invoke(null, world);
        } catch (InvocationTargetException e) {
            failed[0] = 1;
            System.err.println("FAILED on rank " + world.rank() + ": " + test.getDeclaringClass().getSimpleName() + "."
                    + test.getName());
            e.getCause().printStackTrace();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        world.allreduce(failed, Op.MAX);
        return failed[0] == 0;
    }

    private static void watch() {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(SECONDS * 1000);
            } catch (InterruptedException e) {
                return;
            }
            System.err.println("The tests did not end within " + SECONDS + " seconds: " + RandomPlayer.where());
            Thread.getAllStackTraces().forEach((thread, frames) -> System.err.println(thread + " " + Arrays.toString(frames)));
            Runtime.getRuntime().halt(1);
        });
    }
}

package dev.mpiglot.low;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Set;
import java.util.stream.Stream;

/** What must stay alive after a call: the memory that MPI uses until another call completes what this one began. */
final class EchoKeeping {

    /** What MPI uses without a request, until a window is freed or told to complete, a file call ended, a buffer detached. */
    private static final Set<String> ACCESSES = Set.of("put", "get", "accumulate", "getAccumulate", "fetchAndOp",
            "compareAndSwap", "putNotify", "getNotify", "winCreate", "winAttach", "bufferAttach", "commAttachBuffer",
            "sessionAttachBuffer", "sendEnqueue", "recvEnqueue", "allreduceEnqueue");

    /** Its memory is what MPICH's callbacks are given, as it is. */
    private static final String OF_A_CLASS = "grequestClassAllocate";

    private final Method method;
    private final Object[] given;

    EchoKeeping(Method method, Object[] given) {
        this.method = method;
        this.given = given;
        for (Object owner : given) {
            Keeping.release(owner);
        }
        Keeping.release(Keeping.class);
    }

    /** Whether the operation goes on after the call, which then says nothing of callbacks. */
    static boolean starts(Method method) {
        Class<?> type = method.getReturnType();
        boolean request = type == RequestHandle.class || type.isRecord()
                && Stream.of(type.getRecordComponents()).map(RecordComponent::getType)
                .anyMatch(RequestHandle.class::equals);
        return request && !method.getName().equals(OF_A_CLASS) && Stream.of(method.getParameterTypes()).anyMatch(MemorySegment.class::equals);
    }

    /** Whether every segment is kept that must be. */
    boolean keeps(Object got) {
        boolean begins = ACCESSES.contains(method.getName()) || method.getName().endsWith("Begin");
        boolean all = true;
        for (Object one : given) {
            if (one instanceof MemorySegment segment && (begins || starts(method))) {
                all &= begins ? Keeping.keeps(segment) : got instanceof RequestHandle request && request.keeps(segment);
            }
        }
        Keeping.release(got);
        return all;
    }
}

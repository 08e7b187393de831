package support;

import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.PointToPoint;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Sockets as numbers, which MPI takes and Java's own classes do not give. */
final class Sockets {

    private static final int INET = 2;
    private static final int STREAM = 1;
    private static final int LENGTH = 16; // of an address
    private static final MethodHandle SOCKET = function("socket", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    private static final MethodHandle BIND = function("bind", ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    private static final MethodHandle LISTEN = function("listen", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    private static final MethodHandle NAME = function("getsockname", ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    private static final MethodHandle ACCEPT = function("accept", ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    private static final MethodHandle CONNECT = function("connect", ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    private static final MethodHandle CLOSE = function("close", ValueLayout.JAVA_INT);

    private Sockets() {
    }

    private static MethodHandle function(String name, MemoryLayout... parameters) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
    }

    private static int called(MethodHandle function, Object... arguments) {
        try {
            int result = (int) function.invokeWithArguments(arguments);
            Support.check(result >= 0, "a socket can be had");
            return result;
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** A socket that leads to the other of two processes. */
    static int joined(int other) {
        int socket = called(SOCKET, INET, STREAM, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment here = arena.allocate(LENGTH, 8);
            here.set(ValueLayout.JAVA_SHORT, 0, (short) INET);
            here.asSlice(4).copyFrom(MemorySegment.ofArray(new byte[] {127, 0, 0, 1}));
            MemorySegment port = here.asSlice(2, 2);
            if (Support.rank > other) {
                PointToPoint.recv(port, 2, DatatypeHandle.BYTE, other, 0, Support.world, null);
                called(CONNECT, socket, here, LENGTH);
                return socket;
            }
            called(BIND, socket, here, LENGTH);
            called(LISTEN, socket, 1);
            MemorySegment length = arena.allocate(4, 4);
            length.set(ValueLayout.JAVA_INT, 0, LENGTH);
            called(NAME, socket, here, length);
            PointToPoint.send(port, 2, DatatypeHandle.BYTE, other, 0, Support.world);
            int accepted = called(ACCEPT, socket, MemorySegment.NULL, MemorySegment.NULL);
            close(socket);
            return accepted;
        }
    }

    static void close(int socket) {
        called(CLOSE, socket);
    }
}

package dev.mpiglot.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/** Processes that are started, and those that find each other. */
public final class DynamicTests {

    private static final int TAG = 1;

    private DynamicTests() {
    }

    private static Spawn program(int processes, int number) {
        return Spawn.of(processes, System.getProperty("java.home") + "/bin/java", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), SpawnedProgram.class.getName(), Integer.toString(number));
    }

    /** What each process of the programs sends. */
    private static void hear(Comm world, Spawned spawned, int... numbers) {
        try (Intercomm children = spawned.comm()) {
            Check.equal(children.remoteSize(), numbers.length);
            Check.equal(spawned.errors(), java.util.Collections.nCopies(numbers.length, 0));
            if (world.rank() == 0) {
                for (int i = 0; i < numbers.length; i++) {
                    int[] got = new int[2];
                    children.recv(got, i, TAG);
                    Check.equal(got, new int[] {numbers[i], i});
                }
            }
            children.disconnect();
        }
    }

    public static void programsAreStarted(Comm world) {
        if (KnownDefects.has("no-spawn")) {
            return;
        }
        boolean isRoot = world.rank() == 0;
        hear(world, world.spawn(isRoot ? program(2, 40) : null, 0), 40, 40);
        hear(world, world.spawn(isRoot ? List.of(program(1, 50), program(1, 51)) : null, 0), 50, 51);
    }

    public static void aVirtualThreadStartsAProgram(Comm world) throws InterruptedException {
        if (KnownDefects.has("no-spawn")) {
            return;
        }
        Throwable[] thrown = new Throwable[1];
        Thread all = Thread.ofVirtual().unstarted(() -> hear(world, world.spawn(program(1, 60), 0), 60));
        all.setUncaughtExceptionHandler((thread, failure) -> thrown[0] = failure);
        all.start();
        all.join();
        Check.equal(thrown[0], null);
    }

    public static void allAreToldOfAMistakeAtTheRoot(Comm world) {
        int root = world.size() - 1;
        boolean isRoot = world.rank() == root;
        Check.fails(IllegalArgumentException.class, () -> world.spawn((Spawn) null, root));
        Check.fails(IllegalArgumentException.class, () -> world.spawn(isRoot ? List.of() : null, root));
        Check.fails(IllegalArgumentException.class, () -> world.accept(null, root));
        Check.fails(IllegalArgumentException.class, () -> world.connect(null, root));
    }

    public static void whatCannotBeStartedIsRefused(Comm world) {
        try (Comm alone = world.split(world.rank(), 0)) {
            Check.fails(IllegalArgumentException.class, () -> alone.spawn((Spawn) null, 0));
            Check.fails(IllegalArgumentException.class, () -> alone.spawn(List.of(), 0));
            Check.fails(IllegalArgumentException.class, () -> alone.spawn(Arrays.asList((Spawn) null), 0));
            Check.fails(IllegalArgumentException.class, () -> alone.spawn(Spawn.of(1, "/nowhere"), 1));
            Check.fails(IllegalArgumentException.class, () -> Spawn.of(0, "/nowhere"));
            Check.fails(IllegalArgumentException.class, () -> Spawn.of(1, ""));
            Check.fails(IllegalArgumentException.class, () -> Spawn.of(1, "/nowhere", (String) null));
            Info hints = Info.create();
            hints.close();
            Check.fails(IllegalStateException.class, () -> alone.spawn(new Spawn("/nowhere", List.of(), 1, hints), 0));
            Check.fails(IllegalArgumentException.class, () -> alone.accept(null, 0));
            Check.fails(IllegalArgumentException.class, () -> alone.connect(null, 0));
            Check.fails(IllegalArgumentException.class, () -> Intercomm.join(-1));
            Check.fails(IllegalArgumentException.class, () -> Port.lookup(null, null));
            Check.fails(UnsupportedOperationException.class, world::disconnect);
        }
        Comm same = world.dup();
        same.disconnect();
        same.disconnect();
        same.close();
        Check.fails(IllegalStateException.class, same::rank);
        Check.isTrue(Intercomm.parent().isEmpty(), "these processes have a parent");
    }

    public static void processesConnectAtAPort(Comm world) {
        if (KnownDefects.has("no-ports") || world.size() < 2 || world.rank() > 1) {
            world.barrier();
            return;
        }
        char[] name = new char[1 << 12];
        if (world.rank() == 0) {
            Port port = Port.open(null);
            port.name().getChars(0, port.name().length(), name, 0);
            world.send(name, 1, TAG);
            talk(AllTests.mpi().self().accept(port, 0), 0);
            Check.fails(IllegalArgumentException.class, () -> port.unpublish("nothing", null));
            port.close();
            port.close();
            Check.fails(IllegalStateException.class, () -> AllTests.mpi().self().accept(port, 0));
        } else {
            world.recv(name, 0, TAG);
            talk(AllTests.mpi().self().connect(new String(name).trim(), 0), 1);
        }
        world.barrier();
    }

    private static void talk(Intercomm other, int own) {
        int[] got = new int[1];
        other.sendrecv(new int[] {own}, 0, got, 0, TAG);
        Check.equal(got[0], 1 - own);
        other.disconnect();
    }

    public static void publishedNamesAreFound(Comm world) {
        if (KnownDefects.has("no-ports") || world.rank() > 0) {
            world.barrier();
            return;
        }
        String service = "mpiglot-" + ProcessHandle.current().pid();
        try (Port port = Port.open(null)) {
            port.publish(service, null);
            Check.equal(Port.lookup(service, null), port.name());
            port.unpublish(service, null);
            Check.fails(MpiException.class, () -> Port.lookup(service, null));
            port.publish(service, null);
        }
        world.barrier();
    }

    public static void aSocketJoinsTwoProcesses(Comm world) throws Throwable {
        if (!KnownDefects.has("no-ports") && world.size() > 1 && world.rank() < 2) {
            talk(Intercomm.join(Sockets.between(world)), world.rank());
        }
        world.barrier();
    }

    /** Sockets of C. */
    private static final class Sockets {

        private static int call(String name, Object... arguments) throws Throwable {
            MemoryLayout[] layouts = Arrays.stream(arguments).map(
                    one -> one instanceof Integer ? ValueLayout.JAVA_INT : ValueLayout.ADDRESS).toArray(MemoryLayout[]::new);
            Linker linker = Linker.nativeLinker();
            int result = (int) linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts)).invokeWithArguments(arguments);
            Check.isTrue(result >= 0, name + " failed");
            return result;
        }

        /** A connected one between the first two processes. */
        static int between(Comm world) throws Throwable {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment address = arena.allocate(16, 8); // sockaddr_in
                address.set(ValueLayout.JAVA_SHORT, 0, (short) 2); // AF_INET
                address.set(ValueLayout.JAVA_BYTE, 4, (byte) 127);
                address.set(ValueLayout.JAVA_BYTE, 7, (byte) 1);
                int socket = call("socket", 2, 1, 0);
                char[] port = new char[1];
                if (world.rank() == 0) {
                    MemorySegment length = arena.allocate(8, 8);
                    length.set(ValueLayout.JAVA_INT, 0, 16);
                    call("bind", socket, address, 16);
                    call("listen", socket, 1);
                    call("getsockname", socket, address, length);
                    port[0] = address.get(ValueLayout.JAVA_CHAR, 2);
                    world.send(port, 1, TAG);
                    return call("accept", socket, MemorySegment.NULL, MemorySegment.NULL);
                }
                world.recv(port, 0, TAG);
                address.set(ValueLayout.JAVA_CHAR, 2, port[0]);
                call("connect", socket, address, 16);
                return socket;
            }
        }
    }
}

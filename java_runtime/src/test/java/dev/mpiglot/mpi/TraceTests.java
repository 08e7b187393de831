package dev.mpiglot.mpi;

import dev.mpiglot.low.LockType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What readers of stack traces see: the method that the program has called, and few classes below it. */
public final class TraceTests {

    /** The classes whose methods programs call, and the interfaces that are the chapters of these classes. */
    private static final Set<String> CALLED = Set.of("Comm", "PointToPointOperations", "BufferedMessages",
            "PartitionedMessages", "CollectiveOperations", "VectorCollectives", "ObjectOperations", "RecordReductions",
            "CommunicatorCreation", "CommunicatorQueries", "TopologyCreation", "WindowCreation", "FileOpening",
            "ProcessCreation", "Cart", "Neighborhood", "NeighborOperations", "Intercomm", "IntercommQueries", "Message",
            "MessageReceives", "Window", "WindowAccesses", "WindowQueries", "MpiFile", "FileQueries", "FileTransfers", "Group",
            "GroupQueries", "Info", "InfoQueries", "Datatype", "DerivedTypes");
    /** What these call: the call that has begun, what checks its arguments, and what is above some of these classes. */
    private static final Set<String> INSIDE = Set.of("Call", "BlockingCall", "Arguments", "Parts", "Life", "Op", "Mpi",
            "FileMode", "Access", "Transfer", "Epochs", "Attributed", "WindowEpochs", "RecordTypes", "ClosedException",
            "Agreement", "Shares", "Neighbors", "SentLengths", "BufferList");
    private static final Pattern NOT_FOR_READERS = Pattern.compile("Planned|Factory|Mixed|Learned");
    private static final int DEPTH = 8;

    private TraceTests() {
    }

    /** The frames between the program and the lower layer, the program's call first: class and method. */
    private static List<String> frames(Check.Statement mistake) {
        Exception thrown = Check.fails(RuntimeException.class, mistake);
        List<String> frames = new ArrayList<>();
        for (StackTraceElement frame : thrown.getStackTrace()) {
            String name = frame.getClassName();
            if (name.startsWith(TraceTests.class.getName())) {
                return frames.reversed();
            }
            if (name.startsWith("dev.mpiglot.low.")) {
                frames.clear();
            } else if (name.startsWith("dev.mpiglot.mpi.")) {
                String outer = name.substring(name.lastIndexOf('.') + 1).replaceAll("\\$.*", "");
                frames.add(outer + "." + frame.getMethodName());
            }
        }
        throw new AssertionError("not called by this test", thrown);
    }

    /** A mistake in a method of a chapter is found in its frame, which the program has called. */
    private static void shows(String method, Check.Statement mistake) {
        List<String> frames = frames(mistake);
        String text = method + ": " + frames;
        Check.equal(frames.getFirst() + " of " + frames, method + " of " + frames);
        Check.isTrue(frames.size() <= DEPTH, text);
        for (String frame : frames) {
            String type = frame.substring(0, frame.indexOf('.'));
            Check.isTrue(CALLED.contains(type) || INSIDE.contains(type), type + " in " + text);
        }
    }

    public static void theMethodThatWasCalledIsTheFirstFrame(Comm world) {
        Comm self = AllTests.mpi().self();
        MpiBuffer<Element.Ints> data = MpiBuffer.of(new int[1]);
        shows("Comm.send", () -> self.send(data, 99, 0));
        shows("PointToPointOperations.ssend", () -> self.ssend(data, 99, 0));
        shows("PointToPointOperations.sendInit", () -> self.sendInit(null, 0, 0));
        shows("BufferedMessages.attachBuffer", () -> self.attachBuffer(-1));
        shows("PartitionedMessages.psendInit", () -> self.psendInit(null, 1, 0, 0));
        shows("Comm.bcast", () -> self.bcast(data, 99));
        shows("Comm.allreduce", () -> self.allreduce(data, null));
        shows("CollectiveOperations.scan", () -> self.scan(data, data, null));
        shows("CollectiveOperations.iscan", () -> self.iscan(data, data, null));
        shows("VectorCollectives.alltoallw", () -> self.alltoallw(null, null));
        shows("RecordReductions.allreduce", () -> self.allreduce(new Located.OfInt(1, 1), null));
        shows("CommunicatorCreation.split", () -> self.split(-5, 0));
        shows("CommunicatorCreation.setInfo", () -> self.setInfo(null));
        shows("CommunicatorQueries.compare", () -> self.compare(null));
        shows("TopologyCreation.createCart", () -> self.createCart(new int[] {99}, new boolean[1], false));
        shows("WindowCreation.createWindow", () -> self.createWindow(null, null));
        shows("FileOpening.openFile", () -> self.openFile(""));
        shows("ProcessCreation.spawn", () -> self.spawn((Spawn) null, 99));
        shows("Comm.setName", () -> self.setName(null));
        shows("DerivedTypes.contiguous", () -> Datatype.contiguous(-1, Datatype.INT));
        Comm closed = self.dup();
        closed.close();
        shows("CommunicatorCreation.split", () -> closed.split(0, 0));
        shows("ObjectOperations.gatherObjects", () -> closed.gatherObjects(null, "", 0));
    }

    public static void soItIsOfOtherClassesThanCommunicators(Comm world) {
        Comm self = AllTests.mpi().self();
        MpiBuffer<Element.Ints> data = MpiBuffer.of(new int[1]);
        try (Group group = self.group();
                Cart cart = self.createCart(new int[] {1}, new boolean[] {true}, false)) {
            shows("GroupQueries.union", () -> group.union(null));
            shows("NeighborOperations.neighborAllgather", () -> cart.neighborAllgather(null, data));
        }
        try (Window<Element.Ints> open = self.allocateWindow(Datatype.INT, 1, null)) {
            shows("WindowAccesses.put", () -> open.put(data, 0, 0));
            shows("Window.lock", () -> open.lock(99, LockType.SHARED));
        }
        Window<Element.Ints> window = self.allocateWindow(Datatype.INT, 1, null);
        window.close();
        shows("WindowQueries.info", () -> window.info());
        Info info = Info.create();
        info.close();
        shows("InfoQueries.dup", () -> info.dup());
        Request sent = self.isend(data, 0, 5);
        Message message = self.mprobe(0, 5);
        message.recv(data);
        sent.await();
        shows("MessageReceives.recv", () -> message.recv(data));
    }

    /** Nobody else sees these classes in traces, in documentation, or where an editor lists what can be called. */
    public static void publicClassesStandBelowFewOthers(Comm world) {
        for (Class<?> one : FuzzRules.publicClasses()) {
            int above = 0;
            for (Class<?> next = one.getSuperclass(); isOurs(next); next = next.getSuperclass()) {
                Check.isTrue(!NOT_FOR_READERS.matcher(next.getSimpleName()).find(), one + " extends " + next);
                above++;
            }
            Check.isTrue(above <= 4, one + " has " + above + " classes above it");
            Check.isTrue(!one.isInterface() || !NOT_FOR_READERS.matcher(one.getSimpleName()).find(), one.getName());
        }
        for (Class<?> chapter : Comm.class.getInterfaces()) {
            Check.isTrue(!isOurs(chapter) || chapter.isSealed(), chapter + " can be implemented by programs");
        }
        Check.isTrue(Arrays.stream(Comm.class.getInterfaces()).filter(TraceTests::isOurs).count() >= 15,
                "Comm lacks chapters");
    }

    private static boolean isOurs(Class<?> type) {
        return type != null && type.getPackage() == Comm.class.getPackage();
    }
}

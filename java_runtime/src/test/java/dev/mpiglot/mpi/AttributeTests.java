package dev.mpiglot.mpi;

import dev.mpiglot.mpi.Element.Ints;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Names and attributes of communicators, datatypes and windows. */
public final class AttributeTests {

    private AttributeTests() {
    }

    private static final class Broken extends RuntimeException {

        private static final long serialVersionUID = 1;

        Broken() {
            super("not this one");
        }
    }

    public static void objectsHaveNames(Comm world) {
        Check.equal(world.name(), "MPI_COMM_WORLD");
        try (Comm comm = world.dup(); Datatype<Ints> type = Datatype.vector(2, 1, 2, Datatype.INT);
                Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null)) {
            Check.equal(type.name(), "");
            comm.setName("the ocean");
            type.setName("a column: größer");
            window.setName("rim");
            Check.equal(List.of(comm.name(), type.name(), window.name()),
                        List.of("the ocean", "a column: größer", "rim"));
            comm.setName("");
            Check.equal(comm.name(), "");
        }
    }

    public static void eachObjectHasItsOwnValue(Comm world) {
        try (Comm comm = world.dup(); Datatype<Ints> type = Datatype.contiguous(2, Datatype.INT);
                Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null);
                AttributeKey<List<String>> key = AttributeKey.create();
                AttributeKey<Integer> other = AttributeKey.create()) {
            List<String> value = List.of("kept");
            comm.setAttribute(key, value);
            type.setAttribute(key, List.of("type"));
            window.setAttribute(key, List.of("window"));
            comm.setAttribute(other, 7);
            System.gc();
            Check.isTrue(comm.attribute(key).orElseThrow() == value, "another object");
            Check.equal(type.attribute(key), Optional.of(List.of("type")));
            Check.equal(window.attribute(key), Optional.of(List.of("window")));
            Check.equal(comm.attribute(other), Optional.of(7));
            Check.equal(window.attribute(other), Optional.empty());
            Check.isTrue(comm.deleteAttribute(key) && !comm.deleteAttribute(key), "deleted once");
            Check.equal(comm.attribute(key), Optional.empty());
            Check.equal(comm.attribute(other), Optional.of(7));
            Check.isTrue(type.deleteAttribute(key) && window.deleteAttribute(key), "deleted");
        }
    }

    public static void theKeySaysWhatDuplicatesGet(Comm world) {
        List<Integer> gone = new ArrayList<>();
        try (AttributeKey<Integer> counted = AttributeKey.create(old -> old + 1, gone::add);
                AttributeKey<Integer> lost = AttributeKey.create();
                AttributeKey<Integer> refused = AttributeKey.create(old -> null, gone::add);
                AttributeKey<Integer> same = AttributeKey.create(UnaryOperator.identity(), gone::add)) {
            Comm comm = world.dup();
            comm.setAttribute(counted, 10);
            comm.setAttribute(lost, 20);
            comm.setAttribute(refused, 30);
            comm.setAttribute(same, 40);
            Comm copy = comm.dup();
            Check.equal(copy.attribute(counted), Optional.of(11));
            Check.equal(copy.attribute(lost), Optional.empty());
            Check.equal(copy.attribute(refused), Optional.empty());
            Check.equal(copy.attribute(same), Optional.of(40));
            Comm later;
            try (CommRequest request = copy.idup()) {
                later = request.await();
            }
            Check.equal(later.attribute(counted), Optional.of(12));
            later.close();
            Check.equal(gone.stream().sorted().toList(), List.of(12, 40));
            gone.clear();
            copy.setAttribute(counted, 50);
            Check.equal(gone, List.of(11));
            copy.close();
            comm.close();
            Check.equal(gone.stream().sorted().toList(), List.of(10, 11, 30, 40, 40, 50));
        }
    }

    public static void noValueIsLeftBehind(Comm world) {
        int before = AttributeKey.count();
        AttributeKey<Object> key = AttributeKey.create(UnaryOperator.identity(), value -> { });
        Comm comm = world.dup();
        comm.setAttribute(key, comm);
        comm.setAttribute(key, key);
        Comm copy = comm.dup();
        Datatype<Ints> type = Datatype.contiguous(2, Datatype.INT);
        type.setAttribute(key, 1);
        Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null);
        window.setAttribute(key, 2);
        Check.equal(AttributeKey.count(), before + 4);
        key.close();
        List.<Runnable>of(comm::close, copy::close, type::close, window::close).forEach(Runnable::run);
        Check.equal(AttributeKey.count(), before);
    }

    /** Other processes do not wait for one whose function has thrown. */
    public static void whatFunctionsThrowComesOutOfTheCall(Comm world) {
        boolean mine = world.rank() == world.size() - 1;
        try (AttributeKey<Integer> bad = AttributeKey.create(old -> {
            if (mine) {
                throw new Broken();
            }
            return old;
        }, old -> {
            throw new Broken();
        })) {
            Comm comm = world.dup();
            comm.setAttribute(bad, 1);
            if (mine) {
                Check.fails(Broken.class, comm::dup);
            } else {
                Comm copy = comm.dup();
                Check.equal(copy.attribute(bad), Optional.of(1));
            }
            Check.fails(Broken.class, () -> comm.setAttribute(bad, 2));
            Check.equal(comm.attribute(bad), Optional.of(2));
            Check.fails(Broken.class, () -> comm.deleteAttribute(bad));
            Check.equal(comm.attribute(bad), Optional.empty());
            comm.setAttribute(bad, 3);
            Check.fails(Broken.class, comm::close);
            Check.fails(IllegalStateException.class, comm::rank); // closed all the same
        }
        world.barrier();
    }

    public static void mistakesAreRefused(Comm world) {
        AttributeKey<Integer> key = AttributeKey.create();
        WindowTests.refused("\"name\" is null", () -> world.setName(null));
        WindowTests.refused("NUL", () -> Datatype.INT.setName("a\0b"));
        WindowTests.refused("a text is too long", () -> world.setName("x".repeat(1000)));
        WindowTests.refused("\"key\" is null", () -> world.setAttribute(null, 1));
        WindowTests.refused("\"value\" is null", () -> world.setAttribute(key, null));
        WindowTests.refused("\"key\" is null", () -> world.attribute(null));
        WindowTests.refused("\"key\" is null", () -> world.deleteAttribute(null));
        WindowTests.refused("\"copy\" is null", () -> AttributeKey.create(null, value -> { }));
        WindowTests.refused("\"deleted\" is null", () -> AttributeKey.create(UnaryOperator.identity(), null));
        Datatype<Ints> type = Datatype.contiguous(2, Datatype.INT);
        type.close();
        Check.fails(IllegalStateException.class, type::name);
        Check.fails(IllegalStateException.class, () -> type.setAttribute(key, 1));
        key.close();
        key.close();
        String told = Check.fails(IllegalStateException.class, () -> world.setAttribute(key, 1)).getMessage();
        Check.isTrue(told.contains("key is closed"), told);
        Check.fails(IllegalStateException.class, () -> world.attribute(key));
    }
}

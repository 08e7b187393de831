package dev.mpiglot.mpi;

import dev.mpiglot.low.InfoHandle;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Hints for MPI. */
public final class InfoTests {

    private InfoTests() {
    }

    private static void refused(String part, Check.Statement statement) {
        String told = Check.fails(IllegalArgumentException.class, statement).getMessage();
        Check.isTrue(told.contains(part), told);
    }

    public static void whatIsSetIsTold(Comm world) {
        try (Info info = Info.create()) {
            Check.equal(info.size(), 0);
            Check.equal(info.get("host"), Optional.empty());
            info.set("host", "first");
            info.set("arch", "Grüße, " + "x".repeat(200));
            info.set("host", "second");
            Check.equal(info.size(), 2);
            Check.equal(info.get("host"), Optional.of("second"));
            Check.equal(info.get("arch"), Optional.of("Grüße, " + "x".repeat(200)));
            Check.equal(new HashSet<>(info.keys()), Set.of("host", "arch"));
        }
    }

    public static void mapsBecomeHintsAndHintsMaps(Comm world) {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 0; i < 30; i++) {
            given.put("key" + i, "value of " + i);
        }
        try (Info info = Info.ofMap(given); Info none = Info.ofMap(Map.of())) {
            Check.equal(info.entries(), given);
            Check.equal(none.entries(), Map.of());
        }
    }

    public static void keysAreTakenAway(Comm world) {
        try (Info info = Info.ofMap(Map.of("a", "1", "b", "2"))) {
            Check.equal(info.delete("a"), true);
            Check.equal(info.delete("a"), false);
            Check.equal(info.entries(), Map.of("b", "2"));
        }
    }

    public static void aCopyIsItsOwn(Comm world) {
        Info info = Info.ofMap(Map.of("a", "1"));
        try (Info copy = info.dup()) {
            info.set("a", "2");
            Check.equal(copy.entries(), Map.of("a", "1"));
            info.close();
            Check.equal(copy.get("a"), Optional.of("1"));
        }
    }

    public static void whatIsNoKeyIsRefused(Comm world) {
        try (Info info = Info.create()) {
            refused("\"key\" is null", () -> info.set(null, "1"));
            refused("\"value\" is null", () -> info.set("a", null));
            refused("The key is empty", () -> info.set("", "1"));
            refused("The key is empty", () -> info.get(""));
            refused("\"key\" is null", () -> info.get(null));
            refused("\"key\" is null", () -> info.delete(null));
            refused("\"entries\" is null", () -> Info.ofMap(null));
            refused("\"handle\" is null", () -> Info.adopt(null));
            Map<String, String> bad = new LinkedHashMap<>(Map.of("a", "1"));
            bad.put("b", null);
            refused("\"value\" is null", () -> Info.ofMap(bad));
            Check.fails(MpiException.class, () -> info.set("k".repeat(4096), "1"));
            Check.fails(MpiException.class, () -> info.set("k", "v".repeat(100_000)));
            Check.equal(info.size(), 0);
        }
    }

    public static void closedHintsAreRefused(Comm world) {
        Info info = Info.ofMap(Map.of("a", "1"));
        info.close();
        info.close();
        Check.Statement[] uses = {info::size, info::keys, info::entries, info::dup, info::handle, () -> info.get("a"),
            () -> info.set("a", "2"), () -> info.delete("a")};
        for (Check.Statement use : uses) {
            String told = Check.fails(IllegalStateException.class, use).getMessage();
            Check.isTrue(told.contains("hints are closed"), told);
        }
        Info none = Info.adopt(InfoHandle.NULL);
        Check.fails(IllegalStateException.class, none::size);
        none.close();
    }

    public static void theStartOfTheProgramIsTold(Comm world) {
        try (Info info = Info.env()) {
            info.entries().forEach((key, value) -> Check.equal(info.get(key), Optional.of(value)));
        } catch (UnavailableException e) {
            Check.equal(e.function(), "MPI_Info_create_env");
        }
    }
}

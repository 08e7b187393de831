package dev.mpiglot.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs all tests under mpiexec (the command in {@code MPIEXEC}, else {@code mpiexec}), on several numbers of ranks. */
class MpiexecTest {

    private static final long SECONDS = 200;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void allTestsPass(int ranks) throws IOException, InterruptedException {
        String launcher = System.getenv().getOrDefault("MPIEXEC", "mpiexec");
        List<String> command = new ArrayList<>(List.of(launcher.split(" ")));
        command.addAll(List.of("-n", Integer.toString(ranks), System.getProperty("java.home") + "/bin/java",
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                "dev.mpiglot.mpi.AllTests"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(SECONDS, TimeUnit.SECONDS), "the tests did not end");
        assertEquals(0, process.exitValue(), said);
        assertTrue(said.contains("tests java: ok"), said);
    }
}

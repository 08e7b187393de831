package dev.mpiglot.low;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this process has written, on its way to the launcher. A launcher that is told to end a job may throw away what
 * it has not read yet, and with it the sentence that says why.
 */
public final class Output {

    private static final long FIONREAD = 0x541B;
    private static final int[] STREAMS = {1, 2};
    private static final long PATIENCE = 2_000_000_000L;
    private static final MethodHandle IOCTL = Downcall.c("ioctl", "jjjj");

    private Output() {
    }

    /** Waits until the launcher has read everything, for two seconds at most. */
    public static void arrive() {
        System.out.flush();
        System.err.flush();
        long end = System.nanoTime() + PATIENCE;
        for (int stream : STREAMS) {
            while (isPipe(stream) && unread(stream) > 0 && System.nanoTime() < end) {
                Thread.onSpinWait();
                Thread.yield();
            }
        }
    }

    private static boolean isPipe(int stream) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + stream)).toString().startsWith("pipe:");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static int unread(int stream) {
        Frame frame = Frame.current();
        long mark = frame.mark();
        try {
            long count = frame.cell();
            long code = (long) IOCTL.invokeExact((long) stream, FIONREAD, count);
            return (int) code == 0 ? Frame.getInt(count) : 0;
        } catch (Throwable t) {
            throw Call.rethrow(t);
        } finally {
            frame.release(mark);
        }
    }
}

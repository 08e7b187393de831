package dev.mpiglot.mpi;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.StackWalker.StackFrame;
import java.util.Optional;

/**
 * Whether {@link Mpi#close} is called because an exception leaves a block: {@code close} is not told, but the compiler
 * puts that call at the start of a handler that catches everything, and nothing else comes before it there.
 */
final class Unwinding {

    private static final int ASTORE = 0x3a;
    private static final int ASTORE_0 = 0x4b;
    private static final int ALOAD = 0x19;
    private static final int ALOAD_0 = 0x2a;
    private static final int WIDE = 0xc4;
    private static final int IFNULL = 0xc6;

    private Unwinding() {
    }

    /** For the caller of the caller. */
    static boolean isUnderWay() {
        StackWalker walker = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
        Optional<StackFrame> caller = walker.walk(frames -> frames.skip(2).findFirst());
        return caller.isPresent() && caller.get().getByteCodeIndex() > 0 && isInHandler(caller.get());
    }

    private static boolean isInHandler(StackFrame caller) {
        String file = caller.getClassName().substring(caller.getClassName().lastIndexOf('.') + 1) + ".class";
        try (InputStream content = caller.getDeclaringClass().getResourceAsStream(file)) {
            return content != null && search(new DataInputStream(content), caller);
        } catch (IOException | RuntimeException unreadable) {
            return false;
        }
    }

    /** Reads a class file up to the code of the method. */
    private static boolean search(DataInputStream in, StackFrame caller) throws IOException {
        in.skipNBytes(8);
        String[] names = constants(in);
        in.skipNBytes(6);
        in.skipNBytes(2L * in.readUnsignedShort());
        for (int kind = 0; kind < 2; kind++) { // fields, then methods
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                in.skipNBytes(2);
                String name = names[in.readUnsignedShort()];
                String descriptor = names[in.readUnsignedShort()];
                boolean wanted = kind == 1 && name.equals(caller.getMethodName()) && descriptor.equals(caller.getDescriptor());
                for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                    String attribute = names[in.readUnsignedShort()];
                    int length = in.readInt();
                    if (wanted && attribute.equals("Code")) {
                        return isInHandler(in, caller.getByteCodeIndex(), names);
                    }
                    in.skipNBytes(length);
                }
            }
        }
        return false;
    }

    /** The texts of the constant pool, by index; of a class, its name. */
    private static String[] constants(DataInputStream in) throws IOException {
        String[] texts = new String[in.readUnsignedShort()];
        int[] classes = new int[texts.length];
        for (int i = 1; i < texts.length; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[i] = in.readUTF();
                case 7 -> classes[i] = in.readUnsignedShort();
                case 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++;
                }
                default -> in.skipNBytes(4);
            }
        }
        for (int i = 1; i < texts.length; i++) {
            if (classes[i] != 0) {
                texts[i] = texts[classes[i]];
            }
        }
        return texts;
    }

    private static boolean isInHandler(DataInputStream in, int call, String[] names) throws IOException {
        in.skipNBytes(4);
        byte[] code = in.readNBytes(in.readInt());
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            in.skipNBytes(4);
            int handler = in.readUnsignedShort();
            int caught = in.readUnsignedShort();
            boolean everything = caught == 0 || "java/lang/Throwable".equals(names[caught]);
            if (everything && handler < call && leads(code, handler, call)) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is only this between two places: keep what was caught, look whether there is something to close. */
    private static boolean leads(byte[] code, int from, int to) {
        int at = from + local(code, from, ASTORE, ASTORE_0);
        while (at > from && at < to) {
            int step = (code[at] & 0xff) == IFNULL ? 3 : local(code, at, ALOAD, ALOAD_0);
            if (step == 0) {
                return false;
            }
            at += step;
        }
        return at == to;
    }

    /** The length of an instruction that stores or loads a local variable, 0 if this is none. */
    private static int local(byte[] code, int at, int general, int first) {
        int instruction = code[at] & 0xff;
        if (instruction == WIDE) {
            return (code[at + 1] & 0xff) == general ? 4 : 0;
        }
        return instruction == general ? 2 : instruction >= first && instruction < first + 4 ? 1 : 0;
    }
}

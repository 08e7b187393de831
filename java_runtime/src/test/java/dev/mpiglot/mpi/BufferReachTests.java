package dev.mpiglot.mpi;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;

/** {@link BufferFormsTests} calls every public method of the library that takes a buffer. */
public final class BufferReachTests {

    private static final int UTF8 = 1;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int NAME_AND_TYPE = 12;

    private BufferReachTests() {
    }

    /** A method that a class file names. */
    private record Reference(Class<?> owner, String signature) {
    }

    public static void everyMethodThatTakesABufferIsTriedWithAllForms(Comm world) throws Exception {
        if (world.rank() > 0) {
            return;
        }
        List<Reference> called = new ArrayList<>();
        for (Class<?> user : List.of(FormOperations.class, FormAccesses.class)) {
            called.addAll(references(user));
        }
        Set<String> missing = new TreeSet<>();
        int all = 0;
        for (Class<?> owner : library()) {
            for (Method method : owner.getDeclaredMethods()) {
                if (!takesBuffer(method)) {
                    continue;
                }
                all++;
                String signature = method.getName()
                        + MethodType.methodType(method.getReturnType(), method.getParameterTypes()).toMethodDescriptorString();
                if (called.stream().noneMatch(one -> one.signature.equals(signature)
                        && owner.isAssignableFrom(one.owner))) {
                    missing.add(owner.getSimpleName() + "." + signature);
                }
            }
        }
        Check.equal(String.join("\n", missing), "");
        Check.isTrue(all > 150, "only " + all + " methods were found");
    }

    private static boolean takesBuffer(Method method) {
        String parameters = method.toGenericString().replaceAll(".*\\(", "");
        return Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()
                && parameters.contains("mpi.MpiBuffer<");
    }

    /** The public classes of the library, and those that they extend. */
    private static Set<Class<?>> library() throws Exception {
        Path jar = Path.of(MpiBuffer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Set<Class<?>> all = new HashSet<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            for (String name : file.stream().map(entry -> entry.getName()).toList()) {
                if (name.startsWith("dev/mpiglot/mpi/") && name.endsWith(".class")) {
                    Class<?> one = named(name.substring(0, name.length() - ".class".length()));
                    for (Class<?> up = one; up != null && Modifier.isPublic(one.getModifiers()); up = up.getSuperclass()) {
                        all.add(up);
                    }
                }
            }
        }
        return all;
    }

    private static Class<?> named(String internal) throws ClassNotFoundException {
        return Class.forName(internal.replace('/', '.'), false, BufferReachTests.class.getClassLoader());
    }

    /** The methods of this library that the constants of a class file name (JVM specification, 4.4). */
    private static List<Reference> references(Class<?> user) throws Exception {
        List<Reference> found = new ArrayList<>();
        try (InputStream file = user.getResourceAsStream(user.getSimpleName() + ".class");
                DataInputStream in = new DataInputStream(file)) {
            in.skipNBytes(8);
            int count = in.readUnsignedShort();
            String[] texts = new String[count];
            int[][] pairs = new int[count][];
            int[] tags = new int[count];
            for (int i = 1; i < count; i++) {
                tags[i] = in.readUnsignedByte();
                read(in, tags[i], i, texts, pairs);
                i += tags[i] == 5 || tags[i] == 6 ? 1 : 0; // long and double take two places
            }
            for (int i = 1; i < count; i++) {
                if (tags[i] == METHOD || tags[i] == INTERFACE_METHOD) {
                    String owner = texts[pairs[pairs[i][0]][0]];
                    int[] signature = pairs[pairs[i][1]];
                    if (owner.startsWith("dev/mpiglot/mpi/")) {
                        found.add(new Reference(named(owner), texts[signature[0]] + texts[signature[1]]));
                    }
                }
            }
        }
        return found;
    }

    private static void read(DataInputStream in, int tag, int place, String[] texts, int[][] pairs) throws IOException {
        switch (tag) {
            case UTF8 -> texts[place] = in.readUTF();
            case METHOD, INTERFACE_METHOD, NAME_AND_TYPE ->
                    pairs[place] = new int[] {in.readUnsignedShort(), in.readUnsignedShort()};
            case CLASS -> pairs[place] = new int[] {in.readUnsignedShort()};
            case 8, 16, 19, 20 -> in.skipNBytes(2);
            case 15 -> in.skipNBytes(3);
            case 5, 6 -> in.skipNBytes(8);
            default -> in.skipNBytes(4);
        }
    }
}

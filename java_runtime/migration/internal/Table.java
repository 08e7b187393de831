import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Compares docs/reference/java-openmpi.md with the public methods of the package mpi: {@code Table PAGE JAR}. */
final class Table {

    private static final Pattern ROW = Pattern.compile("\\| `(.*)` \\| (present|different: .+|absent: .+) \\|");

    private Table() {
    }

    public static void main(String[] args) throws IOException, ClassNotFoundException {
        Set<String> written = new TreeSet<>();
        Set<String> absent = new TreeSet<>();
        String owner = "";
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            Matcher row = ROW.matcher(line);
            if (line.startsWith("## ")) {
                owner = line.substring(3);
            } else if (row.matches()) {
                (row.group(2).startsWith("absent") ? absent : written).add(owner + "." + row.group(1));
            } else if (line.startsWith("| `")) {
                throw new IllegalStateException("This row has no state: " + line);
            }
        }
        Set<String> there = compiled(args[1]);
        Set<String> unknown = new TreeSet<>(there);
        unknown.removeAll(written);
        written.removeAll(there);
        absent.retainAll(there);
        if (!unknown.isEmpty() || !written.isEmpty() || !absent.isEmpty()) {
            System.err.println("not in the table: " + unknown + "\nin the table only: " + written
                    + "\nabsent in the table only: " + absent);
            System.exit(1);
        }
    }

    /** Whether a class of the package is not public: what it has belongs to the classes that extend it. */
    private static boolean isOwn(Class<?> type) {
        return type.getPackageName().equals("mpi") && !Modifier.isPublic(type.getModifiers());
    }

    /** The public methods and constructors of the classes of a jar, as the table writes them. */
    private static Set<String> compiled(String jar) throws IOException, ClassNotFoundException {
        Set<String> all = new TreeSet<>();
        try (JarFile file = new JarFile(jar)) {
            for (String entry : file.stream().map(Object::toString).filter(one -> one.endsWith(".class")).toList()) {
                Class<?> type = Class.forName(entry.substring(0, entry.length() - 6).replace('/', '.'), false,
                        Table.class.getClassLoader());
                if (!Modifier.isPublic(type.getModifiers())) {
                    continue;
                }
                String owner = type.getName().replace("mpi.", "").replace('$', '.');
                for (Class<?> part = type; part != null && (part == type || isOwn(part)); part = part.getSuperclass()) {
                    for (Method method : part.getDeclaredMethods()) {
                        // Of what a class inherits from one that is not public, Eclipse writes a bridge.
                        if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()
                                && !method.getName().equals("hashCode")) {
                            all.add(owner + "." + method.getName() + types(method.getParameterTypes()));
                        }
                    }
                }
                for (Constructor<?> constructor : type.getConstructors()) {
                    all.add(owner + ".new " + type.getName().replace("mpi.", "")
                            + types(constructor.getParameterTypes()));
                }
            }
        }
        return all;
    }

    private static String types(Class<?>[] types) {
        return Arrays.stream(types).map(Class::getSimpleName).collect(Collectors.joining(", ", "(", ")"));
    }
}

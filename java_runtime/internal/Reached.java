import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Tells which methods of {@code dev.mpiglot.low} each public method of {@code dev.mpiglot.mpi} reaches: by the calls in
 * the class files, through methods of its own package, lambdas and overriding methods. A line for each pair, as
 * {@code Comm.send PointToPoint.send}. Methods of the same name are one; what a class inherits from a class that is not
 * public is its own.
 *
 * <p>{@code java Reached.java mpiglot.jar}, with a JDK of 24 or newer.
 */
public final class Reached {

    private static final String UPPER = "dev/mpiglot/mpi/";
    private static final String LOW = "dev/mpiglot/low/";

    private record Method(String owner, String name, String type) {
    }

    private final Map<String, ClassModel> classes = new HashMap<>();
    private final Map<String, List<String>> below = new HashMap<>(); // subclasses and implementations
    private final Map<Method, Set<Method>> calls = new HashMap<>();

    private Reached() {
    }

    public static void main(String[] args) throws IOException {
        Reached all = new Reached();
        try (JarFile jar = new JarFile(args[0])) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                if (entry.getName().startsWith(UPPER) && entry.getName().endsWith(".class")) {
                    all.read(ClassFile.of().parse(jar.getInputStream(entry).readAllBytes()));
                }
            }
        }
        all.pairs().forEach(System.out::println);
    }

    private void read(ClassModel model) {
        String name = model.thisClass().asInternalName();
        classes.put(name, model);
        parents(model).forEach(parent -> below.computeIfAbsent(parent, same -> new ArrayList<>()).add(name));
        for (MethodModel method : model.methods()) {
            calls.put(new Method(name, method.methodName().stringValue(), method.methodType().stringValue()), called(method));
        }
    }

    private static List<String> parents(ClassModel model) {
        List<String> parents = new ArrayList<>();
        model.superclass().ifPresent(one -> parents.add(one.asInternalName()));
        model.interfaces().forEach(one -> parents.add(one.asInternalName()));
        return parents;
    }

    private static Set<Method> called(MethodModel method) {
        Set<Method> called = new LinkedHashSet<>();
        method.code().ifPresent(code -> code.forEach(element -> {
            if (element instanceof InvokeInstruction call) {
                called.add(new Method(call.owner().asInternalName(), call.name().stringValue(), call.type().stringValue()));
            } else if (element instanceof InvokeDynamicInstruction lambda) {
                for (LoadableConstantEntry argument : lambda.invokedynamic().bootstrap().arguments()) {
                    if (argument instanceof MethodHandleEntry handle) {
                        called.add(new Method(handle.reference().owner().asInternalName(),
                                handle.reference().name().stringValue(), handle.reference().type().stringValue()));
                    }
                }
            }
        }));
        return called;
    }

    private Set<String> pairs() {
        Set<String> pairs = new TreeSet<>();
        for (ClassModel model : classes.values()) {
            if (model.flags().has(AccessFlag.PUBLIC)) {
                String shown = model.thisClass().asInternalName().substring(UPPER.length());
                for (Method method : visible(model)) {
                    reached(method).forEach(low -> pairs.add(shown + "." + method.name() + " " + low));
                }
            }
        }
        return pairs;
    }

    /** Its public methods, those of the classes above it that programs cannot name, and of interfaces of it alone. */
    private List<Method> visible(ClassModel model) {
        List<Method> visible = new ArrayList<>();
        String owner = model.thisClass().asInternalName();
        for (MethodModel method : model.methods()) {
            if (method.flags().has(AccessFlag.PUBLIC)) {
                visible.add(new Method(owner, method.methodName().stringValue(), method.methodType().stringValue()));
            }
        }
        for (String parent : parents(model)) {
            ClassModel above = classes.get(parent);
            if (above != null && (!above.flags().has(AccessFlag.PUBLIC) || isOnly(owner, above))) {
                visible.addAll(visible(above));
            }
        }
        return visible;
    }

    private boolean isOnly(String owner, ClassModel above) {
        return above.flags().has(AccessFlag.INTERFACE)
                && below.get(above.thisClass().asInternalName()).equals(List.of(owner));
    }

    private Set<String> reached(Method from) {
        Set<String> low = new TreeSet<>();
        Set<Method> seen = new LinkedHashSet<>();
        Deque<Method> left = new ArrayDeque<>(List.of(from));
        while (!left.isEmpty()) {
            Method method = left.pop();
            if (method.owner().startsWith(LOW)) {
                low.add(method.owner().substring(LOW.length()) + "." + method.name());
            } else if (method.owner().startsWith(UPPER) && seen.add(method)) {
                left.addAll(calls.getOrDefault(method, Set.of()));
                left.addAll(sameIn(method, parents(method.owner())));
                left.addAll(sameIn(method, below.getOrDefault(method.owner(), List.of())));
            }
        }
        return low;
    }

    private List<String> parents(String name) {
        ClassModel model = classes.get(name);
        return model == null ? List.of() : parents(model);
    }

    /** The method where it is inherited from or overridden; constructors and static initializers are neither. */
    private static List<Method> sameIn(Method method, List<String> owners) {
        return method.name().startsWith("<") ? List.of()
                : owners.stream().map(owner -> new Method(owner, method.name(), method.type())).toList();
    }
}

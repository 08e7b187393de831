package dev.mpiglot.mpi;

import dev.mpiglot.low.Bind;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.PvarClass;
import dev.mpiglot.low.Scope;
import dev.mpiglot.low.ThreadLevel;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The variables of the library. */
public final class VariableTests {

    /** A whole number and a text that can be set at any time, of the family of MPICH and of Open MPI. */
    private static final List<String> NUMBERS = List.of("MPIR_CVAR_BCAST_MIN_PROCS", "btl_base_verbose");
    private static final List<String> TEXTS = List.of("MPIR_CVAR_NAMESERV_FILE_PUBDIR", "I_MPI_CC",
            "opal_net_private_ipv4");

    private VariableTests() {
    }

    private static ControlVariable known(Variables variables, List<String> names) {
        return names.stream().flatMap(name -> variables.control(name).stream()).findFirst().orElseThrow();
    }

    private static void refused(Class<? extends RuntimeException> type, String part, Check.Statement statement) {
        String told = Check.fails(type, statement).getMessage();
        Check.isTrue(told.contains(part), told);
    }

    public static void variablesAreListedAndFoundByName(Comm world) {
        try (Variables variables = Variables.open()) {
            Check.equal(variables.threadLevel(), ThreadLevel.MULTIPLE);
            List<ControlVariable> controls = variables.controls();
            Check.isTrue(controls.size() > 100, controls.size() + " variables");
            Set<String> names = new HashSet<>();
            for (ControlVariable each : controls) {
                Check.isTrue(!each.name().isEmpty() && each.name().equals(each.toString()), each.name());
                Check.isTrue(each.verbosity() != null && each.scope() != null && each.bind() != null, each.name());
                names.add(each.name());
            }
            ControlVariable found = known(variables, NUMBERS);
            Check.isTrue(names.contains(found.name()), found.name());
            Check.isTrue(!found.description().isEmpty() && !found.isText() && !found.isFloating(), found.name());
            Check.isTrue(known(variables, TEXTS).isText(), "no text");
            Check.equal(variables.control("no such variable"), Optional.empty());
            Check.equal(variables.performance("no such variable", PvarClass.COUNTER), Optional.empty());
            Check.equal(variables.category("no such category"), Optional.empty());
            refused(IllegalArgumentException.class, "\"name\"", () -> variables.control(null));
            refused(IllegalArgumentException.class, "\"kind\"", () -> variables.performance("a", null));
        }
    }

    public static void allVariablesOfTheProcessAreRead(Comm world) {
        try (Variables variables = Variables.open()) {
            int read = 0;
            for (ControlVariable each : variables.controls()) {
                if (each.bind() == Bind.NO_OBJECT) {
                    read += reads(each) ? 1 : 0;
                }
            }
            Check.isTrue(read > 100, read + " variables were read");
        }
    }

    /** Whether the library has the value: Open MPI lists some that it does not. */
    private static boolean reads(ControlVariable variable) {
        try (ControlHandle open = variable.open()) {
            Check.isTrue(open.count() > 0 && open.variable() == variable, variable.name());
            String text = open.text();
            if (variable.isText()) {
                Check.isTrue(text.length() < open.count(), text);
                refused(IllegalStateException.class, "not whole numbers", open::longs);
            } else if (variable.isFloating()) {
                Check.equal(open.doubles().length, open.count());
                refused(IllegalStateException.class, "not whole numbers", open::longs);
            } else {
                Check.equal(open.longs().length, open.count());
                refused(IllegalStateException.class, "not floating-point numbers", open::doubles);
            }
            return true;
        } catch (MpiException e) {
            Check.isTrue(e.errorClass() == MpiConstants.T_ERR_INVALID_INDEX, variable + ": " + e.getMessage());
            return false;
        }
    }

    public static void whatIsSetIsRead(Comm world) {
        try (Variables variables = Variables.open()) {
            ControlVariable number = known(variables, NUMBERS);
            try (ControlHandle open = number.open(); ControlHandle other = number.open()) {
                long[] before = open.longs();
                open.set(10);
                Check.equal(other.longs()[0], 10L);
                Check.equal(other.text(), number.items().getOrDefault(10, "10"));
                other.set(before);
                Check.equal(open.longs()[0], before[0]);
            }
            ControlVariable text = known(variables, TEXTS);
            try (ControlHandle open = text.open()) {
                String before = open.text();
                open.set("Grüße");
                Check.equal(open.text(), "Grüße");
                open.set("x".repeat(open.count() - 1));
                Check.equal(open.text(), "x".repeat(open.count() - 1));
                open.set("");
                Check.equal(open.text(), "");
                open.set(before);
                Check.equal(open.text(), before);
            }
        }
    }

    public static void itemsHaveNames(Comm world) {
        try (Variables variables = Variables.open()) {
            for (ControlVariable each : variables.controls()) {
                each.items().forEach((value, name) -> Check.isTrue(!name.isEmpty(), each + " " + value));
                Check.fails(UnsupportedOperationException.class, () -> each.items().put(1, "a"));
            }
        }
    }

    public static void valuesThatDoNotFitAreRefused(Comm world) {
        try (Variables variables = Variables.open()) {
            ControlVariable number = known(variables, NUMBERS);
            try (ControlHandle open = number.open()) {
                long before = open.longs()[0];
                refused(IllegalArgumentException.class, "has 1 value, not 2", () -> open.set(1, 2));
                refused(IllegalArgumentException.class, "has 1 value, not 0", () -> open.set(new long[0]));
                refused(IllegalArgumentException.class, "have 32 bits", () -> open.set(1L << 40));
                refused(IllegalStateException.class, "not floating-point numbers", () -> open.set(1.5));
                refused(IllegalStateException.class, "not texts", () -> open.set("ten"));
                refused(IllegalArgumentException.class, "\"values\"", () -> open.set((long[]) null));
                refused(IllegalArgumentException.class, "\"value\"", () -> open.set((String) null));
                Check.equal(open.longs()[0], before);
            }
            try (ControlHandle open = known(variables, TEXTS).open()) {
                String before = open.text();
                refused(IllegalArgumentException.class, "at most", () -> open.set("x".repeat(open.count())));
                refused(IllegalArgumentException.class, "without a zero", () -> open.set("a\0b"));
                refused(IllegalStateException.class, "not whole numbers", () -> open.set(1));
                Check.equal(open.text(), before);
            }
        }
    }

    public static void whatCannotBeSetIsAnError(Comm world) {
        try (Variables variables = Variables.open()) {
            Optional<ControlVariable> fixed = variables.controls().stream()
                    .filter(each -> each.scope() == Scope.CONSTANT && each.isText() && reads(each)).findFirst();
            if (fixed.isPresent()) { // MPICH has none
                try (ControlHandle open = fixed.get().open()) {
                    Check.fails(MpiException.class, () -> open.set(""));
                }
            }
        }
    }

    public static void aClosedVariableIsRefused(Comm world) {
        Variables variables = Variables.open();
        ControlVariable number = known(variables, NUMBERS);
        ControlHandle open = number.open();
        open.close();
        open.close();
        refused(IllegalStateException.class, "variable is closed", open::longs);
        refused(IllegalStateException.class, "variable is closed", () -> open.set(1));
        ControlHandle left = number.open();
        PerformanceSession session = variables.session();
        PerformanceSession second = variables.session();
        second.close();
        second.close();
        refused(IllegalStateException.class, "session is closed", second::startAll);
        try (Variables others = Variables.open()) {
            variables.close();
            variables.close();
            for (Check.Statement call : List.<Check.Statement>of(left::longs, number::open, variables::controls,
                    variables::performances, variables::categories, variables::changes, variables::session,
                    session::stopAll, () -> variables.control("a"))) {
                refused(IllegalStateException.class, "variables are closed", call);
            }
            left.close();
            session.close();
            try (ControlHandle again = known(others, NUMBERS).open()) {
                Check.equal(again.count(), 1);
            }
        }
    }

    public static void valuesBelongToTheirObjects(Comm world) {
        try (Variables variables = Variables.open(); Comm comm = world.dup();
                Window<Element.Bytes> window = comm.allocateWindow(Datatype.BYTE, 1, null)) {
            ControlVariable number = known(variables, NUMBERS);
            refused(IllegalArgumentException.class, "belong to the process", () -> number.open(comm));
            refused(IllegalArgumentException.class, "belong to the process", () -> number.open(window));
            refused(IllegalArgumentException.class, "\"comm\"", () -> number.open((Comm) null));
            refused(IllegalArgumentException.class, "\"window\"", () -> number.open((Window<?>) null));
            refused(IllegalArgumentException.class, "\"file\"", () -> number.open((MpiFile) null));
            for (PerformanceVariable each : variables.performances()) {
                if (each.bind() == Bind.MPI_COMM) {
                    holds(variables, each, world.dup());
                } else if (each.bind() == Bind.MPI_WIN) {
                    holds(variables, each, window);
                }
            }
        }
        world.barrier();
    }

    private static void holds(Variables variables, PerformanceVariable variable, Comm comm) {
        try (PerformanceSession session = variables.session()) {
            refused(IllegalArgumentException.class, "not to the process", () -> session.open(variable));
            PerformanceHandle open = session.open(variable, comm);
            Check.equal(open.longs().length, open.count());
            refused(IllegalStateException.class, "still uses", comm::close);
            open.close();
            Comm other = comm.dup();
            comm.close();
            refused(IllegalStateException.class, "closed", () -> session.open(variable, comm));
            PerformanceSession second = variables.session();
            PerformanceHandle left = second.open(variable, other);
            second.close();
            refused(IllegalStateException.class, "closed", left::longs);
            other.close();
        }
    }

    private static void holds(Variables variables, PerformanceVariable variable, Window<?> window) {
        try (PerformanceSession session = variables.session(); PerformanceHandle open = session.open(variable, window)) {
            Check.equal(open.longs().length, open.count());
            refused(IllegalStateException.class, "still uses", window::close);
        }
    }

    /** Open MPI counts the messages of each process that nobody has asked for. */
    public static void messagesThatWaitAreCounted(Comm world) {
        try (Variables variables = Variables.open(); PerformanceSession session = variables.session()) {
            Optional<PerformanceVariable> found = variables.performance("pml_ob1_unexpected_msgq_length", PvarClass.SIZE);
            if (found.isEmpty()) {
                return; // another MPI, or another transport
            }
            PerformanceVariable variable = found.get();
            Check.isTrue(variable.isReadonly() && variable.isContinuous() && !variable.isAtomic(), variable.name());
            Check.equal(variable.kind(), PvarClass.SIZE);
            try (Comm comm = world.dup(); PerformanceHandle waiting = session.open(variable, comm)) {
                int[] sent = {comm.rank()};
                int to = (comm.rank() + 1) % comm.size();
                int from = (comm.rank() + comm.size() - 1) % comm.size();
                Request send = comm.isend(sent, to, 7);
                comm.probe(from, 7);
                Check.equal(Arrays.stream(waiting.longs()).sum(), 1L);
                world.barrier(); // one of this communicator would be counted, too
                int[] received = new int[1];
                comm.recv(received, from, 7);
                send.await();
                Check.equal(Arrays.stream(waiting.longs()).sum(), 0L);
                world.barrier();
            }
        }
    }

    public static void sessionsStartStopAndReset(Comm world) {
        try (Variables variables = Variables.open(); PerformanceSession session = variables.session()) {
            for (PerformanceVariable each : variables.performances()) {
                if (each.bind() == Bind.NO_OBJECT) {
                    watch(session, each);
                }
            }
            refused(IllegalArgumentException.class, "\"variable\"", () -> session.open(null));
            refused(IllegalArgumentException.class, "\"comm\"", () -> session.open(null, (Comm) null));
            refused(IllegalArgumentException.class, "\"window\"", () -> session.open(null, (Window<?>) null));
            refused(IllegalArgumentException.class, "\"file\"", () -> session.open(null, (MpiFile) null));
        }
    }

    private static void watch(PerformanceSession session, PerformanceVariable variable) {
        try (PerformanceHandle open = session.open(variable)) {
            if (variable.isContinuous()) {
                Check.fails(MpiException.class, open::start);
                Check.fails(MpiException.class, open::stop);
            } else {
                open.start();
                open.stop();
                session.startAll();
                session.stopAll();
            }
            Check.isTrue(!open.text().isEmpty(), variable.name());
            if (variable.isReadonly()) {
                Check.fails(MpiException.class, open::reset);
                Check.fails(MpiException.class, () -> put(open));
            } else {
                open.reset();
                session.resetAll();
            }
            if (!variable.isAtomic()) {
                Check.fails(MpiException.class, variable.isFloating() ? open::doublesAndReset : open::longsAndReset);
            }
        }
    }

    private static void put(PerformanceHandle open) {
        if (open.variable().isFloating()) {
            open.set(open.doubles());
        } else {
            open.set(open.longs());
        }
    }

    public static void categoriesHaveVariables(Comm world) {
        try (Variables variables = Variables.open()) {
            int changes = variables.changes();
            List<VariableCategory> categories = variables.categories();
            Set<String> names = new HashSet<>();
            variables.controls().forEach(each -> names.add(each.name()));
            Set<String> members = new HashSet<>();
            Set<String> known = new HashSet<>();
            for (VariableCategory each : categories) {
                each.controls().forEach(control -> members.add(control.name()));
                known.add(each.name());
            }
            Check.isTrue(members.size() > 10 && names.containsAll(members), members.size() + " members");
            Check.isTrue(categories.stream().allMatch(each -> known.containsAll(each.categories())), "unknown categories");
            VariableCategory first = categories.get(0);
            VariableCategory again = variables.category(first.name()).orElseThrow();
            Check.equal(again.description(), first.description());
            Check.equal(again.controls().size(), first.controls().size());
            Check.equal(again.performances().size(), first.performances().size());
            Check.equal(variables.changes(), changes);
        }
    }

    public static void threadsReadTheSameVariable(Comm world) {
        try (Variables variables = Variables.open(); ControlHandle open = known(variables, NUMBERS).open()) {
            String expected = open.text();
            Check.Statement[] threads = Stream.generate(() -> (Check.Statement) () -> {
                for (int i = 0; i < 200; i++) {
                    Check.equal(open.text(), expected);
                }
            }).limit(4).toArray(Check.Statement[]::new);
            Check.together(threads);
        }
    }
}

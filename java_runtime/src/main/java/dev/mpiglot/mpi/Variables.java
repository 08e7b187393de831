package dev.mpiglot.mpi;

import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.low.PvarClass;
import dev.mpiglot.low.ThreadLevel;
import dev.mpiglot.low.Tools;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The variables that the MPI library has for tools: {@link ControlVariable}s, which it is set by, and
 * {@link PerformanceVariable}s, which tell what it does. Which there are is the library's choice, and their number can
 * grow. They may be opened before {@link Mpi#run} and be used after it. All methods are local, and throw an
 * {@link IllegalStateException} once this is closed.
 *
 * {@snippet :
 * try (Variables variables = Variables.open()) {
 *     for (ControlVariable control : variables.controls()) {
 *         System.out.println(control.name() + ": " + control.description());
 *     }
 * }
 * }
 */
public final class Variables implements AutoCloseable {

    /** Of what is left out: parts that were not loaded, for example. Open MPI tells it by the second class. */
    private static final Set<Integer> NOT_THERE = Set.of(MpiConstants.T_ERR_INVALID_INDEX,
            MpiConstants.T_ERR_INVALID);

    private static ThreadLevel first; // what was told; later, some libraries tell nothing

    private final ThreadLevel level;
    private final Life life = new Life("The variables are closed: close them when no call needs them any more.");
    private final Set<ControlHandle> handles = ConcurrentHashMap.newKeySet();
    private final Set<PerformanceSession> sessions = ConcurrentHashMap.newKeySet();

    private Variables(ThreadLevel level) {
        this.level = level;
    }

    /**
     * Opens the variables for use by any number of threads, as far as the library can. {@code MPI_T_init_thread}
     *
     * @return them, to be closed
     * @throws MpiException if MPI reports an error
     */
    public static synchronized Variables open() {
        ThreadLevel told = ThreadLevel.of(Tools.tInitThread(ThreadLevel.MULTIPLE.value()));
        if (first == null || !LibraryDefects.LEAVES_LEVEL) {
            first = told;
        }
        return new Variables(first);
    }

    /** The open handles, which end with this. */
    Set<ControlHandle> handles() {
        return handles;
    }

    /** The open sessions, which end with this. */
    Set<PerformanceSession> sessions() {
        return sessions;
    }

    <T> T using(Supplier<T> action) {
        return life.during(action);
    }

    /** {@return which threads may use them} */
    public ThreadLevel threadLevel() {
        return level;
    }

    /**
     * Lists all control variables. {@code MPI_T_cvar_get_num}, {@code MPI_T_cvar_get_info}
     *
     * @return them
     * @throws MpiException if MPI reports an error
     */
    public List<ControlVariable> controls() {
        return using(() -> all(IntStream.range(0, Tools.tCvarGetNum()), this::control));
    }

    /**
     * Lists all performance variables. {@code MPI_T_pvar_get_num}, {@code MPI_T_pvar_get_info}
     *
     * @return them
     * @throws MpiException if MPI reports an error
     */
    public List<PerformanceVariable> performances() {
        return using(() -> all(IntStream.range(0, Tools.tPvarGetNum()), this::performance));
    }

    /** What has these numbers, as far as it is there. */
    private static <T> List<T> all(IntStream indices, IntFunction<T> made) {
        return indices.mapToObj(index -> known(() -> made.apply(index), NOT_THERE))
                .filter(Objects::nonNull).toList();
    }

    /** What MPI tells; null if its error is of one of these classes. */
    private static <T> T known(Supplier<T> call, Set<Integer> unknown) {
        try {
            return call.get();
        } catch (MpiException e) {
            if (unknown.contains(e.errorClass())) {
                return null;
            }
            throw e;
        }
    }

    /** Null: one that cannot be used. */
    private ControlVariable control(int index) {
        Tools.TCvarGetInfoResult told = Tools.tCvarGetInfo(index);
        return LibraryDefects.isUnusable(told.name()) ? null : new ControlVariable(this, index, told);
    }

    /** Null: one that cannot be used. */
    private PerformanceVariable performance(int index) {
        Tools.TPvarGetInfoResult told = Tools.tPvarGetInfo(index);
        return LibraryDefects.isUnusable(told.name()) ? null : new PerformanceVariable(this, index, told);
    }

    /**
     * Finds a control variable. {@code MPI_T_cvar_get_index}
     *
     * @param name its name
     * @return it, if there is one
     * @throws IllegalArgumentException if the name is null
     * @throws MpiException if MPI reports an error
     */
    public Optional<ControlVariable> control(String name) {
        return found(name, () -> Tools.tCvarGetIndex(name), this::control);
    }

    /**
     * Finds a performance variable: some have one name and are of two kinds. {@code MPI_T_pvar_get_index}
     *
     * @param name its name
     * @param kind its kind
     * @return it, if there is one
     * @throws IllegalArgumentException if one is null
     * @throws MpiException if MPI reports an error
     */
    public Optional<PerformanceVariable> performance(String name, PvarClass kind) {
        Arguments.present("kind", kind);
        return found(name, () -> Tools.tPvarGetIndex(name, kind.value()), this::performance);
    }

    private <T> Optional<T> found(String name, Supplier<Integer> index, IntFunction<T> made) {
        Arguments.present("name", name);
        return using(() -> Optional.ofNullable(known(index, Set.of(MpiConstants.T_ERR_INVALID_NAME)))
                .map(made::apply));
    }

    /**
     * Lists all categories. {@code MPI_T_category_get_num}, {@code MPI_T_category_get_info}
     *
     * @return them
     * @throws MpiException if MPI reports an error
     */
    public List<VariableCategory> categories() {
        return using(() -> all(IntStream.range(0, Tools.tCategoryGetNum()), this::category));
    }

    /**
     * Finds a category. {@code MPI_T_category_get_index}
     *
     * @param name its name
     * @return it, if there is one
     * @throws IllegalArgumentException if the name is null
     * @throws MpiException if MPI reports an error
     */
    public Optional<VariableCategory> category(String name) {
        return found(name, () -> Tools.tCategoryGetIndex(name), this::category);
    }

    private VariableCategory category(int index) {
        Tools.TCategoryGetInfoResult told = Tools.tCategoryGetInfo(index);
        IntStream controls = members(told.numCvars(), each -> Tools.tCategoryGetCvars(index, each));
        IntStream performances = members(told.numPvars(), each -> Tools.tCategoryGetPvars(index, each));
        IntStream categories = members(told.numCategories(), each -> Tools.tCategoryGetCategories(index, each));
        return new VariableCategory(told.name(), told.desc(), all(controls, this::control),
                all(performances, this::performance),
                all(categories, each -> Tools.tCategoryGetInfo(each).name()));
    }

    private static IntStream members(int number, Consumer<int[]> call) {
        int[] members = new int[number];
        if (number > 0) {
            call.accept(members);
        }
        return Arrays.stream(members);
    }

    /**
     * Tells how often categories have changed: while it is the same, so are they. {@code MPI_T_category_changed}
     *
     * @return the number
     * @throws MpiException if MPI reports an error
     */
    public int changes() {
        return using(Tools::tCategoryChanged);
    }

    /**
     * Begins to watch performance variables. {@code MPI_T_pvar_session_create}
     *
     * @return what opens them, to be closed
     * @throws MpiException if MPI reports an error
     */
    public PerformanceSession session() {
        return new PerformanceSession(this);
    }

    /**
     * Ends the use of the variables, and of all that was opened with them. {@code MPI_T_finalize} Closing again does
     * nothing.
     *
     * @throws IllegalStateException if a call still uses them
     * @throws MpiException if MPI reports an error
     */
    @Override
    public void close() {
        handles.forEach(ControlHandle::close);
        sessions.forEach(PerformanceSession::close);
        if (life.end() && LibraryDefects.ENDS_VARIABLES) {
            Tools.tFinalize();
        }
    }
}

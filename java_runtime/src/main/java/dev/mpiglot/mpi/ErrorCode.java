package dev.mpiglot.mpi;

import dev.mpiglot.low.Environment;
import dev.mpiglot.low.ErrorClass;
import dev.mpiglot.low.GivenCodes;
import dev.mpiglot.low.Generalized;
import dev.mpiglot.low.MpiConstants;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An error of MPI: a code, which belongs to a class of errors. Every class is a code, too. A program can add classes and
 * codes of its own, with texts; exceptions with such a code have that text. All methods are local.
 *
 * @param code the code, as {@link MpiException#code} gives it
 */
public record ErrorCode(int code) {

    /** What the program has added and not removed, by its code. */
    private static final Map<Integer, Added> ADDED = new ConcurrentHashMap<>();

    /** Libraries do not tell it right (class-of-added-class, text-of-code-in-own-class). */
    private record Added(int errorClass, String text) {
    }

    /** The shortest room for a text that a library has, in bytes. */
    private static final int MOST_BYTES = 255;

    /**
     * Adds a class of errors. {@code MPI_Add_error_class}, {@code MPI_Add_error_string} Local: processes that shall have
     * the same classes add them in the same order.
     *
     * @param text what exceptions of this class say, at most 255 bytes in UTF-8
     * @return the class
     * @throws IllegalArgumentException if the text is null, too long, or holds the character NUL
     * @throws MpiException if MPI reports an error
     */
    public static ErrorCode addClass(String text) {
        requireText(text);
        int added = Generalized.addErrorClass();
        return add(added, added, text);
    }

    /**
     * Adds a code to the class of this one, which may be one of MPI's classes. {@code MPI_Add_error_code},
     * {@code MPI_Add_error_string} Local.
     *
     * @param text what exceptions with this code say, at most 255 bytes in UTF-8
     * @return the code
     * @throws IllegalArgumentException if the text is null, too long, or holds the character NUL
     * @throws MpiException if MPI reports an error
     */
    public ErrorCode addCode(String text) {
        requireText(text);
        int errorClass = errorClass();
        return add(Generalized.addErrorCode(errorClass), errorClass, text);
    }

    private static ErrorCode add(int code, int errorClass, String text) {
        ADDED.put(code, new Added(errorClass, text));
        Generalized.addErrorString(code, text);
        return new ErrorCode(code);
    }

    /**
     * Replaces the text of a class or code that the program has added. {@code MPI_Add_error_string} Local.
     *
     * @param text the text, at most 255 bytes in UTF-8
     * @throws IllegalArgumentException if the text is null, too long, or holds the character NUL
     * @throws IllegalStateException if the program has not added it, or has removed it
     * @throws MpiException if MPI reports an error
     */
    public void setText(String text) {
        requireText(text);
        Added added = requireAdded();
        Generalized.addErrorString(code, text);
        ADDED.put(code, new Added(added.errorClass, text));
    }

    /**
     * Takes the text away from a class or code that the program has added. {@code MPI_Remove_error_string} Local. Since
     * MPI 4.1; not in every library.
     *
     * @throws IllegalStateException if the program has not added it, or has removed it
     * @throws MpiException if MPI reports an error, or the library lacks the function
     */
    public void removeText() {
        Added added = requireAdded();
        Generalized.removeErrorString(code);
        ADDED.put(code, new Added(added.errorClass, ""));
    }

    /**
     * Takes back a class or code that the program has added, and its text. {@code MPI_Remove_error_class},
     * {@code MPI_Remove_error_code} Local. Since MPI 4.1; not in every library.
     *
     * @throws IllegalStateException if the program has not added it, has removed it, or if this class has codes
     * @throws MpiException if MPI reports an error, or the library lacks the functions
     */
    public void remove() {
        boolean isClass = requireAdded().errorClass == code;
        if (isClass && ADDED.entrySet().stream()
                .anyMatch(one -> one.getValue().errorClass == code && one.getKey() != code)) {
            throw new IllegalStateException("The class of errors has codes: remove them before.");
        }
        if (!text().isEmpty()) {
            removeText();
        }
        if (isClass) {
            Generalized.removeErrorClass(code);
        } else {
            Generalized.removeErrorCode(code);
        }
        ADDED.remove(code);
    }

    private static void requireText(String text) {
        if (Arguments.present("text", text).indexOf('\0') >= 0
                || text.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw new IllegalArgumentException("The text of an error holds the character NUL or has more than " + MOST_BYTES
                    + " bytes.");
        }
    }

    private Added requireAdded() {
        Added added = ADDED.get(code);
        if (added == null) {
            throw new IllegalStateException("The program has not added the error code " + code + ", or has removed it.");
        }
        return added;
    }

    /**
     * Tells the class. {@code MPI_Error_class} Local.
     *
     * @return it: one of {@code dev.mpiglot.low.MpiConstants.ERR_...}, the same on every MPI, or one that the program
     *     added
     * @throws MpiException if MPI knows no such code
     */
    public int errorClass() {
        Added added = ADDED.get(code);
        return added == null ? Environment.errorClass(code) : added.errorClass;
    }

    /**
     * Tells the class as an enumeration. {@code MPI_Error_class} Local.
     *
     * @return the class; {@code ERR_UNKNOWN} for those that programs add
     * @throws MpiException if MPI knows no such code
     */
    public ErrorClass kind() {
        return MpiException.of(code, errorClass(), "", "").kind();
    }

    /**
     * Tells what MPI says of the error. {@code MPI_Error_string} Local.
     *
     * @return the text; of a code that MPI has not given to this process lately that of its class, or a sentence that says so
     * @throws MpiException if MPI knows no such code
     */
    public String text() {
        Added added = ADDED.get(code);
        if (added != null) {
            return added.text;
        }
        if (GivenCodes.contains(code)) {
            return Environment.errorString(code);
        }
        int errorClass = errorClass();
        return kind() == ErrorClass.ERR_UNKNOWN ? "MPI has not given the error code " + code + " to this process."
                : Environment.errorString(errorClass); // of others MPICH reads beyond its tables: error-string-crashes
    }

    /** The exception of a function that failed with this code. */
    MpiException exception(String function) {
        String name = function.isEmpty() ? "" : function + ": ";
        return MpiException.of(code, code == MpiConstants.SUCCESS ? MpiConstants.SUCCESS : errorClass(), function,
                name + (text().isEmpty() ? "error code " + code : text()));
    }
}

package dev.mpiglot.mpi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * May be null; its documentation says what that means. No other parameter, result or component of a record is null in
 * this package: a method that is given null elsewhere throws. Checkers of nullness and editors know it by its name.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
public @interface Nullable {
}

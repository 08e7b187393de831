package dev.mpiglot.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test method that runs on several ranks, once for each number of them. Parameters of the types
 * {@link dev.mpiglot.mpi.Comm} and {@link dev.mpiglot.mpi.Mpi} get the communicator of all ranks, and MPI.
 *
 * <p>Each rank is a process of its own, with the class path and the options of the JVM that runs the tests. It makes an
 * instance of the class and calls {@code @BeforeAll}, {@code @BeforeEach}, the method, {@code @AfterEach} and
 * {@code @AfterAll}; other extensions do not take part. The test fails if it fails on any rank, and says on which.
 *
 * <p>The launcher is the command in the environment's {@code MPIEXEC}, else the one that belongs to the library that
 * {@code MPIGLOT_MPI} names, else {@code mpiexec}. All ranks run on the machine of the tests.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(MpiExtension.class)
public @interface MpiTest {

    /** {@return the numbers of ranks to run on} */
    int[] ranks() default {1, 2};

    /** {@return how many seconds a run may take; then the stacks of all ranks are told and the job is ended} */
    int timeout() default 60;
}

package dev.mpiglot.mpi;

/**
 * Another process gave a collective operation wrong arguments, or another root: no process has begun it. Thrown where
 * processes compare what they give: with the system property {@code mpiglot.checks=communication}.
 */
public final class DisagreementException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    DisagreementException(String message) {
        super(message);
    }
}

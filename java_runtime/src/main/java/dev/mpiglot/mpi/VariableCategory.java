package dev.mpiglot.mpi;

import java.util.List;

/**
 * Variables that the MPI library has put together.
 *
 * @param name the name of the category
 * @param description what it is, in the library's words; empty if it does not say
 * @param controls its control variables
 * @param performances its performance variables
 * @param categories the names of the categories in it
 */
public record VariableCategory(String name, String description, List<ControlVariable> controls,
                               List<PerformanceVariable> performances, List<String> categories) {
}

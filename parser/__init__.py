"""From an installed MPI to its blueprint: find wrappers, read headers, measure with programs."""

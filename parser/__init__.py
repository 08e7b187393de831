"""From an installed MPI to its blueprint: finding wrappers, reading headers, measuring by running programs."""

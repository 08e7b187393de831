"""Go: one module for every MPI."""

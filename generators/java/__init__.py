"""Java: one module for every MPI."""

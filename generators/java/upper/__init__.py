"""The package people use, `dev.mpiglot.mpi`: what of it follows from the plan, and its table."""

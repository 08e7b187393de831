"""mpiglot: reads an installed MPI and generates complete bindings for it."""

__version__ = "0.1.0"

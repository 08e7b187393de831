"""One module per command of `mpiglot`; see `mpiglot.cli` for how they are found."""

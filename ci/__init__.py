"""The commands of the checkout: demo, test, lint, and `ci/mpi` over `mpiglot.provision`."""

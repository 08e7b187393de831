module mpiglot.dev/mpi/low

go 1.24

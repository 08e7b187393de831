module mpiglot.dev/mpi

go 1.24

require mpiglot.dev/mpi/low v0.0.0

replace mpiglot.dev/mpi/low => ./low

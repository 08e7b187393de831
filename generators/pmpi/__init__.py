"""The PMPI library for one MPI."""

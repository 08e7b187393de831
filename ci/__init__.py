"""The MPI matrix and the set-up: which MPIs there are, how each is obtained and run."""

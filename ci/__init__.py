"""The MPI matrix and the project's own set-up: which MPIs there are, how each is obtained and run."""

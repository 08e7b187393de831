"""C++: headers by chapter for one MPI."""

// Package low has every function, handle and constant of MPI, on any MPI library.
//
// Nothing of an MPI is needed to build it: the library is found and loaded when [Load] (or [Init])
// is called. Names are those of the standard without the prefix: MPI_Comm_rank is [CommRank],
// MPI_ANY_SOURCE is [AnySource]. Integers with a name have the values of the MPI-5 standard ABI and
// are translated at the edge; handles are opaque words of the library in use, and those with a name
// ([CommWorld], [Double]) are there once the library is loaded.
//
// A function's outputs are its results, an error its last one: see [Error]. Buffers are made by
// [Slice], [At] and [Address]; [InPlace] and [Bottom] stand for the constants of these names. What a
// nonblocking call uses stays pinned until one of the completing calls has seen its request done.
package low

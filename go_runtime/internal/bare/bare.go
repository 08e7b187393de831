// Package bare is the least a call from Go into C can cost, to compare other calls with.
package bare

/*
static int mpiglot_bare(unsigned long handle, int *rank) {
  *rank = (int)handle;
  return 0;
}

typedef struct { int code, rank; } mpiglot_bare_result;

static mpiglot_bare_result mpiglot_bare_by_value(unsigned long handle) {
  mpiglot_bare_result r;
  r.code = mpiglot_bare(handle, &r.rank);
  return r;
}
*/
import "C"

// Call does what a call of MPI_Comm_rank does, without MPI.
func Call(handle uint64) (int, int) {
	r := C.mpiglot_bare_by_value(C.ulong(handle))
	return int(r.rank), int(r.code)
}

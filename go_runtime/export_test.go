package mpi

// IsAsked tells whether a goroutine waits in MPI for the request.
func (r *Request) IsAsked() bool {
	if r.asking.TryLock() {
		r.asking.Unlock()
		return false
	}
	return true
}

// TellPlaces does what MPIGLOT_PLACES=on does.
func TellPlaces(tell bool) { tellPlaces = tell }

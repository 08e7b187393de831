package mpi

import "fmt"

// BcastValue is the value of root, on all processes.
func BcastValue[T any](c *Comm, value T, root int) (T, error) {
	one := []T{value}
	err := Bcast(c, one, root)
	return one[0], err
}

// AllreduceValue combines one value of each process.
func AllreduceValue[T any](c *Comm, value T, op Op[T]) (T, error) {
	one := []T{value}
	err := Allreduce(c, nil, one, op, InPlace)
	return one[0], err
}

// ReduceValue is [AllreduceValue] where only root gets the result; the others get the zero value.
func ReduceValue[T any](c *Comm, value T, op Op[T], root int) (T, error) {
	result := make([]T, 1)
	err := Reduce(c, []T{value}, result, op, root)
	return result[0], err
}

// ScanValue combines the values of this process and of those before it.
func ScanValue[T any](c *Comm, value T, op Op[T]) (T, error) {
	one := []T{value}
	err := Scan(c, nil, one, op, InPlace)
	return one[0], err
}

// ExscanValue combines the values of the processes before this one; rank 0 gets the zero value.
func ExscanValue[T any](c *Comm, value T, op Op[T]) (T, error) {
	result := make([]T, 1)
	err := Exscan(c, []T{value}, result, op)
	if c.Rank() == 0 {
		clear(result) // which MPI leaves undefined
	}
	return result[0], err
}

// GatherValue is the values of all processes at root, by rank; nil elsewhere.
func GatherValue[T any](c *Comm, value T, root int) ([]T, error) {
	var all []T
	if c.Rank() == root {
		all = make([]T, c.Size())
	}
	return all, Gather(c, []T{value}, all, root)
}

// AllgatherValue is the values of all processes, by rank.
func AllgatherValue[T any](c *Comm, value T) ([]T, error) {
	all := make([]T, c.Size())
	return all, Allgather(c, []T{value}, all)
}

// ScatterValue gives each process its value of root's; values may be nil elsewhere.
func ScatterValue[T any](c *Comm, values []T, root int) (T, error) {
	one := make([]T, 1)
	err := Scatter(c, values, one, root)
	return one[0], err
}

// GatherSlices is the slices of all processes at root, by rank, whatever their lengths are; nil elsewhere.
func GatherSlices[T any](c *Comm, send []T, root int) ([][]T, error) {
	counts, err := GatherValue(c, len(send), root)
	if err != nil {
		return nil, err
	}
	all := make([]T, total(counts))
	if err := Gatherv(c, send, all, counts, root); err != nil || c.rank != root {
		return nil, err
	}
	return cut(all, counts), nil
}

// AllgatherSlices is the slices of all processes, by rank, whatever their lengths are.
func AllgatherSlices[T any](c *Comm, send []T) ([][]T, error) {
	counts, err := AllgatherValue(c, len(send))
	if err != nil {
		return nil, err
	}
	all := make([]T, total(counts))
	if err := Allgatherv(c, send, all, counts); err != nil {
		return nil, err
	}
	return cut(all, counts), nil
}

// ScatterSlices gives each process its slice of root's, whatever their lengths are; parts may be nil elsewhere.
// If root has another number of parts than there are processes, all get an error.
func ScatterSlices[T any](c *Comm, parts [][]T, root int) ([]T, error) {
	const function = "mpi.ScatterSlices"
	if err := c.usable(function); err != nil {
		return nil, err
	}
	counts := lengths(parts)
	var wrong error
	if c.rank == root {
		if wrong = sameLength(function, "parts", len(parts), c.size); wrong != nil {
			counts = make([]int, c.size)
			for i := range counts {
				counts[i] = -1
			}
		}
	}
	n, err := ScatterValue(c, counts, root)
	switch {
	case err != nil:
		return nil, err
	case wrong != nil:
		return nil, wrong
	case n < 0:
		return nil, &Error{Class: ErrBuffer, Function: function,
			Message: fmt.Sprintf("rank %d has another number of parts than there are processes", root)}
	}
	recv := make([]T, n)
	return recv, Scatterv(c, joined(parts), counts, recv, root)
}

// AlltoallSlices gives each process its slice of parts and is the slices of all for this process, by rank, whatever
// their lengths are.
func AlltoallSlices[T any](c *Comm, parts [][]T) ([][]T, error) {
	const function = "mpi.AlltoallSlices"
	if err := c.usable(function); err != nil {
		return nil, err
	}
	if err := sameLength(function, "parts", len(parts), c.size); err != nil {
		return nil, err
	}
	sends, recvs := lengths(parts), make([]int, c.size)
	if err := Alltoall(c, sends, recvs); err != nil {
		return nil, err
	}
	all := make([]T, total(recvs))
	if err := Alltoallv(c, joined(parts), sends, all, recvs); err != nil {
		return nil, err
	}
	return cut(all, recvs), nil
}

func total(counts []int) (sum int) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

func lengths[T any](parts [][]T) []int {
	counts := make([]int, len(parts))
	for i, part := range parts {
		counts[i] = len(part)
	}
	return counts
}

// joined is the elements of all parts, one after the other.
func joined[T any](parts [][]T) []T {
	all := make([]T, 0, total(lengths(parts)))
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

// cut divides a slice into parts of these lengths.
func cut[T any](all []T, counts []int) [][]T {
	parts := make([][]T, len(counts))
	for i, n := range counts {
		parts[i], all = all[:n:n], all[n:]
	}
	return parts
}

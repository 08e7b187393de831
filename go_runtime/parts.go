package mpi

// gatheringParts is the arguments of an operation that collects parts of different lengths where they are wanted.
func gatheringParts[T any](c *Comm, function string, send, recv []T, counts []int, wanted bool, options []Choice) (arguments, error) {
	a, err := between(c, function, send, recv, options)
	if err != nil {
		return a, err
	}
	a.n = len(send)
	if !wanted {
		return a, nil
	}
	a.recvs = counts
	if a.recvsAt, err = oneAfterTheOther(function, "recv", counts, c.size, len(recv)); err != nil {
		return a, err
	}
	if a.inPlace {
		return a, a.sentInPlace(function, len(send))
	}
	if err := sameLength(function, "send", len(send), counts[c.rank]); err != nil {
		return a, err
	}
	return a, apart(function, send, recv)
}

// scatteringParts is the arguments of an operation that gives out parts of different lengths of what root has.
func scatteringParts[T any](c *Comm, function string, send []T, counts []int, recv []T, root int, options []Choice) (arguments, error) {
	a, err := between(c, function, send, recv, options)
	if err != nil {
		return a, err
	}
	a.m = len(recv)
	if c.rank != root {
		return a, nil
	}
	a.sends = counts
	if a.sendsAt, err = oneAfterTheOther(function, "send", counts, c.size, len(send)); err != nil {
		return a, err
	}
	if a.inPlace {
		return a, a.receivedInPlace(function, len(recv))
	}
	if err := sameLength(function, "recv", len(recv), counts[root]); err != nil {
		return a, err
	}
	return a, apart(function, send, recv)
}

// exchangingParts is the arguments of an operation in which all give parts of different lengths to all.
func exchangingParts[T any](c *Comm, function string, send []T, sendCounts []int, recv []T, recvCounts []int,
	options []Choice) (arguments, error) {
	a, err := between(c, function, send, recv, options)
	if err != nil {
		return a, err
	}
	a.sends, a.recvs = sendCounts, recvCounts
	if a.recvsAt, err = oneAfterTheOther(function, "recv", recvCounts, c.size, len(recv)); err != nil {
		return a, err
	}
	if a.inPlace {
		a.sends, a.sendsAt = recvCounts, a.recvsAt
		return a, a.sentInPlace(function, len(send))
	}
	if a.sendsAt, err = oneAfterTheOther(function, "send", sendCounts, c.size, len(send)); err != nil {
		return a, err
	}
	return a, apart(function, send, recv)
}

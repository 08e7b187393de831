package mpi

import (
	"fmt"
	"slices"
)

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
	if a.recvsAt, err = parts[T](&a, function, "recv", counts, c.size, len(recv), &a.recv); err != nil {
		return a, err
	}
	if a.inPlace {
		a.sentInPlace(function, len(send))
		return a, nil
	}
	if err := sameLength(function, "send", len(send), counts[c.rank]); err != nil {
		a.n = counts[c.rank]
		a.send = instead[T](&a, err, a.n)
	} else if err := apart(function, send, recv); err != nil {
		a.recv = instead[T](&a, err, total(counts))
	}
	return a, nil
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
	if a.sendsAt, err = parts[T](&a, function, "send", counts, c.size, len(send), &a.send); err != nil {
		return a, err
	}
	if a.inPlace {
		a.receivedInPlace(function, len(recv))
		return a, nil
	}
	err = sameLength(function, "recv", len(recv), counts[root])
	if err == nil {
		err = apart(function, send, recv)
	}
	if err != nil {
		a.m = counts[root]
		a.recv = instead[T](&a, err, a.m)
	}
	return a, nil
}

// exchangingParts is the arguments of an operation in which all give parts of different lengths to all.
func exchangingParts[T any](c *Comm, function string, send []T, sendCounts []int, recv []T, recvCounts []int,
	options []Choice) (arguments, error) {
	a, err := between(c, function, send, recv, options)
	if err != nil {
		return a, err
	}
	a.sends, a.recvs = sendCounts, recvCounts
	if a.recvsAt, err = parts[T](&a, function, "recv", recvCounts, c.size, len(recv), &a.recv); err != nil {
		return a, err
	}
	if a.inPlace {
		a.sends, a.sendsAt = recvCounts, a.recvsAt
		a.sentInPlace(function, len(send))
		return a, nil
	}
	if a.sendsAt, err = parts[T](&a, function, "send", sendCounts, c.size, len(send), &a.send); err != nil {
		return a, err
	}
	if s, m := sendCounts[c.rank], recvCounts[c.rank]; s != m {
		a.wrong(&Error{Class: ErrCount, Function: function, Message: fmt.Sprintf("this process sends %d elements to itself and receives %d", s, m)})
		a.sends, a.recvs = slices.Clone(sendCounts), slices.Clone(recvCounts)
		a.sends[c.rank], a.recvs[c.rank] = 0, 0
	}
	if err := apart(function, send, recv); err != nil {
		a.recv = instead[T](&a, err, total(recvCounts))
	}
	return a, nil
}

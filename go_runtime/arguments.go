package mpi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"mpiglot.dev/mpi/low"
)

// arguments are what a collective operation gives to MPI, after they were looked at.
type arguments struct {
	element        low.Datatype
	op             low.Op
	info           low.Info
	inPlace        bool
	send, recv     low.Buffer
	n, m           int   // elements for or from each process: in send, in recv
	sends, sendsAt []int // the same where they differ, and where they begin
	recvs, recvsAt []int
	mistake        error // what is wrong here alone: the others wait, so it is told after having taken part
}

// told is the error of an operation that was called with these arguments.
func (a *arguments) told(err error) error {
	if a.mistake != nil {
		return a.mistake
	}
	return err
}

// begun is an operation that was begun with these arguments; one that only takes part is completed in the background.
func (a *arguments) begun(r *Request, err error) (*Request, error) {
	if a.mistake == nil {
		return r, err
	}
	if err == nil {
		r.abandon()
	}
	return nil, a.mistake
}

// prepared is an operation that was prepared with these arguments; one that only takes part is freed at once. Some
// libraries number what is prepared together with what is begun, in all processes alike.
func (a *arguments) prepared(handle low.Request, err error) (*Persistent, error) {
	switch {
	case err != nil:
		return nil, cmp.Or(a.mistake, err)
	case a.mistake == nil:
		return preparedWith(handle, nil), nil
	}
	_ = low.RequestFree(&handle)
	return nil, a.mistake
}

// keepAway lets an operation that only takes part, in the background, use other memory than the slices of the program:
// the program has got an error and does not wait for the operation.
func keepAway[T any](a *arguments, send, recv []T) {
	if a.mistake == nil {
		return
	}
	for _, buffer := range []*low.Buffer{&a.send, &a.recv} {
		switch *buffer {
		case low.Slice(send):
			*buffer = low.Slice(slices.Clone(send))
		case low.Slice(recv):
			*buffer = low.Slice(slices.Clone(recv))
		}
	}
}

// instead notes a mistake and gives elements of zero in the place of a slice that is not used.
func instead[T any](a *arguments, mistake error, n int) low.Buffer {
	a.wrong(mistake)
	return low.Slice(make([]T, n))
}

// wrong notes a mistake, if it is one; the first counts.
func (a *arguments) wrong(mistake error) {
	if a.mistake == nil {
		a.mistake = mistake
	}
}

// collective is what every collective operation asks first; the datatype is that of the elements.
func collective[T any](c *Comm, function string) (low.Datatype, error) {
	if err := c.usable(function); err != nil {
		return low.DatatypeNull, err
	}
	if c.inter {
		return low.DatatypeNull, &Error{Class: ErrComm, Function: function,
			Message: "this is an intercommunicator, whose collective operations are in mpiglot.dev/mpi/low"}
	}
	return typeOf[T](function)
}

// between is the arguments of a collective operation with these slices, of which no lengths are known.
func between[T any](c *Comm, function string, send, recv []T, options []Choice) (a arguments, err error) {
	if a.element, err = collective[T](c, function); err != nil {
		return a, err
	}
	choice := chosen(options)
	a.info, a.inPlace = choice.info, choice.inPlace
	if choice.hinted && !strings.HasSuffix(function, "Init") {
		a.wrong(&Error{Class: ErrArg, Function: function, Message: "mpi.WithInfo is for operations that are prepared, whose names end with Init"})
	}
	a.send, a.recv = low.Slice(send), low.Slice(recv)
	return a, nil
}

// copying is the arguments of an operation that has one slice, whose elements go to where they are.
func copying[T any](c *Comm, function string, data []T, options []Choice) (arguments, error) {
	a, err := between(c, function, nil, data, options)
	if err == nil && a.inPlace {
		a.wrong(&Error{Class: ErrArg, Function: function, Message: "it has one slice, which is in place without mpi.InPlace"})
	}
	return a, err
}

// sentInPlace replaces send, which must be nil.
func (a *arguments) sentInPlace(function string, length int) {
	if length != 0 {
		a.wrong(&Error{Class: ErrBuffer, Function: function, Message: "send must be nil with mpi.InPlace"})
	}
	a.send = low.InPlace
}

// divided is how many of the elements each of so many processes gets; some are left over where it is an error.
func divided(function, slice string, elements, processes int) (int, error) {
	if elements%max(processes, 1) != 0 {
		return 0, &Error{Class: ErrBuffer, Function: function,
			Message: fmt.Sprintf("%s has %d elements, which cannot be divided among %d processes", slice, elements, processes)}
	}
	return elements / max(processes, 1), nil
}

// gathering is the arguments of an operation that collects equal parts where they are wanted.
func gathering[T any](c *Comm, function string, send, recv []T, wanted bool, options []Choice) (arguments, error) {
	a, err := between(c, function, send, recv, options)
	if err != nil {
		return a, err
	}
	a.n, a.m = len(send), len(send)
	switch {
	case !wanted:
		return a, nil
	case !a.inPlace:
		if err := gathers(function, send, recv, c.size); err != nil {
			a.recv = instead[T](&a, err, len(send)*c.size)
		}
		return a, nil
	}
	a.m, err = divided(function, "recv", len(recv), c.size)
	a.wrong(err)
	a.n = a.m
	a.sentInPlace(function, len(send))
	return a, nil
}

// scattering is the arguments of an operation that gives out equal parts of what root has.
func scattering[T any](c *Comm, function string, send, recv []T, root int, options []Choice) (arguments, error) {
	a, err := between(c, function, send, recv, options)
	if err != nil {
		return a, err
	}
	a.n, a.m = len(recv), len(recv)
	switch {
	case c.rank != root:
		return a, nil
	case !a.inPlace:
		if err := sameLength(function, "send", len(send), len(recv)*c.size); err != nil {
			a.send = instead[T](&a, err, len(recv)*c.size)
		} else if err := apart(function, send, recv); err != nil {
			a.recv = instead[T](&a, err, len(recv))
		}
		return a, nil
	}
	a.n, err = divided(function, "send", len(send), c.size)
	a.wrong(err)
	a.receivedInPlace(function, len(recv))
	return a, nil
}

// receivedInPlace leaves the part of root where it is.
func (a *arguments) receivedInPlace(function string, length int) {
	if length != 0 {
		a.wrong(&Error{Class: ErrBuffer, Function: function, Message: "recv of root must be nil with mpi.InPlace"})
	}
	a.recv, a.m = low.InPlace, a.n
}

// exchanging is the arguments of an operation in which all give equal parts to all.
func exchanging[T any](c *Comm, function string, send, recv []T, options []Choice) (arguments, error) {
	a, err := between(c, function, send, recv, options)
	if err != nil {
		return a, err
	}
	if a.inPlace {
		a.m, err = divided(function, "recv", len(recv), c.size)
		a.wrong(err)
		a.n = a.m
		a.sentInPlace(function, len(send))
		return a, nil
	}
	if a.n, err = divided(function, "send", len(send), c.size); err != nil { // what the others send tells the room
		a.n = len(recv) / c.size
		a.send = instead[T](&a, err, a.n*c.size)
	} else if len(recv) < len(send) {
		a.recv = instead[T](&a, wrongLength(function, "recv", len(recv), len(send)), len(send))
	} else if err := apart(function, send, recv); err != nil {
		a.recv = instead[T](&a, err, len(send))
	}
	a.m = a.n
	return a, nil
}

// reduction is the arguments of a reduction. Only where the result is wanted recv is looked at.
func reduction[T any](c *Comm, function string, send, recv []T, wanted bool, op Op[T], options []Choice) (arguments, error) {
	a, err := between(c, function, send, recv, options)
	if err != nil {
		return a, err
	}
	if a.op, err = op.on(function); err != nil {
		return a, err
	}
	a.n = len(send)
	switch {
	case a.inPlace:
		a.n = len(recv)
		a.sentInPlace(function, len(send))
		if !wanted {
			a.send = a.recv
		}
		return a, nil
	case !wanted:
		return a, nil
	case len(recv) < len(send):
		a.recv = instead[T](&a, wrongLength(function, "recv", len(recv), len(send)), len(send))
		return a, nil
	}
	if err := apart(function, send, recv); err != nil {
		a.recv = instead[T](&a, err, len(send))
	}
	return a, nil
}

// sharing is the arguments of a reduction whose result is divided among the processes.
func sharing[T any](c *Comm, function string, send, recv []T, counts []int, op Op[T], options []Choice) (arguments, error) {
	a, err := between(c, function, send, recv, options)
	if err != nil {
		return a, err
	}
	if a.op, err = op.on(function); err != nil {
		return a, err
	}
	all, mine := "send", len(send)
	if a.inPlace {
		all, mine = "recv", len(recv)
		a.sentInPlace(function, len(send))
	}
	if counts == nil {
		a.m, err = divided(function, all, mine, c.size)
		a.wrong(err)
	} else {
		buffer := &a.send
		if a.inPlace {
			buffer = &a.recv
		}
		if _, err := parts[T](&a, function, all, counts, c.size, mine, buffer); err != nil {
			return a, err
		}
		a.recvs, a.m = counts, counts[c.rank]
	}
	if len(recv) < a.m {
		a.recv = instead[T](&a, wrongLength(function, "recv", len(recv), a.m), a.m)
	} else if err := apart(function, send, recv); err != nil {
		a.recv = instead[T](&a, err, a.m)
	}
	return a, nil
}

// gathers asks whether recv has room for as many elements of each process as send has.
func gathers[T any](function string, send, recv []T, processes int) error {
	if processes > 0 && len(recv)/processes < len(send) {
		return wrongLength(function, "recv", len(recv), len(send)*processes)
	}
	return apart(function, send, recv)
}

// mostInstead is how many bytes may stand in for a slice that is too short.
const mostInstead = 1 << 28

// parts is where the elements of each of so many processes begin in a slice with so much room, which is the buffer. If it
// is too short, others stand in for it. Counts that are no counts are an error at once: what the others send and
// receive is not known then.
func parts[T any](a *arguments, function, slice string, counts []int, processes, room int, buffer *low.Buffer) ([]int, error) {
	if err := sameLength(function, "the counts of "+slice, len(counts), processes); err != nil {
		return nil, err
	}
	var one T
	most := max(room, mostInstead/max(1, int(unsafe.Sizeof(one))))
	displacements := make([]int, processes)
	total := 0
	var short error
	for i, n := range counts {
		displacements[i] = total
		if n < 0 {
			return nil, cmp.Or(short, error(&Error{Class: ErrCount, Function: function,
				Message: fmt.Sprintf("part %d of %s cannot have %d elements", i, slice, n)}))
		}
		if n > room-total && short == nil {
			short = &Error{Class: ErrBuffer, Function: function,
				Message: fmt.Sprintf("%s has %d elements, %d are needed for the parts up to part %d", slice, room, uint(total)+uint(n), i)}
		}
		if n > most-total {
			return nil, short
		}
		total += n
	}
	if short != nil {
		*buffer = instead[T](a, short, total)
	}
	return displacements, nil
}

// apart refuses slices that share elements: MPI must not read where it writes.
func apart[T any](function string, send, recv []T) error {
	if len(send) == 0 || len(recv) == 0 {
		return nil
	}
	size := unsafe.Sizeof(send[0])
	a, b := uintptr(unsafe.Pointer(&send[0])), uintptr(unsafe.Pointer(&recv[0]))
	if a < b+size*uintptr(len(recv)) && b < a+size*uintptr(len(send)) {
		return &Error{Class: ErrBuffer, Function: function, Message: "send and recv share elements"}
	}
	return nil
}

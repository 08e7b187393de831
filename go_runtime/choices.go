package mpi

import "mpiglot.dev/mpi/low"

// A Choice changes how one collective operation is done: [InPlace], or what [WithInfo] gives.
type Choice func(*choices)

type choices struct {
	inPlace bool
	info    low.Info
	hinted  bool
}

// InPlace makes a collective operation take the input of this process from where the result goes, so that its send
// is nil: Allreduce(c, nil, data, mpi.Sum, mpi.InPlace). In a scatter the part of root stays where it is, and the recv
// of root is nil. All processes of a reduction choose it together.
func InPlace(c *choices) { c.inPlace = true }

// WithInfo gives hints to a persistent collective operation; other operations refuse it.
func WithInfo(info *Info) Choice { return func(c *choices) { c.info, c.hinted = info.Handle(), true } }

// chosen is what the caller of a collective operation has chosen.
func chosen(options []Choice) choices {
	if len(options) == 0 {
		return choices{info: low.InfoNull}
	}
	c := &choices{info: low.InfoNull}
	for _, option := range options {
		if option != nil {
			option(c)
		}
	}
	return *c
}
